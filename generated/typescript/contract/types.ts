// Generated from schemas/ by `msgfold generate --only typescript`. DO NOT EDIT.
/** The contract's types: what JSON of messages and events looks like. @module */

/**
 * An absolute URL (WHATWG URL): a scheme, a colon, and something behind it. Kept as it came (rule
 * wire.json.url).
 */
export type AbsoluteUrl = string;

/** One event of a reply stream, told apart by its type. */
export type AgentEvent =
  | ReplyStartEvent
  | ReplyEndEvent
  | ModelCallStartEvent
  | ModelCallEndEvent
  | TextBlockStartEvent
  | TextBlockDeltaEvent
  | TextBlockEndEvent
  | DataBlockStartEvent
  | DataBlockDeltaEvent
  | DataBlockEndEvent
  | ThinkingBlockStartEvent
  | ThinkingBlockDeltaEvent
  | ThinkingBlockEndEvent
  | HintBlockEvent
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent
  | ToolResultStartEvent
  | ToolResultTextDeltaEvent
  | ToolResultDataDeltaEvent
  | ToolResultEndEvent
  | ExceedMaxItersEvent
  | RequireUserConfirmEvent
  | RequireExternalExecutionEvent
  | UserConfirmResultEvent
  | UserInterruptEvent
  | ExternalExecutionResultEvent
  | CustomEvent;

/**
 * Bytes in base64: RFC 4648 section 4, padded, no white space, unused bits zero (rule
 * wire.json.base64). The empty string is zero bytes.
 */
export type Base64Data = string;

/**
 * Binary content carried inline. Members that are not named here are kept; strict validation
 * reports them.
 */
export interface Base64Source {
  /** The tag of an inline source, always "base64". */
  type: "base64";
  /** The content. */
  data: Base64Data;
  /** What the content is, for example image/png. */
  media_type: MediaType;
}

/**
 * A person's answer about one tool call. Members that are not named here are kept; strict
 * validation reports them.
 */
export interface ConfirmResult {
  /** true: the call may run. false: it may not. */
  confirmed: boolean;
  /** The call that the answer is about. */
  tool_call: ToolCallBlock;
  /** Rules that the person adopted with a yes, or null. */
  rules?: PermissionRule[] | null;
}

/** One block of a Msg's content, told apart by its type. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | HintBlock
  | ToolCallBlock
  | ToolResultBlock
  | DataBlock;

/**
 * The six kinds of content block. The value of a block's type member. text: text. thinking: a
 * model's reasoning. hint: a hint to the model. tool_call: a call of a tool. tool_result: what a
 * tool gave back. data: binary data.
 */
export type ContentBlockType =
  | "text"
  | "thinking"
  | "hint"
  | "tool_call"
  | "tool_result"
  | "data";

/**
 * A signal of an application's own. Changes nothing in the Msg; has no reply_id (rule fold.custom).
 * Unknown names are to be passed over. Members that are not named here are kept; strict validation
 * reports them.
 */
export interface CustomEvent extends EventBase {
  /** The tag of this event, always "CUSTOM". */
  type: "CUSTOM";
  /** What kind of signal, for example state_updated, team_updated. */
  name: string;
  /** What the signal says, free-form. Left out: `{}`. */
  value?: JsonObject;
}

/**
 * Binary data: an image, a sound, a film, a document. Members that are not named here are kept;
 * strict validation reports them.
 */
export interface DataBlock {
  /** The tag of a data block, always "data". */
  type: "data";
  /** The block's id. */
  id: Id;
  /** Where the bytes are: inline, or behind a URL. */
  source: Base64Source | URLSource;
  /** A name for people, such as chart.png, or null. */
  name?: string | null;
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished, as its DATA_BLOCK_END stamped it (rule fold.block.finished-at);
   * null while it streams. Since 2.0.6.
   */
  finished_at?: string | null;
}

