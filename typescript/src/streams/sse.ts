/**
 * Server-sent events, as the WHATWG event stream rules have it (`wire.sse.*`).
 *
 * AgentScope's own streams are the simplest kind: `data: {json}` and a blank line, with a comment
 * now and then to keep the connection awake. Others name their events, number them for resuming,
 * and cut their lines differently; all of it is read here.
 *
 * @module
 */

import {
  checkLength,
  type Ending,
  type Frame,
  type FrameDecoder,
  type FrameOptions,
  LineSplitter,
  MAX_FRAME,
} from "./frames.js";

/** The end mark that some servers send as data (`wire.sse.done`), white space of ASCII around it. */
const NOTHING = /^[ \t\r\n\v\f]*(?:\[DONE\][ \t\r\n\v\f]*)?$/;

const COLON = 0x3a;
const SPACE = 0x20;
const BRACE = 0x7b;
const DIGITS = /^[0-9]+$/;

/** Settings of a decoder of event streams. */
export interface SseOptions extends FrameOptions {
  /** Receives comments, without the white space around them: they are no part of the events. */
  onComment?: ((text: string) => void) | undefined;
}

/**
 * Cuts an event stream into frames.
 *
 * @example
 * ```ts
 * const decoder = new SseDecoder();
 * const [frame] = decoder.feed(new TextEncoder().encode('id: 7\ndata: {"type":"CUSTOM"}\n\n'));
 * frame.data; // {"type":"CUSTOM"}
 * decoder.lastEventId; // 7
 * ```
 */
export class SseDecoder implements FrameDecoder {
  /** What a client sends as `Last-Event-ID` to resume (`wire.sse.id`). */
  lastEventId = "";
  /** The reconnection time in milliseconds, until one came `undefined` (`wire.sse.retry`). */
  retryMs: number | undefined;

  readonly #lines = new LineSplitter("any");
  readonly #limit: number;
  readonly #onComment: ((text: string) => void) | undefined;
  #line = 0;
  #data: string[] = [];
  #dataLine = 0;
  #broken = false;
  #event = "";
  #id = "";
  /** The lines of the frame, comments left out, and their characters. */
  #raw: string[] = [];
  #firstLine = 0;
  #length = 0;

  constructor({ maxFrame = MAX_FRAME, onComment }: SseOptions = {}) {
    this.#limit = maxFrame;
    this.#onComment = onComment;
  }

  feed(chunk: Uint8Array): Frame[] {
    checkLength(this.#length + this.#lines.length, this.#limit);
    const frames: Frame[] = [];
    const { texts, broken } = this.#lines.feed(chunk);
    for (let at = 0; at < texts.length; at += 1) {
      const text = texts[at] as string;
      this.#line += 1;
      if (text === "") {
        const frame = this.#dispatch();
        if (frame !== undefined) frames.push(frame);
      } else if (text.charCodeAt(0) !== COLON) {
        this.#keep(text);
        this.#field(text, broken?.has(at) ?? false);
      } else {
        // A comment: not kept, since a stream may be silent but for them for days.
        this.#onComment?.(text.slice(1).trim());
      }
    }
    return frames;
  }

  /** A frame without its blank line is discarded (`wire.sse.eof`). */
  close(): Ending {
    let rest = this.#lines.rest().text;
    if (rest.charCodeAt(0) === COLON) rest = "";
    if (this.#data.length === 0 && rest === "") return { frames: [], truncated: undefined };
    const raw = rest === "" ? this.#raw : [...this.#raw, rest];
    const line = this.#dataLine || this.#firstLine || this.#line + 1;
    return { frames: [], truncated: { line, pending: raw.join("\n"), rule: "wire.sse.eof" } };
  }

  #keep(text: string): void {
    this.#firstLine ||= this.#line;
    this.#raw.push(text);
    this.#length += text.length;
  }

  #field(text: string, broken: boolean): void {
    const colon = text.indexOf(":");
    const name = colon < 0 ? text : text.slice(0, colon);
    const space = text.charCodeAt(colon + 1) === SPACE ? 1 : 0;
    const value = colon < 0 ? "" : text.slice(colon + 1 + space);
    switch (name) {
      case "data":
        this.#data.push(value);
        this.#dataLine ||= this.#line;
        this.#broken ||= broken;
        break;
      case "event":
        this.#event = value;
        break;
      case "id": // effective at the blank line, as the buffer of the standard
        if (!value.includes("\0")) this.#id = value;
        break;
      case "retry":
        if (DIGITS.test(value)) this.retryMs = Number(value);
        break;
      default: // another field: ignored (wire.sse.unknown-field)
    }
  }

  #dispatch(): Frame | undefined {
    this.lastEventId = this.#id;
    const data = this.#data.length === 1 ? (this.#data[0] as string) : this.#data.join("\n");
    const frame = {
      data,
      line: this.#dataLine,
      event: this.#event,
      lastEventId: this.#id,
      broken: this.#broken,
    };
    if (this.#raw.length > 0) this.#reset();
    return isNothing(data) ? undefined : frame;
  }

  #reset(): void {
    this.#data = [];
    this.#dataLine = 0;
    this.#broken = false;
    this.#event = "";
    this.#raw = [];
    this.#firstLine = 0;
    this.#length = 0;
  }
}

/** No data, white space only, or the end mark (`wire.sse.empty-data`, `wire.sse.done`). */
function isNothing(data: string): boolean {
  // Nearly all data begins with a brace.
  return data.charCodeAt(0) !== BRACE && NOTHING.test(data);
}

/**
 * Whether a frame names an event type that is not ours (`wire.sse.foreign-event`).
 *
 * @param frame A frame of any framing.
 * @param types The event types of the contract.
 */
export function isForeign(frame: Frame, types: ReadonlySet<string>): boolean {
  const { event } = frame;
  return event !== "" && event !== "message" && !types.has(event);
}
