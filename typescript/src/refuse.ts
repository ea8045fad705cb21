/**
 * Why a value is refused, as an error: quick to say no, slow to explain it.
 *
 * @module
 */

import { InvalidBase64Error, type InvalidEventError, type InvalidMsgError } from "./errors.js";
import type { Fault } from "./validate/faults.js";
import { check } from "./validate/schema.js";

type Refusal = typeof InvalidEventError | typeof InvalidMsgError;

/**
 * What is wrong with a value, but for members that parsing makes up (`wire.json.mint`).
 *
 * Empty when it is to be taken: members by another name are kept, and only validation reports them.
 */
export function explain(value: unknown, definition: string): Fault[] {
  const blocking = check(value, definition).filter((fault) => !fault.minted);
  return blocking.every((fault) => fault.code === "camel_case_member") ? [] : blocking;
}

/**
 * The error for a refused value: its first fault.
 *
 * @param Type The error's class, unless it is about base64.
 * @param faults At least one.
 * @param rule The rule that refuses it.
 * @param prefix JSON Pointer to where the value is.
 */
export function refusal(
  Type: Refusal,
  faults: readonly Fault[],
  rule: string,
  prefix = "",
): InstanceType<Refusal> | InvalidBase64Error {
  const [first] = faults as [Fault];
  const more = faults.length - 1;
  const details = {
    place: { pointer: prefix + (first.place.pointer ?? "") },
    expected: first.expected,
    got: first.got,
    rule,
    ...(more > 0 && { hint: `${more} more: validation names them all` }),
  };
  return first.code === "invalid_base64"
    ? new InvalidBase64Error(first.message, { ...details, rule: "wire.json.base64" })
    : new Type(first.message, details);
}
