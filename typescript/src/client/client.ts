/**
 * Replies over HTTP: started, answered, streamed, and resumed by themselves when the connection is
 * lost. Works in browsers and in Node; needs nothing but `fetch`.
 *
 * @module
 */

import { isObject } from "../contract.js";
import { newId } from "../mint.js";
import type { Msg, ReplyEvent, Unstamped } from "../types.js";
import { answerOf, errorOf } from "./answers.js";
import { Backoff, type Retry, retryOf, Watch } from "./backoff.js";
import { ServiceError } from "./errors.js";
import { ReplyStream, type StreamSettings } from "./stream.js";

/** Where a reply stands. */
export type ReplyState =
  | "running"
  | "waiting_confirmation"
  | "waiting_execution"
  | "finished"
  | "broken_off";

/** A reply as it is now. */
export interface Reply {
  /** Its id. */
  reply_id: string;
  /** Its session. */
  session_id: string;
  /** Where it stands. */
  state: ReplyState;
  /** Where {@link ReplyClient.resume} goes on. */
  last_event_id: string;
  /** Its events so far, folded; `null` before the first. */
  msg: Msg | null;
}

/** The event that answers a waiting reply; its id and time are made up when left out. */
export type Answer = Unstamped<ReplyEvent>;

/** What an agent is to reply to: a text, Msgs, or the event that answers a waiting reply. */
export type Inputs = string | Msg | readonly Msg[] | Answer;

/** Settings of a client. */
export interface ClientOptions {
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** How to come back; what is left out is as in {@link RETRY}. */
  retry?: { readonly [Name in keyof Retry]?: number | undefined } | undefined;
  /** What to use instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Settings of a reply that is started or answered. */
export interface StartOptions extends StreamSettings {
  /** The session, which is the agent that remembers; left out: a new one. */
  sessionId?: string | undefined;
  /** Seconds that the agent goes on while nobody listens; the server's own setting is 30. */
  linger?: number | undefined;
}

/** Settings of a reply that is read on. */
export interface ResumeOptions extends StreamSettings {
  /** The id of the last event that you have; left out: from the beginning. */
  after?: string | undefined;
  /** Stay while the reply waits for an answer. */
  follow?: boolean | undefined;
}

/**
 * A client of the reply service.
 *
 * @example
 * ```ts
 * const client = new ReplyClient("http://127.0.0.1:8080");
 * const stream = client.replyStream("tidy up", { fold: true });
 * for await (const event of stream) console.log(event.type, stream.msg);
 * stream.state; // "waiting_confirmation"
 * ```
 */
export class ReplyClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #retry: Retry;
  readonly #fetch: typeof fetch;

  /**
   * @param url Where the service is, without `/replies`.
   * @param options Settings.
   * @throws {ServiceError} A header, or the token, is no text that a header can carry.
   */
  constructor(url: string | URL, options: ClientOptions = {}) {
    this.#url = String(url).replace(/\/+$/, "");
    this.#headers = { ...options.headers };
    if (options.token !== undefined) this.#headers.Authorization = `Bearer ${options.token}`;
    checkHeaders(this.#headers);
    this.#retry = retryOf(options.retry);
    this.#fetch = options.fetch ?? ((...given) => fetch(...given));
  }

  /**
   * The events of a reply, up to where it waits or is over.
   *
   * Whoever started a reply and leaves it, by leaving the loop or through `signal`, stops its agent.
   *
   * @param inputs A text, a Msg or several; or the event that answers a waiting reply.
   * @param options Settings.
   */
  replyStream(inputs: Inputs, options: StartOptions = {}): ReplyStream {
    const { sessionId, linger, ...settings } = options;
    const body: Record<string, unknown> = {};
    let replyId = "";
    if (isAnswer(inputs)) {
      replyId = inputs.reply_id ?? "";
      // An answer that is sent again is known by its id.
      body.answer = { ...inputs, id: inputs.id || newId() };
    } else {
      body.messages = messagesOf(inputs as Exclude<Inputs, Answer>);
      body.request_id = newId();
      if (sessionId !== undefined) body.session_id = sessionId;
    }
    if (linger !== undefined) body.linger_seconds = linger;
    return new ReplyStream(this, { ...settings, body, replyId });
  }

  /**
   * The events behind one that you have, then what comes. Leaving it stops no agent.
   *
   * @param replyId Which reply.
   * @param options Settings.
   */
  resume(replyId: string, options: ResumeOptions = {}): ReplyStream {
    return new ReplyStream(this, { ...options, replyId });
  }

  /**
   * A reply as it is now.
   *
   * @throws {ServiceError} There is none, or no server answers.
   */
  async get(replyId: string, signal?: AbortSignal): Promise<Reply> {
    return (await this.#ask("GET", pathOf(replyId), signal)) as Reply;
  }

  /**
   * Stop a reply.
   *
   * @returns Where it stands.
   * @throws {ServiceError} There is none, or no server answers.
   */
  async cancel(replyId: string, signal?: AbortSignal): Promise<ReplyState> {
    return ((await this.#ask("DELETE", pathOf(replyId), signal)) as Reply).state;
  }

  /** @internal */
  backoff(): Backoff {
    return new Backoff(this.#retry);
  }

  /** @internal */
  watch(): Watch {
    return new Watch(this.#retry.silence);
  }

  /**
   * One request.
   *
   * @internal
   * @throws {ServiceError} Any status but 2xx; `unavailable` when no server answers.
   */
  async request(
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

  async #ask(method: string, path: string, signal = new AbortController().signal): Promise<object> {
    const back = this.backoff();
    for (;;) {
      try {
        return await answerOf(await this.request(path, { method, signal }), "state");
      } catch (error) {
        signal.throwIfAborted();
        const lost = error instanceof ServiceError && error.isLost;
        if (!lost || !(await back.wait(signal))) throw error;
      }
    }
  }
}

/** Refuse at once what every request would fail with, as if no server answered. */
function checkHeaders(headers: Record<string, string>): void {
  try {
    new Headers(headers);
  } catch (cause) {
    const reason = "a header, or the token, holds what a header cannot carry";
    throw new ServiceError("invalid_request", reason, { cause });
  }
}

/**
 * Where a reply is.
 *
 * @internal
 * @throws {ServiceError} No path carries its id: `..` would be another place, however it is written.
 */
export function pathOf(replyId: string): string {
  try {
    if (!/^\.{0,2}$/.test(replyId)) return `/replies/${encodeURIComponent(replyId)}`;
  } catch {
    // A lone surrogate.
  }
  throw new ServiceError("unknown_reply", `no reply has the id ${JSON.stringify(replyId)}`);
}

/** Whether it is an event: a Msg has no `type`. */
function isAnswer(inputs: Inputs): inputs is Answer {
  return isObject(inputs) && "type" in inputs;
}

function messagesOf(inputs: string | Msg | readonly Msg[]): readonly Msg[] {
  if (typeof inputs !== "string") return Array.isArray(inputs) ? inputs : [inputs as Msg];
  const [id, blockId] = [newId(), newId()];
  const content = [{ type: "text" as const, text: inputs, id: blockId }];
  const created_at = new Date().toISOString();
  return [{ name: "user", role: "user", content, id, metadata: {}, created_at }];
}
