/**
 * Requests as protobuf, and responses as what a client gives out.
 *
 * @module
 */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  AgentEventSchema,
  type AgentEvent as EventMessage,
} from "../_protobuf/msgfold/v1/agent_event_pb.js";
import { MsgSchema } from "../_protobuf/msgfold/v1/msg_pb.js";
import {
  type GetReplyResponse,
  ReplyState as States,
  type StreamReplyRequestSchema,
  type StreamReplyResponse,
} from "../_protobuf/msgfold/v1/reply_service_pb.js";
import { ServiceError } from "../client/errors.js";
import type { Arrival, Start } from "../client/transport.js";
import type { Reply, ReplyState } from "../client/types.js";
import { MsgfoldError } from "../errors.js";
import { fromProto, toProto } from "../proto/index.js";
import type { AgentEvent, Msg } from "../types.js";

type Request = MessageInitShape<typeof StreamReplyRequestSchema>;

/**
 * @throws {ServiceError} The input does not fit into protobuf; over HTTP the server says so.
 */
export function requestOf({ input, requestId, sessionId = "", linger }: Start): Request {
  return {
    requestId,
    sessionId,
    input: inputOf(input),
    ...(linger !== undefined && { linger: durationOf(linger) }),
  };
}

function inputOf(input: Start["input"]): Exclude<Request["input"], undefined> {
  if ("answer" in input) {
    return { case: "answer", value: message(AgentEventSchema, input.answer, "/answer") };
  }
  const items = input.messages.map((msg, n) => message(MsgSchema, msg, `/messages/${n}`));
  return { case: "messages", value: { items } };
}

function message<Schema extends typeof AgentEventSchema | typeof MsgSchema>(
  schema: Schema,
  value: object,
  pointer: string,
) {
  try {
    // As over HTTP, where members that are undefined are not sent.
    return toProto(schema, JSON.parse(JSON.stringify(value) ?? "null"));
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    const where = pointer + (error.place.pointer ?? "");
    throw new ServiceError("invalid_request", error.reason, { pointer: where, cause: error });
  }
}

function durationOf(seconds: number) {
  const whole = Math.floor(seconds);
  const nanos = Math.min(Math.round((seconds - whole) * 1e9), 999_999_999);
  return create(DurationSchema, { seconds: BigInt(whole), nanos });
}

/**
 * What came in a message of a stream.
 *
 * @param response The message.
 * @param arrival Is filled.
 * @param first The index of its first event, for errors.
 * @throws {MsgfoldError} An event that is none; those before it are in the arrival.
 * @throws {ServiceError} A state that this version does not know.
 */
export function take(
  { events, state }: Pick<StreamReplyResponse, "events" | "state">,
  arrival: Arrival,
  first: number,
): void {
  for (const each of events) {
    arrival.events.push(eventOf(each, first + arrival.events.length));
    arrival.ids.push(each.id);
  }
  const stands = state === States.UNSPECIFIED ? undefined : stateOf(state);
  if (stands !== "running") arrival.state = stands;
}

function eventOf(event: EventMessage, eventIndex: number): AgentEvent {
  try {
    // Taken as it came, as over HTTP: what its members are is for the fold to say.
    return fromProto(AgentEventSchema, event, { check: false }) as AgentEvent;
  } catch (error) {
    throw error instanceof MsgfoldError ? error.at({ eventIndex }) : error;
  }
}

/** A reply as it is now. Errors as for {@link take}. */
export function replyOf(replyId: string, response: GetReplyResponse): Reply {
  const { msg, state, lastEventId, sessionId } = response;
  return {
    reply_id: replyId,
    session_id: sessionId,
    state: stateOf(state),
    last_event_id: lastEventId,
    msg: msg === undefined ? null : (fromProto(MsgSchema, msg, { check: false }) as Msg),
  };
}

/** @throws {ServiceError} It is none that this version knows. */
export function stateOf(state: States): ReplyState {
  const name = States[state];
  if (name !== undefined && state !== States.UNSPECIFIED) return name.toLowerCase() as ReplyState;
  const reason = `the server sent a state that this version does not know, ${state}; is it newer?`;
  throw new ServiceError("internal", reason);
}
