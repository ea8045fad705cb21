// Generated from schemas/ by `msgfold generate --only typescript`. DO NOT EDIT.
/** Whether an event is plainly well-formed: a function for each type. @module */

type Value = Record<string, unknown>;

const text = (value: unknown) => typeof value === "string";
const mayText = (value: unknown) => value === undefined || typeof value === "string";
const mayNull = (value: unknown) => value == null || typeof value === "string";
const bool = (value: unknown) => typeof value === "boolean";
const count = (value: unknown) => Number.isInteger(value) || typeof value === "bigint";
const mayCount = (value: unknown) => value === undefined || count(value);
const free = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const mayFree = (value: unknown) => value === undefined || free(value);
const there = (value: unknown) => value !== undefined;
const word = (words: ReadonlySet<unknown>, value: unknown) => words.has(value);
const mayWord = (words: ReadonlySet<unknown>, value: unknown) =>
  value === undefined || words.has(value);

const FinishedReason: ReadonlySet<unknown> = new Set(["completed", "interrupted"]);
const ReplyFinishedReason: ReadonlySet<unknown> = new Set(["completed", "interrupted", "exceed_max_iters", "error"]);
const Role: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);
const ToolResultState: ReadonlySet<unknown> = new Set(["success", "error", "interrupted", "denied", "running"]);

const base = (event: Value) =>
  mayText(event.id) &&
  mayText(event.created_at) &&
  mayFree(event.metadata);

/**
 * By type, whether an event has every member that it must have, each of its JSON type, and known
 * words. What it carries inside (blocks, base64, URLs) is for whoever reads it.
 */
export const SHAPES: Record<string, (event: Value) => boolean> = {
  REPLY_START: (event) =>
    base(event) &&
    text(event.session_id) &&
    text(event.reply_id) &&
    text(event.name) &&
    mayWord(Role, event.role),
  REPLY_END: (event) =>
    base(event) &&
    text(event.session_id) &&
    text(event.reply_id) &&
    mayWord(ReplyFinishedReason, event.finished_reason),
  MODEL_CALL_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.model_name),
  MODEL_CALL_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    count(event.input_tokens) &&
    count(event.output_tokens) &&
    mayCount(event.cache_input_tokens) &&
    mayCount(event.cache_creation_input_tokens) &&
    mayWord(FinishedReason, event.finished_reason),
  TEXT_BLOCK_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id),
  TEXT_BLOCK_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    text(event.delta),
  TEXT_BLOCK_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    mayNull(event.text),
  DATA_BLOCK_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    text(event.media_type) &&
    mayNull(event.name),
  DATA_BLOCK_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    mayNull(event.data) &&
    text(event.media_type) &&
    mayNull(event.url),
  DATA_BLOCK_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id),
  THINKING_BLOCK_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id),
  THINKING_BLOCK_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    text(event.delta),
  THINKING_BLOCK_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id),
  HINT_BLOCK: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.block_id) &&
    mayNull(event.source) &&
    there(event.hint),
  TOOL_CALL_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    text(event.tool_call_name),
  TOOL_CALL_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    text(event.delta),
  TOOL_CALL_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id),
  TOOL_RESULT_START: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    text(event.tool_call_name),
  TOOL_RESULT_TEXT_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    text(event.delta),
  TOOL_RESULT_DATA_DELTA: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    mayText(event.block_id) &&
    text(event.media_type) &&
    mayNull(event.data) &&
    mayNull(event.url),
  TOOL_RESULT_END: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.tool_call_id) &&
    word(ToolResultState, event.state),
  EXCEED_MAX_ITERS: (event) =>
    base(event) &&
    text(event.reply_id) &&
    text(event.name),
  REQUIRE_USER_CONFIRM: (event) =>
    base(event) &&
    text(event.reply_id) &&
    there(event.tool_calls),
  REQUIRE_EXTERNAL_EXECUTION: (event) =>
    base(event) &&
    text(event.reply_id) &&
    there(event.tool_calls),
  USER_CONFIRM_RESULT: (event) =>
    base(event) &&
    text(event.reply_id) &&
    there(event.confirm_results),
  USER_INTERRUPT: (event) =>
    base(event) &&
    text(event.reply_id),
  EXTERNAL_EXECUTION_RESULT: (event) =>
    base(event) &&
    text(event.reply_id) &&
    there(event.execution_results),
  CUSTOM: (event) =>
    base(event) &&
    text(event.name) &&
    mayFree(event.value),
};
