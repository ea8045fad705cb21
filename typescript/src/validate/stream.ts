/**
 * A whole stream against the contract: every event's faults, and what the stream as such lacks.
 *
 * @module
 */

import { isObject } from "../contract.js";
import { type Diagnostic, InvalidInputError, InvalidJsonError, MsgfoldError } from "../errors.js";
import { EVENT_TYPES } from "../event-types.js";
import { Folder } from "../fold/stream.js";
import { kindOf } from "../json.js";
import { faults as jsonFaults } from "../json-faults.js";
import { NEWEST_REVISION } from "../revisions.js";
import type { Frame, FrameDecoder } from "../streams/frames.js";
import { isForeign } from "../streams/sse.js";
import { type Fault, faultOf } from "./faults.js";
import { type CheckOptions, check } from "./schema.js";

/**
 * Every fault of a JSON value.
 *
 * @param value The value.
 * @param definition A title of the contract, such as `"Msg"` or `"AgentEvent"`.
 * @param options How it is looked at.
 * @throws {UnknownRevisionError} No such revision.
 */
export function validateValue(
  value: unknown,
  definition: string,
  options: CheckOptions = {},
): Fault[] {
  return check(value, definition, options);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Every fault of JSON text: of the text first, then of the value.
 *
 * @param text The text, or its bytes.
 */
export function validateText(
  text: string | Uint8Array,
  definition: string,
  options: CheckOptions = {},
): Fault[] {
  let read: string;
  try {
    read = typeof text === "string" ? text : utf8.decode(text);
  } catch {
    return [faultOf(notUtf8(`${(text as Uint8Array | null)?.length ?? "no"} bytes`))];
  }
  const { value, errors } = jsonFaults(read);
  const found = errors.map(faultOf);
  return value === undefined ? found : [...found, ...check(value, definition, options)];
}

/**
 * Every fault of a stream of events, as it is read. Besides each event's own faults: an event of a
 * reply that has not started, a reply that is incomplete at the end, a frame that the end cut off.
 *
 * @param chunks The bytes, cut anywhere.
 * @param decoder A fresh decoder.
 * @param options How events are looked at.
 * @yields Each fault.
 */
export function* validateStream(
  chunks: Iterable<Uint8Array>,
  decoder: FrameDecoder,
  options: CheckOptions = {},
): Generator<Fault> {
  if (!(isObject(chunks) || Array.isArray(chunks)) || !(Symbol.iterator in chunks)) {
    throw new InvalidInputError("not a list of chunks", {
      expected: "an array, or what else for...of takes",
      got: kindOf(chunks),
      hint: "Of a response, give its bytes: [new Uint8Array(await response.arrayBuffer())]",
    });
  }
  const reports: Diagnostic[] = [];
  const folder = new Folder({
    revision: options.revision ?? NEWEST_REVISION,
    errors: "skip",
    onDiagnostic: (said) => reports.push(said),
  });
  try {
    for (const chunk of chunks) {
      for (const frame of decoder.feed(chunk)) yield* ofFrame(frame, folder, reports, options);
    }
    const { frames, truncated } = decoder.close();
    for (const frame of frames) yield* ofFrame(frame, folder, reports, options);
    if (truncated !== undefined) {
      const said = `the stream ends inside a frame of ${truncated.pending.length} characters`;
      const place = { line: truncated.line };
      const wanted = { expected: "a whole frame", got: "a part of one" };
      yield { code: "truncated_frame", place, message: said, ...wanted };
    }
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    yield faultOf(error); // the framing itself is broken
  }
  folder.close();
  yield* ofStream(reports);
}

function* ofFrame(
  frame: Frame,
  folder: Folder,
  reports: Diagnostic[],
  options: CheckOptions,
): Generator<Fault> {
  if (isForeign(frame, EVENT_TYPES)) return;
  const { line, data, broken } = frame;
  const faults = broken ? [faultOf(notUtf8(data))] : validateText(data, "AgentEvent", options);
  for (const fault of faults) {
    yield { ...fault, place: { ...fault.place, line, eventIndex: folder.events } };
  }
  if (broken) folder.events += 1;
  else folder.feedText(data, line);
  yield* ofStream(reports);
}

function notUtf8(got: string): MsgfoldError {
  const details = { expected: "UTF-8 text", got, rule: "wire.json.utf8" };
  return new InvalidJsonError("not UTF-8", details);
}

const OF_STREAM = {
  incomplete_reply: { expected: "a REPLY_END", got: "the end of the stream" },
  reply_not_started: { expected: "a REPLY_START first", got: "none" },
} as const;

function* ofStream(reports: Diagnostic[]): Generator<Fault> {
  for (const { code, message, place } of reports.splice(0)) {
    if (code !== "incomplete_reply" && code !== "reply_not_started") continue;
    const { line, eventIndex } = place;
    yield { code, message, place: { line, eventIndex }, ...OF_STREAM[code] };
  }
}
