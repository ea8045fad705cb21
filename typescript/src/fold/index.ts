/**
 * Events to Msg: the reducer. The rules are in the specification; every function names its own.
 *
 * @module
 */

import { NoReplyError } from "../errors.js";
import type { AgentEvent, Msg } from "../types.js";
import { checkEvents, checkGiven } from "./given.js";
import { applyOne } from "./one.js";
import { IN_PLACE, Sharing } from "./ownership.js";
import { Folder, type FolderOptions, type FoldOptions } from "./stream.js";

export { type ReplyStatus, replyStatus } from "./status.js";
export { Folder, type FolderOptions, type FoldOptions };

/** How a whole stream is folded. */
export type StreamFoldOptions = Pick<FolderOptions, "revision" | "onDiagnostic" | "errors" | "msg">;

/**
 * Apply one event to a Msg, in place, at a cost that does not depend on the Msg's size.
 *
 * The program may change the Msg between two events. Who puts a block before another of the same
 * kind and id gives it another list (`msg.content = [...]`), because the first of many blocks is not
 * searched for again where there seems to be no need.
 *
 * @param msg The Msg of the event's reply: `msg.id === event.reply_id`.
 * @param event The event.
 * @param options How it is folded.
 * @returns `msg` itself.
 * @throws {InvalidEventError} The event must not be applied; the Msg is as it was (`fold.atomic`).
 * @throws {InvalidBase64Error} So is this, and {@link RoleViolationError}.
 * @throws {InvalidMsgError} `msg` is no Msg.
 * @throws {InvalidInputError} `msg` is frozen; {@link reduce} is for those.
 * @throws {UnknownRevisionError} No such revision.
 *
 * @example
 * ```ts
 * const msg = assistantMsg("friday", [], { id: "r1" });
 * appendEvent(msg, { type: "TEXT_BLOCK_START", reply_id: "r1", block_id: "b1", ...stamps });
 * appendEvent(msg, { type: "TEXT_BLOCK_DELTA", reply_id: "r1", block_id: "b1", delta: "Hi", ...stamps });
 * getTextContent(msg); // Hi
 * ```
 */
export function appendEvent(msg: Msg, event: AgentEvent, options: FoldOptions = {}): Msg {
  checkGiven(msg);
  applyOne(msg, event, options, IN_PLACE);
  return msg;
}

/**
 * The Msg after an event, for state that must not be changed: React's, Redux's.
 *
 * The Msg that was given stays as it is. What the event changes is another object afterwards, up to
 * the Msg itself; what it does not change keeps its identity, so a memo for each block works. An
 * event that changes nothing gives the same Msg. Other arguments and errors as for
 * {@link appendEvent}; the result is the same, too.
 *
 * @param msg The Msg so far; `null` until the first REPLY_START, which makes it.
 */
export function reduce(msg: Msg, event: AgentEvent, options?: FoldOptions): Msg;
export function reduce(msg: Msg | null, event: AgentEvent, options?: FoldOptions): Msg | null;
export function reduce(msg: Msg | null, event: AgentEvent, options: FoldOptions = {}): Msg | null {
  const sharing = new Sharing();
  const after = applyOne(msg ?? null, event, options, sharing);
  return after === null ? null : sharing.settled(after);
}

/**
 * Build the Msg of the first reply in a stream (`fold.stream.first`).
 *
 * @param events Events in order.
 * @param options How they are folded.
 * @throws {InvalidInputError} `events` is a stream, or no list.
 * @throws {NoReplyError} No REPLY_START, and no `msg` to go on with.
 * @throws {MsgfoldError} An event that must not be applied, with its index in `place`.
 */
export function fold(events: Iterable<AgentEvent>, options: StreamFoldOptions = {}): Msg {
  checkEvents(events);
  const folder = new Folder({ ...options, firstOnly: true });
  for (const event of events) folder.feed(event);
  const [msg] = folder.close();
  if (msg !== undefined) return msg;
  const said = `no reply in the stream: ${folder.events} events, none of them a REPLY_START`;
  throw new NoReplyError(said, {
    expected: "a REPLY_START, or a Msg to go on with",
    rule: "fold.stream.no-reply",
  });
}

/**
 * Build the Msg of every reply in a stream, in order of first appearance. Arguments and errors as
 * for {@link fold}; a stream without a reply gives an empty list.
 */
export function foldAll(
  events: Iterable<AgentEvent>,
  options: Omit<StreamFoldOptions, "msg"> = {},
): Msg[] {
  checkEvents(events);
  const folder = new Folder(options);
  for (const event of events) folder.feed(event);
  return folder.close();
}
