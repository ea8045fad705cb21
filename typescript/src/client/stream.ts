/**
 * The events of one reply, each once, whatever happens to the connection.
 *
 * A stream that is cut is resumed behind the last event that has an id. The service leaves out an
 * id that the format cannot carry, so some events behind that one may come again; they are counted
 * and passed over.
 *
 * @module
 */

import { Folder } from "../fold/index.js";
import { guarded } from "../streams/source.js";
import type { AgentEvent, Msg } from "../types.js";
import { Backoff, insist, type Retry } from "./backoff.js";
import { type ServiceCode, ServiceError } from "./errors.js";
import type { Arrival, Start, Transport } from "./transport.js";
import type { ReplyState, StreamSettings } from "./types.js";

/** What the client asks for. */
interface Asked extends StreamSettings {
  replyId: string;
  /** What starts or answers the reply; left out: it is read on. */
  start?: Start;
  after?: string | undefined;
  follow?: boolean | undefined;
}

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

  readonly #transport: Transport;
  readonly #retry: Retry;
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
  constructor(transport: Transport, retry: Retry, asked: Asked) {
    this.#transport = transport;
    this.#retry = retry;
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
    let left = this.#asked.start !== undefined;
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
    const back = new Backoff(this.#retry);
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
  async *#attempt(back: Backoff, signal: AbortSignal): AsyncGenerator<AgentEvent[]> {
    this.#said = undefined;
    const { start, onDiagnostic, follow = false } = this.#asked;
    // Until there is an id to go on behind, the same request is sent again, and joins the first.
    const isStart = start !== undefined && (this.replyId === "" || this.lastEventId === "");
    let skip = isStart ? this.#count : this.#unnamed;
    let isFirst = !isStart;
    const reading = { signal, first: this.#count - skip, onDiagnostic };
    const place = { replyId: this.replyId, after: this.lastEventId, follow };
    const arrivals = isStart
      ? this.#transport.start(start, reading)
      : this.#transport.resume(place, reading);
    for await (const arrival of arrivals) {
      back.heard();
      const [first] = arrival.events;
      if (first !== undefined) {
        // A proxy may have kept from the server where to go on: it begins at the beginning.
        if (isFirst && this.#isFirst(first)) [skip, reading.first] = [this.#count, 0];
        isFirst = false;
      }
      const again = Math.min(skip, arrival.events.length);
      skip -= again;
      const events = this.#fresh(arrival, again);
      if (events.length === 0) continue;
      back.gained(arrival.retryMs);
      yield events;
    }
    if (this.state === undefined && this.#said !== undefined) throw this.#failure(this.#said);
  }

  /** The events of an arrival, without those at its front that came before. */
  #fresh({ events, ids, state, said }: Arrival, again: number): AgentEvent[] {
    this.state = state ?? this.state;
    this.#said = said ?? this.#said;
    this.#ids = ids.slice(again);
    return again === 0 ? events : events.slice(again);
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

  #failure(code: ServiceCode): ServiceError {
    const where = this.lastEventId === "" ? "" : ` behind event ${this.lastEventId}`;
    return new ServiceError(code, `the stream of reply ${this.replyId} ends${where}`);
  }

  async #leave(): Promise<void> {
    const { start } = this.#asked;
    const signal = AbortSignal.timeout(LEAVING);
    try {
      // The agent may be at work already: the same request, sent again, says on which reply.
      if (this.replyId === "" && start !== undefined) {
        this.replyId = await this.#transport.startedAs(start, signal);
      }
      const cancel = () => this.#transport.cancel(this.replyId, signal);
      await insist(this.#retry, cancel, signal);
    } catch {
      // The server has gone, or will notice by itself that nobody listens.
    }
  }
}
