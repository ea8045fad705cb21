/**
 * A whole JSON document: one event, or a list of events (`wire.document`).
 *
 * The list is framing, as line ends are in NDJSON. So a document is refused as a whole only when it
 * is no JSON; what is wrong inside an event (a lone surrogate) is left to the reader of its frame,
 * who says which event it is.
 *
 * @module
 */

import { InvalidJsonError } from "../errors.js";
import { isDeep, MAX_DEPTH, notJson, structure, tooDeep } from "../json.js";
import {
  checkLength,
  type Ending,
  type Frame,
  type FrameDecoder,
  type FrameOptions,
  MAX_FRAME,
} from "./frames.js";
import { bytesOf } from "./source.js";

const LF = 0x0a;

/** Holds the document until it is whole, then gives its events as they were written. */
export class DocumentDecoder implements FrameDecoder {
  readonly #text = new TextDecoder("utf-8", { fatal: true });
  readonly #limit: number;
  #chunks: string[] = [];
  #length = 0;

  constructor({ maxFrame = MAX_FRAME }: FrameOptions = {}) {
    this.#limit = maxFrame;
  }

  /** Nothing yet: a document is whole at its end. */
  feed(chunk: Uint8Array): Frame[] {
    checkLength(this.#length, this.#limit);
    const bytes = bytesOf(chunk);
    this.#take(() => this.#text.decode(bytes, { stream: true }));
    return [];
  }

  /**
   * One frame for each event.
   *
   * @throws {InvalidJsonError} The document is not JSON.
   * @throws {TooDeepError} An event is nested too deeply; the list around it does not count.
   */
  close(): Ending {
    this.#take(() => this.#text.decode());
    const text = this.#chunks.join("");
    this.#chunks = [];
    const start = text.search(/[^ \t\r\n]/);
    const isList = text[start] === "[";
    if (start < 0) return { frames: [], truncated: undefined };
    if (isDeep(text, isList ? MAX_DEPTH + 1 : MAX_DEPTH)) throw tooDeep([]);
    try {
      JSON.parse(text);
    } catch (error) {
      throw notJson(text, error);
    }
    const frames = isList ? [...elements(text, start)] : [new LineCounter(text).frame(text, 0)];
    return { frames, truncated: undefined };
  }

  #take(decode: () => string): void {
    let text: string;
    try {
      text = decode();
    } catch {
      throw new InvalidJsonError("not UTF-8", { expected: "UTF-8 text", rule: "wire.json.utf8" });
    }
    this.#chunks.push(text);
    this.#length += text.length;
  }
}

/** The elements of a list, in their own spelling. The text is known to be JSON. */
function* elements(text: string, open: number): Generator<Frame> {
  const lines = new LineCounter(text);
  let depth = 0;
  let start = open + 1;
  for (const { sign, at } of structure(text)) {
    if (depth === 1 && (sign === "," || sign === "]")) {
      const data = text.slice(start, at);
      if (data.trim() !== "") yield lines.frame(data, start);
      start = at + 1;
    }
    if (sign === "[" || sign === "{") depth += 1;
    else if (sign !== ",") depth -= 1;
  }
}

/** Counts lines once, however many frames ask. */
class LineCounter {
  readonly #text: string;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The frame of `data`, which begins at `start`, white space before it included. */
  frame(data: string, start: number): Frame {
    const begin = start + data.search(/[^ \t\r\n]/);
    for (; this.#counted < begin; this.#counted += 1) {
      if (this.#text.charCodeAt(this.#counted) === LF) this.#line += 1;
    }
    return { data: data.trim(), line: this.#line, event: "", lastEventId: "", broken: false };
  }
}
