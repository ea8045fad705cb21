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
export abstract class MsgfoldError extends Error {
  /** The code, the same in every language. */
  abstract readonly code: ErrorCode;
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

  /**
   * @param reason One sentence that says what is wrong, without the place.
   * @param details What else is known.
   */
  constructor(reason: string, details: ErrorDetails = {}) {
    super(reason);
    this.name = new.target.name;
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

/** The text is not JSON, or not I-JSON (`wire.json.*`). */
export class InvalidJsonError extends MsgfoldError {
  readonly code = "invalid_json";
}

/** JSON nested deeper than 128 levels (`wire.json.depth`). */
export class TooDeepError extends MsgfoldError {
  readonly code = "too_deep";
}

/** An event that its schema refuses. */
export class InvalidEventError extends MsgfoldError {
  readonly code = "invalid_event";
}

/** A Msg that its schema refuses. */
export class InvalidMsgError extends MsgfoldError {
  readonly code = "invalid_msg";
}

/** Data that is not canonical, padded base64 (`fold.data.base64`). */
export class InvalidBase64Error extends MsgfoldError {
  readonly code = "invalid_base64";
}

/** An event would add a block that the Msg's role may not carry (`fold.role`). */
export class RoleViolationError extends MsgfoldError {
  readonly code = "role_violation";
}

/** There is no REPLY_START in the stream (`fold.stream.no-reply`). */
export class NoReplyError extends MsgfoldError {
  readonly code = "no_reply";
}

/** The stream has no reply with the id that was asked for. */
export class UnknownReplyError extends MsgfoldError {
  readonly code = "unknown_reply";
}

/** No such revision; the message lists those there are. */
export class UnknownRevisionError extends MsgfoldError {
  readonly code = "unknown_revision";
}

/** A JSON member, or its kind of value, has no place in protobuf (`wire.proto.unmapped`). */
export class UnmappedFieldError extends MsgfoldError {
  readonly code = "unmapped_field";
}

/** An integer does not fit where it has to go (`wire.proto.int64`). */
export class OutOfRangeError extends MsgfoldError {
  readonly code = "out_of_range";
}

/** Not the protobuf message that it is meant to be (`wire.proto.*`). */
export class InvalidProtoError extends MsgfoldError {
  readonly code = "invalid_proto";
}

/** What was given cannot be read at all. */
export class InvalidInputError extends MsgfoldError {
  readonly code = "invalid_input";
}

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