/**
 * More bytes for a data block, or the URL of all of it. Each piece of data is base64 by itself,
 * padded; the fold joins bytes, not strings (rule fold.data.delta). Exactly one of data and url is
 * given (rule wire.json.data-or-url). Members that are not named here are kept; strict validation
 * reports them.
 */
export interface DataBlockDeltaEvent extends EventBase {
  /** The tag of this event, always "DATA_BLOCK_DELTA". */
  type: "DATA_BLOCK_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the data block. */
  block_id: string;
  /** The next bytes; empty changes nothing. Null or absent when url is given. */
  data?: Base64Data | null;
  /** What the data is. The block keeps the one of its start (rule fold.data.media-type). */
  media_type: MediaType;
  /**
   * Where all of the data is; replaces what the block holds (rule fold.data.url). Null or absent
   * when data is given. Since 2.0.8.
   */
  url?: AbsoluteUrl | null;
}

/**
 * A data block ends. Stamps the block's finished_at from 2.0.6 on (rule fold.block.finished-at).
 * Members that are not named here are kept; strict validation reports them.
 */
export interface DataBlockEndEvent extends EventBase {
  /** The tag of this event, always "DATA_BLOCK_END". */
  type: "DATA_BLOCK_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the data block. */
  block_id: string;
}

/**
 * A data block begins, empty (rule fold.data.start). Members that are not named here are kept;
 * strict validation reports them.
 */
export interface DataBlockStartEvent extends EventBase {
  /** The tag of this event, always "DATA_BLOCK_START". */
  type: "DATA_BLOCK_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the data block. */
  block_id: string;
  /** What the data is, for example image/png. */
  media_type: MediaType;
  /**
   * A name for people, such as a file name, or null. The block takes it (rule fold.data.start).
   * Since 2.0.8.
   */
  name?: string | null;
}

/**
 * What ended a reply in error, for people and for programs that show it to people. Since 2.0.5.
 * Members that are not named here are kept; strict validation reports them.
 */
export interface ErrorInfo {
  /** What kind of error it was. Left out: `"unknown"`. */
  type?: ErrorType;
  /** What happened, in a short sentence for people. */
  message: string;
}

/**
 * What kind of error ended a reply. authentication: a credential is missing or wrong (HTTP 401).
 * permission: not allowed (403). rate_limit: a rate or a quota is used up (429). invalid_request: a
 * malformed request (400, 422). upstream: a service behind the agent failed (5xx). connection: the
 * network failed or timed out. internal: a fault of the agent's own. setup: the run failed before
 * the agent could reply. unknown: none of these. Since 2.0.5. `setup`: since 2.0.6.
 */
export type ErrorType =
  | "authentication"
  | "permission"
  | "rate_limit"
  | "invalid_request"
  | "upstream"
  | "connection"
  | "internal"
  | "setup"
  | "unknown";

/**
 * What every event has. Members that are not named here are kept; strict validation reports them.
 */
export interface EventBase {
  /** The event's id, unique in its stream. */
  id: Id;
  /** When the event was made. */
  created_at: Timestamp;
  /** Facts about the event, free-form. Left out: `{}`. */
  metadata?: JsonObject;
}

/**
 * The 28 event types. The value of an event's type member; upper case, matched exactly (rule
 * fold.unknown-event).
 */
export type EventType =
  | "REPLY_START"
  | "REPLY_END"
  | "MODEL_CALL_START"
  | "MODEL_CALL_END"
  | "TEXT_BLOCK_START"
  | "TEXT_BLOCK_DELTA"
  | "TEXT_BLOCK_END"
  | "DATA_BLOCK_START"
  | "DATA_BLOCK_DELTA"
  | "DATA_BLOCK_END"
  | "THINKING_BLOCK_START"
  | "THINKING_BLOCK_DELTA"
  | "THINKING_BLOCK_END"
  | "HINT_BLOCK"
  | "TOOL_CALL_START"
  | "TOOL_CALL_DELTA"
  | "TOOL_CALL_END"
  | "TOOL_RESULT_START"
  | "TOOL_RESULT_TEXT_DELTA"
  | "TOOL_RESULT_DATA_DELTA"
  | "TOOL_RESULT_END"
  | "EXCEED_MAX_ITERS"
  | "REQUIRE_USER_CONFIRM"
  | "REQUIRE_EXTERNAL_EXECUTION"
  | "USER_CONFIRM_RESULT"
  | "USER_INTERRUPT"
  | "EXTERNAL_EXECUTION_RESULT"
  | "CUSTOM";

