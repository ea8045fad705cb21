/**
 * Canonical base64 (RFC 4648 section 4), in every place where JavaScript runs.
 *
 * @module
 */

import { InvalidBase64Error } from "./errors.js";

const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/;

// The bits that padding leaves unused are 0, so few characters can stand before it.
const END = /[AQgw]==$|[AEIMQUYcgkosw048]=$/;

/** Whether text is canonical, padded base64; its bytes are not made for that. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !ALPHABET.test(text)) return false;
  return !text.endsWith("=") || END.test(text.slice(-3));
}

/**
 * The bytes of canonical, padded base64.
 *
 * @throws {InvalidBase64Error} It is anything else.
 */
export function decodeBase64(text: string): Uint8Array {
  const isShaped = text.length % 4 === 0 && ALPHABET.test(text);
  const binary = isShaped ? atob(text) : "";
  // Bits beyond the last byte are lost in decoding, so they must be 0.
  if (!isShaped || btoa(binary.slice(-3 + ((3 - (binary.length % 3)) % 3))) !== text.slice(-4)) {
    throw new InvalidBase64Error("invalid base64", {
      expected: "canonical, padded base64 (RFC 4648 section 4)",
      got: text.slice(0, 40),
      rule: "wire.json.base64",
    });
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
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
