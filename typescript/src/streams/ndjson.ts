/**
 * NDJSON: one JSON value a line (`wire.ndjson.*`).
 *
 * @module
 */

import { fault } from "../json.js";
import {
  checkLength,
  type Ending,
  type Frame,
  type FrameDecoder,
  type FrameOptions,
  LineSplitter,
  MAX_FRAME,
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
    const { texts, broken } = this.#lines.feed(chunk);
    for (let at = 0; at < texts.length; at += 1) {
      const text = texts[at] as string;
      this.#line += 1;
      if (!isBlank(text)) frames.push(frame(text, this.#line, broken?.has(at) ?? false));
    }
    return frames;
  }

  /** The last line, when it is whole JSON without its line end (`wire.ndjson.last-line`). */
  close(): Ending {
    const { text, broken } = this.#lines.rest();
    if (isBlank(text)) return { frames: [], truncated: undefined };
    const last = frame(text, this.#line + 1, broken);
    const wrong = broken ? undefined : fault(last.data);
    // What cannot even be read was cut off; a fault that has a place inside is the event's own.
    if (broken || (wrong !== undefined && wrong.place.pointer === undefined)) {
      const truncated = { line: last.line, pending: text, rule: "wire.ndjson.last-line" };
      return { frames: [], truncated };
    }
    return { frames: [last], truncated: undefined };
  }
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every line begins with a brace.
  return first !== 0x7b && BLANK.test(text);
}

function frame(text: string, line: number, broken: boolean): Frame {
  const data = text.endsWith("\r") ? text.slice(0, -1) : text;
  return { data, line, event: "", lastEventId: "", broken };
}
