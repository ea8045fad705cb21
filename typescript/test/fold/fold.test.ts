/** The reducer as a program uses it. */

import { describe, expect, test } from "vitest";
import {
  type AgentEvent,
  appendEvent,
  assistantMsg,
  createMsg,
  type Diagnostic,
  Folder,
  fold,
  foldAll,
  getContentBlocks,
  getTextContent,
  InvalidBase64Error,
  InvalidEventError,
  InvalidMsgError,
  type Msg,
  NoReplyError,
  parseEvent,
  parseMsg,
  RoleViolationError,
  reduce,
  UnknownRevisionError,
  userMsg,
} from "../../src/index.js";

let count = 0;

function event(members: Record<string, unknown>): AgentEvent {
  count += 1;
  const stamps = { id: `e${count}`, created_at: `t${count}`, reply_id: "r1" };
  return { ...stamps, ...members } as unknown as AgentEvent;
}

const START = event({ type: "REPLY_START", session_id: "s", name: "friday" });
const END = event({ type: "REPLY_END", session_id: "s" });
const begin = (id: string) => event({ type: "TEXT_BLOCK_START", block_id: id });
const delta = (id: string, text: string) =>
  event({ type: "TEXT_BLOCK_DELTA", block_id: id, delta: text });
const data = (text: string) =>
  event({ type: "DATA_BLOCK_DELTA", block_id: "d", data: text, media_type: "image/png" });

test("a stream folds into a Msg", () => {
  const msg = fold([START, begin("b"), delta("b", "Hel"), delta("b", "lo"), END]);
  expect(getTextContent(msg)).toBe("Hello");
  expect(msg).toMatchObject({ id: "r1", name: "friday", role: "assistant" });
  expect(msg.finished_at).toBe(END.created_at);
});

test("replies that interleave fold into a Msg each", () => {
  const other = [
    { ...START, reply_id: "r2" },
    { ...begin("b"), reply_id: "r2" },
  ] as AgentEvent[];
  const msgs = foldAll([START, ...other, begin("b"), END], { onDiagnostic: () => {} });
  expect(msgs.map(({ id, content }) => [id, content.length])).toEqual([
    ["r1", 1],
    ["r2", 1],
  ]);
});

test("without a reply there is no Msg", () => {
  expect(() => fold([], {})).toThrow(NoReplyError);
  expect(() => fold([START], { revision: "1.0" })).toThrow(UnknownRevisionError);
});

