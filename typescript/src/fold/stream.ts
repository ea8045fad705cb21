/**
 * A stream of events to Msgs: which reply an event belongs to, and whether a reply is whole.
 *
 * A stream may hold several replies, one after another or interleaved. A {@link Folder} keeps the
 * Msg of each, in order of first appearance, and knows at the end which of them are finished, which
 * wait for a person or an executor, and which broke off (`fold.stream.*`).
 *
 * @module
 */

import { type Diagnostic, logDiagnostic, MsgfoldError, type OnDiagnostic } from "../errors.js";
import { checkJson, parseJson } from "../json.js";
import { DEFAULT_REVISION } from "../revisions.js";
import type { Msg } from "../types.js";
import { checkGiven, frozen } from "./given.js";
import { closedReply, notStarted, otherReply, type Passed, unknownEvent } from "./one.js";
import { IN_PLACE } from "./ownership.js";
import { readEvent } from "./read.js";
import { newMsg } from "./reply.js";
import { type Context, type Event, FoldState } from "./state.js";
import { replyStatus } from "./status.js";
import { type EventKind, eventKinds, isFolded } from "./table.js";

/** How events are folded. */
export interface FoldOptions {
  /** The AgentScope release to fold as; 2.0.4 when left out. */
  revision?: string | undefined;
  /** Receives diagnostics; without it they are warnings on the console. */
  onDiagnostic?: OnDiagnostic | undefined;
}

/** How a stream is folded. */
export interface FolderOptions extends FoldOptions {
  /**
   * `"raise"`, the default, stops at the first event that must not be applied; `"skip"` reports it
   * as a diagnostic and goes on.
   */
  errors?: "raise" | "skip" | undefined;
  /** A Msg to go on with, changed in place; events of other replies are then skipped. */
  msg?: Msg | null | undefined;
  /** Fold the first reply of the stream only; events of others are then skipped. */
  firstOnly?: boolean | undefined;
  /**
   * Receives a finished reply once another one starts, in order of first appearance; it is then
   * forgotten (`fold.stream.closed`), and {@link Folder.close} hands over the rest.
   */
  onReply?: ((msg: Msg) => void) | undefined;
}

/**
 * Replies handed on whose ids are remembered, so that a late event is told from an early one. A
 * bound, because a stream of any length is read in bounded memory.
 */
const CLOSED_KEPT = 10_000;

/**
 * Folds a stream, event by event.
 *
 * @example
 * ```ts
 * const folder = new Folder({ revision: "2.0.8", errors: "skip" });
 * for await (const event of sseEvents(response.body)) {
 *   folder.feed(event);
 *   render(folder.msgs);
 * }
 * folder.close();
 * ```
 */
export class Folder {
  /** Events seen so far, the skipped ones too: the next event's index. */
  events = 0;
  readonly #kinds: ReadonlyMap<unknown, EventKind>;
  readonly #context: Context;
  readonly #single: boolean;
  readonly #onReply: ((msg: Msg) => void) | undefined;
  readonly #onUnknownWord: ((diagnostic: Diagnostic) => void) | undefined;
  readonly #states = new Map<string, FoldState>();
  readonly #closed = new Set<string>();
  /** The kind and the reply of the event before: most often the next one's, too. */
  #kind: EventKind | undefined;
  #state: FoldState | undefined;
  #stateId = "";

  /**
   * @throws {UnknownRevisionError} No such revision.
   * @throws {InvalidMsgError} `msg` is no Msg.
   * @throws {InvalidInputError} `msg` is frozen; {@link reduce} is for those.
   */
  constructor(options: FolderOptions = {}) {
    const { revision = DEFAULT_REVISION, onDiagnostic = logDiagnostic, msg = null } = options;
    const lenient = options.errors === "skip";
    this.#kinds = eventKinds(revision);
    this.#context = { revision, onDiagnostic, lenient, line: undefined };
    this.#single = (options.firstOnly ?? false) || msg !== null;
    this.#onReply = options.onReply;
    this.#onUnknownWord = lenient ? (diagnostic) => this.#reportHere(diagnostic) : undefined;
    if (msg === null) return;
    checkGiven(msg);
    const cannot = frozen(msg);
    if (cannot !== undefined) throw cannot;
    this.#open(msg.id, msg);
  }

