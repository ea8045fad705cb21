/** Nothing is lost: everything that agents sent, and every Msg that the corpus expects, comes back. */

import { readdirSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { InvalidProtoError, OutOfRangeError, UnmappedFieldError } from "../../src/errors.js";
import {
  AgentEventSchema,
  decodeProto,
  encodeProto,
  fromProto,
  MsgSchema,
  toProto,
} from "../../src/proto/index.js";
import { cases, fitsNumbers } from "../cases.js";

const RECORDINGS = new URL("../../../conformance/recordings/", import.meta.url);

const recordings = readdirSync(RECORDINGS, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ndjson"),
);

test.each(recordings)("the events of %s", (name) => {
  const lines = readFileSync(new URL(name, RECORDINGS), "utf8").split("\n").filter(Boolean);
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const event = JSON.parse(line);
    const bytes = encodeProto(AgentEventSchema, event);
    expect(decodeProto(AgentEventSchema, bytes)).toEqual(event);
  }
});

test("the Msgs that the corpus expects", () => {
  const msgs = cases<unknown>("fold/")
    .filter(fitsNumbers)
    .map(({ expect: { msg } }) => msg as object | null | undefined)
    .filter((msg) => msg !== null && msg !== undefined && "content" in msg);
  const unmapped: object[] = [];
  for (const msg of msgs as object[]) {
    let bytes: Uint8Array;
    try {
      bytes = encodeProto(MsgSchema, msg);
    } catch (error) {
      expect(error).toBeInstanceOf(UnmappedFieldError); // a case about unknown members
      unmapped.push(msg);
      continue;
    }
    expect(decodeProto(MsgSchema, bytes)).toEqual(msg);
  }
  expect(msgs.length).toBeGreaterThan(200);
  expect(unmapped.length).toBeLessThan(10);
});

const usage = (input_tokens: number | bigint) => ({ usage: { input_tokens, output_tokens: 0 } });

test("a count that no JavaScript number holds is refused, never rounded", () => {
  for (const wrong of [2 ** 53, -(2 ** 60), 2n ** 63n]) {
    expect(() => toProto(MsgSchema, usage(wrong))).toThrow(OutOfRangeError);
  }
  const message = toProto(MsgSchema, usage(2n ** 62n));
  expect(message.usage.value).toMatchObject({ inputTokens: 2n ** 62n });
  expect(() => fromProto(MsgSchema, message)).toThrow(OutOfRangeError);
});

test("free JSON keeps -0, and integers of any size that are given as bigint", () => {
  const message = toProto(MsgSchema, { metadata: { a: -0, b: 10n ** 30n } });
  expect(message.metadataJson).toBe(`{"a":-0.0,"b":${10n ** 30n}}`);
});

test("a member may be called __proto__", () => {
  const event = JSON.parse(
    '{"type":"CUSTOM","id":"e","created_at":"t","name":"n","value":{"__proto__":{"a":1}}}',
  );
  const back = fromProto(AgentEventSchema, toProto(AgentEventSchema, event));
  expect(JSON.stringify(back)).toBe(JSON.stringify(event));
  const block = JSON.parse('{"type":"thinking","thinking":"","id":"k","__proto__":1}');
  const msg = { name: "a", content: [block], role: "assistant", id: "m", created_at: "t" };
  const read = fromProto(MsgSchema, toProto(MsgSchema, msg)) as { content: object[] };
  expect(JSON.stringify(read.content[0])).toBe(JSON.stringify(block));
});

test("a message that holds nothing of a union is no event", () => {
  expect(() => fromProto(AgentEventSchema, create(AgentEventSchema))).toThrow(InvalidProtoError);
});