/**
 * The agent used up its iterations. Changes nothing in the Msg. metadata.iterations and
 * metadata.max_iters may give the counts (rule wire.meta.iterations). Members that are not named
 * here are kept; strict validation reports them.
 */
export interface ExceedMaxItersEvent extends EventBase {
  /** The tag of this event, always "EXCEED_MAX_ITERS". */
  type: "EXCEED_MAX_ITERS";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The agent's name. */
  name: string;
}

/**
 * Results from an outside executor (rule fold.external.result). Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ExternalExecutionResultEvent extends EventBase {
  /** The tag of this event, always "EXTERNAL_EXECUTION_RESULT". */
  type: "EXTERNAL_EXECUTION_RESULT";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The results, each under the id of its call. */
  execution_results: ToolResultBlock[];
}

/** Why a model call ended. completed: it came to its end. interrupted: it was stopped. */
export type FinishedReason = "completed" | "interrupted";

/**
 * A hint to the model in the middle of a reply: a team message, the result of a background tool, a
 * system notice. It goes to the model as a user message. Members that are not named here are kept;
 * strict validation reports them.
 */
export interface HintBlock {
  /** The tag of a hint block, always "hint". */
  type: "hint";
  /** The hint: text, or a list of text and data blocks. */
  hint: string | (TextBlock | DataBlock)[];
  /** The block's id. */
  id: Id;
  /** Who the hint is from, such as a team member's name or system, or null. */
  source?: string | null;
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished; a hint is finished when it comes (rule fold.hint). Since 2.0.6.
   */
  finished_at?: string | null;
}

/**
 * A whole hint block in one event (rule fold.hint). Members that are not named here are kept;
 * strict validation reports them.
 */
export interface HintBlockEvent extends EventBase {
  /** The tag of this event, always "HINT_BLOCK". */
  type: "HINT_BLOCK";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the hint block. */
  block_id: string;
  /** Who the hint is from, or null. */
  source?: string | null;
  /** The hint: text, or a list of text and data blocks. */
  hint: string | (TextBlock | DataBlock)[];
}

/**
 * An identifier. Any string, the empty one included; opaque, compared character by character (rule
 * fold.id.opaque). AgentScope writes a UUID as 32 hexadecimal digits.
 */
export type Id = string;

/**
 * A free JSON object. Members may hold any I-JSON value; nesting counts towards the limit of 128
 * levels (rule wire.json.depth).
 */
export type JsonObject = { [member: string]: unknown };

/** A media type such as image/png (RFC 6838). Opaque. */
export type MediaType = string;

/**
 * A model call is over. Its tokens are added to the Msg's usage (rule fold.usage). Members that are
 * not named here are kept; strict validation reports them.
 */
export interface ModelCallEndEvent extends EventBase {
  /** The tag of this event, always "MODEL_CALL_END". */
  type: "MODEL_CALL_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** Tokens read by this call, a count. */
  input_tokens: number;
  /** Tokens written by this call, a count. */
  output_tokens: number;
  /** Tokens that this call read from the prompt cache, a count. Left out: `0`. Since 2.0.7. */
  cache_input_tokens?: number;
  /**
   * Tokens that this call read in order to fill the prompt cache, a count. Left out: `0`. Since
   * 2.0.7.
   */
  cache_creation_input_tokens?: number;
  /** Why the call ended. Left out: `"completed"`. */
  finished_reason?: FinishedReason;
}

