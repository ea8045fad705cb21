/**
 * Event type to handler, a table for each revision.
 *
 * A revision is an AgentScope release whose fold is reproduced. A later one is written as what it
 * changes, laid over the one before it, so that the difference between two releases can be read
 * off.
 *
 * @module
 */

import { SHAPES } from "../_contract/shapes.js";
import { profile, tagOf } from "../contract.js";
import { knownRevision, type Revision } from "../revisions.js";
import * as data from "./data.js";
import * as hint from "./hint.js";
import { watched } from "./newer.js";
import * as reply from "./reply.js";
import type { Event, Handler } from "./state.js";
import * as text from "./text.js";
import * as thinking from "./thinking.js";
import { ends, timed, whole } from "./times.js";
import * as toolCall from "./tool-call.js";
import * as toolResult from "./tool-result.js";

type Table = Readonly<Record<string, Handler>>;

const TABLE_2_0_4: Table = {
  REPLY_START: reply.nothing,
  REPLY_END: reply.end,
  MODEL_CALL_START: reply.nothing,
  MODEL_CALL_END: reply.modelCallEnd,
  TEXT_BLOCK_START: text.start,
  TEXT_BLOCK_DELTA: text.delta,
  TEXT_BLOCK_END: reply.nothing,
  DATA_BLOCK_START: data.start,
  DATA_BLOCK_DELTA: data.delta,
  DATA_BLOCK_END: reply.nothing,
  THINKING_BLOCK_START: thinking.start,
  THINKING_BLOCK_DELTA: thinking.delta,
  THINKING_BLOCK_END: reply.nothing,
  HINT_BLOCK: hint.append,
  TOOL_CALL_START: toolCall.start,
  TOOL_CALL_DELTA: toolCall.delta,
  TOOL_CALL_END: reply.nothing,
  TOOL_RESULT_START: toolResult.start,
  TOOL_RESULT_TEXT_DELTA: toolResult.textDelta,
  TOOL_RESULT_DATA_DELTA: toolResult.dataDelta,
  TOOL_RESULT_END: toolResult.end,
  EXCEED_MAX_ITERS: reply.nothing,
  REQUIRE_USER_CONFIRM: toolCall.requireConfirm,
  REQUIRE_EXTERNAL_EXECUTION: toolCall.requireExternal,
  USER_CONFIRM_RESULT: toolCall.confirmResult,
  USER_INTERRUPT: reply.nothing,
  EXTERNAL_EXECUTION_RESULT: toolCall.externalResult,
  CUSTOM: reply.custom,
};

const TABLE_2_0_5: Table = {
  ...TABLE_2_0_4,
  REPLY_END: reply.endWithReason,
};

const TABLE_2_0_6: Table = {
  ...TABLE_2_0_5,
  // Blocks know when they began ...
  TEXT_BLOCK_START: timed(text.start),
  DATA_BLOCK_START: timed(data.start),
  THINKING_BLOCK_START: timed(thinking.start),
  TOOL_CALL_START: timed(toolCall.start),
  TOOL_RESULT_START: timed(toolResult.start),
  TOOL_RESULT_TEXT_DELTA: timed(toolResult.textDelta),
  TOOL_RESULT_DATA_DELTA: timed(toolResult.dataDelta),
  // ... and when they ended.
  TEXT_BLOCK_END: ends("text", "block_id"),
  DATA_BLOCK_END: ends("data", "block_id"),
  THINKING_BLOCK_END: ends("thinking", "block_id"),
  TOOL_CALL_END: ends("tool_call", "tool_call_id"),
  TOOL_RESULT_END: toolResult.endStamped,
  // What comes whole begins and ends at once.
  HINT_BLOCK: whole(hint.append),
  EXTERNAL_EXECUTION_RESULT: whole(toolCall.externalResult),
};

const TABLE_2_0_7: Table = {
  ...TABLE_2_0_6,
  MODEL_CALL_END: reply.modelCallEndCached,
};

const TABLE_2_0_8: Table = {
  ...TABLE_2_0_7,
  TEXT_BLOCK_END: text.end,
  DATA_BLOCK_START: timed(data.startNamed),
  DATA_BLOCK_DELTA: data.deltaOrUrl,
};

const TABLE_2_0_11: Table = {
  ...TABLE_2_0_8,
  TOOL_RESULT_DATA_DELTA: timed(toolResult.dataDeltaMerged),
};

const REVISIONS: Readonly<Record<Revision, Table>> = {
  "2.0.4": TABLE_2_0_4,
  "2.0.5": TABLE_2_0_5,
  "2.0.6": TABLE_2_0_6,
  "2.0.7": TABLE_2_0_7,
  "2.0.8": TABLE_2_0_8,
  "2.0.9": TABLE_2_0_8,
  "2.0.10": TABLE_2_0_8,
  "2.0.11": TABLE_2_0_11,
};

/** What there is to know of a type of event. */
export interface EventKind {
  readonly type: string;
  /** Whether an event is plainly well-formed. */
  readonly isShaped: (event: Event) => boolean;
  readonly handler: Handler;
}

/** Whether an event changes its Msg at all: what CUSTOM says is the program's own. */
export function isFolded({ handler }: EventKind): boolean {
  return handler !== reply.custom;
}

const made = new Map<string, ReadonlyMap<unknown, EventKind>>();

/**
 * What each type of event does in a revision. An event whose members came later, in part, is
 * looked over for them first.
 *
 * @throws {UnknownRevisionError} There is no such revision.
 */
export function eventKinds(revision: string): ReadonlyMap<unknown, EventKind> {
  let found = made.get(revision);
  if (found === undefined) {
    const table = REVISIONS[knownRevision(revision)];
    const contract = profile();
    const titles = contract.definition("AgentEvent").oneOf ?? [];
    found = new Map(
      titles.map((member) => {
        const schema = contract.resolve(member);
        const type = tagOf(schema) as string;
        const isShaped = SHAPES[type] as EventKind["isShaped"];
        const handler = watched(table[type] as Handler, schema.title as string, revision);
        return [type, { type, isShaped, handler }];
      }),
    );
    made.set(revision, found);
  }
  return found;
}
