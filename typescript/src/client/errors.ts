/**
 * What can go wrong between a client and a reply.
 *
 * @module
 */

const CODES = [
  "invalid_request",
  "unauthenticated",
  "unknown_reply",
  "unknown_event",
  "not_waiting",
  "session_busy",
  "too_many_replies",
  "too_many_streams",
  "too_large",
  "agent_refused",
  "agent_failed",
  "broken_off",
  "draining",
  "unavailable",
  "deadline",
  "internal",
] as const;

/** Every code of the service. */
export type ServiceCode = (typeof CODES)[number];

/** Whether a word is a code of the service. */
export function isCode(word: string): word is ServiceCode {
  return (CODES as readonly string[]).includes(word);
}

/** A request to the service, or a reply, came to nothing. */
export class ServiceError extends Error {
  /** The class. */
  override readonly name = "ServiceError";
  /** What went wrong. */
  readonly code: ServiceCode;
  /** JSON Pointer into the request, where the fault is in one place of it. */
  readonly pointer: string | undefined;
  /** The HTTP status, when there was a response. */
  readonly status: number | undefined;

  /**
   * @param code What went wrong.
   * @param reason A sentence or two: what, what was expected, what to do next.
   * @param details What else is known; `cause` is the error behind this one.
   */
  constructor(
    code: ServiceCode,
    reason: string,
    details: { pointer?: string | undefined; status?: number; cause?: unknown } = {},
  ) {
    const where = details.pointer ? `at ${details.pointer}: ` : "";
    super(`${where}${reason} [${code}]`, { cause: details.cause });
    this.code = code;
    this.pointer = details.pointer;
    this.status = details.status;
  }

  /** Whether asking again, here or elsewhere, may help. */
  get isLost(): boolean {
    return this.code === "unavailable" || this.code === "draining";
  }
}