describe("reduce", () => {
  const two = () =>
    [START, begin("a"), begin("b"), delta("a", "x")].reduce<Msg | null>(
      (msg, each) => reduce(msg, each),
      null,
    ) as Msg;

  test("keeps the identity of what an event does not change", () => {
    const before = two();
    const after = reduce(before, delta("b", "y"));
    expect(after).not.toBe(before);
    expect(after.content[0]).toBe(before.content[0]);
    expect(after.content[1]).not.toBe(before.content[1]);
    expect(after.metadata).toBe(before.metadata);
    expect(getTextContent(before, "|")).toBe("x|");
    expect(getTextContent(after, "|")).toBe("x|y");
    expect(reduce(after, event({ type: "MODEL_CALL_START", model_name: "m" }))).toBe(after);
  });

  test("gives the same Msg when an event changes nothing", () => {
    const call = { tool_call_id: "c" };
    const asked = { type: "tool_call", id: "c", name: "t", input: "", state: "asking" };
    const rules = [{ tool_name: "t", rule_content: null, behavior: "allow", source: "s" }];
    const ask = event({
      type: "REQUIRE_USER_CONFIRM",
      tool_calls: [{ ...asked, suggested_rules: rules }],
    });
    const result = event({ type: "TOOL_RESULT_END", state: "success", ...call });
    const msg = [
      event({ type: "TOOL_CALL_START", tool_call_name: "t", ...call }),
      event({ type: "THINKING_BLOCK_START", block_id: "k" }),
      event({ type: "DATA_BLOCK_START", block_id: "d", media_type: "" }),
      event({ type: "TOOL_RESULT_START", tool_call_name: "t", ...call }),
      event({ type: "TOOL_RESULT_TEXT_DELTA", delta: "x", ...call }),
      event({ type: "MODEL_CALL_END", input_tokens: 1, output_tokens: 1 }),
      ask,
    ].reduce<Msg>((so_far, each) => reduce(so_far, each), two());
    for (const nothing of [
      delta("a", ""),
      event({ type: "THINKING_BLOCK_DELTA", block_id: "k", delta: "" }),
      event({ type: "TOOL_CALL_DELTA", delta: "", ...call }),
      event({ type: "TOOL_RESULT_TEXT_DELTA", delta: "", ...call }),
      data(""),
      event({ type: "MODEL_CALL_END", input_tokens: 0, output_tokens: 0 }),
      ask,
    ]) {
      expect(reduce(msg, nothing)).toBe(msg);
    }
    const ended = reduce(msg, result);
    expect(reduce(ended, result)).toBe(ended);
    const { content } = ended;
    const again = reduce(ended, ask);
    expect(again.content.map((block, at) => block === content[at])).toEqual(
      content.map(({ type }) => type !== "tool_call"),
    );
  });

  test("shares the blocks of an event that changes only some of what it names", () => {
    const call = (id: string) => ({ type: "tool_call", id, name: "t", input: "" });
    const require = (...ids: string[]) =>
      event({ type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls: ids.map(call) });
    const before = ["c", "d"]
      .map((id) => event({ type: "TOOL_CALL_START", tool_call_name: "t", tool_call_id: id }))
      .concat(require("c"))
      .reduce<Msg>((msg, each) => reduce(msg, each), two());
    const after = reduce(before, require("c", "d"));
    expect(after.content.map((block, at) => block === before.content[at])).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("may go on from any Msg before: time goes back and forks", () => {
    const root = two();
    const [left, right] = [reduce(root, delta("a", "L")), reduce(root, delta("a", "R"))];
    const forked = [reduce(left, begin("l")), reduce(right, begin("r"))] as const;
    const ends = [reduce(forked[0], delta("l", "1")), reduce(forked[1], delta("r", "2"))];
    expect(ends.map((msg) => getTextContent(msg, "|"))).toEqual(["xL||1", "xR||2"]);
    expect(getTextContent(root, "|")).toBe("x|");
    const again = event({ type: "DATA_BLOCK_START", block_id: "d", media_type: "image/png" });
    const bytes = reduce(reduce(root, again), data("YQ=="));
    const both = [reduce(bytes, data("Yg==")), reduce(bytes, data("Yw=="))];
    expect(both.map((msg) => getContentBlocks(msg, "data")[0]?.source)).toMatchObject([
      { data: "YWI=" },
      { data: "YWM=" },
    ]);
  });

  test("shares inside a tool result, too", () => {
    const call = { tool_call_id: "c" };
    const before = [
      event({ type: "TOOL_RESULT_START", tool_call_name: "t", ...call }),
      event({
        type: "TOOL_RESULT_DATA_DELTA",
        block_id: "i",
        data: "YQ==",
        media_type: "",
        ...call,
      }),
      event({ type: "TOOL_RESULT_TEXT_DELTA", delta: "x", ...call }),
    ].reduce<Msg>((msg, each) => reduce(msg, each), two());
    const after = reduce(before, event({ type: "TOOL_RESULT_TEXT_DELTA", delta: "y", ...call }));
    const outputs = [before, after].map((msg) => getContentBlocks(msg, "tool_result")[0]?.output);
    expect(outputs[0]?.[0]).toBe(outputs[1]?.[0]);
    expect(outputs.map((output) => output?.[1])).toMatchObject([{ text: "x" }, { text: "xy" }]);
  });
});

describe("a Msg that the program changes between two events", () => {
  const msg = () => fold([START, begin("a"), begin("b")], { onDiagnostic: () => {} });

  test.each<[string, (given: Msg) => void]>([
    ["a block is put before the others", ({ content }) => content.unshift(textOf("z"))],
    ["the blocks are turned round", ({ content }) => content.reverse()],
    ["a block is taken out", ({ content }) => content.splice(0, 1)],
    ["the list is another", (given) => Object.assign(given, { content: [...given.content] })],
    ["a block is replaced", ({ content }) => content.splice(1, 1, textOf("b"))],
    ["a block is given the id", ({ content }) => content.splice(0, 2, textOf("z"), textOf("b"))],
  ])("%s", (_, change) => {
    const given = msg();
    appendEvent(given, delta("b", "1"));
    change(given);
    appendEvent(given, delta("b", "2"));
    const found = given.content.find(({ id }) => id === "b");
    expect(found).toMatchObject({ text: expect.stringMatching(/2$/) });
  });

  const textOf = (id: string) => ({ type: "text" as const, id, text: "" });

  test("data that was set anew grows on from there", () => {
    const given = msg();
    appendEvent(given, event({ type: "DATA_BLOCK_START", block_id: "d", media_type: "" }));
    appendEvent(given, data("YQ=="));
    const source = getContentBlocks(given, "data")[0]?.source;
    if (source?.type !== "base64") throw new Error("no bytes");
    source.data = "eHl6";
    appendEvent(given, data("YQ=="));
    expect(source.data).toBe("eHl6YQ==");
    source.data = "not base64";
    expect(() => appendEvent(given, data("YQ=="))).toThrow(InvalidBase64Error);
  });
});

test("a list may keep copies of what is put into it, as those of MobX do", () => {
  class Copies<T> extends Array<T> {
    override push(...items: T[]): number {
      return super.push(...items.map((item) => structuredClone(item)));
    }
  }
  const events = [
    START,
    begin("a"),
    event({ type: "HINT_BLOCK", block_id: "h", hint: [{ type: "text", text: "x" }] }),
    event({
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ type: "tool_result", id: "c", name: "t", output: "7 rows" }],
    }),
    event({ type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c", delta: "!" }),
    event({ type: "DATA_BLOCK_START", block_id: "d", media_type: "" }),
    data("YQ=="),
    data("Yg=="),
  ];
  for (const revision of ["2.0.4", "2.0.6", "2.0.11"]) {
    const plain = fold(events, { revision, onDiagnostic: () => {} });
    const [start, ...rest] = events as [AgentEvent, ...AgentEvent[]];
    const msg = { ...fold([start], { revision, onDiagnostic: () => {} }), content: new Copies() };
    for (const each of rest) appendEvent(msg as Msg, each, { revision });
    expect(JSON.stringify(msg)).toBe(JSON.stringify(plain));
  }
});

test("bytes join as Buffer joins them, however they are cut", () => {
  const bytes = Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 37) % 256));
  for (const size of [1, 2, 3, 4, 5, 7, 48, 499]) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    const start = event({ type: "DATA_BLOCK_START", block_id: "d", media_type: "" });
    const msg = fold([START, start, ...pieces.map((each) => data(each.toString("base64"))), END]);
    expect(getContentBlocks(msg, "data")[0]?.source).toMatchObject({
      data: bytes.toString("base64"),
    });
  }
});