  /** The Msgs so far, in order of first appearance, without those handed over. */
  get msgs(): Msg[] {
    return Array.from(this.#states.values(), ({ msg }) => msg);
  }

  /**
   * Apply one event.
   *
   * @param event An event.
   * @param line Its line in the text, counted from 1, for reports.
   * @throws {MsgfoldError} The event must not be applied (unless errors are skipped); its Msg is as
   *   it was before.
   */
  feed(event: unknown, line?: number): void {
    this.#context.line = line;
    try {
      checkJson(event);
      this.#apply(event);
    } catch (error) {
      this.#refused(error);
    } finally {
      this.events += 1;
    }
  }

  /** Apply one event given as JSON text. Arguments and errors as for {@link feed}. */
  feedText(text: string, line?: number): void {
    this.#context.line = line;
    try {
      this.#apply(parseJson(text));
    } catch (error) {
      this.#refused(error);
    } finally {
      this.events += 1;
    }
  }

  /** The stream is over: report replies that broke off; the Msgs not handed over yet. */
  close(): Msg[] {
    for (const { msg, eventIndex } of this.#states.values()) {
      if (replyStatus(msg) !== "open") continue;
      const said = `reply ${JSON.stringify(msg.id)} is incomplete: the stream ended without its`;
      this.#context.onDiagnostic({
        code: "incomplete_reply",
        message: `${said} REPLY_END, and it waits for nobody`,
        rule: "fold.stream.incomplete",
        place: { eventIndex },
        replyId: msg.id,
      });
    }
    const left = this.msgs;
    if (this.#onReply !== undefined) {
      this.#states.clear();
      this.#state = undefined;
      for (const msg of left) this.#onReply(msg);
    }
    return left;
  }

  #open(id: string, msg: Msg): FoldState {
    const state = new FoldState(msg, this.#context, IN_PLACE);
    this.#states.set(id, state);
    return state;
  }

  #apply(value: unknown): void {
    let event = value as Event;
    let kind = this.#kindOf(event?.type);
    if (kind === undefined || !kind.isShaped(event)) {
      event = readEvent(value, this.#onUnknownWord);
      if (event === undefined) {
        this.#pass(unknownEvent(value));
        return;
      }
      kind = this.#kindOf(event.type) as EventKind;
    }
    if (!isFolded(kind)) return;
    const state = this.#stateOf(event);
    if (state === undefined) return;
    state.eventIndex = this.events;
    kind.handler(state, event);
  }

  #kindOf(type: unknown): EventKind | undefined {
    if (this.#kind !== undefined && this.#kind.type === type) return this.#kind;
    const found = this.#kinds.get(type);
    if (found !== undefined) this.#kind = found;
    return found;
  }

  #stateOf(event: Event): FoldState | undefined {
    const id: string = event.reply_id;
    if (this.#state !== undefined && this.#stateId === id) return this.#state;
    const found = this.#states.get(id) ?? this.#begin(event);
    if (found !== undefined) {
      this.#state = found;
      this.#stateId = id;
    }
    return found;
  }

  /** The state of a reply not seen yet, when this event begins it. */
  #begin(event: Event): FoldState | undefined {
    const id: string = event.reply_id;
    const [mine] = this.#single ? this.#states.keys() : [];
    if (mine !== undefined) this.#pass(otherReply(event, mine));
    else if (this.#closed.has(id)) this.#pass(closedReply(event));
    else if (event.type !== "REPLY_START") this.#pass(notStarted(event));
    else {
      if (this.#onReply !== undefined) this.#release(this.#onReply);
      return this.#open(id, newMsg(event));
    }
    return undefined;
  }

  /** Hand over finished replies from the front, so that their order is kept. */
  #release(onReply: (msg: Msg) => void): void {
    for (const [id, { msg }] of [...this.#states]) {
      if (msg.finished_at == null) return;
      this.#states.delete(id);
      this.#state = undefined;
      this.#closed.add(id);
      if (this.#closed.size > CLOSED_KEPT) {
        for (const oldest of this.#closed) {
          this.#closed.delete(oldest);
          break;
        }
      }
      onReply(msg);
    }
  }

  #refused(error: unknown): void {
    if (!(error instanceof MsgfoldError)) throw error;
    error.at({ line: this.#context.line, eventIndex: this.events });
    if (!this.#context.lenient) throw error;
    this.#context.onDiagnostic({
      code: error.code,
      message: `the event is skipped: ${error.reason}`,
      rule: error.rule ?? "fold.atomic",
      place: error.place,
      details: { expected: error.expected, got: error.got },
    });
  }

  /** A diagnostic of the reader, which knows the pointer but not the place in the stream. */
  #reportHere(diagnostic: Diagnostic): void {
    const { pointer } = diagnostic.place;
    const place = { line: this.#context.line, eventIndex: this.events, pointer };
    this.#context.onDiagnostic({ ...diagnostic, place });
  }

  /** Report an event that goes to no Msg. */
  #pass(passed: Passed): void {
    const place = { line: this.#context.line, eventIndex: this.events };
    this.#context.onDiagnostic({ ...passed, place });
  }
}
