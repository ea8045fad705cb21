/**
 * Streams of events: from bytes, as they arrive, to events one after another.
 *
 * {@link sseEvents} and {@link ndjsonEvents} read a web stream, such as the body of a response, and
 * are what most programs want. {@link EventReader} does the same for bytes that are pushed.
 *
 * An event is taken as it came: it is JSON that the contract's readers accept, and an object. What
 * its members are is for `parseEvent` or for the fold to say.
 *
 * @module
 */

import {
  type Diagnostic,
  InvalidEventError,
  InvalidJsonError,
  logDiagnostic,
  MsgfoldError,
  shorten,
} from "../errors.js";
import { EVENT_TYPES } from "../event-types.js";
import { parseJson } from "../json.js";
import type { AgentEvent } from "../types.js";
import type { Ending, Frame, FrameDecoder, FrameOptions, Truncated } from "./frames.js";
import { NdjsonDecoder } from "./ndjson.js";
import { type ByteStream, guarded, Source } from "./source.js";
import { isForeign, SseDecoder } from "./sse.js";

/** Settings of a stream of events. */
export interface StreamOptions extends FrameOptions {
  /**
   * Receives what was passed over: foreign frames, and a frame that the end cut short; without it
   * they are warnings on the console.
   */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

const NOTHING: Ending = { frames: [], truncated: undefined };

/**
 * Events from bytes that are pushed.
 *
 * @example
 * ```ts
 * const reader = new EventReader(new SseDecoder());
 * const take = (event: AgentEvent) => folder.feed(event);
 * socket.onmessage = ({ data }) => reader.feed(new Uint8Array(data), take);
 * socket.onclose = () => reader.close(take);
 * ```
 */
export class EventReader {
  /** How many events came, those that were none with them: the next one's index. */
  count = 0;
  readonly #decoder: FrameDecoder;
  /** What the decoder gave and nobody had yet, because of an error before it. */
  #left: Ending = NOTHING;
  #isClosed = false;
  readonly #report: (diagnostic: Diagnostic) => void;

  /**
   * @param decoder A fresh decoder: {@link SseDecoder}, {@link NdjsonDecoder} or
   *   {@link DocumentDecoder}.
   * @param options Settings.
   */
  constructor(decoder: FrameDecoder, { onDiagnostic = logDiagnostic }: StreamOptions = {}) {
    this.#decoder = decoder;
    this.#report = onDiagnostic;
  }

  /**
   * Take a chunk.
   *
   * @param chunk Bytes, cut anywhere.
   * @param take Receives each event that the chunk completes, and its frame. After an error it has
   *   had those before it; those behind it come with the next chunk, or at the end.
   * @throws {InvalidJsonError} A frame is not I-JSON.
   * @throws {TooDeepError} A frame is nested too deeply.
   * @throws {InvalidEventError} A frame is JSON and no object.
   * @throws {InvalidInputError} A frame is longer than the limit.
   */
  feed(chunk: Uint8Array, take: (event: AgentEvent, frame: Frame) => void): void {
    this.#pull(() => ({ frames: this.#decoder.feed(chunk), truncated: undefined }), take);
  }

  /**
   * The stream is over. Arguments and errors as for {@link feed}; after an error, closing it again
   * gives what is behind.
   */
  close(take: (event: AgentEvent, frame: Frame) => void): void {
    const isFirst = !this.#isClosed;
    this.#isClosed = true;
    this.#pull(() => (isFirst ? this.#decoder.close() : NOTHING), take);
  }

  #pull(more: () => Ending, take: (event: AgentEvent, frame: Frame) => void): void {
    let found: Ending;
    try {
      found = more();
    } catch (error) {
      throw this.#placed(error);
    }
    const { frames, truncated } = this.#with(found);
    for (let at = 0; at < frames.length; at += 1) {
      try {
        this.#take(frames[at] as Frame, take);
      } catch (error) {
        this.#left = { frames: frames.slice(at + 1), truncated };
        throw error;
      }
    }
    if (truncated !== undefined) this.#report(truncation(truncated));
  }

  /** What was left, and what came now. */
  #with(found: Ending): Ending {
    if (this.#left === NOTHING) return found;
    const { frames, truncated } = this.#left;
    this.#left = NOTHING;
    return {
      frames: [...frames, ...found.frames],
      truncated: truncated ?? found.truncated,
    };
  }

