/** The reply as a whole: its beginning, its end, and what its model calls cost. @module */

import { isObject } from "../contract.js";
import { shorten } from "../errors.js";
import type {
  ErrorInfo,
  ModelCallEndEvent,
  Msg,
  ReplyEndEvent,
  ReplyStartEvent,
  Usage,
} from "../types.js";
import { adopt } from "./adopt.js";
import { knownWords } from "./newer.js";
import { type FoldState, stamp } from "./state.js";

/** The Msg that a REPLY_START makes (`fold.reply-start.new`). */
export function newMsg(event: ReplyStartEvent): Msg {
  return {
    name: event.name,
    content: [],
    role: "assistant",
    id: event.reply_id,
    metadata: {},
    created_at: stamp(event),
    finished_at: null,
    usage: null,
  };
}

/** REPLY_END in 2.0.4 (`fold.reply-end`). */
export function end(state: FoldState, event: ReplyEndEvent): void {
  state.writable.finished_at = stamp(event);
}

/** REPLY_END from 2.0.5 on (`fold.reply-end`). */
export function endWithReason(state: FoldState, event: ReplyEndEvent): void {
  const error = errorOf(state, event); // may refuse the event, so nothing has been changed yet
  end(state, event);
  const msg = state.writable;
  // Null is an unknown word that was left out; to say completed would be a lie.
  msg.finished_reason = event.finished_reason === undefined ? "completed" : event.finished_reason;
  msg.error = error;
}

/** The event's error; when errors are skipped, one of an unknown type is of type unknown. */
function errorOf(state: FoldState, event: ReplyEndEvent): ErrorInfo | null {
  let error: unknown = event.error ?? null;
  if (error === null) return null;
  if (state.context.lenient && isObject(error)) {
    const words = knownWords("ErrorInfo", "type", state.context.revision);
    const kind = error.type ?? "unknown";
    if (typeof kind === "string" && !words.includes(kind)) {
      const said = `REPLY_END.error.type: unknown word ${shorten(kind)}, expected one of `;
      state.report(
        "unknown_enum_value",
        `${said}${words.join(", ")}; read as unknown`,
        "fold.unknown-enum",
        { pointer: "/error/type" },
      );
      error = { ...error, type: "unknown" };
    }
  }
  return adopt<ErrorInfo>(state, "ErrorInfo", error, "/error");
}

/** MODEL_CALL_END up to 2.0.6 (`fold.usage`). */
export function modelCallEnd(state: FoldState, event: ModelCallEndEvent): void {
  spend(state, event, ["input_tokens", "output_tokens"]);
}

/** MODEL_CALL_END from 2.0.7 on (`fold.usage`). */
export function modelCallEndCached(state: FoldState, event: ModelCallEndEvent): void {
  spend(state, event, [
    "input_tokens",
    "output_tokens",
    "cache_input_tokens",
    "cache_creation_input_tokens",
  ]);
}

type Count =
  | "input_tokens"
  | "output_tokens"
  | "cache_input_tokens"
  | "cache_creation_input_tokens";

function spend(state: FoldState, event: ModelCallEndEvent, counts: readonly Count[]): void {
  const msg = state.writable;
  const usage: Usage =
    msg.usage == null ? { input_tokens: 0, output_tokens: 0 } : state.ownership.own(msg.usage);
  for (const name of counts) usage[name] = sum(usage[name] ?? 0, event[name] ?? 0);
  msg.usage = usage;
}

/** A sum; of what a number cannot hold, a bigint. */
function sum(left: number | bigint, right: number | bigint): number {
  if (typeof left === "number" && typeof right === "number") return left + right;
  return (BigInt(left) + BigInt(right)) as unknown as number;
}

/** An event that changes nothing (`fold.no-op`, `fold.reply-start.repeat`). */
export function nothing(): void {}

/** CUSTOM (`fold.custom`): an application's own signal, of no reply. */
export function custom(): void {}
