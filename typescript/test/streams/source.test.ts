/** Where bytes come from: what is no stream of bytes says so, and one that is left is let go. */

import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/errors.js";
import {
  DocumentDecoder,
  EventReader,
  eventBatches,
  InvalidInputError,
  NdjsonDecoder,
  ndjsonEvents,
  SseDecoder,
  sseEvents,
} from "../../src/index.js";

const encoder = new TextEncoder();
const EVENT = '{"type":"CUSTOM","name":"a"}';

/** A stream that says nothing until it is told to, and whether it was cancelled. */
function silent() {
  const seen = { cancelled: 0 };
  let say: (text: string) => void = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      say = (text) => controller.enqueue(encoder.encode(text));
    },
    cancel() {
      seen.cancelled += 1;
    },
  });
  return { stream, seen, say };
}

describe.each([
  ["sseEvents", sseEvents, `data: ${EVENT}\n\n`],
  ["ndjsonEvents", ndjsonEvents, `${EVENT}\n`],
  [
    "eventBatches",
    (stream: ReadableStream<Uint8Array>, options?: object) =>
      eventBatches(stream, new SseDecoder(), options),
    `data: ${EVENT}\n\n`,
  ],
])("%s is left", (_, events, frame) => {
  test("before it began: the stream is cancelled", async () => {
    const { stream, seen } = silent();
    expect(await events(stream).return()).toEqual({ done: true, value: undefined });
    expect(seen.cancelled).toBe(1);
  });

  test("while it waits for the next event: at once, and the stream is cancelled", async () => {
    const { stream, seen, say } = silent();
    const said: Diagnostic[] = [];
    const iterator = events(stream, { onDiagnostic: (each: Diagnostic) => said.push(each) });
    say(frame + frame.slice(0, 9));
    await iterator.next();
    const awaited = iterator.next();
    expect(await iterator.return()).toEqual({ done: true, value: undefined });
    expect(await awaited).toEqual({ done: true, value: undefined });
    expect(seen.cancelled).toBe(1);
    expect(said).toEqual([]); // who leaves knows that there was more
  });

  test("by an error: at once, and the error is handed on", async () => {
    const { stream, seen } = silent();
    const iterator = events(stream);
    const awaited = iterator.next();
    await expect(iterator.throw(new RangeError("mine"))).rejects.toThrow("mine");
    expect(await awaited).toEqual({ done: true, value: undefined });
    expect(seen.cancelled).toBe(1);
  });
});

test("a stream that came to its end is not cancelled", async () => {
  const { seen } = silent();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.close(),
    cancel: () => {
      seen.cancelled += 1;
    },
  });
  for await (const _ of sseEvents(stream));
  expect(seen.cancelled).toBe(0);
});

describe("what is no stream of bytes is a typed error:", () => {
  const locked = () => {
    const { stream } = silent();
    stream.getReader();
    return stream;
  };
  const strings = () => {
    const body = new Response(`data: ${EVENT}\n\n`).body as ReadableStream<Uint8Array>;
    return body.pipeThrough(new TextDecoderStream() as never);
  };
  const wrong: [string, () => unknown, RegExp][] = [
    ["nothing", () => undefined, /no stream/],
    ["null", () => null, /no stream/],
    ["a response", () => new Response("data: {}\n\n"), /response\.body/],
    ["text", () => `data: ${EVENT}\n\n`, /got string/],
    ["a number", () => 7, /got number/],
    ["an object", () => ({ body: null }), /got Object/],
    ["bytes themselves", () => encoder.encode(`data: ${EVENT}\n\n`), /got number/],
    ["a stream that another reads", locked, /is read already/],
    ["a stream of text", strings, /TextDecoderStream/],
    ["a Node stream of text", () => Readable.from(["data: {}\n\n"]), /got string/],
    ["a list of texts", () => ["data: {}\n\n"], /got string/],
    ["a list of buffers", () => [new ArrayBuffer(4)], /got ArrayBuffer/],
    ["a list of numbers of two bytes", () => [new Uint16Array(4)], /got Uint16Array/],
    ["a list of nothing", () => [undefined], /got undefined/],
  ];

  test.each(wrong)("%s", async (_, made, says) => {
    for (const events of [sseEvents, ndjsonEvents]) {
      const error = await events(made() as never)
        .next()
        .then(
          () => "none",
          (thrown: unknown) => thrown,
        );
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(String(error)).toMatch(says);
    }
  });

  test("a chunk that is pushed", () => {
    for (const decoder of [new SseDecoder(), new NdjsonDecoder(), new DocumentDecoder()]) {
      const reader = new EventReader(decoder);
      expect(() => reader.feed("[]" as never, () => {})).toThrow(InvalidInputError);
    }
  });
});
