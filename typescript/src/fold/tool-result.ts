/** Tool results: text and data that a tool gives back, piece by piece. @module */

import { checkDepth } from "../json.js";
import type {
  Base64Source,
  DataBlock,
  TextBlock,
  ToolResultBlock,
  ToolResultDataDeltaEvent,
  ToolResultEndEvent,
  ToolResultStartEvent,
  ToolResultTextDeltaEvent,
  URLSource,
} from "../types.js";
import { finderOf } from "./block-index.js";
import { copyJson } from "./copy.js";
import { bytesOf, exactlyOne, grow, urlSource } from "./data.js";
import { type FoldState, stamp } from "./state.js";

/** What a result's output is made of. */
type Output = (TextBlock | DataBlock)[];

/** TOOL_RESULT_START (`fold.tool-result.start`). */
export function start(state: FoldState, event: ToolResultStartEvent): void {
  state.checkRole("tool_result");
  state.add({
    type: "tool_result",
    id: event.tool_call_id,
    name: event.tool_call_name,
    output: [],
    state: "running",
    metadata: {},
  });
}

/** TOOL_RESULT_TEXT_DELTA (`fold.tool-result.text`). */
export function textDelta(state: FoldState, event: ToolResultTextDeltaEvent): void {
  const at = state.findOrReport("tool_result", event.tool_call_id, "fold.tool-result.text");
  if (at < 0) return;
  const output = outputOf(state, state.change<"tool_result">(at), event);
  const last = output.length - 1;
  const block = output[last];
  if (block?.type === "text") {
    const mine = state.ownership.own(block);
    mine.text += event.delta;
    output[last] = mine;
    return;
  }
  const fresh: TextBlock = { type: "text", text: event.delta, id: newId(event, output) };
  finderOf(output).add(output, state.made(fresh));
}

/** TOOL_RESULT_DATA_DELTA up to 2.0.10 (`fold.tool-result.data`). */
export function dataDelta(state: FoldState, event: ToolResultDataDeltaEvent): void {
  const at = state.findOrReport("tool_result", event.tool_call_id, "fold.tool-result.data");
  if (at < 0) return;
  const { source } = sourceOf(event); // may refuse the event, so nothing has been changed yet
  const result = state.change<"tool_result">(at);
  const output = outputOf(state, result, event);
  addData(state, event, result, output, source);
}

/** TOOL_RESULT_DATA_DELTA from 2.0.11 on (`fold.tool-result.data.merge`). */
export function dataDeltaMerged(state: FoldState, event: ToolResultDataDeltaEvent): void {
  const at = state.findOrReport("tool_result", event.tool_call_id, "fold.tool-result.data");
  if (at < 0) return;
  const { source, bytes } = sourceOf(event);
  const result = state.change<"tool_result">(at);
  const output = outputOf(state, result, event);
  const into = source.type === "base64" ? inline(output, event.block_id) : -1;
  if (into < 0) {
    addData(state, event, result, output, source);
    return;
  }
  const block = state.ownership.own(output[into] as DataBlock);
  output[into] = block;
  const grown = grow(state, block, event.data as string, bytes);
  if (event.media_type !== "") grown.media_type = event.media_type;
}

/** Where the first data block of that id is that holds bytes; one with a URL is passed. */
function inline(output: Output, id: string): number {
  const first = finderOf(output).find(output, "data", id);
  if (first < 0 || hasBytes(output[first])) return first;
  return output.findIndex((block) => block.type === "data" && block.id === id && hasBytes(block));
}

function hasBytes(block: TextBlock | DataBlock | undefined): boolean {
  return block?.type === "data" && block.source.type === "base64";
}

function addData(
  state: FoldState,
  event: ToolResultDataDeltaEvent,
  result: ToolResultBlock,
  output: Output,
  source: Base64Source | URLSource,
): void {
  const id = event.block_id ?? newId(event, output);
  const block: DataBlock = { type: "data", id, source, name: null };
  if (!finderOf(output).add(output, state.made(block))) {
    const said = `a second data block ${JSON.stringify(id)} in the output of ${result.id}`;
    state.report("duplicate_block", said, "fold.tool-result.data.duplicate", {
      details: { kind: "data", block_id: id },
    });
  }
}

/** TOOL_RESULT_END up to 2.0.5 (`fold.tool-result.end`, `fold.tool-result.end.call`). */
export function end(state: FoldState, event: ToolResultEndEvent): void {
  endResult(state, event);
  finishCall(state, event);
}

/** TOOL_RESULT_END from 2.0.6 on (`fold.tool-result.end`, `fold.tool-result.end.call`). */
export function endStamped(state: FoldState, event: ToolResultEndEvent): void {
  const result = endResult(state, event);
  if (result === undefined) return;
  result.finished_at = stamp(event);
  finishCall(state, event);
}

function endResult(state: FoldState, event: ToolResultEndEvent): ToolResultBlock | undefined {
  const at = state.findOrReport("tool_result", event.tool_call_id, "fold.tool-result.end");
  if (at < 0) return;
  checkDepth(event.metadata, "metadata");
  const result = state.change<"tool_result">(at);
  result.state = event.state;
  result.metadata = copyJson(event.metadata ?? {});
  return result;
}

function finishCall(state: FoldState, event: ToolResultEndEvent): void {
  const at = state.find("tool_call", event.tool_call_id);
  if (at >= 0) state.change<"tool_call">(at).state = "finished";
}

/**
 * The output as a list that may be written to: a string becomes one text block
 * (`fold.tool-result.string`).
 */
function outputOf(
  state: FoldState,
  result: ToolResultBlock,
  event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent,
): Output {
  const { ownership } = state;
  if (typeof result.output !== "string") {
    result.output = ownership.own(result.output);
  } else {
    const text: TextBlock = { type: "text", text: result.output, id: newId(event, []) };
    result.output = ownership.made<Output>([ownership.made(state.made(text))]);
  }
  return result.output as Output;
}

/** The id of a block that this event makes (`fold.tool-result.id`). */
function newId(
  event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent,
  output: readonly unknown[],
): string {
  return event.id ?? `${event.tool_call_id}:${output.length}`;
}

/** What the event brings; `bytes` are those of its data, none when it brings a URL. */
function sourceOf(event: ToolResultDataDeltaEvent): {
  source: Base64Source | URLSource;
  bytes: string;
} {
  exactlyOne(event, "fold.tool-result.data");
  if (event.data == null) return { source: urlSource(event), bytes: "" };
  const { data, media_type } = event;
  return { source: { type: "base64", data, media_type }, bytes: bytesOf(data) };
}
