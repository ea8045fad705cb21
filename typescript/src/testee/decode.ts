/**
 * The op `decode`: what the chunks of a stream hold.
 *
 * @module
 */

import { type Diagnostic, MsgfoldError } from "../errors.js";
import { DocumentDecoder } from "../streams/document.js";
import { EventReader } from "../streams/events.js";
import type { FrameDecoder } from "../streams/frames.js";
import { NdjsonDecoder } from "../streams/ndjson.js";
import { SseDecoder } from "../streams/sse.js";
import type { AgentEvent } from "../types.js";
import { about } from "./about.js";

/** Bytes, as a case has them. */
export type Chunk = { text: string } | { base64: string };

/** A case's input. */
export interface DecodeInput {
  format: "sse" | "ndjson" | "json";
  chunks: Chunk[];
}

const DECODERS: Record<DecodeInput["format"], () => FrameDecoder> = {
  sse: () => new SseDecoder(),
  ndjson: () => new NdjsonDecoder(),
  json: () => new DocumentDecoder(),
};

/** The answer to a case: the members of its `expect`. */
export function decode(input: DecodeInput): Record<string, unknown> {
  const decoder = DECODERS[input.format]();
  const events: AgentEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  const reader = new EventReader(decoder, { onDiagnostic: (said) => diagnostics.push(said) });
  const answer: Record<string, unknown> = { events };
  try {
    for (const chunk of input.chunks) reader.feed(bytesOf(chunk), (event) => events.push(event));
    reader.close((event) => events.push(event));
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    answer.error = about(error);
  }
  if (diagnostics.length > 0) answer.diagnostics = diagnostics.map(about);
  if (decoder instanceof SseDecoder) {
    answer.last_event_id = decoder.lastEventId;
    answer.retry_ms = decoder.retryMs ?? null;
  }
  return answer;
}

function bytesOf(chunk: Chunk): Uint8Array {
  return "text" in chunk ? Buffer.from(chunk.text) : Buffer.from(chunk.base64, "base64");
}