describe("what is refused", () => {
  test("says where, what was expected, and what came; the Msg stays", () => {
    const msg = assistantMsg("friday", "hi", { id: "r1" });
    const before = JSON.stringify(msg);
    const wrong = event({ type: "TEXT_BLOCK_DELTA", block_id: "b", delta: 7 });
    expect(() => appendEvent(msg, wrong)).toThrow(InvalidEventError);
    expect(() => fold([START, wrong])).toThrow(
      expect.objectContaining({
        code: "invalid_event",
        place: { line: undefined, eventIndex: 1, pointer: "/delta" },
        expected: "string",
        got: "7",
      }),
    );
    expect(JSON.stringify(msg)).toBe(before);
    const user = userMsg("alice", "hi", { id: "r1" });
    const call = event({ type: "TOOL_CALL_START", tool_call_id: "c", tool_call_name: "t" });
    expect(() => appendEvent(user, call)).toThrow(RoleViolationError);
  });

  test("is reported and left out when errors are skipped", () => {
    const said: Diagnostic[] = [];
    const folder = new Folder({ errors: "skip", onDiagnostic: (each) => said.push(each) });
    folder.feedText(JSON.stringify(START), 1);
    folder.feedText('{"type":', 2);
    folder.feed(event({ type: "NO_SUCH_EVENT" }), 3);
    folder.close();
    expect(said.map(({ code, place }) => [code, place.line, place.eventIndex])).toEqual([
      ["invalid_json", 2, 1],
      ["unknown_event", 3, 2],
      ["incomplete_reply", undefined, 0],
    ]);
  });
});

describe("parsing", () => {
  test("makes up an id and a time, keeps what it does not know, shares nothing", () => {
    const given = { type: "CUSTOM", name: "n", value: { a: [1] }, more: true };
    const parsed = parseEvent(given);
    expect(parsed).toMatchObject({ ...given, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(parsed.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    given.value.a.push(2);
    expect(parsed).toMatchObject({ value: { a: [1] }, metadata: {} });
    expect(() => parseEvent('{"reply_id":"r"}')).toThrow("type is missing");
  });

  test("a Msg carries what its role may", () => {
    const call = { type: "tool_call", id: "c", name: "t", input: "" } as const;
    expect(createMsg("assistant", "a", [call]).content).toMatchObject([{ state: "pending" }]);
    expect(() => createMsg("user", "a", [call])).toThrow(InvalidMsgError);
    expect(() => parseMsg({})).toThrow(InvalidMsgError);
    expect(userMsg("a", "hi", { created_at: "t" })).toMatchObject({ finished_at: "t" });
    expect(getTextContent(createMsg("assistant", "a", []))).toBeNull();
  });
});