/**
 * A model is about to be called. Changes nothing in the Msg. Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ModelCallStartEvent extends EventBase {
  /** The tag of this event, always "MODEL_CALL_START". */
  type: "MODEL_CALL_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The model's name. */
  model_name: string;
}

/**
 * A message: who said what, and how many tokens it took. What events fold into, what is stored, and
 * what agents send each other. Members that are not named here are kept; strict validation reports
 * them.
 */
export interface Msg {
  /** The sender's name. */
  name: string;
  /** The blocks, in the order in which they began. */
  content: ContentBlock[];
  /** Who speaks. */
  role: Role;
  /** The message's id; for a streamed reply it is the reply_id of its events. */
  id: Id;
  /** Facts about the message, free-form. Left out: `{}`. */
  metadata?: JsonObject;
  /** When the message was begun. */
  created_at: Timestamp;
  /** When the message was finished, as its REPLY_END stamped it; null while it streams. */
  finished_at?: string | null;
  /** Tokens spent, or null when no model call has ended. */
  usage?: Usage | null;
  /** Why the reply ended, as its REPLY_END said; null while it streams. Since 2.0.5. */
  finished_reason?: ReplyFinishedReason | null;
  /**
   * The reply as an object of the schema that was asked for; null when none was asked for, or none
   * came. No event sets it. Since 2.0.5.
   */
  structured_output?: JsonObject | null;
  /** What ended the reply, when finished_reason is error; else null. Since 2.0.5. */
  error?: ErrorInfo | null;
}

/**
 * What a permission rule does. allow: the tool may run. deny: the tool may not run. ask: a person
 * decides. passthrough: this rule has no opinion.
 */
export type PermissionBehavior = "allow" | "deny" | "ask" | "passthrough";

/**
 * A rule that allows, denies or asks about the use of a tool. Members that are not named here are
 * kept; strict validation reports them.
 */
export interface PermissionRule {
  /** The tool that the rule is about. */
  tool_name: string;
  /**
   * A filter whose meaning depends on the tool: a part of a command, a glob over paths; null for
   * every use of the tool.
   */
  rule_content: string | null;
  /** What the rule does. */
  behavior: PermissionBehavior;
  /** Where the rule comes from, such as userSettings, session or suggested. */
  source: string;
}

/**
 * A reply ends. Stamps finished_at, from 2.0.5 on finished_reason and error, too (rule fold.reply-
 * end). Members that are not named here are kept; strict validation reports them.
 */
export interface ReplyEndEvent extends EventBase {
  /** The tag of this event, always "REPLY_END". */
  type: "REPLY_END";
  /** The id of the session that the reply belongs to. */
  session_id: string;
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** Why it ended. Left out: `"completed"`. */
  finished_reason?: ReplyFinishedReason;
  /** What went wrong, when finished_reason is error; else null. Since 2.0.5. */
  error?: ErrorInfo | null;
}

/**
 * Why a reply ended. completed: it came to its end. interrupted: it was stopped. exceed_max_iters:
 * the agent used up its iterations. error: it failed, and error says how. AgentScope 2.0.4 calls
 * this list ReplyEndReason. `error`: since 2.0.5.
 */
export type ReplyFinishedReason = "completed" | "interrupted" | "exceed_max_iters" | "error";

/**
 * A reply begins. Makes an empty assistant Msg (rule fold.reply-start.new); for a reply already
 * there it changes nothing. Members that are not named here are kept; strict validation reports
 * them.
 */
export interface ReplyStartEvent extends EventBase {
  /** The tag of this event, always "REPLY_START". */
  type: "REPLY_START";
  /** The id of the session that the reply belongs to. */
  session_id: string;
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The agent's name, which becomes the Msg's. */
  name: string;
  /** The agent's role. The fold does not read it. Left out: `"assistant"`. */
  role?: Role;
}

/**
 * Tool calls are handed to an outside executor (rule fold.external.require). The stream may end
 * here: the reply waits. Members that are not named here are kept; strict validation reports them.
 */
