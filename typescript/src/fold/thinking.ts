/** Thinking blocks: as text blocks, in a member of their own. @module */

import type { ThinkingBlockDeltaEvent, ThinkingBlockStartEvent } from "../types.js";
import type { FoldState } from "./state.js";

/** THINKING_BLOCK_START (`fold.thinking.start`). */
export function start(state: FoldState, event: ThinkingBlockStartEvent): void {
  state.checkRole("thinking");
  state.add({ type: "thinking", thinking: "", id: event.block_id });
}

/** THINKING_BLOCK_DELTA (`fold.thinking.delta`). */
export function delta(state: FoldState, event: ThinkingBlockDeltaEvent): void {
  const at = state.findOrReport("thinking", event.block_id, "fold.thinking.delta");
  if (at >= 0) state.change<"thinking">(at).thinking += event.delta;
}
