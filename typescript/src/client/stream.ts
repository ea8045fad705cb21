/**
 * The events of one reply, each once, whatever happens to the connection.
 *
 * A stream that is cut is resumed behind the last event that has an id. The service leaves out an
 * id that the format cannot carry, so some events behind that one may come again; they are counted
 * and passed over.
 *
 * @module
 */

import type { Diagnostic } from "../errors.js";
import { Folder } from "../fold/index.js";
import { EventReader, gathered } from "../streams/events.js";
import { type ByteStream, guarded } from "../streams/source.js";
import { SseDecoder } from "../streams/sse.js";
import type { AgentEvent, Msg } from "../types.js";
import { answerOf, checkStream, received } from "./answers.js";
import type { Backoff } from "./backoff.js";
import { pathOf, type ReplyClient, type ReplyState } from "./client.js";
import { isCode, type ServiceCode, ServiceError } from "./errors.js";

/** Settings of a stream. */
export interface StreamSettings {
  /** Fold the events into {@link ReplyStream.msg}, in place. */
  fold?: boolean | undefined;
  /** The Msg so far of a reply that goes on; it is folded into. */
  msg?: Msg | undefined;
  /** The AgentScope release to fold as; 2.0.4 when left out. */
  revision?: string | undefined;
  /** Ends the stream; the loop throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Receives what was passed over. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** What the client asks for. */
interface Asked extends StreamSettings {
  replyId: string;
  /** What starts or answers the reply; left out: it is read on. */
  body?: Record<string, unknown> | undefined;
  after?: string | undefined;
  follow?: boolean | undefined;
}

/** How a stream ended. */
const STATES: ReadonlySet<string> = new Set([
  "waiting_confirmation",
  "waiting_execution",
  "finished",
  "broken_off",
]);

const SSE = "text/event-stream";
const VISIBLE = /^[!-~]+$/;

/** Milliseconds that a client who leaves waits for its word to arrive. */
const LEAVING = 2000;

/** The events of a reply. Iterate over it, once. */
export class ReplyStream implements AsyncIterable<AgentEvent> {
  /** The reply; empty until its first event. */
  replyId: string;
  /** The id of the last event that has one; where a resumed stream goes on. */
  lastEventId: string;
  /** Where the reply stands; `undefined` while it streams. */
  state: ReplyState | undefined;
  /** How often the connection was lost. */
  reconnects = 0;

  readonly #client: ReplyClient;
  readonly #asked: Asked;
  readonly #folder: Folder | undefined;
  /** Events that were given out, and those of them behind the last one with an id. */
  #count = 0;
  #unnamed = 0;
  /** The last event id after each event of the list that came last. */
  #ids: string[] = [];
  /** The id of the first of them. */
  #firstId = "";
  /** What the service said last about why it ends the stream. */
  #said: ServiceCode | undefined;

  /** @internal */
  constructor(client: ReplyClient, asked: Asked) {
    this.#client = client;
    this.#asked = asked;
    this.replyId = asked.replyId;
    this.lastEventId = asked.after ?? "";
    const { fold = false, msg = null, revision, onDiagnostic } = asked;
    if (!fold && msg === null) return;
    this.#folder = new Folder({ msg, firstOnly: true, revision, onDiagnostic });
  }

  /** The Msg so far, when folding was asked for; `null` before its first event. */
  get msg(): Msg | null {
    return this.#folder?.msgs[0] ?? null;
  }

  /** The events one by one; errors as for {@link batches}. */
  [Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, undefined> {
    const own = new AbortController();
    return guarded(this.#singly(own), () => own.abort());
  }

  /**
   * The events in lists, as they came together: quicker than one by one, and a page that folds a
   * whole list draws once.
   *
   * @throws {ServiceError} The reply broke off, was refused, or no server answers any more.
   * @throws {MsgfoldError} The server sent what is no event.
   */
  batches(): AsyncGenerator<AgentEvent[], void, undefined> {
    const own = new AbortController();
    return guarded(this.#together(own), () => own.abort());
  }

  async *#singly(own: AbortController): AsyncGenerator<AgentEvent, void, undefined> {
    for await (const events of this.#left(own)) {
      for (const [at, event] of events.entries()) {
        this.#note(event, at);
        this.#folder?.feed(event);
        yield event;
      }
    }
  }

  async *#together(own: AbortController): AsyncGenerator<AgentEvent[], void, undefined> {
    for await (const events of this.#left(own)) {
      for (const [at, event] of events.entries()) {
        this.#note(event, at);
        this.#folder?.feed(event);
      }
      yield events;
    }
  }

  /** The batches; whoever started the reply and leaves it stops its agent. */
  async *#left(own: AbortController): AsyncGenerator<AgentEvent[], void, undefined> {
    const given = this.#asked.signal;
    const signal = given ? AbortSignal.any([given, own.signal]) : own.signal;
    let left = this.#asked.body !== undefined;
    try {
      yield* this.#connected(signal);
    } catch (error) {
      if (own.signal.aborted) return; // who leaves is told of no error
      if (error instanceof ServiceError) left = false; // refused, or nobody is there
      throw error;
    } finally {
      own.abort();
      if (left && this.state === undefined) await this.#leave();
    }
  }