export interface RequireExternalExecutionEvent extends EventBase {
  /** The tag of this event, always "REQUIRE_EXTERNAL_EXECUTION". */
  type: "REQUIRE_EXTERNAL_EXECUTION";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The calls to execute. */
  tool_calls: ToolCallBlock[];
}

/**
 * Tool calls wait for a person to confirm them (rule fold.confirm.require). The stream may end
 * here: the reply waits. Members that are not named here are kept; strict validation reports them.
 */
export interface RequireUserConfirmEvent extends EventBase {
  /** The tag of this event, always "REQUIRE_USER_CONFIRM". */
  type: "REQUIRE_USER_CONFIRM";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The calls that wait, each with the rules it suggests. */
  tool_calls: ToolCallBlock[];
}

/**
 * Who speaks. Decides which blocks a Msg may carry (rule fold.role). user: text and data blocks.
 * assistant: all blocks. system: text blocks.
 */
export type Role = "user" | "assistant" | "system";

/** Plain text. Members that are not named here are kept; strict validation reports them. */
export interface TextBlock {
  /** The tag of a text block, always "text". */
  type: "text";
  /** The text. */
  text: string;
  /** The block's id. */
  id: Id;
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished, as its TEXT_BLOCK_END stamped it (rule fold.block.finished-at);
   * null while it streams. Since 2.0.6.
   */
  finished_at?: string | null;
}

/**
 * More text for a text block (rule fold.text.delta). Members that are not named here are kept;
 * strict validation reports them.
 */
export interface TextBlockDeltaEvent extends EventBase {
  /** The tag of this event, always "TEXT_BLOCK_DELTA". */
  type: "TEXT_BLOCK_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the text block. */
  block_id: string;
  /** The text to append, as it is. */
  delta: string;
}

/**
 * A text block ends. Stamps the block's finished_at from 2.0.6 on; text replaces what the deltas
 * built, from 2.0.8 on (rule fold.text.end). Members that are not named here are kept; strict
 * validation reports them.
 */
export interface TextBlockEndEvent extends EventBase {
  /** The tag of this event, always "TEXT_BLOCK_END". */
  type: "TEXT_BLOCK_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the text block. */
  block_id: string;
  /**
   * The whole text when it is not what the deltas joined to, such as a spoken reply that was cut
   * short; else null. Since 2.0.8.
   */
  text?: string | null;
}

/**
 * A text block begins, empty (rule fold.text.start). Members that are not named here are kept;
 * strict validation reports them.
 */
export interface TextBlockStartEvent extends EventBase {
  /** The tag of this event, always "TEXT_BLOCK_START". */
  type: "TEXT_BLOCK_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the text block. */
  block_id: string;
}

/**
 * A model's reasoning. Extra members hold what a provider needs back unchanged, such as signature
 * or redacted_thinking_data; they are data and are kept everywhere (rule wire.json.thinking-extra).
 * Open: members that are not named here are data of the object.
 */
export interface ThinkingBlock {
  /** The tag of a thinking block, always "thinking". */
  type: "thinking";
  /** The reasoning, empty when the provider hides it. */
  thinking: string;
  /** The block's id. */
  id: Id;
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished, as its THINKING_BLOCK_END stamped it (rule fold.block.finished-
   * at); null while it streams. Since 2.0.6.
   */
  finished_at?: string | null;
  /** Members of a provider's own. */
  [extra: string]: unknown;
}

/**
 * More reasoning for a thinking block (rule fold.thinking.delta). Members that are not named here
 * are kept; strict validation reports them.
 */
export interface ThinkingBlockDeltaEvent extends EventBase {
  /** The tag of this event, always "THINKING_BLOCK_DELTA". */
  type: "THINKING_BLOCK_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the thinking block. */
  block_id: string;
  /** The text to append, as it is. */
  delta: string;
}

/**
 * A thinking block ends. Stamps the block's finished_at from 2.0.6 on (rule fold.block.finished-
 * at). Members that are not named here are kept; strict validation reports them.
 */
