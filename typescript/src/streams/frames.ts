/**
 * A frame: the text of one JSON value in a stream, and where it stood.
 *
 * Every framing (server-sent events, NDJSON, a whole JSON document) is read by a decoder with the
 * same two methods. Bytes arrive cut anywhere; the frames never depend on where.
 *
 * @module
 */

import { InvalidInputError } from "../errors.js";
import { bytesOf } from "./source.js";

/** One JSON value's text. */
export interface Frame {
  /** JSON text. */
  readonly data: string;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** The event type of a server-sent event, `""` when the frame has none. */
  readonly event: string;
  /** The last event id after this frame, `""` when there is none. */
  readonly lastEventId: string;
  /** The data was not UTF-8; what could not be read is U+FFFD in it. */
  readonly broken: boolean;
}

/** The end of a stream that makes no whole frame. */
export interface Truncated {
  /** The line on which its data begins, counted from 1; without data, its first line. */
  readonly line: number;
  /** The text, without comments. */
  readonly pending: string;
  /** The id of the rule that says so. */
  readonly rule: string;
}

/** What the end of a stream gives. */
export interface Ending {
  /** The frames that it completes. */
  frames: Frame[];
  /** What it cut off. */
  truncated: Truncated | undefined;
}

/** Cuts a stream of bytes into frames. */
export interface FrameDecoder {
  /**
   * The frames that a chunk completes.
   *
   * @throws {InvalidInputError} The frame that has not ended yet is longer than the limit. Nothing
   *   of the chunk was taken.
   */
  feed(chunk: Uint8Array): Frame[];
  /** The stream is over. */
  close(): Ending;
}

/** Settings of a decoder. */
export interface FrameOptions {
  /**
   * Characters (UTF-16 code units) that a frame may have whose end has not come, {@link MAX_FRAME}
   * unless given; looked at before each chunk. A peer that never ends its line would fill the
   * memory otherwise.
   */
  maxFrame?: number | undefined;
}

/** Characters that a frame may have unless the caller says otherwise: 64 Mi. */
export const MAX_FRAME = 64 * 1024 * 1024;

/** Lines without their ends. Not an object for each: there are four to an event. */
export interface Lines {
  readonly texts: string[];
  /** Which of them were not UTF-8, `undefined` when all were. */
  broken: Set<number> | undefined;
}

const LF = 0x0a;
const CR = 0x0d;

// Both leave a byte order mark in the text: only the one at the very start is dropped.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const mending = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Cuts bytes into lines, in time linear in their number however they are chunked.
 *
 * A chunk is turned into text at once, which costs a quarter of doing it line by line. Only when
 * that fails are its lines looked at one by one, to know which of them is broken.
 */
export class LineSplitter {
  readonly #cr: boolean;
  /** Bytes of a character whose rest has not come. */
  #character = new Uint8Array(0);
  /** Text of a line whose end has not come. */
  #pending: string[] = [];
  #length = 0;
  #broken = false;
  #started = false;
  #afterCr = false;

  /**
   * @param ends `"lf"` splits at LF only, `"any"` at LF, CR and CR LF, as event streams have it.
   */
  constructor(ends: "lf" | "any") {
    this.#cr = ends === "any";
  }

  /** Characters of the line whose end has not come. */
  get length(): number {
    return this.#length;
  }

  /** The lines that a chunk completes. */
  feed(chunk: Uint8Array): Lines {
    const lines: Lines = { texts: [], broken: undefined };
    const bytes = this.#whole(bytesOf(chunk));
    if (bytes.length === 0) return lines;
    let text: string;
    try {
      text = strict.decode(bytes);
    } catch {
      this.#oneByOne(bytes, lines);
      return lines;
    }
    this.#split(text, false, lines);
    return lines;
  }

  /** What came after the last line end, and whether it was UTF-8. */
  rest(): { text: string; broken: boolean } {
    const cut = this.#character.length > 0;
    const text = this.#pending.join("") + (cut ? mending.decode(this.#character) : "");
    return { text, broken: this.#broken || cut };
  }

  /** The chunk up to its last whole character, with what the chunks before it left over. */
  #whole(chunk: Uint8Array): Uint8Array {
    let bytes = chunk;
    if (this.#character.length > 0) {
      bytes = new Uint8Array(this.#character.length + chunk.length);
      bytes.set(this.#character);
      bytes.set(chunk, this.#character.length);
    }
    const end = bytes.length - unfinished(bytes);
    this.#character = bytes.slice(end);
    return bytes.subarray(0, end);
  }

  #oneByOne(bytes: Uint8Array, lines: Lines): void {
    for (let start = 0; start < bytes.length; ) {
      let end = start;
      while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end += 1;
      const line = bytes.subarray(start, Math.min(end + 1, bytes.length));
      let broken = false;
      let text: string;
      try {
        text = strict.decode(line);
      } catch {
        text = mending.decode(line);
        broken = true;
      }
      this.#split(text, broken, lines);
      start = end + 1;
    }
  }

  /** Add the lines that `text` completes. */
  #split(given: string, broken: boolean, lines: Lines): void {
    let text = given;
    if (!this.#started) {
      text = withoutMark(text);
      this.#started = true;
    }
    if (this.#cr) text = this.#withOneEnd(text);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = text.slice(start, end);
      if (this.#pending.length > 0 || broken) this.#end(line, broken, lines);
      else lines.texts.push(line);
      start = end + 1;
    }
    if (start === text.length) return;
    const rest = start === 0 ? text : text.slice(start);
    this.#pending.push(rest);
    this.#length += rest.length;
    this.#broken ||= broken;
  }

  #end(text: string, broken: boolean, lines: Lines): void {
    this.#pending.push(text);
    if (broken || this.#broken) {
      lines.broken ??= new Set();
      lines.broken.add(lines.texts.length);
    }
    lines.texts.push(this.#pending.join(""));
    this.#pending = [];
    this.#length = 0;
    this.#broken = false;
  }

  /**
   * The text with every line end as LF. A CR ends its line at once: the LF that may follow it in
   * the next chunk is part of the same end.
   */
  #withOneEnd(given: string): string {
    let text = given;
    if (this.#afterCr && text.startsWith("\n")) text = text.slice(1);
    if (given !== "") this.#afterCr = given.endsWith("\r");
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  }
}

/** Refuse a frame that goes on and on. */
export function checkLength(length: number, limit: number): void {
  if (length <= limit) return;
  throw new InvalidInputError("a frame without an end", {
    expected: `at most ${limit} characters`,
    got: `${length} and more`,
    hint: "Say maxFrame to allow longer ones",
  });
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** How many bytes at the end begin a character that is not complete: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < wanted ? back : 0;
    }
  }
  return 0;
}
