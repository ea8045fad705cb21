/**
 * When blocks began and ended, from 2.0.6 on (`fold.block.*`).
 *
 * AgentScope takes `created_at` from the clock of whoever folds, so two folds of one stream differ.
 * Here every time is the `created_at` of an event (`fold.deterministic`).
 *
 * @module
 */

import type { ContentBlock } from "../types.js";
import { type Handler, type Kind, stamp } from "./state.js";

/** `handler`, and the blocks that it makes begin at the event (`fold.block.created-at`). */
export function timed(handler: Handler): Handler {
  return (state, event) => {
    const made = handler(state, event);
    if (made === undefined) return made;
    for (const block of made) {
      begin(block, event);
      const inner = insideOf(block);
      if (typeof inner !== "string") for (const nested of inner) begin(nested, event);
    }
    return made;
  };
}

function begin(block: ContentBlock, event: { created_at?: string }): void {
  block.created_at ??= stamp(event);
}

/** The blocks inside a hint or a result. */
function insideOf(block: ContentBlock): string | readonly ContentBlock[] {
  if (block.type === "hint") return block.hint;
  return block.type === "tool_result" ? block.output : "";
}

/** `handler`, and the blocks that it makes begin and end at the event. */
export function whole(handler: Handler): Handler {
  const begun = timed(handler);
  return (state, event) => {
    const made = begun(state, event);
    for (const block of made ?? []) block.finished_at ??= stamp(event);
    return made;
  };
}

/**
 * An END: stamps the `finished_at` of a block (`fold.block.finished-at`).
 *
 * @param kind The block's kind.
 * @param member The event's member that holds the block's id.
 */
export function ends(kind: Kind, member: "block_id" | "tool_call_id"): Handler {
  return (state, event) => {
    const at = state.findOrReport(kind, event[member], "fold.block.finished-at");
    if (at >= 0) state.change(at).finished_at = stamp(event);
    return undefined;
  };
}
