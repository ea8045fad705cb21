/**
 * One event and one Msg: what an event is, and why one goes to no Msg at all.
 *
 * A single event is applied without a {@link Folder}, which a program that reduces state event by
 * event would have to make for each.
 *
 * @module
 */

import { type Diagnostic, type DiagnosticCode, logDiagnostic, MsgfoldError } from "../errors.js";
import { checkJson } from "../json.js";
import { DEFAULT_REVISION } from "../revisions.js";
import type { Msg } from "../types.js";
import { checkGiven, frozen } from "./given.js";
import { IN_PLACE, type Ownership } from "./ownership.js";
import { readEvent } from "./read.js";
import { newMsg } from "./reply.js";
import { type Event, FoldState } from "./state.js";
import type { FoldOptions } from "./stream.js";
import { eventKinds, isFolded } from "./table.js";

/** A diagnostic whose place is still to be said. */
export type Passed = Omit<Diagnostic, "place">;

/** An event of a type that is not known (`fold.unknown-event`). */
export function unknownEvent({ type, reply_id }: Event): Passed {
  return {
    code: "unknown_event",
    message: `unknown event type ${JSON.stringify(type)}; the event is skipped`,
    rule: "fold.unknown-event",
    ...(typeof reply_id === "string" ? { replyId: reply_id } : {}),
  };
}

/** An event of another reply than the one being folded (`fold.reply-id`). */
export function otherReply(event: Event, mine: string): Passed {
  const why = `is of reply ${JSON.stringify(event.reply_id)}, the Msg is ${JSON.stringify(mine)}`;
  return passed(event, "reply_id_mismatch", "fold.reply-id", why);
}

/** An event of a reply that no REPLY_START began (`fold.stream.not-started`). */
export function notStarted(event: Event): Passed {
  const why = `came before the REPLY_START of reply ${JSON.stringify(event.reply_id)}`;
  return passed(event, "reply_not_started", "fold.stream.not-started", why);
}

/** An event of a reply that was handed over already (`fold.stream.closed`). */
export function closedReply(event: Event): Passed {
  const which = JSON.stringify(event.reply_id);
  const why = `came after reply ${which} had finished and another had started`;
  return passed(event, "reply_closed", "fold.stream.closed", why);
}

function passed(event: Event, code: DiagnosticCode, rule: string, why: string): Passed {
  const message = `${event.type} ${why}; the event is skipped`;
  return { code, message, rule, replyId: event.reply_id };
}

/**
 * Apply one event to a Msg, or to none yet.
 *
 * @param given The Msg; `null` until a REPLY_START makes it.
 * @param value The event.
 * @param options How it is folded.
 * @param ownership Who owns the Msg.
 * @returns The Msg, another object where the owner wants it so.
 * @throws {MsgfoldError} The event must not be applied.
 */
export function applyOne(
  given: Msg | null,
  value: unknown,
  { revision = DEFAULT_REVISION, onDiagnostic = logDiagnostic }: FoldOptions,
  ownership: Ownership,
): Msg | null {
  const kinds = eventKinds(revision);
  if (given !== null) checkGiven(given);
  const pass = (passed: Passed) => onDiagnostic({ ...passed, place: {} });
  try {
    checkJson(value);
    const event: Event = value;
    let kind = kinds.get(event?.type);
    if (kind === undefined || !kind.isShaped(event)) {
      if (readEvent(value, undefined) === undefined) {
        pass(unknownEvent(event));
        return given;
      }
      kind = kinds.get(event.type);
    }
    if (kind === undefined || !isFolded(kind)) return given;
    if (given === null && kind.type !== "REPLY_START") {
      pass(notStarted(event));
      return given;
    }
    const msg = given ?? newMsg(event);
    if (msg.id !== event.reply_id) {
      pass(otherReply(event, msg.id));
      return given;
    }
    const context = { revision, onDiagnostic, lenient: false, line: undefined };
    const state = new FoldState(msg, context, ownership);
    kind.handler(state, event);
    return state.msg;
  } catch (error) {
    if (error instanceof MsgfoldError) throw error.at({});
    // What is frozen shows when it is written to; to look before would cost more than the writing.
    throw (ownership === IN_PLACE && given !== null && frozen(given)) || error;
  }
}
