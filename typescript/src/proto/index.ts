/**
 * JSON and protobuf, back and forth, nothing lost. The messages are those of protobuf-es; this
 * entry point and `msgfold/grpc` are the only ones that need `@bufbuild/protobuf`.
 *
 * @module
 */

import {
  type DescMessage,
  fromBinary,
  isMessage,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { AgentEventSchema } from "../_protobuf/msgfold/v1/agent_event_pb.js";
import type { MsgSchema } from "../_protobuf/msgfold/v1/msg_pb.js";
import { InvalidEventError, InvalidMsgError, InvalidProtoError } from "../errors.js";
import { checkJson, kindOf } from "../json.js";
import { refusal } from "../refuse.js";
import type { AgentEvent, Msg } from "../types.js";
import { check as faultsOf } from "../validate/schema.js";
import { readMessage } from "./from-proto.js";
import { type ToProtoOptions, toProto } from "./to-proto.js";

export * from "../_protobuf/msgfold/v1/agent_event_pb.js";
export * from "../_protobuf/msgfold/v1/content_block_pb.js";
export * from "../_protobuf/msgfold/v1/msg_pb.js";
export * from "../_protobuf/msgfold/v1/permission_pb.js";
export * from "../_protobuf/msgfold/v1/reply_pb.js";
export * from "../_protobuf/msgfold/v1/reply_service_pb.js";
export { type ToProtoOptions, toProto };

/** Settings of {@link fromProto}. */
export interface FromProtoOptions {
  /** Hold the value against the schema, as JSON that comes from elsewhere; true when left out. */
  check?: boolean | undefined;
}

/** The JSON value that a message stands for. */
export type ValueOf<Desc extends DescMessage> =
  MessageShape<Desc> extends MessageShape<typeof AgentEventSchema>
    ? AgentEvent
    : MessageShape<Desc> extends MessageShape<typeof MsgSchema>
      ? Msg
      : object;

/**
 * A protobuf message as a JSON value.
 *
 * @param schema The message's schema, such as `AgentEventSchema`.
 * @param message The message.
 * @param options Settings.
 * @throws {InvalidProtoError} An empty union, an enum that is not set, JSON text that is none.
 * @throws {OutOfRangeError} An integer that a JavaScript number does not hold.
 * @throws {InvalidEventError} It is not what the contract's schema says (`wire.proto.checked`).
 * @throws {InvalidMsgError} So is this.
 */
export function fromProto<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  { check = true }: FromProtoOptions = {},
): ValueOf<Desc> {
  if (!isMessage(message, schema)) {
    throw new InvalidProtoError(`not a ${schema.name}`, {
      place: { pointer: "" },
      expected: `a message of ${schema.typeName}`,
      got: kindOf(message),
      hint: "decodeProto reads bytes, toProto makes a message of a JSON value",
    });
  }
  const value = readMessage(reflect(schema, message), []);
  checkJson(value);
  const faults = check && CHECKED.has(schema.name) ? faultsOf(value, schema.name) : [];
  if (faults.length === 0) return value as ValueOf<Desc>;
  const Type = schema.name === "Msg" ? InvalidMsgError : InvalidEventError;
  throw refusal(Type, faults, "wire.proto.checked");
}

/** The messages that are whole values of the contract. */
const CHECKED = new Set(["AgentEvent", "Msg"]);

/** The bytes of a JSON value in protobuf. Arguments and errors as for {@link toProto}. */
export function encodeProto(
  schema: DescMessage,
  value: object,
  options?: ToProtoOptions,
): Uint8Array {
  return toBinary(schema, toProto(schema, value, options));
}

/**
 * The JSON value of a message on the wire. Errors as for {@link fromProto}, and:
 *
 * @throws {InvalidProtoError} The bytes are no such message.
 */
export function decodeProto<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  options?: FromProtoOptions,
): ValueOf<Desc> {
  let message: MessageShape<Desc>;
  try {
    message = fromBinary(schema, bytes);
  } catch (error) {
    throw new InvalidProtoError(`no ${schema.name} in protobuf: ${(error as Error).message}`, {
      place: { pointer: "" },
      expected: `the bytes of a ${schema.typeName}`,
      got: kindOf(bytes) === "Uint8Array" ? `${bytes.length} bytes` : kindOf(bytes),
      rule: "wire.proto.bytes",
    });
  }
  return fromProto(schema, message, options);
}
