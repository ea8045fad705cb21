/**
 * Canonical base64 (RFC 4648 section 4), in every place where JavaScript runs.
 *
 * @module
 */

import { InvalidBase64Error } from "./errors.js";

/**
 * The bytes of canonical, padded base64, a character each; `undefined` when it is anything else.
 *
 * `atob`, the engine's own and quicker than any look at the text, puts up with three things: white
 * space and missing padding, which show in the lengths, and unused bits, which show when the last
 * group is written again.
 */
export function binaryOf(text: string): string | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (binary.length !== (text.length / 4) * 3 - padding) return undefined;
  if (padding > 0 && btoa(binary.slice(padding - 3)) !== text.slice(-4)) return undefined;
  return binary;
}

/**
 * The bytes of canonical, padded base64.
 *
 * @throws {InvalidBase64Error} It is anything else.
 */
export function decodeBase64(text: string): Uint8Array {
  const binary = binaryOf(text);
  if (binary === undefined) {
    throw new InvalidBase64Error("invalid base64", {
      expected: "canonical, padded base64 (RFC 4648 section 4)",
      got: text.slice(0, 40),
      rule: "wire.json.base64",
    });
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Bytes turned into text at a time: whole groups of three, few enough for one call. */
const PIECE = 3 << 12;

/** Canonical, padded base64 without line ends. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return text;
}
