/**
 * Messages: making one, and reading what is in it.
 *
 * @module
 */

import { mint } from "./mint.js";
import { parseMsg } from "./parse.js";
import type {
  ContentBlock,
  DataBlock,
  JsonObject,
  Msg,
  ReplyFinishedReason,
  Role,
  TextBlock,
  Usage,
} from "./types.js";

/** What may be said of a new message; an `id` and the times are made up when left out. */
export interface MsgOptions {
  id?: string | undefined;
  metadata?: JsonObject | undefined;
  /** ISO 8601 text; the local time when left out. */
  created_at?: string | undefined;
  /** ISO 8601 text; of a message of a user or the system, `created_at` when left out. */
  finished_at?: string | null | undefined;
  usage?: Usage | null | undefined;
  /** Why it ended (AgentScope 2.0.5 and later). */
  finished_reason?: ReplyFinishedReason | null | undefined;
}

/**
 * A message.
 *
 * @param role Who speaks.
 * @param name The sender's name.
 * @param content Text, which becomes one text block, or blocks; they are copied.
 * @param options The rest.
 * @throws {InvalidMsgError} A block that a message of that role may not carry, or another fault.
 */
export function createMsg(
  role: Role,
  name: string,
  content: string | readonly ContentBlock[],
  options: MsgOptions = {},
): Msg {
  // What is undefined is as if it were left out, and must not hide what stands before it.
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as MsgOptions;
  const created_at = given.created_at ?? mint("now");
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const finished_at = role === "assistant" ? null : created_at;
  const base = { name, content: blocks, role, id: given.id ?? mint("id"), created_at };
  return parseMsg({ ...base, finished_at, ...given });
}

/** A user's message, finished when it is created. Arguments and errors as for {@link createMsg}. */
export function userMsg(
  name: string,
  content: string | readonly (TextBlock | DataBlock)[],
  options?: MsgOptions,
): Msg {
  return createMsg("user", name, content, options);
}

/** A system message, finished when it is created. Arguments and errors as for {@link createMsg}. */
export function systemMsg(
  name: string,
  content: string | readonly TextBlock[],
  options?: MsgOptions,
): Msg {
  return createMsg("system", name, content, options);
}

/**
 * An agent's message. Its `finished_at` stays null when left out: REPLY_END stamps it. Arguments and
 * errors as for {@link createMsg}; `id` is the `reply_id` of the events that fold into it.
 */
export function assistantMsg(
  name: string,
  content: string | readonly ContentBlock[],
  options?: MsgOptions,
): Msg {
  return createMsg("assistant", name, content, options);
}

/**
 * The text of a message: its text blocks, joined.
 *
 * @param msg The message.
 * @param separator What stands between two blocks.
 * @returns The text; `null` when there is no text block.
 */
export function getTextContent(msg: Msg, separator = "\n"): string | null {
  const blocks = getContentBlocks(msg, "text");
  return blocks.length === 0 ? null : blocks.map(({ text }) => text).join(separator);
}

/** The blocks of a message, of one kind or of all; the list is another one, the blocks are not. */
export function getContentBlocks(msg: Msg): ContentBlock[];
export function getContentBlocks<K extends ContentBlock["type"]>(
  msg: Msg,
  kind: K,
): Extract<ContentBlock, { type: K }>[];
export function getContentBlocks(msg: Msg, kind?: ContentBlock["type"]): ContentBlock[] {
  return msg.content.filter((block) => kind === undefined || block.type === kind);
}
