/**
 * NDJSON: one JSON value a line (`wire.ndjson.*`).
 *
 * @module
 */

import { fault } from "../json.js";
import {
  checkLength,
  type Frame,
  type FrameDecoder,
  type FrameOptions,
  type Line,
  LineSplitter,
  MAX_FRAME,
  type Truncated,
} from "./frames.js";

// White space of ASCII only: a line of U+00A0 is not blank, and not JSON either.
const BLANK = /^[ \t\r\v\f]*$/;

/** Cuts NDJSON into frames. */
export class NdjsonDecoder implements FrameDecoder {
  readonly #lines = new LineSplitter("lf");
  readonly #limit: number;
  #line = 0;

  constructor({ maxFrame = MAX_FRAME }: FrameOptions = {}) {
    this.#limit = maxFrame;
  }

  feed(chunk: Uint8Array): Frame[] {
    checkLength(this.#lines.length, this.#limit);
    const frames: Frame[] = [];
    for (const line of this.#lines.feed(chunk)) {
      this.#line += 1;
      if (!isBlank(line)) frames.push(frame(line, this.#line));
    }
    return frames;
  }

  /** The last line, when it is whole JSON without its line end (`wire.ndjson.last-line`). */
  close(): { frames: Frame[]; truncated: Truncated | undefined } {
    const line = this.#lines.rest();
    if (isBlank(line)) return { frames: [], truncated: undefined };
    const last = frame(line, this.#line + 1);
    const wrong = line.broken ? undefined : fault(last.data);
    // What cannot even be read was cut off; a fault that has a place inside is the event's own.
    if (line.broken || (wrong !== undefined && wrong.place.pointer === undefined)) {
      const truncated = { line: last.line, pending: line.text, rule: "wire.ndjson.last-line" };
      return { frames: [], truncated };
    }
    return { frames: [last], truncated: undefined };
  }
}

function isBlank({ text }: Line): boolean {
  const first = text.charCodeAt(0);
  // Nearly every line begins with a brace.
  return first !== 0x7b && BLANK.test(text);
}

function frame({ text, broken }: Line, line: number): Frame {
  const data = text.endsWith("\r") ? text.slice(0, -1) : text;
  return { data, line, event: "", lastEventId: "", broken };
}
