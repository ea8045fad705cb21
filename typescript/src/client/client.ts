/**
 * Clients of the reply service: replies are started, answered, streamed, and resumed by themselves
 * when the connection is lost.
 *
 * @module
 */

import { isObject } from "../contract.js";
import { newId, now } from "../mint.js";
import type { Msg } from "../types.js";
import { insist, type Retry, retryOf } from "./backoff.js";
import { ServiceError } from "./errors.js";
import { HttpTransport } from "./http.js";
import { ReplyStream } from "./stream.js";
import type { Start, Transport } from "./transport.js";
import type { Answer, Inputs, Reply, ReplyState, ResumeOptions, StartOptions } from "./types.js";

/** Settings of a client. */
export interface ClientOptions {
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** How to come back; what is left out is as in {@link RETRY}. */
  retry?: { readonly [Name in keyof Retry]?: number | undefined } | undefined;
}

/** Settings of a client over HTTP. */
export interface HttpClientOptions extends ClientOptions {
  /** What to use instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** What clients have in common, whatever carries their requests. */
export abstract class AnyReplyClient {
  readonly #transport: Transport;
  readonly #retry: Retry;

  /** @internal */
  protected constructor(transport: Transport, retry: Retry) {
    this.#transport = transport;
    this.#retry = retry;
  }

  /**
   * The events of a reply, up to where it waits or is over.
   *
   * Whoever started a reply and leaves it, by leaving the loop or through `signal`, stops its agent
   * while {@link ReplyStream.state} is `undefined`. That is so at a `REQUIRE_USER_CONFIRM` too,
   * because the state comes behind the question: leaving there cancels the reply, and the answer
   * comes too late (`not_waiting`). So keep the question, let the loop end by itself, and give the
   * answer to the next `replyStream`.
   *
   * @param inputs A text, a Msg or several; or the event that answers a waiting reply.
   * @param options Settings.
   */
  replyStream(inputs: Inputs, options: StartOptions = {}): ReplyStream {
    const { sessionId, linger, ...settings } = options;
    const requestId = newId();
    let input: Start["input"];
    let replyId = "";
    if (isAnswer(inputs)) {
      replyId = inputs.reply_id ?? "";
      // An answer that is sent again is known by its id.
      const [id, created_at] = [inputs.id || requestId, inputs.created_at || now()];
      input = { answer: { ...inputs, id, created_at } };
    } else {
      input = { messages: messagesOf(inputs as Exclude<Inputs, Answer>) };
    }
    const start: Start = { input, requestId, sessionId, linger };
    return new ReplyStream(this.#transport, this.#retry, { ...settings, start, replyId });
  }

  /**
   * The events behind one that you have, then what comes. Leaving it stops no agent.
   *
   * @param replyId Which reply.
   * @param options Settings.
   */
  resume(replyId: string, options: ResumeOptions = {}): ReplyStream {
    return new ReplyStream(this.#transport, this.#retry, { ...options, replyId });
  }

  /**
   * A reply as it is now.
   *
   * @throws {ServiceError} There is none, or no server answers.
   */
  get(replyId: string, signal = new AbortController().signal): Promise<Reply> {
    const get = () => this.#transport.get(replyId, signal);
    return insist(this.#retry, get, signal);
  }

  /**
   * Stop a reply.
   *
   * @returns Where it stands.
   * @throws {ServiceError} There is none, or no server answers.
   */
  cancel(replyId: string, signal = new AbortController().signal): Promise<ReplyState> {
    const cancel = () => this.#transport.cancel(replyId, signal);
    return insist(this.#retry, cancel, signal);
  }
}

/**
 * A client of the reply service over HTTP. Works in browsers and in Node; needs nothing but `fetch`.
 *
 * @example
 * ```ts
 * const client = new ReplyClient("http://127.0.0.1:8080");
 * const stream = client.replyStream("tidy up", { fold: true });
 * for await (const event of stream) console.log(event.type, stream.msg);
 * stream.state; // "waiting_confirmation"
 * ```
 */
export class ReplyClient extends AnyReplyClient {
  /**
   * @param url Where the service is, without `/replies`.
   * @param options Settings.
   * @throws {ServiceError} A header, or the token, is no text that a header can carry.
   */
  constructor(url: string | URL, options: HttpClientOptions = {}) {
    const retry = retryOf(options.retry);
    const send = options.fetch ?? ((...given) => fetch(...given));
    super(new HttpTransport(url, headersOf(options), send, retry.silence), retry);
  }
}

/**
 * The headers of every request.
 *
 * @internal
 * @throws {ServiceError} One that every request would fail with, as if no server answered.
 */
export function headersOf({ headers, token }: ClientOptions): Record<string, string> {
  const all = { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  try {
    new Headers(all);
  } catch (cause) {
    const reason = "a header, or the token, holds what a header cannot carry";
    throw new ServiceError("invalid_request", reason, { cause });
  }
  return all;
}

/** Whether it is an event: a Msg has no `type`. */
function isAnswer(inputs: Inputs): inputs is Answer {
  return isObject(inputs) && "type" in inputs;
}

function messagesOf(inputs: string | Msg | readonly Msg[]): readonly Msg[] {
  if (typeof inputs !== "string") return Array.isArray(inputs) ? inputs : [inputs as Msg];
  const content = [{ type: "text" as const, text: inputs, id: newId() }];
  const stamp = { id: newId(), created_at: now(), metadata: {} };
  return [{ name: "user", role: "user", content, ...stamp }];
}
