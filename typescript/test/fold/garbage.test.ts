/** What is no JSON, no event and no Msg: a typed error with a place, whoever is asked. */

import { describe, expect, test } from "vitest";
import {
  type AgentEvent,
  appendEvent,
  assistantMsg,
  createMsg,
  Folder,
  type FoldOptions,
  fold,
  foldAll,
  InvalidInputError,
  InvalidMsgError,
  MsgfoldError,
  NdjsonDecoder,
  parseEvent,
  parseMsg,
  reduce,
  userMsg,
  validateStream,
  validateText,
  validateValue,
} from "../../src/index.js";
import {
  AgentEventSchema,
  decodeProto,
  encodeProto,
  fromProto,
  MsgSchema,
  toProto,
} from "../../src/proto/index.js";

const DELTA = {
  type: "TEXT_BLOCK_DELTA",
  id: "e1",
  created_at: "t",
  reply_id: "r1",
  block_id: "b",
  delta: "x",
} as const;
const START = { type: "REPLY_START", id: "e0", created_at: "t", reply_id: "r1" };
const BEGIN = { ...DELTA, type: "TEXT_BLOCK_START" } as unknown as AgentEvent;

function nested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

function circle(): object {
  const round: Record<string, unknown> = { type: "CUSTOM" };
  round.name = round;
  round.value = [round];
  return round;
}

const GARBAGE: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", 7],
  ["a bigint", 7n],
  ["true", true],
  ["empty text", ""],
  ["text", "oops"],
  ["a lone surrogate", "\ud800"],
  ["a list", [[]]],
  ["an empty object", {}],
  ["a function", () => 7],
  ["a symbol", Symbol("x")],
  ["a date", new Date(0)],
  ["a map", new Map([[1, 2]])],
  ["bytes", new Uint8Array([123, 125])],
  ["an error", new Error("x")],
  ["a type that is no text", { type: {} }],
  ["a type of every object's", { type: "constructor" }],
  ["too deep a value", nested(50_000)],
  ["a circle", circle()],
  ["a circle as a name", { ...DELTA, delta: circle() }],
  ["too deep a name", { ...DELTA, delta: nested(50_000) }],
  ["text that goes deep", "[".repeat(100_000)],
  ["a function inside", { ...DELTA, metadata: { a: [() => 7] } }],
  ["a symbol inside", { ...DELTA, metadata: { a: Symbol("x") } }],
  ["a date inside", { ...DELTA, metadata: { a: new Date(0) } }],
  ["a map inside", { ...DELTA, metadata: { a: new Map() } }],
  ["a gap in a list", { ...DELTA, metadata: { a: [1, undefined] } }],
  ["a number that is not finite", { ...DELTA, metadata: { a: Number.NaN } }],
];

/** The work is done, or refused with a typed error. */
function typed(work: () => unknown): MsgfoldError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(MsgfoldError);
    return error as MsgfoldError;
  }
}

describe.each(GARBAGE)("%s", (_, value) => {
  const quiet = { onDiagnostic: () => {} };

  test("is no event and no Msg", () => {
    expect(typed(() => parseEvent(value))).toBeDefined();
    expect(typed(() => parseMsg(value))).toBeDefined();
    expect(validateText(value as string, "AgentEvent").length).toBeGreaterThan(0);
    typed(() => validateValue(value, "AgentEvent"));
    typed(() => validateValue(value, "Msg"));
  });

  test("is folded into nothing", () => {
    const msg = assistantMsg("friday", "hi", { id: "r1" });
    const before = JSON.stringify(msg);
    typed(() => appendEvent(msg, value as AgentEvent, quiet));
    typed(() => reduce(msg, value as AgentEvent, quiet));
    typed(() => new Folder(quiet).feedText(value as string));
    const folder = new Folder({ ...quiet, errors: "skip", msg });
    folder.feed(value);
    folder.feedText(value as string);
    expect(folder.events).toBe(2);
    expect(JSON.stringify(msg)).toBe(before);
  });

  test("is no protobuf", () => {
    expect(typed(() => encodeProto(AgentEventSchema, value as object))).toBeDefined();
    expect(typed(() => decodeProto(AgentEventSchema, value as Uint8Array))).toBeDefined();
    typed(() => toProto(MsgSchema, value as object));
    expect(typed(() => fromProto(AgentEventSchema, value as never))).toBeDefined();
  });
});

