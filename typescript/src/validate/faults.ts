/**
 * What validation finds: a fault, with a code from a closed list and a place.
 *
 * @module
 */

import type { MsgfoldError, Place } from "../errors.js";

/** Every kind of fault there is. */
export type FaultCode =
  | "invalid_json"
  | "too_deep"
  | "missing_member"
  | "wrong_type"
  | "unknown_type"
  | "unknown_word"
  | "invalid_base64"
  | "not_absolute_url"
  | "data_or_url"
  | "role_violation"
  | "camel_case_member"
  | "newer_member"
  | "unknown_member"
  | "incomplete_reply"
  | "reply_not_started"
  | "truncated_frame";

/** One thing that is wrong with a value. */
export interface Fault {
  readonly code: FaultCode;
  readonly place: Place;
  /** One sentence for a person. */
  readonly message: string;
  readonly expected: string;
  /** What came, shortened. */
  readonly got: string;
  /** A missing member that parsing makes up (`wire.json.mint`). */
  readonly minted?: true;
}

/** An error of the JSON layer as a fault. */
export function faultOf(error: MsgfoldError): Fault {
  return {
    code: error.code === "too_deep" ? "too_deep" : "invalid_json",
    place: error.place,
    message: error.reason,
    expected: error.expected ?? "I-JSON (RFC 7493)",
    got: error.got ?? "something else",
  };
}
