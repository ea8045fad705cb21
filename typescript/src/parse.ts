/**
 * JSON from elsewhere to events and Msgs that were looked over.
 *
 * A missing `id` or `created_at` is made up, as AgentScope does (`wire.json.mint`), and members that
 * have a default get it. Unknown members are kept (`wire.json.unknown-member`).
 *
 * @module
 */

import { completed } from "./complete.js";
import { InvalidEventError, InvalidMsgError } from "./errors.js";
import { checkJson, parseJson } from "./json.js";
import { mint } from "./mint.js";
import { explain, refusal } from "./refuse.js";
import type { AgentEvent, Msg } from "./types.js";

/**
 * One event.
 *
 * @param data JSON text, or the JSON value.
 * @returns An object of its own: nothing is shared with `data`.
 * @throws {InvalidJsonError} The text is not I-JSON.
 * @throws {TooDeepError} It is nested too deeply.
 * @throws {InvalidBase64Error} Its data is not canonical base64.
 * @throws {InvalidEventError} It is not an event; the error leads to the first fault.
 */
export function parseEvent(data: unknown): AgentEvent {
  return parse<AgentEvent>(data, "AgentEvent", InvalidEventError);
}

/**
 * One Msg. Arguments and errors as for {@link parseEvent}, except:
 *
 * @throws {InvalidMsgError} It is not a Msg; the error leads to the first fault.
 */
export function parseMsg(data: unknown): Msg {
  return parse<Msg>(data, "Msg", InvalidMsgError);
}

function parse<T>(
  data: unknown,
  definition: string,
  Type: typeof InvalidEventError | typeof InvalidMsgError,
): T {
  let value = data;
  if (typeof data === "string") value = parseJson(data);
  else checkJson(data);
  const faults = explain(value, definition);
  if (faults.length > 0) throw refusal(Type, faults, "wire.json.shape");
  return completed<T>(value, definition, mint);
}
