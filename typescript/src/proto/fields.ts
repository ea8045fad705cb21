/**
 * What the descriptors say: how each protobuf message is written in JSON.
 *
 * There is no table of members in this package. The rules at the top of `content_block.proto` say
 * how JSON and protobuf name the same things; here they are read off the generated code, once for
 * each message.
 *
 * @module
 */

import type { DescEnum, DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import {
  AgentEventSchema,
  file_msgfold_v1_agent_event,
} from "../_protobuf/msgfold/v1/agent_event_pb.js";
import { file_msgfold_v1_content_block } from "../_protobuf/msgfold/v1/content_block_pb.js";
import { file_msgfold_v1_msg } from "../_protobuf/msgfold/v1/msg_pb.js";

/** The field that holds extra members, where there is one. */
export const EXTRA = "extra_json";

/** How a message is written in JSON. */
export interface Plan {
  /** JSON member to the fields that carry it, each for one kind of JSON value. */
  readonly members: ReadonlyMap<string, readonly DescField[]>;
  /** JSON `type` to the field of the union, when the message holds one. */
  readonly union: ReadonlyMap<string, UnionField>;
  /** The field for extra members. */
  readonly extra: DescField | undefined;
}

/** A field of a union: a message. */
export type UnionField = DescField & { message: DescMessage };

const FILES = [file_msgfold_v1_agent_event, file_msgfold_v1_content_block, file_msgfold_v1_msg];
const UNIONS = new Set(["block", "source", "event"]);

const plans = new Map<DescMessage, Plan>();

/** How a message is written in JSON. */
export function planOf(message: DescMessage): Plan {
  let plan = plans.get(message);
  if (plan === undefined) {
    plan = made(message);
    plans.set(message, plan);
  }
  return plan;
}

function made(message: DescMessage): Plan {
  const union = unionOf(message);
  const inUnion = new Set<DescField>(union.values());
  const members = new Map<string, DescField[]>();
  for (const field of message.fields) {
    if (inUnion.has(field) || field.name === EXTRA) continue;
    const name = field.oneof?.name ?? field.name.replace(/_json$/, "");
    const fields = members.get(name);
    if (fields === undefined) members.set(name, [field]);
    else fields.push(field);
  }
  return { members, union, extra: message.fields.find((field) => field.name === EXTRA) };
}

function unionOf(message: DescMessage): Map<string, UnionField> {
  const found = new Map<string, UnionField>();
  for (const oneof of message.oneofs) {
    if (!UNIONS.has(oneof.name) || !oneof.fields.every((field) => field.message)) continue;
    const isEvent = message.typeName === AgentEventSchema.typeName;
    for (const field of oneof.fields as UnionField[]) {
      found.set(isEvent ? field.name.toUpperCase() : field.name, field);
    }
  }
  return found;
}

let tags: Map<string, string> | undefined;

/** The JSON `type` that a message has wherever it stands; `undefined`: it has none. */
export function tagOf(message: DescMessage): string | undefined {
  tags ??= new Map(
    FILES.flatMap((file) => file.messages)
      .flatMap((each) => [...unionOf(each)])
      .map(([tag, field]) => [field.message.typeName, tag]),
  );
  return tags.get(message.typeName);
}

/** Whether a message is a list in JSON; if so, its field. */
export function listOf(message: DescMessage): (DescField & { fieldKind: "list" }) | undefined {
  const [field, ...others] = message.fields;
  const isList = field?.name === "items" && field.fieldKind === "list" && others.length === 0;
  return isList ? field : undefined;
}

/** Whether an enum is protobuf's null. */
export function isNull(desc: DescEnum): boolean {
  return desc.typeName === "google.protobuf.NullValue";
}

/** The JSON word of a value of an enum; `undefined` for the first, which is never written. */
export function wordOf(value: DescEnumValue): string | undefined {
  if (value.number === 0) return undefined;
  const prefix = (value.parent.values[0] as DescEnumValue).name.replace(/UNSPECIFIED$/, "");
  return value.name.slice(prefix.length).toLowerCase();
}