export interface ThinkingBlockEndEvent extends EventBase {
  /** The tag of this event, always "THINKING_BLOCK_END". */
  type: "THINKING_BLOCK_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the thinking block. */
  block_id: string;
}

/**
 * A thinking block begins, empty (rule fold.thinking.start). Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ThinkingBlockStartEvent extends EventBase {
  /** The tag of this event, always "THINKING_BLOCK_START". */
  type: "THINKING_BLOCK_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the thinking block. */
  block_id: string;
}

/**
 * A point in time as its writer spelled it. AgentScope writes local ISO 8601 time without a zone
 * and with microseconds. Opaque: never parsed, never reformatted (rule wire.json.opaque-time).
 */
export type Timestamp = string;

/** A call of a tool. Members that are not named here are kept; strict validation reports them. */
export interface ToolCallBlock {
  /** The tag of a tool call, always "tool_call". */
  type: "tool_call";
  /** The call's id, given by the model; the result carries the same one. */
  id: string;
  /** The tool's name. */
  name: string;
  /**
   * The arguments as raw JSON text, as the model wrote it. Half a JSON value while it streams;
   * nobody parses it before the end (rule fold.tool-call.delta).
   */
  input: string;
  /** Where the call stands. Left out: `"pending"`. */
  state?: ToolCallState;
  /** Rules that a person may adopt while confirming the call. Left out: `[]`. */
  suggested_rules?: PermissionRule[];
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished, as its TOOL_CALL_END stamped it (rule fold.block.finished-at);
   * null while it streams. Since 2.0.6.
   */
  finished_at?: string | null;
}

/**
 * More of a tool call's arguments (rule fold.tool-call.delta). Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ToolCallDeltaEvent extends EventBase {
  /** The tag of this event, always "TOOL_CALL_DELTA". */
  type: "TOOL_CALL_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** A piece of the arguments' JSON text; by itself rarely valid JSON. */
  delta: string;
}

/**
 * The arguments of a tool call are complete. Stamps the call's finished_at from 2.0.6 on (rule
 * fold.block.finished-at). Members that are not named here are kept; strict validation reports
 * them.
 */
export interface ToolCallEndEvent extends EventBase {
  /** The tag of this event, always "TOOL_CALL_END". */
  type: "TOOL_CALL_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
}

/**
 * The model begins a tool call (rule fold.tool-call.start). Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ToolCallStartEvent extends EventBase {
  /** The tag of this event, always "TOOL_CALL_START". */
  type: "TOOL_CALL_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** The name of the tool. */
  tool_call_name: string;
}

/**
 * Where a tool call stands: pending, then asking, allowed or submitted, then finished. pending: not
 * yet seen by the permission system. asking: waits for a person to confirm. allowed: may run.
 * submitted: handed to an outside executor, waits for its result. finished: over: run, denied or
 * interrupted.
 */
export type ToolCallState = "pending" | "asking" | "allowed" | "submitted" | "finished";

/**
 * What a tool gave back. Members that are not named here are kept; strict validation reports them.
 */
export interface ToolResultBlock {
  /** The tag of a tool result, always "tool_result". */
  type: "tool_result";
  /** The id of the call that this is the result of. */
  id: string;
  /** The tool's name. */
  name: string;
  /**
   * The result: text, or a list of text and data blocks. A string and a list are different values.
   */
  output: string | (TextBlock | DataBlock)[];
  /** How the run ended, or running. Left out: `"running"`. */
  state?: ToolResultState;
  /** Facts about the run, free-form. Left out: `{}`. */
  metadata?: JsonObject;
  /**
   * When the block was begun, as the event that made it stamped it (rule fold.block.created-at);
   * left out when nobody knows. Since 2.0.6.
   */
  created_at?: Timestamp;
  /**
   * When the block was finished, as its TOOL_RESULT_END stamped it (rule fold.block.finished-at);
   * null while it streams. Since 2.0.6.
   */
  finished_at?: string | null;
}

