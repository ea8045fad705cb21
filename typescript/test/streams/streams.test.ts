/** What the corpus cannot say: web streams, leaving early, limits, places, and any cut. */

import { describe, expect, test, vi } from "vitest";
import type { Diagnostic } from "../../src/errors.js";
import {
  DocumentDecoder,
  EventReader,
  eventBatches,
  type FrameDecoder,
  InvalidEventError,
  InvalidInputError,
  InvalidJsonError,
  MsgfoldError,
  NdjsonDecoder,
  ndjsonEvents,
  SseDecoder,
  sseEvents,
} from "../../src/index.js";

const encoder = new TextEncoder();
const custom = (name: string) => `{"type":"CUSTOM","name":"${name}"}`;
const names = (events: object[]) => events.map((event) => (event as { name: string }).name);

/** A web stream of these chunks. */
function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      }
      controller.close();
    },
  });
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

/** What came before an error, and the error. */
async function untilError(source: AsyncIterable<object>): Promise<[object[], unknown]> {
  const found: object[] = [];
  try {
    for await (const each of source) found.push(each);
  } catch (error) {
    return [found, error];
  }
  return [found, undefined];
}

describe("a web stream", () => {
  test("of server-sent events gives them in order", async () => {
    const stream = streamOf(`data: ${custom("a")}\n`, `\ndata: ${custom("b")}\n\n`);
    expect(names(await all(sseEvents(stream)))).toEqual(["a", "b"]);
  });

  test("of NDJSON gives them in order", async () => {
    const stream = streamOf(`${custom("a")}\n${custom("b")}`);
    expect(names(await all(ndjsonEvents(stream)))).toEqual(["a", "b"]);
  });

  test("that ends inside a frame is a warning on the console, when nobody takes it", async () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      expect(await all(sseEvents(streamOf(`data: ${custom("a")}\n`)))).toEqual([]);
      expect(said.mock.calls).toEqual([[expect.stringMatching(/line 1: .*\[truncated_frame\]/)]]);
    } finally {
      said.mockRestore();
    }
  });

  test("may be anything that can be iterated over", async () => {
    async function* chunks() {
      yield Buffer.from(`data: ${custom("a")}\n\n`);
    }
    expect(names(await all(sseEvents(chunks())))).toEqual(["a"]);
  });

  test("is the body of a response", async () => {
    const response = new Response(`data: ${custom("a")}\n\n`);
    expect(names(await all(sseEvents(response.body)))).toEqual(["a"]);
  });

  test("that is none is an error that says so", async () => {
    const [, error] = await untilError(sseEvents(new Response(null, { status: 204 }).body));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as Error).message).toContain("no stream");
  });

  test("is cancelled by whoever leaves the loop", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(`data: ${custom("a")}\n\n`)),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of sseEvents(stream)) {
      expect(event.type).toBe("CUSTOM");
      break;
    }
    expect(cancelled).toBe(true);
  });

  test("that fails hands its own error on, behind the events that came", async () => {
    let asked = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        asked += 1;
        if (asked === 1) controller.enqueue(encoder.encode(`data: ${custom("a")}\n\n`));
        else controller.error(new TypeError("network error"));
      },
    });
    const [events, error] = await untilError(sseEvents(stream));
    expect(names(events)).toEqual(["a"]);
    expect(error).toEqual(new TypeError("network error"));
  });

  test("gives the events of a chunk together", async () => {
    const stream = streamOf(`${custom("a")}\n${custom("b")}\n`, `${custom("c")}\n`);
    const batches = await all(eventBatches(stream, new NdjsonDecoder()));
    expect(batches.map(names)).toEqual([["a", "b"], ["c"]]);
  });
});

describe("an error", () => {
  test.each<[string, () => FrameDecoder, string]>([
    [
      "SSE",
      () => new SseDecoder(),
      `data: ${custom("a")}\n\ndata: [\n\ndata: {oops\n\ndata: ${custom("b")}\n\ndata: x`,
    ],
    [
      "NDJSON",
      () => new NdjsonDecoder(),
      `${custom("a")}\n[\n{oops\n${custom("b")}\n{"a":"\\ud800"}`,
    ],
    ["a document", () => new DocumentDecoder(), `[${custom("a")},[],"oops",${custom("b")}]`],
  ])("loses nothing that is behind it, wherever %s is cut", (_, made, text) => {
    const read = (size: number) => {
      const said: unknown[] = [];
      const reader = new EventReader(made(), { onDiagnostic: ({ code }) => said.push(code) });
      const attempt = (work: () => void): void => {
        try {
          work();
        } catch (error) {
          expect(error).toBeInstanceOf(MsgfoldError);
          said.push(String(error));
        }
      };
      const take = (event: object) => said.push(event);
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length; at += size) {
        attempt(() => reader.feed(bytes.subarray(at, at + size), take));
      }
      for (let turn = 0; turn < 4; turn += 1) attempt(() => reader.close(take));
      return [said, reader.count];
    };
    const [said, count] = read(1);
    expect(names((said as object[]).filter((each) => typeof each === "object"))).toEqual([
      "a",
      "b",
    ]);
    expect(count).toBeGreaterThan(3);
    for (const size of [2, 7, 40, 1000]) expect(read(size)).toEqual([said, count]);
  });

  test("of whoever takes an event loses none of the others", () => {
    const reader = new EventReader(new NdjsonDecoder());
    const taken: object[] = [];
    const take = (event: object) => {
      taken.push(event);
      if (taken.length === 1) throw new RangeError("mine");
    };
    const bytes = encoder.encode(`${custom("a")}\n${custom("b")}\n`);
    expect(() => reader.feed(bytes, take)).toThrow("mine");
    reader.close(take);
    expect(names(taken)).toEqual(["a", "b"]);
  });

  test("comes behind the events before it in the same chunk, with line and event", async () => {
    const stream = streamOf(`data: ${custom("a")}\n\n: x\n\ndata: {oops\n\n`);
    const [events, error] = await untilError(sseEvents(stream));
    expect(names(events)).toEqual(["a"]);
    expect(error).toBeInstanceOf(InvalidJsonError);
    expect((error as InvalidJsonError).place).toMatchObject({ line: 5, eventIndex: 1 });
    expect(String(error)).toContain("line 5, event 1");
    expect(String(error)).toContain("[invalid_json]");
  });

  test("names the place inside the event", async () => {
    const [, error] = await untilError(ndjsonEvents(streamOf('{"a":[{"b/c":"\\ud800"}]}\n')));
    expect((error as InvalidJsonError).place).toMatchObject({ line: 1, pointer: "/a/0/b~1c" });
  });

  test("tells JSON that is no object from text that is no JSON", async () => {
    const [, error] = await untilError(ndjsonEvents(streamOf("[1]\n")));
    expect(error).toBeInstanceOf(InvalidEventError);
  });

  test("is bytes that are no UTF-8; a replacement character that was sent is none", async () => {
    const [, error] = await untilError(
      ndjsonEvents(streamOf('{"a":"', Uint8Array.of(0xff), '"}\n')),
    );
    expect(error).toBeInstanceOf(InvalidJsonError);
    expect(await all(ndjsonEvents(streamOf('{"a":"\ufffd"}\n')))).toEqual([{ a: "\ufffd" }]);
  });
});

