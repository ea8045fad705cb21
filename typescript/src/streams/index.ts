/**
 * Bytes to events: framing, strict JSON, and async iterators over web streams.
 *
 * @module
 */

export { DocumentDecoder } from "./document.js";
export {
  EventReader,
  eventBatches,
  ndjsonEvents,
  type StreamOptions,
  sseEvents,
} from "./events.js";
export {
  type Ending,
  type Frame,
  type FrameDecoder,
  type FrameOptions,
  MAX_FRAME,
  type Truncated,
} from "./frames.js";
export { NdjsonDecoder } from "./ndjson.js";
export type { ByteStream } from "./source.js";
export { isForeign, SseDecoder, type SseOptions } from "./sse.js";
