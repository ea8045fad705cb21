/**
 * Where the bytes of a stream come from, and how they are let go.
 *
 * @module
 */

import { InvalidInputError } from "../errors.js";
import { kindOf } from "../json.js";

/** Where bytes come from: a web stream, or whatever else can be iterated over. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The bytes of a stream, once.
 *
 * @internal
 */
export class Source {
  /** Whether somebody has left it before its end. */
  left = false;
  readonly #stream: ByteStream | null | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(stream: ByteStream | null | undefined) {
    this.#stream = stream;
  }

  /**
   * The chunks. Not every browser can iterate over a `ReadableStream`, so its reader is used.
   *
   * @throws {InvalidInputError} There is no stream, or another reads it.
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const stream = readable(this.#stream);
    if (!("getReader" in stream)) {
      yield* stream;
      return;
    }
    const reader = stream.getReader();
    this.#reader = reader;
    try {
      for (let { done, value } = await reader.read(); !done; ) {
        if (value !== undefined) yield value;
        ({ done, value } = await reader.read());
      }
    } finally {
      cancel(reader);
    }
  }

  /** Let it go at once, even before it began, and while a chunk is awaited. */
  leave(): void {
    this.left = true;
    const stream = this.#stream;
    if (this.#reader !== undefined) cancel(this.#reader);
    else if (isObject(stream) && "getReader" in stream) cancel(stream);
  }
}

/**
 * `events`, and whoever leaves them calls `leave` first. A generator by itself notices only when it
 * has begun, and once what it awaits has come.
 *
 * @internal
 */
export function guarded<T>(
  events: AsyncGenerator<T, void, undefined>,
  leave: () => void,
): AsyncGenerator<T, void, undefined> {
  const { return: end, throw: fail } = events;
  events.return = (value) => {
    leave();
    return end.call(events, value);
  };
  events.throw = (error) => {
    leave();
    return fail.call(events, error);
  };
  return events;
}

/** Not awaited: a source that does not answer must not hold up whoever leaves. */
function cancel(stream: { cancel(): Promise<void> }): void {
  stream.cancel().catch(() => {});
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function readable(stream: ByteStream | null | undefined): ByteStream {
  if (!isObject(stream)) {
    const isNone = stream === null || stream === undefined;
    throw noStream(isNone ? "there is no stream" : "not a stream", {
      got: isNone ? `${stream}: a response without a body` : kindOf(stream),
      hint: isNone ? "Look at response.status first" : "Give what arrives, such as response.body",
    });
  }
  if ("getReader" in stream) {
    if (!stream.locked) return stream;
    throw noStream("the stream is read already", {
      got: "a stream with a reader, or a body that was read",
      hint: "Read a body once; tee() or clone() it to read it twice",
    });
  }
  if (Symbol.asyncIterator in stream || Symbol.iterator in stream) return stream;
  throw noStream("not a stream", {
    got: kindOf(stream),
    hint: "Give the body of a response: response.body",
  });
}

function noStream(reason: string, details: { got: string; hint: string }): InvalidInputError {
  return new InvalidInputError(reason, { expected: "a stream of bytes", ...details });
}

/**
 * A chunk, which is bytes.
 *
 * @internal
 * @throws {InvalidInputError} It is anything else.
 */
export function bytesOf(chunk: unknown): Uint8Array {
  // Not instanceof: bytes may come from another realm, such as a frame or a worker.
  if (kindOf(chunk) === "Uint8Array") return chunk as Uint8Array;
  throw new InvalidInputError("a chunk is no bytes", {
    expected: "a Uint8Array",
    got: kindOf(chunk),
    hint: "Leave out TextDecoderStream and setEncoding; an ArrayBuffer goes into new Uint8Array()",
  });
}