  async *#connected(signal: AbortSignal): AsyncGenerator<AgentEvent[]> {
    const back = this.#client.backoff();
    for (;;) {
      let lost: ServiceError | undefined;
      try {
        yield* this.#attempt(back, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError && error.isLost)) throw error;
        lost = error;
      }
      if (this.state !== undefined) break;
      this.reconnects += 1;
      if (await back.wait(signal)) continue;
      throw lost ?? new ServiceError("unavailable", "the stream ends and says no state");
    }
    if (this.state === "broken_off") throw this.#failure(this.#said ?? "broken_off");
  }

  /** One connection, from its request to its end. */
  async *#attempt(back: Backoff, given: AbortSignal): AsyncGenerator<AgentEvent[]> {
    this.#said = undefined;
    const watch = this.#client.watch();
    const signal = AbortSignal.any([given, watch.signal]);
    watch.start();
    // Until there is an id to go on behind, the same request is sent again, and joins the first.
    const isStart =
      this.#asked.body !== undefined && (this.replyId === "" || this.lastEventId === "");
    const request = isStart ? this.#start(SSE, signal) : this.#resume(signal);
    const response = await request.finally(() => watch.stop());
    if (response.status === 204) {
      this.state = (await this.#client.get(this.replyId, signal)).state;
      return;
    }
    checkStream(response);
    let skip = isStart ? this.#count : this.#unnamed;
    let isFirst = true;
    const decoder = new SseDecoder({ onComment: (text) => this.#hear(text) });
    const reader = new EventReader(decoder, this.#asked);
    reader.count = this.#count - skip;
    for await (const chunk of received(response.body as ByteStream | null, watch, given)) {
      back.heard();
      this.#ids = [];
      yield* gathered((take) =>
        reader.feed(chunk, (event, frame) => {
          // A proxy may have kept from the server where to go on: it begins at the beginning.
          if (isFirst && !isStart && this.#isFirst(event)) {
            skip = this.#count;
            reader.count = 0;
          }
          isFirst = false;
          if (skip > 0) {
            skip -= 1;
            return;
          }
          this.#ids.push(frame.lastEventId);
          back.gained(decoder.retryMs);
          take(event);
        }),
      );
    }
    if (this.state === undefined && this.#said !== undefined) throw this.#failure(this.#said);
  }

  #start(accept: string, signal: AbortSignal): Promise<Response> {
    return this.#client.request("/replies", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(this.#asked.body),
      signal,
    });
  }

  async #startedAs(signal: AbortSignal): Promise<string> {
    const response = await this.#start("application/json", signal);
    return ((await answerOf(response, "reply_id")) as { reply_id: string }).reply_id;
  }

  async #resume(signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams({ follow: String(this.#asked.follow ?? false) });
    const headers: Record<string, string> = { Accept: SSE };
    // A header carries visible ASCII safely; any other id goes where it is encoded.
    if (VISIBLE.test(this.lastEventId)) headers["Last-Event-ID"] = this.lastEventId;
    else if (this.lastEventId !== "") query.set("after", this.lastEventId);
    return this.#client.request(`${pathOf(this.replyId)}/events?${query}`, { headers, signal });
  }

  /** Whether it is the event that the reply began with; without an id nobody can tell. */
  #isFirst({ id = "" }: AgentEvent): boolean {
    return this.#count > this.#unnamed && id !== "" && id === this.#firstId;
  }

  /** An event is given out: what came with it and was not given out is still to come. */
  #note(event: AgentEvent, at: number): void {
    const lastEventId = this.#ids[at] ?? "";
    if (this.#count === 0) this.#firstId = event.id ?? "";
    this.#count += 1;
    if (lastEventId !== "" && lastEventId !== this.lastEventId) {
      this.lastEventId = lastEventId;
      this.#unnamed = 0;
    } else {
      this.#unnamed += 1;
    }
    if (this.replyId === "" && "reply_id" in event) this.replyId = event.reply_id ?? "";
  }

  /** The service says in a comment where the reply stands, and why a stream ends. */
  #hear(comment: string): void {
    if (STATES.has(comment)) this.state = comment as ReplyState;
    else if (isCode(comment)) this.#said = comment;
  }

  #failure(code: ServiceCode): ServiceError {
    const where = this.lastEventId === "" ? "" : ` behind event ${this.lastEventId}`;
    return new ServiceError(code, `the stream of reply ${this.replyId} ends${where}`);
  }

  async #leave(): Promise<void> {
    const signal = AbortSignal.timeout(LEAVING);
    try {
      // The agent may be at work already: the same request, sent again, says on which reply.
      if (this.replyId === "") this.replyId = await this.#startedAs(signal);
      await this.#client.cancel(this.replyId, signal);
    } catch {
      // The server has gone, or will notice by itself that nobody listens.
    }
  }
}
