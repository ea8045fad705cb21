/** Where a reply stands. @module */

import type { Msg, ToolResultState } from "../types.js";

/**
 * Where a reply stands: it had its REPLY_END (`fold.stream.finished`), a tool call asks a person or
 * is with an outside executor (`fold.stream.waiting`), or none of these: still streaming, or, at
 * the end of a stream, broken off.
 */
export type ReplyStatus = "finished" | "waiting_confirmation" | "waiting_execution" | "open";

/** Where the reply that builds `msg` stands. */
export function replyStatus(msg: Msg): ReplyStatus {
  if (msg.finished_at != null) return "finished";
  const results = new Map<string, ToolResultState | undefined>();
  for (const block of msg.content) {
    if (block.type === "tool_result" && !results.has(block.id)) results.set(block.id, block.state);
  }
  for (const block of msg.content) {
    if (block.type !== "tool_call") continue;
    if (block.state === "asking") return "waiting_confirmation";
    if (block.state === "submitted" && (results.get(block.id) ?? "running") === "running") {
      return "waiting_execution";
    }
  }
  return "open";
}
