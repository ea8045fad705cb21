/**
 * What a server answers, and how to tell that it is another server than was thought: a proxy, a
 * login page, a development server that has a page for every path.
 *
 * @module
 */

import { isObject } from "../contract.js";
import { type ByteStream, Source } from "../streams/source.js";
import type { Watch } from "./backoff.js";
import { type ServiceCode, ServiceError } from "./errors.js";

/** Statuses that a proxy gives while no server is behind it. */
const NOBODY = new Set([502, 503, 504]);

/** The error that a response with another status than 2xx stands for. Reads its body. */
export async function errorOf(response: Response): Promise<ServiceError> {
  const { status, url } = response;
  const said = saidIn(await response.text().catch(() => ""));
  if (said !== undefined) {
    return new ServiceError(said.code, said.message, { pointer: said.pointer, status });
  }
  if (NOBODY.has(status)) {
    return new ServiceError("unavailable", `no server answers at ${url}: HTTP ${status}`, {
      status,
    });
  }
  return another(response, `HTTP ${status} without an error of this service`);
}

function saidIn(
  text: string,
): { code: ServiceCode; message: string; pointer: string | undefined } | undefined {
  try {
    const { error } = JSON.parse(text);
    if (typeof error?.code !== "string" || typeof error.message !== "string") return undefined;
    const pointer = typeof error.pointer === "string" ? error.pointer : undefined;
    return { code: error.code, message: error.message, pointer };
  } catch {
    return undefined;
  }
}

/**
 * The JSON object that a server answers with.
 *
 * @param response The response.
 * @param member A member that it has, and that is text.
 * @throws {ServiceError} The connection was lost, or it is something else.
 */
export async function answerOf(response: Response, member: string): Promise<object> {
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw new ServiceError("unavailable", "the connection was lost", { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw another(response, "what is no JSON");
  }
  if (isObject(value) && typeof value[member] === "string") return value;
  throw another(response, `JSON without a ${member}`);
}

/**
 * Refuse a response that is no event stream: it would be read to its end, find no event, and be
 * asked for again, for ever.
 *
 * @throws {ServiceError} It is none.
 */
export function checkStream(response: Response): void {
  const type = response.headers.get("Content-Type") ?? "";
  if (/^text\/event-stream *(;|$)/i.test(type)) return;
  new Source(response.body as ByteStream | null).leave();
  throw another(response, type === "" ? "something without a type" : type);
}

/** The chunks of a response; a connection that is lost on the way has a typed error. */
export async function* received(
  body: ByteStream | null,
  watch: Watch,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    watch.start();
    for await (const chunk of new Source(body).chunks()) {
      watch.stop();
      yield chunk;
      watch.start();
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServiceError("unavailable", "the connection was lost", { cause });
  } finally {
    watch.stop();
  }
}

function another({ url, status }: Response, what: string): ServiceError {
  const reason = `${url} answers ${what}: is it this service?`;
  return new ServiceError("internal", reason, { status });
}
