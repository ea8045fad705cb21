/**
 * Strict JSON: I-JSON (RFC 7493), as far as a JavaScript value can hold it.
 *
 * `JSON.parse` reads a little more than the contract allows: a lone surrogate that is written as an
 * escape, `1e400` as Infinity, and any depth. A look at the value finds them. Two things are lost
 * before anybody can look, as in every JavaScript program: digits beyond 2^53, and the difference
 * between `1` and `1.0`. Of a member that comes twice the last one counts
 * (`wire.json.duplicate-key`).
 *
 * @module
 */

import { InvalidJsonError, type MsgfoldError, TooDeepError } from "./errors.js";

/** Nesting allowed, in containers: `[]` is 1 deep, `[[]]` is 2 (`wire.json.depth`). */
export const MAX_DEPTH = 128;

type Path = readonly (string | number)[];

export const SURROGATE = /\p{Surrogate}/u;
/** Whether text holds no lone surrogate; engines before 2023 have no method for it. */
const isWellFormed: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => !SURROGATE.test(text);
const SIGNS = /["[\]{},]/g;

/** A JSON Pointer (RFC 6901) from its parts. */
export function pointer(parts: Path): string {
  return parts
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/**
 * The value of I-JSON text.
 *
 * @throws {InvalidJsonError} It is not I-JSON; the first fault.
 * @throws {TooDeepError} It is nested deeper than {@link MAX_DEPTH}.
 */
export function parseJson(text: string): unknown {
  if (typeof text !== "string") throw notText(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw isDeep(text) ? tooDeep() : notJson(text, error);
  }
  const escapes = text.includes("\\u");
  if (escapes || !isFlat(value)) checkJson(value, escapes);
  return value;
}

/** Whether it is an object that holds no others but empty ones, and finite numbers: most events. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "string") continue;
    if (typeof member === "number" && !Number.isFinite(member)) return false;
    if (typeof member === "object") for (const _ in member) return false;
  }
  return true;
}

/**
 * Refuse a value that JSON text could not hold: too deep, a lone surrogate, not finite, or one of
 * JavaScript's own, such as a function or a Date. A member that is undefined is as if left out.
 *
 * @param value The value.
 * @param surrogates Whether a string may hold a lone surrogate; text read as UTF-8 holds one only
 *   as an escape.
 * @throws {InvalidJsonError} The first fault.
 * @throws {TooDeepError} It is nested deeper than {@link MAX_DEPTH}.
 */
export function checkJson(value: unknown, surrogates = true): void {
  const found = look(value, surrogates, 0);
  if (found !== undefined) throw found;
}

/**
 * Refuse what would be nested too deeply in the Msg, where it stands deeper (`fold.depth`).
 *
 * @param value An event's member that becomes one of a block's.
 * @param member Its name.
 * @throws {TooDeepError} Nobody could read such a Msg.
 */
export function checkDepth(value: unknown, member: string): void {
  const found = look(value, false, 3); // the Msg, its content, the block
  if (found !== undefined) throw within(found, member);
}

/**
 * A value as compact JSON text.
 *
 * `JSON.stringify` would write `-0` as `0`, and refuse a bigint, which here is an integer of any
 * size.
 */
export function dumpJson(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && Object.is(value, -0)) return "-0.0";
  if (Array.isArray(value)) return `[${value.map(dumpJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${dumpJson(each)}`).join(",")}}`;
}

/**
 * The beginning of a value as JSON text, for a message. It stops there, so that a value of any depth
 * or size can be shown, and one that is no JSON, too.
 */
export function beginning(value: unknown, length: number): string {
  let text = "";
  const write = (each: unknown): void => {
    if (text.length > length) return;
    if (typeof each === "string") text += JSON.stringify(each.slice(0, length + 1));
    else if (typeof each === "function" || typeof each === "symbol") text += kindOf(each);
    else if (typeof each !== "object" || each === null) text += dumpJson(each) ?? kindOf(each);
    else if (Array.isArray(each)) list("[", "]", each, write);
    else {
      list("{", "}", Object.entries(each), ([name, member]) => {
        write(name);
        text += ":";
        write(member);
      });
    }
  };
  const list = <T>(open: string, close: string, items: T[], each: (item: T) => void): void => {
    text += open;
    for (const [at, item] of items.entries()) {
      if (text.length > length) return;
      if (at > 0) text += ",";
      each(item);
    }
    text += close;
  };
  write(value);
  return text;
}

/** What is wrong with JSON text, `undefined` when nothing is. */
export function fault(text: string): MsgfoldError | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return error as MsgfoldError;
  }
}

/**
 * Where the brackets and commas stand that are not inside strings.
 *
 * A regular expression for strings would go back over a long one that has no end; here every
 * character is passed once.
 */
export function* structure(text: string): Generator<{ sign: string; at: number }> {
  const signs = new RegExp(SIGNS);
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const sign = found[0];
    if (sign !== '"') yield { sign, at: found.index };
    else signs.lastIndex = endOfString(text, found.index + 1);
  }
}

/** Where what follows a string begins; `from` is behind its opening quote. */
export function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote - 1;
    while (slash >= from && text[slash] === "\\") slash -= 1;
    if ((quote - slash) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/**
 * Whether text, JSON or not, is nested too deeply.
 *
 * @param text The text.
 * @param limit Containers that may stand in each other; `[]` is 1 deep, a scalar 0.
 */
export function isDeep(text: string, limit = MAX_DEPTH): boolean {
  if (text.length <= 2 * limit) return false;
  let depth = 0;
  for (const { sign } of structure(text)) {
    if (sign === "[" || sign === "{") depth += 1;
    else if (sign !== ",") depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** The first fault of a value. Its path is put together on the way back, so a sound value costs no
 * path. */
function look(value: unknown, surrogates: boolean, depth: number): MsgfoldError | undefined {
  if (typeof value === "string") {
    return surrogates && !isWellFormed(value) ? loneSurrogate(value) : undefined;
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : notFinite(value);
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "function" || typeof value === "symbol" ? notOfJson(value) : undefined;
  }
  if (depth >= MAX_DEPTH) return tooDeep();
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      const found = item === undefined ? notOfJson(item) : look(item, surrogates, depth + 1);
      if (found !== undefined) return within(found, at);
    }
    return undefined;
  }
  let isEmpty = true;
  for (const name in value) {
    isEmpty = false;
    if (surrogates && !isWellFormed(name)) return within(loneSurrogate(name), name);
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "string" && !surrogates) continue;
    const found = look(member, surrogates, depth + 1);
    if (found !== undefined) return within(found, name);
  }
  return isEmpty && !isPlain(value) ? notOfJson(value) : undefined;
}

/** Whether an object without members is one of JSON's, of whatever realm: a Date has none either. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype || kindOf(value) === "Object";
}

/** What a value is called: `string`, `Uint8Array`, `Object`. */
export function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1);
}

function within(error: MsgfoldError, part: string | number): MsgfoldError {
  const inner = error.place.pointer ?? "";
  error.place = { ...error.place, pointer: pointer([part]) + inner };
  return error;
}

export function loneSurrogate(text: string): MsgfoldError {
  return new InvalidJsonError("a lone surrogate", {
    place: { pointer: "" },
    expected: "Unicode text",
    got: JSON.stringify(text), // as escapes: the error's own text has to be Unicode
    rule: "wire.json.utf8",
  });
}

export function notFinite(value: number): MsgfoldError {
  return new InvalidJsonError("a number that is not finite", {
    place: { pointer: "" },
    expected: "a number that a double can hold",
    got: String(value),
    rule: "wire.json.numbers",
  });
}

function notOfJson(value: unknown): MsgfoldError {
  const kind = kindOf(value);
  return new InvalidJsonError("not a JSON value", {
    place: { pointer: "" },
    expected: "an object, a list, text, a number, true, false or null",
    got: kind === "undefined" ? kind : `a ${kind}`,
    rule: "wire.json.shape",
  });
}

function notText(value: unknown): MsgfoldError {
  return new InvalidJsonError("not JSON text", {
    expected: "a string",
    got: value === null ? "null" : kindOf(value),
    rule: "wire.json.shape",
  });
}

/** The error for a value that is nested too deeply, at `path` if that is known. */
export function tooDeep(path: Path = []): TooDeepError {
  return new TooDeepError(`nested deeper than ${MAX_DEPTH} levels`, {
    place: { pointer: pointer(path) },
    expected: `at most ${MAX_DEPTH} levels of arrays and objects`,
    got: "more",
    rule: "wire.json.depth",
  });
}

/** The error for text that is no JSON. */
export function notJson(text: string, error: unknown): MsgfoldError {
  return new InvalidJsonError(`not JSON: ${(error as Error).message}`, {
    expected: "one JSON value",
    got: text === "" ? "nothing" : text,
    rule: "wire.json.shape",
  });
}