describe("a frame without an end", () => {
  const decoders: [string, (maxFrame: number) => FrameDecoder, string][] = [
    ["server-sent events, one line", (maxFrame) => new SseDecoder({ maxFrame }), "x"],
    ["server-sent events, many lines", (maxFrame) => new SseDecoder({ maxFrame }), "data: x\n"],
    ["NDJSON", (maxFrame) => new NdjsonDecoder({ maxFrame }), "x"],
    ["a document", (maxFrame) => new DocumentDecoder({ maxFrame }), "x"],
  ];

  test.each(decoders)("is refused beyond the limit: %s", (_, make, piece) => {
    const chunk = encoder.encode(piece);
    const reader = new EventReader(make(1000));
    let fed = 0;
    expect(() => {
      for (; fed < 5000; fed += chunk.length) reader.feed(chunk, () => {});
    }).toThrow(InvalidInputError);
    expect(fed).toBeGreaterThan(800);
    expect(fed).toBeLessThan(1300);
  });

  test("does not count comments and whole frames", () => {
    const reader = new EventReader(new SseDecoder({ maxFrame: 100 }));
    const events: object[] = [];
    for (let n = 0; n < 100; n += 1) {
      reader.feed(encoder.encode(`: ${"x".repeat(90)}\ndata: ${custom("a")}\n\n`), (event) =>
        events.push(event),
      );
    }
    expect(events).toHaveLength(100);
  });
});

describe("what is passed over", () => {
  test("is reported with its rule and place", async () => {
    const said: Diagnostic[] = [];
    const stream = streamOf(`event: ping\ndata: {}\n\ndata: ${custom("a")}`);
    await all(sseEvents(stream, { onDiagnostic: (each) => said.push(each) }));
    expect(said).toMatchObject([
      { code: "foreign_frame", rule: "wire.sse.foreign-event", place: { line: 2 } },
      { code: "truncated_frame", rule: "wire.sse.eof", place: { line: 4 } },
    ]);
  });

  test("is an end mark, but not what only resembles one", async () => {
    expect(await all(sseEvents(streamOf("data: \t[DONE] \n\n")))).toEqual([]);
    const [, error] = await untilError(sseEvents(streamOf("data: [DONE]\u2028\n\n")));
    expect(error).toBeInstanceOf(InvalidJsonError);
  });

  test("a comment is told to whoever asks", () => {
    const heard: string[] = [];
    const decoder = new SseDecoder({ onComment: (text) => heard.push(text) });
    decoder.feed(encoder.encode(": finished\n\n:\n\n"));
    expect(heard).toEqual(["finished", ""]);
  });
});

/** Decoding byte sequences cut in three, at every two places. */
describe("the same events wherever the bytes are cut", () => {
  const streams: [string, () => FrameDecoder, string][] = [
    [
      "server-sent events",
      () => new SseDecoder(),
      '\ufeff: é\r\nid: 中😀\r\ndata: {"type":"CUSTOM",\rdata: "name":"é😀"}\n\r\ndata: {"a":1}\r\n\r\n',
    ],
    ["NDJSON", () => new NdjsonDecoder(), '\ufeff{"name":"é😀"}\r\n\n{"a":"中"}\n{"b":1}'],
    ["a document", () => new DocumentDecoder(), '\ufeff[{"name":"é😀]"},\n{"a":[1]}]'],
  ];

  test.each(streams)("%s", (_, make, text) => {
    const bytes = encoder.encode(text);
    const read = (...chunks: Uint8Array[]) => {
      const [decoder, events] = [make(), [] as [object, number][]];
      const reader = new EventReader(decoder);
      for (const chunk of chunks)
        reader.feed(chunk, (event, { line }) => events.push([event, line]));
      reader.close((event, { line }) => events.push([event, line]));
      return [events, (decoder as SseDecoder).lastEventId];
    };
    const expected = read(bytes);
    expect(expected[0]?.length).toBeGreaterThan(1);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const cut = [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)];
        expect(read(...cut)).toEqual(expected);
      }
    }
  });
});
