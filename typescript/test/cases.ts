/** The corpus's cases, as data. */

import { Buffer } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import type { Chunk } from "../src/testee/decode.js";

const CORPUS = new URL("../../conformance/cases/", import.meta.url);

/** The bytes of a decode case's chunks. */
export function bytesOf(chunks: Chunk[]): Uint8Array {
  return Buffer.concat(
    chunks.map((each) =>
      "text" in each ? Buffer.from(each.text) : Buffer.from(each.base64, "base64"),
    ),
  );
}

/**
 * Whether JavaScript numbers hold every number of a case. They do not keep digits beyond 2^53, nor
 * the difference between `1` and `1.0`.
 */
export function fitsNumbers({ text }: { text: string }): boolean {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every((each) => String(Number(each)) === each);
}

/** One case. */
export interface Case<Input> {
  id: string;
  /** The file's text. */
  text: string;
  title: string;
  rules: string[];
  input: Input;
  expect: Record<string, unknown>;
}

/** The cases below a folder of the corpus. */
export function cases<Input>(folder: string): Case<Input>[] {
  const found = readdirSync(new URL(folder, CORPUS), { recursive: true, encoding: "utf8" });
  return found
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readFileSync(new URL(`${folder}${name}`, CORPUS), "utf8"))
    .map((text) => ({ ...JSON.parse(text), text }));
}
