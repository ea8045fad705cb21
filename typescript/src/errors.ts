/**
 * What msgfold throws and what it reports.
 *
 * An **error** is typed, stops the operation, and says where it happened, what was expected, what
 * came and what to do next. A **diagnostic** is something that was skipped or looked odd and did
 * not stop anything; it goes to a callback. Both carry a code from a closed list, the same in every
 * language. The rule ids (`wire.sse.bom` ...) are those of the specification.
 *
 * @module
 */

/** Every error code there is. */
export type ErrorCode =
  | "invalid_json"
  | "too_deep"
  | "invalid_event"
  | "invalid_msg"
  | "invalid_base64"
  | "role_violation"
  | "no_reply"
  | "unknown_reply"
  | "unknown_revision"
  | "unmapped_field"
  | "out_of_range"
  | "invalid_proto"
  | "invalid_input";

/** Every diagnostic code there is. */
export type DiagnosticCode =
  | "reply_id_mismatch"
  | "reply_not_started"
  | "reply_closed"
  | "unknown_event"
  | "unknown_enum_value"
  | "block_not_found"
  | "newer_member"
  | "duplicate_block"
  | "not_base64_source"
  | "stale_confirmation"
  | "duplicate_result"
  | "incomplete_reply"
  | "truncated_frame"
  | "foreign_frame";

/** Where something happened. Every part is optional. */
export interface Place {
  /** Line in the text, counted from 1. */
  readonly line?: number | undefined;
  /** Position of the event in the stream, counted from 0. */
  readonly eventIndex?: number | undefined;
  /** JSON Pointer (RFC 6901) into the event or the Msg; `""` is the whole value. */
  readonly pointer?: string | undefined;
}

/** What an error says beside its reason. */
export interface ErrorDetails {
  place?: Place;
  expected?: string;
  got?: string;
  hint?: string;
  rule?: string;
}

/** Base of every error. */
export class MsgfoldError extends Error {
  /** The code, the same in every language. */
  readonly code: ErrorCode;
  /** One sentence that says what is wrong, without the place. */
  readonly reason: string;
  /** Where it happened. */
  place: Place;
  /** What should have come. */
  readonly expected: string | undefined;
  /** What came, shortened. */
  readonly got: string | undefined;
  /** What to do next. */
  readonly hint: string | undefined;
  /** The id of the rule that says so. */
  readonly rule: string | undefined;

  constructor(code: ErrorCode, reason: string, details: ErrorDetails = {}) {
    super(reason);
    this.name = new.target.name;
    this.code = code;
    this.reason = reason;
    this.place = details.place ?? {};
    this.expected = details.expected;
    this.got = details.got === undefined ? undefined : shorten(details.got);
    this.hint = details.hint;
    this.rule = details.rule;
  }

  /** The whole of it: place, reason, expected, got, hint and code. */
  override toString(): string {
    const where = placeText(this.place);
    const parts = [where === "" ? this.reason : `${where}: ${this.reason}`];
    if (this.expected !== undefined) parts.push(`expected ${this.expected}`);
    if (this.got !== undefined) parts.push(`got ${this.got}`);
    const hint = this.hint === undefined ? "" : `. ${this.hint}`;
    return `${parts.join("; ")}${hint} [${this.code}]`;
  }

  /** Fill in the parts of the place that only an outer layer knows; returns `this`. */
  at(outer: Place): this {
    this.place = {
      line: this.place.line ?? outer.line,
      eventIndex: this.place.eventIndex ?? outer.eventIndex,
      pointer: this.place.pointer ?? outer.pointer,
    };
    return this;
  }
}

/** One thing that was skipped, or that looked odd, and did not stop the work. */
export interface Diagnostic {
  readonly code: DiagnosticCode | ErrorCode;
  readonly message: string;
  /** The id of the rule that asks for this diagnostic. */
  readonly rule: string;
  readonly place: Place;
  /** The reply that it is about, where that is known. */
  readonly replyId?: string | undefined;
  /** Facts that a program may want: `block_id`, `kind`, `state` … */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What receives diagnostics. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

/** Where diagnostics go when nobody asked for them: a warning on the console. */
export function logDiagnostic({ code, message, place }: Diagnostic): void {
  const where = placeText(place);
  console.warn(`msgfold: ${where === "" ? "" : `${where}: `}${message} [${code}]`);
}

const typed = (code: ErrorCode) =>
  class extends MsgfoldError {
    constructor(reason: string, details?: ErrorDetails) {
      super(code, reason, details);
    }
  };

export class InvalidJsonError extends typed("invalid_json") {}
export class TooDeepError extends typed("too_deep") {}
export class InvalidEventError extends typed("invalid_event") {}
export class InvalidMsgError extends typed("invalid_msg") {}
export class InvalidBase64Error extends typed("invalid_base64") {}
export class RoleViolationError extends typed("role_violation") {}
export class NoReplyError extends typed("no_reply") {}
export class UnknownReplyError extends typed("unknown_reply") {}
export class UnknownRevisionError extends typed("unknown_revision") {}
export class UnmappedFieldError extends typed("unmapped_field") {}
export class OutOfRangeError extends typed("out_of_range") {}
export class InvalidProtoError extends typed("invalid_proto") {}
export class InvalidInputError extends typed("invalid_input") {}

/** Text for a message: one line, at most `limit` characters. */
export function shorten(text: string, limit = 80): string {
  const line = text.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

function placeText({ line, eventIndex, pointer }: Place): string {
  const parts: string[] = [];
  if (line !== undefined) parts.push(`line ${line}`);
  if (eventIndex !== undefined) parts.push(`event ${eventIndex}`);
  if (pointer !== undefined) parts.push(pointer === "" ? "at the root" : `at ${pointer}`);
  return parts.join(", ");
}
