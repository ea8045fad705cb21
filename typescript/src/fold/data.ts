/**
 * Data blocks: bytes that arrive as base64, a padded piece at a time, or a URL instead of them.
 *
 * @module
 */

import { binaryOf } from "../base64.js";
import { profile } from "../contract.js";
import { InvalidBase64Error, InvalidEventError } from "../errors.js";
import type {
  Base64Source,
  DataBlockDeltaEvent,
  DataBlockStartEvent,
  ToolResultDataDeltaEvent,
  URLSource,
} from "../types.js";
import { appendBase64 } from "./growing.js";
import type { FoldState } from "./state.js";

/** An event that gives content in exactly one of two ways. */
type WithContent = DataBlockDeltaEvent | ToolResultDataDeltaEvent;

/** DATA_BLOCK_START (`fold.data.start`). */
export function start(state: FoldState, event: DataBlockStartEvent): void {
  add(state, event, null);
}

/** DATA_BLOCK_START from 2.0.8 on (`fold.data.start`). */
export function startNamed(state: FoldState, event: DataBlockStartEvent): void {
  add(state, event, event.name ?? null);
}

function add(state: FoldState, event: DataBlockStartEvent, name: string | null): void {
  state.checkRole("data");
  const source = { type: "base64" as const, data: "", media_type: event.media_type };
  state.add({ type: "data", id: event.block_id, source, name });
}

/** DATA_BLOCK_DELTA up to 2.0.7, when a URL was unknown (`fold.data.delta`). */
export function delta(state: FoldState, event: DataBlockDeltaEvent): void {
  const at = state.findOrReport("data", event.block_id, "fold.data.delta");
  if (at < 0) return;
  if (event.data == null) {
    throw new InvalidEventError(event.data === undefined ? "data is missing" : "data is null", {
      place: { pointer: event.data === undefined ? "" : "/data" },
      expected: "data in base64",
      got: event.url == null ? "no bytes" : "a url, which came with 2.0.8",
      hint: `This is folded as AgentScope ${state.context.revision}; name a later revision`,
      rule: "fold.data.delta",
    });
  }
  append(state, event.data, at);
}

/** DATA_BLOCK_DELTA from 2.0.8 on (`fold.data.delta`, `fold.data.url`). */
export function deltaOrUrl(state: FoldState, event: DataBlockDeltaEvent): void {
  const at = state.findOrReport("data", event.block_id, "fold.data.delta");
  if (at < 0) return;
  exactlyOne(event, "wire.json.data-or-url");
  if (event.data == null) {
    const source = urlSource(event);
    state.change<"data">(at).source = source;
  } else {
    append(state, event.data, at);
  }
}

/** Join bytes (`fold.data.delta`, `fold.data.empty`, `fold.data.url-source`). */
function append(state: FoldState, data: string, at: number): void {
  if (data === "") return;
  const { source, id } = state.at<"data">(at);
  if (source.type !== "base64") {
    const said = `data block ${JSON.stringify(id)} has a URL, bytes cannot be appended`;
    state.report("not_base64_source", `${said}; the event is skipped`, "fold.data.url-source", {
      details: { block_id: id },
    });
    return;
  }
  const bytes = bytesOf(data);
  const block = state.change<"data">(at);
  grow(state, block, data, bytes);
}

/** Append to the source of a block that may be written to; `bytes` are those of `data`. */
export function grow(
  state: FoldState,
  block: { source: Base64Source | URLSource },
  data: string,
  bytes: string,
): Base64Source {
  const source = state.ownership.own(block.source as Base64Source);
  block.source = source;
  appendBase64(source, data, bytes);
  return source;
}

/**
 * Refuse neither and both of data and url (`wire.json.data-or-url`).
 *
 * @throws {InvalidEventError} It is so.
 */
export function exactlyOne(event: WithContent, rule: string): void {
  if ((event.data == null) !== (event.url == null)) return;
  throw new InvalidEventError("exactly one of data and url must be given", {
    place: { pointer: "" },
    expected: "data or url, the other null or absent",
    got: event.data == null ? "neither" : "both",
    rule,
  });
}

const ABSOLUTE = new RegExp(profile().definition("AbsoluteUrl").pattern as string);

/**
 * The event's URL as a source.
 *
 * @throws {InvalidEventError} It is not absolute (`wire.json.url`).
 */
export function urlSource(event: WithContent): URLSource {
  const url = event.url as string;
  if (ABSOLUTE.test(url)) return { type: "url", url, media_type: event.media_type };
  throw new InvalidEventError("not an absolute URL", {
    place: { pointer: "/url" },
    expected: "an absolute URL, such as https://example.com/a.png",
    got: url,
    rule: "wire.json.url",
  });
}

/**
 * The bytes of data, a character each (`fold.data.base64`).
 *
 * @throws {InvalidBase64Error} It is not canonical base64.
 */
export function bytesOf(data: string): string {
  const bytes = binaryOf(data);
  if (bytes !== undefined) return bytes;
  throw new InvalidBase64Error("invalid base64", {
    place: { pointer: "/data" },
    expected: "the standard alphabet, padded at the end, no white space (RFC 4648 section 4)",
    got: data.slice(0, 40),
    hint: "Encode every chunk by itself; do not join encoded chunks",
    rule: "fold.data.base64",
  });
}
