/**
 * What can go wrong between a client and a reply.
 *
 * @module
 */

/** Every code of the service. */
export type ServiceCode =
  | "invalid_request"
  | "unauthenticated"
  | "unknown_reply"
  | "unknown_event"
  | "not_waiting"
  | "session_busy"
  | "too_many_replies"
  | "too_many_streams"
  | "too_large"
  | "agent_refused"
  | "agent_failed"
  | "broken_off"
  | "draining"
  | "unavailable"
  | "internal";

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

/** Statuses that a proxy gives while no server is behind it. */
const NOBODY = new Set([502, 503, 504]);

/** The error that a response with another status than 2xx stands for. Reads its body. */
export async function errorOf(response: Response): Promise<ServiceError> {
  const { status, url } = response;
  const text = await response.text().catch(() => "");
  const said = bodyOf(text);
  if (said !== undefined) {
    return new ServiceError(said.code, said.message, { pointer: said.pointer, status });
  }
  if (NOBODY.has(status)) {
    return new ServiceError("unavailable", `no server answers at ${url}: HTTP ${status}`, {
      status,
    });
  }
  const reason = `${url} answers HTTP ${status} without an error of this service: is it one?`;
  return new ServiceError("internal", reason, { status });
}

function bodyOf(
  text: string,
): { code: ServiceCode; message: string; pointer?: string } | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error?.code === "string" && typeof error.message === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