test.each([
  ["a function", () => 7, "a function"],
  ["a date", new Date(0), "a Date"],
  ["a symbol", Symbol("x"), "a symbol"],
  ["nothing", undefined, "undefined"],
])("%s in free JSON is refused where it stands", (_, value, got) => {
  expect(typed(() => parseEvent({ ...DELTA, metadata: { "a/b": [1, value] } }))).toMatchObject({
    code: "invalid_json",
    place: { pointer: "/metadata/a~1b/1" },
    got,
  });
});

test("an object of another realm, of no prototype or behind a proxy is JSON like any", () => {
  const bare = Object.assign(Object.create(null), { a: Object.create(null) });
  const value = { ...DELTA, metadata: new Proxy({ bare }, {}), delta: "x" };
  expect(parseEvent(value).metadata).toEqual({ bare: { a: {} } });
});

describe("what is no Msg to fold into", () => {
  const wrong = [
    {},
    { id: "r1" },
    { id: "r1", content: null },
    { id: "r1", content: "hi" },
    7,
    "r1",
  ];

  test.each(wrong)("%j", (given) => {
    for (const work of [
      () => appendEvent(given as never, BEGIN),
      () => reduce(given as never, BEGIN),
      () => fold([BEGIN], { msg: given as never }),
      () => new Folder({ msg: given as never }),
    ]) {
      expect(typed(work)).toBeInstanceOf(InvalidMsgError);
    }
  });

  test("nothing: appendEvent has nowhere to put it, reduce waits for a REPLY_START", () => {
    const start = { ...START, session_id: "s", name: "friday" } as AgentEvent;
    for (const none of [null, undefined]) {
      expect(() => appendEvent(none as never, start)).toThrow(InvalidMsgError);
      expect(reduce(none as null, BEGIN, { onDiagnostic: () => {} })).toBeNull();
      expect(reduce(none as null, start)).toMatchObject({ id: "r1", name: "friday" });
    }
  });
});

test("a stream is no list of events: it has to be waited for", () => {
  async function* stream() {
    yield DELTA;
  }
  for (const wrong of [stream(), DELTA, null, undefined, 7, "[]"]) {
    for (const work of [() => fold(wrong as never), () => foldAll(wrong as never)]) {
      const error = typed(work);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(String(error)).toContain("for await");
    }
  }
  expect(
    foldAll(new Set([START as AgentEvent]).values(), { errors: "skip", onDiagnostic() {} }),
  ).toEqual([]);
});

test("what is no list of chunks is no stream to validate", () => {
  const { body } = new Response("[]");
  for (const wrong of [body, null, undefined, 7, {}]) {
    const validate = () => [...validateStream(wrong as never, new NdjsonDecoder())];
    expect(typed(validate)).toBeInstanceOf(InvalidInputError);
  }
  const [fault] = validateStream(["[]"] as never, new NdjsonDecoder());
  expect(fault).toMatchObject({ message: "a chunk is no bytes", got: "string" });
});

describe("a frozen Msg, as Redux keeps it", () => {
  const frozen = <T>(value: T): T => {
    if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(frozen);
      Object.freeze(value);
    }
    return value;
  };
  const text = () =>
    assistantMsg("friday", [{ type: "text", id: "b", text: "hi" }], { id: "r1", created_at: "t" });

  test("is left to reduce; what folds in place says so", () => {
    const msg = frozen(text());
    expect(reduce(msg, DELTA)).toMatchObject({ content: [{ text: "hix" }] });
    const outside = { ...msg };
    const within = { ...msg, content: [...msg.content] };
    for (const given of [msg, outside, within]) {
      for (const work of [
        () => appendEvent(given, DELTA),
        () => fold([DELTA], { msg: given }),
        () => fold([DELTA], { msg: given, errors: "skip" }),
      ]) {
        const error = typed(work);
        expect(error).toBeInstanceOf(InvalidInputError);
        expect(String(error)).toMatch(/frozen.*reduce/);
      }
    }
    expect(msg).toEqual(text());
  });
});

test("an option that is undefined is as if it were left out", () => {
  const none = { id: undefined, created_at: undefined, finished_at: undefined } as never;
  const msg = userMsg("alice", "hi", none);
  expect(msg.finished_at).toBe(msg.created_at);
  expect(msg.id).toMatch(/^[0-9a-f]{32}$/);
  expect(createMsg("assistant", "a", "hi", none).finished_at).toBeNull();
  const options = { revision: undefined, onDiagnostic: undefined } as unknown as FoldOptions;
  expect(reduce(msg, { ...DELTA, reply_id: "r2" }, { ...options, onDiagnostic: () => {} })).toBe(
    msg,
  );
  expect(
    reduce(null, { ...START, session_id: "s", name: "f" } as AgentEvent, options),
  ).not.toBeNull();
});
