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
  InvalidInputError,
  InvalidJsonError,
  MsgfoldError,
  shorten,
} from "../errors.js";
import { EVENT_TYPES } from "../event-types.js";
import { parseJson } from "../json.js";
import type { AgentEvent } from "../types.js";
import type { Ending, Frame, FrameDecoder, FrameOptions, Truncated } from "./frames.js";
import { NdjsonDecoder } from "./ndjson.js";
import { isForeign, SseDecoder } from "./sse.js";

/** Settings of a stream of events. */
export interface StreamOptions extends FrameOptions {
  /** Receives what was passed over: foreign frames, and a frame that the end cut short. */
  onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/** Where bytes come from: a web stream, or whatever else can be iterated over. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Events from bytes that are pushed.
 *
 * @example
 * ```ts
 * const reader = new EventReader(new SseDecoder());
 * socket.onmessage = ({ data }) => reader.feed(new Uint8Array(data), (event) => fold(event));
 * socket.onclose = () => reader.close((event) => fold(event));
 * ```
 */
export class EventReader {
  /** How many events came: the next one's index. */
  count = 0;
  readonly #decoder: FrameDecoder;
  readonly #report: (diagnostic: Diagnostic) => void;

  /**
   * @param decoder A fresh decoder: {@link SseDecoder}, {@link NdjsonDecoder} or
   *   {@link DocumentDecoder}.
   * @param options Settings.
   */
  constructor(decoder: FrameDecoder, { onDiagnostic = () => {} }: StreamOptions = {}) {
    this.#decoder = decoder;
    this.#report = onDiagnostic;
  }

  /**
   * Take a chunk.
   *
   * @param chunk Bytes, cut anywhere.
   * @param take Receives each event that the chunk completes, and its frame. After an error it has
   *   had those before it.
   * @throws {InvalidJsonError} A frame is not I-JSON.
   * @throws {TooDeepError} A frame is nested too deeply.
   * @throws {InvalidEventError} A frame is JSON and no object.
   * @throws {InvalidInputError} A frame is longer than the limit.
   */
  feed(chunk: Uint8Array, take: (event: AgentEvent, frame: Frame) => void): void {
    this.#pull(() => ({ frames: this.#decoder.feed(chunk), truncated: undefined }), take);
  }

  /** The stream is over. Arguments and errors as for {@link feed}. */
  close(take: (event: AgentEvent, frame: Frame) => void): void {
    this.#pull(() => this.#decoder.close(), take);
  }

  #pull(more: () => Ending, take: (event: AgentEvent, frame: Frame) => void): void {
    let found: Ending;
    try {
      found = more();
    } catch (error) {
      throw this.#placed(error);
    }
    for (const frame of found.frames) this.#take(frame, take);
    if (found.truncated !== undefined) this.#report(truncation(found.truncated));
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
      throw this.#placed(error, frame.line);
    }
    take(event, frame);
    this.count += 1;
  }

  /** An error that knows which line and which event it is about. */
  #placed(error: unknown, line?: number): unknown {
    return error instanceof MsgfoldError ? error.at({ line, eventIndex: this.count }) : error;
  }
}

/**
 * The events of a `text/event-stream`.
 *
 * Leaving the loop cancels the stream. An error of the stream itself, such as `AbortError` or a
 * lost connection, passes through as it is; `ReplyClient` comes back by itself.
 *
 * @param stream Bytes: the body of a response, say.
 * @param options Settings.
 * @yields Each event, as it came: not held against the schema.
 * @throws {InvalidJsonError} A frame is not I-JSON.
 * @throws {TooDeepError} A frame is nested too deeply.
 * @throws {InvalidEventError} A frame is JSON and no object.
 * @throws {InvalidInputError} A frame is longer than the limit, or there is no stream.
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
  return oneByOne(eventBatches(stream, new SseDecoder(options), options));
}

/** The events of NDJSON. Arguments and errors as for {@link sseEvents}. */
export function ndjsonEvents(
  stream: ByteStream | null,
  options: StreamOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  return oneByOne(eventBatches(stream, new NdjsonDecoder(options), options));
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
export async function* eventBatches(
  stream: ByteStream | null,
  decoder: FrameDecoder,
  options: StreamOptions = {},
): AsyncGenerator<AgentEvent[], void, undefined> {
  const reader = new EventReader(decoder, options);
  for await (const chunk of chunksOf(stream)) yield* gathered((take) => reader.feed(chunk, take));
  yield* gathered((take) => reader.close(take));
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

async function* oneByOne(
  batches: AsyncGenerator<AgentEvent[]>,
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const events of batches) yield* events;
}

/**
 * The chunks of a stream. Not every browser can iterate over a `ReadableStream`, so its reader is
 * used.
 *
 * @internal
 */
export async function* chunksOf(stream: ByteStream | null): AsyncGenerator<Uint8Array> {
  if (stream === null) {
    throw new InvalidInputError("there is no stream", {
      expected: "a stream of bytes",
      got: "null: a response without a body",
      hint: "Look at response.status first",
    });
  }
  if (!("getReader" in stream)) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      if (value !== undefined) yield value;
    }
  } finally {
    // Not awaited: a source that does not answer must not hold up whoever leaves.
    reader.cancel().catch(() => {});
  }
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
