/**
 * The ops `to_proto` and `from_proto`.
 *
 * @module
 */

import type { DescMessage } from "@bufbuild/protobuf";
import { MsgfoldError } from "../errors.js";
import { AgentEventSchema, decodeProto, encodeProto, MsgSchema } from "../proto/index.js";
import { about } from "./about.js";

type Definition = "Msg" | "AgentEvent";

const SCHEMAS: Record<Definition, DescMessage> = { Msg: MsgSchema, AgentEvent: AgentEventSchema };

/** A case's input. */
export interface ToProtoInput {
  definition: Definition;
  value: object;
  ignore_unknown?: boolean;
}

/** A case's input. */
export interface FromProtoInput {
  definition: Definition;
  hex: string;
}

/** The answer to a case: the members of its `expect`. */
export function toProto(input: ToProtoInput): Record<string, unknown> {
  const options = { ignoreUnknown: input.ignore_unknown ?? false };
  return answer(() => {
    const bytes = encodeProto(SCHEMAS[input.definition], input.value, options);
    return { hex: Buffer.from(bytes).toString("hex") };
  });
}

/** The answer to a case: the members of its `expect`. */
export function fromProto(input: FromProtoInput): Record<string, unknown> {
  return answer(() => ({
    value: decodeProto(SCHEMAS[input.definition], Buffer.from(input.hex, "hex")),
  }));
}

function answer(work: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return work();
  } catch (error) {
    if (error instanceof MsgfoldError) return { error: about(error) };
    throw error;
  }
}
