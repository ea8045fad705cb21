/** Text blocks: START makes an empty one, DELTA appends to it, END may say it all again. @module */

import type { TextBlockDeltaEvent, TextBlockEndEvent, TextBlockStartEvent } from "../types.js";
import { type FoldState, stamp } from "./state.js";

/** TEXT_BLOCK_START (`fold.text.start`). */
export function start(state: FoldState, event: TextBlockStartEvent): void {
  state.checkRole("text");
  state.add({ type: "text", text: "", id: event.block_id });
}

/** TEXT_BLOCK_DELTA (`fold.text.delta`). */
export function delta(state: FoldState, event: TextBlockDeltaEvent): void {
  const at = state.findOrReport("text", event.block_id, "fold.text.delta");
  if (at >= 0) state.change<"text">(at).text += event.delta;
}

/** TEXT_BLOCK_END from 2.0.8 on (`fold.text.end`). */
export function end(state: FoldState, event: TextBlockEndEvent): void {
  const at = state.findOrReport("text", event.block_id, "fold.text.end");
  if (at < 0) return;
  const block = state.change<"text">(at);
  if (event.text != null) block.text = event.text;
  block.finished_at = stamp(event);
}