  #take(frame: Frame, take: (event: AgentEvent, frame: Frame) => void): void {
    if (isForeign(frame, EVENT_TYPES)) {
      this.#report(foreign(frame));
      return;
    }
    let event: AgentEvent;
    try {
      event = eventOf(frame);
    } catch (error) {
      const placed = this.#placed(error, frame.line);
      this.count += 1;
      throw placed;
    }
    try {
      take(event, frame);
    } finally {
      this.count += 1;
    }
  }

  /** An error that knows which line and which event it is about. */
  #placed(error: unknown, line?: number): unknown {
    return error instanceof MsgfoldError ? error.at({ line, eventIndex: this.count }) : error;
  }
}

/**
 * The events of a `text/event-stream`.
 *
 * Leaving the loop cancels the stream; so does `return()`, at once, whatever it waits for. An error of the stream itself, such as `AbortError` or a
 * lost connection, passes through as it is; `ReplyClient` comes back by itself.
 *
 * @param stream Bytes: the body of a response, say.
 * @param options Settings.
 * @yields Each event, as it came: not held against the schema.
 * @throws {InvalidJsonError} A frame is not I-JSON.
 * @throws {TooDeepError} A frame is nested too deeply.
 * @throws {InvalidEventError} A frame is JSON and no object.
 * @throws {InvalidInputError} A frame is longer than the limit, or it is no stream of bytes.
 *
 * @example
 * ```ts
 * const response = await fetch("/replies/r1/events");
 * for await (const event of sseEvents(response.body)) console.log(event.type);
 * ```
 */
export function sseEvents(
  stream: ByteStream | null,
  options: StreamOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  return oneByOne(new Source(stream), new SseDecoder(options), options);
}

/** The events of NDJSON. Arguments and errors as for {@link sseEvents}. */
export function ndjsonEvents(
  stream: ByteStream | null,
  options: StreamOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  return oneByOne(new Source(stream), new NdjsonDecoder(options), options);
}

/**
 * Events in lists, as they came together: quicker than one by one, and a page that folds a whole
 * list draws once. Errors as for {@link sseEvents}.
 *
 * @param stream Bytes.
 * @param decoder A fresh decoder.
 * @param options Settings.
 * @yields Lists of at least one event; those before an error come first.
 */
export function eventBatches(
  stream: ByteStream | null,
  decoder: FrameDecoder,
  options: StreamOptions = {},
): AsyncGenerator<AgentEvent[], void, undefined> {
  const source = new Source(stream);
  return guarded(batchesOf(source, decoder, options), () => source.leave());
}

async function* batchesOf(
  source: Source,
  decoder: FrameDecoder,
  options: StreamOptions,
): AsyncGenerator<AgentEvent[], void, undefined> {
  const reader = new EventReader(decoder, options);
  for await (const chunk of source.chunks()) yield* gathered((take) => reader.feed(chunk, take));
  if (!source.left) yield* gathered((take) => reader.close(take));
}

/**
 * What `work` takes, as one list; an error of its comes behind it.
 *
 * @internal
 */
export function* gathered(
  work: (take: (event: AgentEvent) => void) => void,
): Generator<AgentEvent[]> {
  const events: AgentEvent[] = [];
  let wrong: unknown;
  let failed = false;
  try {
    work((event) => events.push(event));
  } catch (error) {
    [failed, wrong] = [true, error];
  }
  if (events.length > 0) yield events;
  if (failed) throw wrong;
}

function oneByOne(
  source: Source,
  decoder: FrameDecoder,
  options: StreamOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  return guarded(singly(batchesOf(source, decoder, options)), () => source.leave());
}

async function* singly(
  batches: AsyncGenerator<AgentEvent[]>,
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const events of batches) yield* events;
}

function eventOf(frame: Frame): AgentEvent {
  if (frame.broken) {
    throw new InvalidJsonError("not UTF-8", {
      expected: "UTF-8 text",
      got: frame.data,
      rule: "wire.json.utf8",
    });
  }
  const value = parseJson(frame.data);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidEventError("not a JSON object", {
      expected: "an event",
      got: frame.data,
      rule: "wire.json.shape",
    });
  }
  return value as AgentEvent;
}

function foreign(frame: Frame): Diagnostic {
  return {
    code: "foreign_frame",
    message: `a frame of the event type ${JSON.stringify(shorten(frame.event))}, which is not ours`,
    rule: "wire.sse.foreign-event",
    place: { line: frame.line },
  };
}

function truncation(cut: Truncated): Diagnostic {
  return {
    code: "truncated_frame",
    message: `the stream ends inside a frame; its ${cut.pending.length} characters are not used`,
    rule: cut.rule,
    place: { line: cut.line },
  };
}
