/**
 * What a client of the reply service is given and gives, over whatever carries it.
 *
 * @module
 */

import type { Diagnostic } from "../errors.js";
import type { Msg, ReplyEvent, Unstamped } from "../types.js";

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

/** Settings of a stream. */
export interface StreamSettings {
  /** Fold the events into {@link ReplyStream.msg}, in place. */
  fold?: boolean | undefined;
  /** The Msg so far of a reply that goes on; it is folded into. `null` is as left out. */
  msg?: Msg | null | undefined;
  /** The AgentScope release to fold as; 2.0.4 when left out. */
  revision?: string | undefined;
  /** Ends the stream; the loop throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Receives what was passed over. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Settings of a reply that is started or answered. */
export interface StartOptions extends StreamSettings {
  /** The session, which is the agent that remembers; left out: a new one. */
  sessionId?: string | undefined;
  /**
   * Seconds that the agent goes on while nobody listens; left out: 30 over HTTP, and what the server
   * is set to over gRPC, half a second unless it says otherwise.
   */
  linger?: number | undefined;
}

/** Settings of a reply that is read on. */
export interface ResumeOptions extends StreamSettings {
  /** The id of the last event that you have; left out: from the beginning. */
  after?: string | undefined;
  /** Stay while the reply waits for an answer. */
  follow?: boolean | undefined;
}
