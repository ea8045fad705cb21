/**
 * The reply service over HTTP: requests with JSON, events as server-sent events.
 *
 * @module
 */

import { EventReader } from "../streams/events.js";
import type { ByteStream } from "../streams/source.js";
import { SseDecoder } from "../streams/sse.js";
import { answerOf, checkStream, errorOf, received } from "./answers.js";
import { Watch } from "./backoff.js";
import { isCode, ServiceError } from "./errors.js";
import {
  type Arrival,
  filled,
  type Place,
  type Reading,
  type Start,
  type Transport,
} from "./transport.js";
import type { Reply, ReplyState } from "./types.js";

/** What a stream may end with, in a comment. */
const STATES: ReadonlySet<string> = new Set([
  "waiting_confirmation",
  "waiting_execution",
  "finished",
  "broken_off",
]);

const SSE = "text/event-stream";
const VISIBLE = /^[!-~]+$/;

/** A server over HTTP. */
export class HttpTransport implements Transport {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;
  readonly #silence: number;

  /**
   * @param url Where the service is, without `/replies`.
   * @param headers Sent with every request.
   * @param send What sends it.
   * @param silence Milliseconds without a byte, after which a connection is lost.
   */
  constructor(
    url: string | URL,
    headers: Record<string, string>,
    send: typeof fetch,
    silence: number,
  ) {
    this.#url = String(url).replace(/\/+$/, "");
    this.#headers = headers;
    this.#fetch = send;
    this.#silence = silence;
  }

  start(start: Start, reading: Reading): AsyncIterable<Arrival> {
    return this.#read(reading, (signal) => this.#post(start, SSE, signal));
  }

  resume(place: Place, reading: Reading): AsyncIterable<Arrival> {
    return this.#read(
      reading,
      (signal) => this.#events(place, signal),
      async (signal) => (await this.get(place.replyId, signal)).state,
    );
  }

  async startedAs(start: Start, signal: AbortSignal): Promise<string> {
    const response = await this.#post(start, "application/json", signal);
    return ((await answerOf(response, "reply_id")) as { reply_id: string }).reply_id;
  }

  async get(replyId: string, signal: AbortSignal): Promise<Reply> {
    return (await answerOf(await this.#request(pathOf(replyId), { signal }), "state")) as Reply;
  }

  async cancel(replyId: string, signal: AbortSignal): Promise<ReplyState> {
    const response = await this.#request(pathOf(replyId), { method: "DELETE", signal });
    return ((await answerOf(response, "state")) as Reply).state;
  }

  /**
   * One stream.
   *
   * @param reading How it is read.
   * @param request Begins it.
   * @param standing Where the reply stands, when the server says that nothing is left.
   */
  async *#read(
    reading: Reading,
    request: (signal: AbortSignal) => Promise<Response>,
    standing?: (signal: AbortSignal) => Promise<ReplyState>,
  ): AsyncGenerator<Arrival> {
    const { signal: given, onDiagnostic } = reading;
    const watch = new Watch(this.#silence);
    const signal = AbortSignal.any([given, watch.signal]);
    watch.start();
    const response = await request(signal).finally(() => watch.stop());
    if (response.status === 204 && standing !== undefined) {
      yield { events: [], ids: [], state: await standing(signal) };
      return;
    }
    checkStream(response);
    let comments: string[] = [];
    let seen = 0;
    const decoder = new SseDecoder({ onComment: (text) => comments.push(text) });
    const reader = new EventReader(decoder, { onDiagnostic });
    for await (const chunk of received(response.body as ByteStream | null, watch, given)) {
      reader.count = reading.first + seen;
      yield* filled((arrival) => {
        comments = [];
        try {
          reader.feed(chunk, (event, frame) => {
            arrival.events.push(event);
            arrival.ids.push(frame.lastEventId);
            seen += 1;
          });
        } finally {
          arrival.retryMs = decoder.retryMs;
          for (const comment of comments) hear(comment, arrival);
        }
      });
    }
  }

  async #events({ replyId, after, follow }: Place, signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams({ follow: String(follow) });
    const headers: Record<string, string> = { Accept: SSE };
    // A header carries visible ASCII safely; any other id goes where it is encoded.
    if (VISIBLE.test(after)) headers["Last-Event-ID"] = after;
    else if (after !== "") query.set("after", after);
    return this.#request(`${pathOf(replyId)}/events?${query}`, { headers, signal });
  }

  #post(start: Start, accept: string, signal: AbortSignal): Promise<Response> {
    return this.#request("/replies", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(bodyOf(start)),
      signal,
    });
  }

  async #request(
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response> {
    const headers = { ...this.#headers, ...init.headers };
    let response: Response;
    try {
      response = await this.#fetch(this.#url + path, { ...init, headers });
    } catch (error) {
      throw new ServiceError("unavailable", `no server answers at ${this.#url}`, { cause: error });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

/** An answer is known by its own id when it is sent again; everything else by the request's. */
function bodyOf({ input, requestId, sessionId, linger }: Start): object {
  const started = { request_id: requestId, session_id: sessionId };
  return { ...input, ...("messages" in input && started), linger_seconds: linger };
}

/**
 * Where a reply is.
 *
 * @throws {ServiceError} No path carries its id: `..` would be another place, however it is written.
 */
function pathOf(replyId: string): string {
  try {
    if (!/^\.{0,2}$/.test(replyId)) return `/replies/${encodeURIComponent(replyId)}`;
  } catch {
    // A lone surrogate.
  }
  throw new ServiceError("unknown_reply", `no reply has the id ${JSON.stringify(replyId)}`);
}

/** The service says in a comment where the reply stands, and why a stream ends. */
function hear(comment: string, arrival: Arrival): void {
  if (STATES.has(comment)) arrival.state = comment as ReplyState;
  else if (isCode(comment)) arrival.said = comment;
}
