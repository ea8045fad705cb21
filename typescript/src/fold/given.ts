/**
 * The Msg that a program gives to be folded into: whether it is one, and may be changed.
 *
 * Only what the fold would stumble over is looked at; `parseMsg` is for JSON from elsewhere.
 *
 * @module
 */

import { isObject } from "../contract.js";
import { InvalidInputError, InvalidMsgError } from "../errors.js";
import { kindOf } from "../json.js";
import type { Msg } from "../types.js";

/**
 * Refuse what has no list of blocks.
 *
 * @throws {InvalidMsgError} It is no Msg.
 */
export function checkGiven(msg: unknown): asserts msg is Msg {
  if (isObject(msg) && Array.isArray(msg.content)) return;
  throw new InvalidMsgError(isObject(msg) ? "content is not a list" : "not a Msg", {
    place: { pointer: isObject(msg) ? "/content" : "" },
    expected: "a Msg, with a list of blocks as its content",
    got: kindOf(isObject(msg) ? msg.content : msg),
    hint: "parseMsg makes sure of JSON from elsewhere",
  });
}

/**
 * Refuse what is no list of events, and a stream of them, which has to be waited for.
 *
 * @throws {InvalidInputError} It is so.
 */
export function checkEvents(events: unknown): void {
  if (isObject(events) || Array.isArray(events)) {
    if (Symbol.iterator in events) return;
  }
  throw new InvalidInputError("not a list of events", {
    expected: "an array, or what else for...of takes",
    got: kindOf(events),
    hint: "A stream goes into a Folder: for await (const event of stream) folder.feed(event)",
  });
}

/** The error for a Msg that cannot be changed, when it is one: frozen, wholly or in part. */
export function frozen(msg: Msg): InvalidInputError | undefined {
  if (![msg, msg.content, ...msg.content].some(Object.isFrozen)) return undefined;
  return new InvalidInputError("the Msg is frozen, and this folds in place", {
    expected: "a Msg that may be changed",
    got: "one of Redux, Immer or Object.freeze",
    hint: "reduce() gives another Msg and leaves this one as it is",
  });
}
