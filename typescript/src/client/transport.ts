/**
 * What carries requests to a service, and events back.
 *
 * HTTP and gRPC each do it in their own way, one attempt at a time. Coming back, giving each event
 * once, folding and leaving are the same over both, and stand in `stream.ts` and `client.ts`.
 *
 * @module
 */

import type { Diagnostic } from "../errors.js";
import type { AgentEvent, Msg, ReplyEvent } from "../types.js";
import type { ServiceCode } from "./errors.js";
import type { Reply, ReplyState } from "./types.js";

/** What starts a reply, or answers one that waits. It can be sent again, and joins the first. */
export interface Start {
  /** Msgs, or the event that answers. */
  readonly input: { readonly messages: readonly Msg[] } | { readonly answer: ReplyEvent };
  /** Made up by the client. */
  readonly requestId: string;
  readonly sessionId?: string | undefined;
  /** Seconds. */
  readonly linger?: number | undefined;
}

/** Where a reply is read on. */
export interface Place {
  readonly replyId: string;
  /** The id of the last event that came; empty: from the beginning. */
  readonly after: string;
  /** Stay while the reply waits for an answer. */
  readonly follow: boolean;
}

/** How a stream is read. */
export interface Reading {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The index of its first event, for errors; it may turn out to be another. */
  first: number;
  /** Receives what was passed over. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** What came together. Without anything in it, it still says that the server lives. */
export interface Arrival {
  /** In order. */
  readonly events: AgentEvent[];
  /** For each, the id of the last event up to it that a stream can go on behind. */
  readonly ids: string[];
  /** Where the reply stands, when the stream says so, at its end. */
  state?: ReplyState | undefined;
  /** Why the stream ends, when it says so. */
  said?: ServiceCode | undefined;
  /** What the server wants to be the pause before a second attempt. */
  retryMs?: number | undefined;
}

/**
 * One server, or several that stand for each other: when one is lost, the next attempt is made at
 * the next.
 *
 * Every method makes one attempt. It throws a {@link ServiceError}, `unavailable` when no server
 * answers or the connection is lost, or a `MsgfoldError` when the server sent what is no event.
 */
export interface Transport {
  /** Start or answer a reply, and read it. */
  start(start: Start, reading: Reading): AsyncIterable<Arrival>;
  /** Read a reply on. */
  resume(place: Place, reading: Reading): AsyncIterable<Arrival>;
  /** The id of the reply that a request has started. */
  startedAs(start: Start, signal: AbortSignal): Promise<string>;
  /** A reply as it is now. */
  get(replyId: string, signal: AbortSignal): Promise<Reply>;
  /** Stop a reply. */
  cancel(replyId: string, signal: AbortSignal): Promise<ReplyState>;
}

/** What `work` fills; an error of its comes behind it. */
export function* filled(work: (arrival: Arrival) => void): Generator<Arrival> {
  const arrival: Arrival = { events: [], ids: [] };
  let wrong: unknown;
  let failed = false;
  try {
    work(arrival);
  } catch (error) {
    [failed, wrong] = [true, error];
  }
  yield arrival;
  if (failed) throw wrong;
}
