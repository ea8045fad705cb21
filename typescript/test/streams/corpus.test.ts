/** The corpus's decode cases, with the chunks as they are, in one piece, and byte by byte. */

import { describe, expect, test } from "vitest";
import { type Chunk, type DecodeInput, decode } from "../../src/testee/decode.js";
import { bytesOf, cases } from "../cases.js";

const CUTS: [string, (chunks: Chunk[]) => Chunk[]][] = [
  ["as given", (chunks) => chunks],
  ["in one piece", (chunks) => [asChunk(bytesOf(chunks))]],
  ["byte by byte", (chunks) => [...bytesOf(chunks)].map((byte) => asChunk(Uint8Array.of(byte)))],
];

function asChunk(bytes: Uint8Array): Chunk {
  return { base64: Buffer.from(bytes).toString("base64") };
}

const found = cases<DecodeInput>("decode/");

test("there are cases", () => {
  expect(found.length).toBeGreaterThan(100);
});

describe.each(found)("$id: $title", ({ input, expect: expected }) => {
  test.each(CUTS)("%s", (_, cut) => {
    const got = decode({ ...input, chunks: cut(input.chunks) });
    expect(got.events).toEqual(expected.events);
    expect(got.diagnostics ?? []).toMatchObject((expected.diagnostics ?? []) as object[]);
    if (expected.error === undefined) expect(got.error).toBeUndefined();
    else expect(got.error).toMatchObject(expected.error as object);
    for (const name of ["last_event_id", "retry_ms"] as const) {
      if (name in expected) expect(got[name]).toBe(expected[name]);
    }
  });
});
