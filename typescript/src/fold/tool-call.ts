/**
 * Tool calls: their arguments stream as raw text, and their state follows people and executors.
 *
 * ```text
 * pending ── REQUIRE_USER_CONFIRM ──> asking ── USER_CONFIRM_RESULT ──> allowed | finished
 * pending ── REQUIRE_EXTERNAL_EXECUTION ──> submitted
 * any ── TOOL_RESULT_END ──> finished
 * ```
 *
 * @module
 */

import { isObject } from "../contract.js";
import type {
  ConfirmResult,
  ExternalExecutionResultEvent,
  RequireExternalExecutionEvent,
  RequireUserConfirmEvent,
  ToolCallBlock,
  ToolCallDeltaEvent,
  ToolCallStartEvent,
  ToolResultBlock,
  UserConfirmResultEvent,
} from "../types.js";
import { adoptEach, nameNested } from "./adopt.js";
import type { FoldState } from "./state.js";

/** TOOL_CALL_START (`fold.tool-call.start`). */
export function start(state: FoldState, event: ToolCallStartEvent): void {
  state.checkRole("tool_call");
  state.add({
    type: "tool_call",
    id: event.tool_call_id,
    name: event.tool_call_name,
    input: "",
    state: "pending",
    suggested_rules: [],
  });
}

/** TOOL_CALL_DELTA (`fold.tool-call.delta`). */
export function delta(state: FoldState, event: ToolCallDeltaEvent): void {
  const at = state.findOrReport("tool_call", event.tool_call_id, "fold.tool-call.delta");
  if (at >= 0) state.change<"tool_call">(at).input += event.delta;
}

/** REQUIRE_USER_CONFIRM (`fold.confirm.require`). */
export function requireConfirm(state: FoldState, event: RequireUserConfirmEvent): void {
  const asked = adoptEach<ToolCallBlock>(state, "ToolCallBlock", event.tool_calls, "/tool_calls");
  for (const { id, suggested_rules } of asked) {
    const at = state.find("tool_call", id);
    if (at < 0) continue;
    const call = state.change<"tool_call">(at);
    call.state = "asking";
    call.suggested_rules = suggested_rules ?? [];
  }
}

/** USER_CONFIRM_RESULT (`fold.confirm.result`, `fold.confirm.stale`). */
export function confirmResult(state: FoldState, event: UserConfirmResultEvent): void {
  const { confirm_results } = event;
  const member = "/confirm_results";
  for (const answer of adoptEach<ConfirmResult>(state, "ConfirmResult", confirm_results, member)) {
    const { id } = answer.tool_call;
    const at = state.find("tool_call", id);
    const now = at < 0 ? undefined : (state.at<"tool_call">(at).state ?? "pending");
    if (now === "asking") {
      state.change<"tool_call">(at).state = answer.confirmed ? "allowed" : "finished";
      continue;
    }
    const found = now === undefined ? "is not there" : `is ${now}`;
    const said = `tool call ${JSON.stringify(id)} ${found}, not asking; this answer is skipped`;
    const details = { block_id: id, state: now ?? null };
    state.report("stale_confirmation", said, "fold.confirm.stale", { details });
  }
}

/** REQUIRE_EXTERNAL_EXECUTION (`fold.external.require`). */
export function requireExternal(state: FoldState, event: RequireExternalExecutionEvent): void {
  const member = "/tool_calls";
  for (const { id } of adoptEach<ToolCallBlock>(state, "ToolCallBlock", event.tool_calls, member)) {
    const at = state.find("tool_call", id);
    if (at >= 0) state.change<"tool_call">(at).state = "submitted";
  }
}

/** EXTERNAL_EXECUTION_RESULT (`fold.external.result`, `fold.external.duplicate`). */
export function externalResult(state: FoldState, event: ExternalExecutionResultEvent): void {
  state.checkRole("tool_result");
  const given: unknown = event.execution_results;
  const named = Array.isArray(given) ? given.map(nameOutput) : given;
  const member = "/execution_results";
  for (const result of adoptEach<ToolResultBlock>(state, "ToolResultBlock", named, member)) {
    if (state.find("tool_result", result.id) < 0) {
      state.add(result);
      continue;
    }
    const said = `tool call ${JSON.stringify(result.id)} has a result already; this one is skipped`;
    const details = { block_id: result.id };
    state.report("duplicate_result", said, "fold.external.duplicate", { details });
  }
}

function nameOutput(result: unknown): unknown {
  if (!isObject(result) || result.output === undefined) return result;
  return { ...result, output: nameNested(result.output, String(result.id)) };
}
