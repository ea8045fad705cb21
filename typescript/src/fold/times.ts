/**
 * When blocks began and ended, from 2.0.6 on (`fold.block.*`).
 *
 * AgentScope takes `created_at` from the clock of whoever folds, so two folds of one stream differ.
 * Here every time is the `created_at` of an event (`fold.deterministic`).
 *
 * @module
 */

import { type Handler, type Kind, stamp } from "./state.js";

/** `handler`, and the blocks that it makes begin at the event (`fold.block.created-at`). */
export function timed(handler: Handler): Handler {
  return (state, event) => {
    state.began = stamp(event);
    try {
      handler(state, event);
    } finally {
      state.began = undefined;
    }
  };
}

/** `handler`, and the blocks that it makes begin and end at the event. */
export function whole(handler: Handler): Handler {
  const begun = timed(handler);
  return (state, event) => {
    state.ended = stamp(event);
    try {
      begun(state, event);
    } finally {
      state.ended = undefined;
    }
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
  };
}
