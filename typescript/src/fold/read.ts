/**
 * An event as the fold takes it: plain JSON that is well-formed, or the reason why it is not.
 *
 * @module
 */

import { SHAPES } from "../_contract/shapes.js";
import { isObject } from "../contract.js";
import { type Diagnostic, InvalidEventError, shorten } from "../errors.js";
import { explain, refusal } from "../refuse.js";
import type { Event } from "./state.js";

/** Event type to the enum member that no handler reads (`fold.unknown-enum`). */
const WORDS_NOT_FOLDED: Readonly<Record<string, string>> = {
  REPLY_START: "role",
  REPLY_END: "finished_reason",
  MODEL_CALL_END: "finished_reason",
};

/**
 * A JSON value that is not plainly a well-formed event as one; of a type that is not known,
 * `undefined`. What the event carries inside is looked at when it is applied.
 *
 * @param value The JSON value.
 * @param onUnknownWord Given, an unknown word in a member that the fold does not read is reported
 *   here and left out, instead of refusing the event (`fold.unknown-enum`).
 * @throws {InvalidEventError} It is none (`fold.invalid-event`).
 */
export function readEvent(
  value: unknown,
  onUnknownWord: ((diagnostic: Diagnostic) => void) | undefined,
): Event | undefined {
  const type = isObject(value) ? value.type : undefined;
  if (typeof type === "string") {
    const isShaped = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
    if (isShaped === undefined) return undefined;
    if (isShaped(value as Event)) return value;
  }
  const found = explain(value, "AgentEvent");
  // What an error holds is looked at when it is applied, and is no reason to refuse it before.
  const outside = found.filter(({ place }) => !place.pointer?.startsWith("/error/"));
  const faults = outside.length > 0 ? outside : found;
  const member = typeof type === "string" ? WORDS_NOT_FOLDED[type] : undefined;
  const [first] = faults;
  if (onUnknownWord && member && faults.length === 1 && first?.place.pointer === `/${member}`) {
    const event = value as Event;
    const said = `${type}.${member}: unknown word ${shorten(String(event[member]))}`;
    onUnknownWord({
      code: "unknown_enum_value",
      message: `${said}, expected ${first.expected}`,
      rule: "fold.unknown-enum",
      place: first.place,
      replyId: event.reply_id,
    });
    const { [member]: _, ...rest } = event;
    const read = readEvent(rest, onUnknownWord);
    // Left out because it is unknown, which is not its default.
    return { ...read, [member]: null };
  }
  if (faults.length > 0) throw refusal(InvalidEventError, faults, "fold.invalid-event");
  // The contract takes it, so what refused it is the quick look: a member of another kind.
  throw new InvalidEventError("not an event", {
    place: { pointer: "" },
    rule: "fold.invalid-event",
  });
}
