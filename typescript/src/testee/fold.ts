/**
 * The ops `fold` and `validate`.
 *
 * @module
 */

import { dump } from "../dump.js";
import { type Diagnostic, MsgfoldError } from "../errors.js";
import { Folder, replyStatus } from "../fold/index.js";
import { parseEvent, parseMsg } from "../parse.js";
import { NdjsonDecoder } from "../streams/ndjson.js";
import type { Msg } from "../types.js";
import { validateStream, validateText, validateValue } from "../validate/index.js";
import { about } from "./about.js";

type Answer = Record<string, unknown>;

/** A case's input. */
export interface FoldInput {
  msg: object | null;
  events?: object[];
  text?: string;
  errors?: "raise" | "skip";
  replies?: "first" | "all" | "handed-on";
  ends?: boolean;
  repeat?: number;
}

/** A case's input. */
export interface ValidateInput {
  definition: string;
  value?: unknown;
  text?: string;
  base64?: string;
  strict?: boolean;
}

/** The answer to a case: the members of its `expect`. */
export function fold(input: FoldInput, revision: string): Answer {
  const { repeat = 1 } = input;
  // What is repeated is these very objects: they can be shared with a Msg, as JSON text cannot.
  const events = input.repeat === undefined ? input.events : input.events?.map(parseEvent);
  const lines = (input.text ?? "").split("\n").filter((line) => line.trim() !== "");
  const answers = Array.from({ length: repeat }, () => {
    const msg = input.msg === null ? null : parseMsg(input.msg);
    return foldOnce(input, revision, msg, events, lines);
  });
  const [first, ...others] = answers.map((each) => JSON.stringify(each));
  const other = others.find((each) => each !== first);
  if (other !== undefined) throw new Error(`unsteady: first ${first}, then ${other}`);
  return answers[0] as Answer;
}

function foldOnce(
  { errors = "raise", replies = "first", ends = false }: FoldInput,
  revision: string,
  msg: Msg | null,
  events: readonly unknown[] | undefined,
  lines: readonly string[],
): Answer {
  const diagnostics: Diagnostic[] = [];
  const handedOn: Msg[] = [];
  const folder = new Folder({
    revision,
    errors,
    msg,
    onDiagnostic: (said) => diagnostics.push(said),
    firstOnly: replies === "first",
    ...(replies === "handed-on" && { onReply: (each: Msg) => handedOn.push(each) }),
  });
  const answer: Answer = {};
  try {
    if (events === undefined) for (const line of lines) folder.feedText(line);
    else for (const event of events) folder.feed(event);
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    answer.error = about(error);
  }
  if (ends) folder.close();
  const msgs = [...handedOn, ...folder.msgs];
  const [only] = msgs;
  if (replies !== "first") {
    answer.msgs = msgs.map((each) => dump(each, revision));
  } else {
    answer.msg = only === undefined ? null : dump(only, revision);
    answer.status = only === undefined ? "open" : replyStatus(only);
  }
  if (diagnostics.length > 0) answer.diagnostics = diagnostics.map(about);
  spoil(msgs);
  return answer;
}

/** Empty a Msg inside and out: what it shares with an event is missing in the next fold. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    spoil(inner);
    delete (value as Record<string, unknown>)[name];
  }
}

/** The answer to a case: the members of its `expect`. */
export function validate(input: ValidateInput, revision: string): Answer {
  const { definition } = input;
  const asked = { strict: input.strict ?? false, revision };
  if ("value" in input) {
    return { faults: validateValue(input.value, definition, asked).map(about) };
  }
  const bytes =
    input.base64 === undefined
      ? Buffer.from(input.text ?? "")
      : Buffer.from(input.base64, "base64");
  const faults =
    definition === "stream"
      ? [...validateStream([bytes], new NdjsonDecoder(), asked)]
      : validateText(input.text ?? bytes, definition, asked);
  return { faults: faults.map(about) };
}