/**
 * A data block of a tool's result. Exactly one of data and url is given (rule wire.json.data-or-
 * url). Members that are not named here are kept; strict validation reports them.
 */
export interface ToolResultDataDeltaEvent extends EventBase {
  /** The tag of this event, always "TOOL_RESULT_DATA_DELTA". */
  type: "TOOL_RESULT_DATA_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** The id of the data block that this event makes. */
  block_id: Id;
  /** What the data is, for example image/png. */
  media_type: MediaType;
  /** The bytes, inline; null or absent when url is given. Empty counts as given. */
  data?: Base64Data | null;
  /** Where the bytes are; null or absent when data is given. */
  url?: AbsoluteUrl | null;
}

/**
 * A tool's result is complete: sets state and metadata of the result, and finishes the call (rules
 * fold.tool-result.end, fold.tool-result.end.call). The event's metadata is the result's. Members
 * that are not named here are kept; strict validation reports them.
 */
export interface ToolResultEndEvent extends EventBase {
  /** The tag of this event, always "TOOL_RESULT_END". */
  type: "TOOL_RESULT_END";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** How the run ended. */
  state: ToolResultState;
}

/**
 * A tool begins to give its result (rule fold.tool-result.start). Members that are not named here
 * are kept; strict validation reports them.
 */
export interface ToolResultStartEvent extends EventBase {
  /** The tag of this event, always "TOOL_RESULT_START". */
  type: "TOOL_RESULT_START";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** The name of the tool. */
  tool_call_name: string;
}

/**
 * How a tool run ended, or that it has not. success: it worked. error: it failed. interrupted: it
 * was stopped. denied: it was not allowed to run. running: it has not ended.
 */
export type ToolResultState = "success" | "error" | "interrupted" | "denied" | "running";

/**
 * More text of a tool's result (rule fold.tool-result.text). Members that are not named here are
 * kept; strict validation reports them.
 */
export interface ToolResultTextDeltaEvent extends EventBase {
  /** The tag of this event, always "TOOL_RESULT_TEXT_DELTA". */
  type: "TOOL_RESULT_TEXT_DELTA";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** The id of the tool call. */
  tool_call_id: string;
  /** The text to append, as it is. */
  delta: string;
}

/**
 * Binary content behind a URL. Members that are not named here are kept; strict validation reports
 * them.
 */
export interface URLSource {
  /** The tag of a URL source, always "url". */
  type: "url";
  /** Where the content is. */
  url: AbsoluteUrl;
  /** What the content is, for example image/png. */
  media_type: MediaType;
}

/**
 * Tokens spent, summed over the model calls of a reply (rule fold.usage). Members that are not
 * named here are kept; strict validation reports them.
 */
export interface Usage {
  /** Tokens read, a count. */
  input_tokens: number;
  /** Tokens written, a count. */
  output_tokens: number;
  /** Tokens read from the prompt cache, a count. Left out: `0`. Since 2.0.7. */
  cache_input_tokens?: number;
  /** Tokens read in order to fill the prompt cache, a count. Left out: `0`. Since 2.0.7. */
  cache_creation_input_tokens?: number;
}

/**
 * A person's answers (rule fold.confirm.result). Members that are not named here are kept; strict
 * validation reports them.
 */
export interface UserConfirmResultEvent extends EventBase {
  /** The tag of this event, always "USER_CONFIRM_RESULT". */
  type: "USER_CONFIRM_RESULT";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
  /** An answer a call. A call that is left out goes on waiting. */
  confirm_results: ConfirmResult[];
}

/**
 * A person stops a waiting reply. Changes nothing in the Msg; the agent closes the calls with
 * events of their own. metadata.interrupt may give the context (rule wire.meta.interrupt). Members
 * that are not named here are kept; strict validation reports them.
 */
export interface UserInterruptEvent extends EventBase {
  /** The tag of this event, always "USER_INTERRUPT". */
  type: "USER_INTERRUPT";
  /** The id of the reply, and of the Msg that it builds. */
  reply_id: string;
}
