/**
 * Protobuf to JSON, losslessly, by the names of the proto files (`wire.proto.*`).
 *
 * @module
 */

import { type DescEnum, type DescField, ScalarType } from "@bufbuild/protobuf";
import type { ReflectList, ReflectMessage } from "@bufbuild/protobuf/reflect";
import { encodeBase64 } from "../base64.js";
import { InvalidProtoError, MsgfoldError, OutOfRangeError } from "../errors.js";
import { parseJson, pointer } from "../json.js";
import { isNull, listOf, planOf, tagOf, wordOf } from "./fields.js";

type Path = readonly (string | number)[];
type JsonObject = Record<string, unknown>;

/**
 * A protobuf message as a JSON value, not held against the schema.
 *
 * @throws {InvalidProtoError} An empty union, an enum that is not set, JSON text that is none.
 * @throws {OutOfRangeError} An integer that a JavaScript number does not hold.
 */
export function readMessage(message: ReflectMessage, path: Path): JsonObject {
  const { desc } = message;
  const plan = planOf(desc);
  if (plan.union.size === 0) {
    const tag = tagOf(desc);
    // Not an object literal with names put in later: a member may be called __proto__.
    return Object.fromEntries([
      ...(tag === undefined ? [] : [["type", tag]]),
      ...members(message, path),
    ]);
  }
  for (const [tag, field] of plan.union) {
    if (!message.isSet(field)) continue;
    const inner = message.get(field) as ReflectMessage;
    return Object.fromEntries([["type", tag], ...members(message, path), ...members(inner, path)]);
  }
  throw invalid(`${desc.name} is empty: none of its union is set`, path, {
    expected: `one of ${[...plan.union.keys()].join(", ")}`,
    got: "none, or one of a later release",
    rule: "wire.proto.union",
  });
}

function* members(message: ReflectMessage, path: Path): Generator<[string, unknown]> {
  const plan = planOf(message.desc);
  for (const [name, fields] of plan.members) {
    for (const field of fields) {
      if (field.fieldKind === "list" || message.isSet(field)) {
        yield [name, memberOf(field, message.get(field), [...path, name])];
      }
    }
  }
  if (plan.extra !== undefined && message.isSet(plan.extra)) {
    yield* Object.entries(parsed(message.get(plan.extra) as string, path));
  }
}

function memberOf(field: DescField, value: unknown, path: Path): unknown {
  switch (field.fieldKind) {
    case "list":
      return items(value as ReflectList, path);
    case "message": {
      const list = listOf(field.message);
      const inner = value as ReflectMessage;
      return list === undefined ? readMessage(inner, path) : items(inner.get(list), path);
    }
    case "enum":
      return isNull(field.enum) ? null : word(field.enum, value as number, path);
    default:
      if (field.name.endsWith("_json")) return parsed(value as string, path);
      if (field.scalar === ScalarType.BYTES) return encodeBase64(value as Uint8Array);
      if (field.scalar === ScalarType.INT64) return integer(value as bigint, path);
      return value;
  }
}

function items(list: ReflectList, path: Path): unknown[] {
  return Array.from(list, (item, position) =>
    readMessage(item as ReflectMessage, [...path, position]),
  );
}

function word(desc: DescEnum, number: number, path: Path): string {
  const value = desc.value[number];
  const found = value && wordOf(value);
  if (found !== undefined) return found;
  throw invalid(`${desc.name} is ${number}, which is no word`, path, {
    expected: `one of ${desc.values
      .slice(1)
      .map((each) => each.name)
      .join(", ")}`,
    got: String(number),
    rule: "wire.proto.enum",
  });
}

function integer(value: bigint, path: Path): number {
  const found = Number(value);
  if (Number.isSafeInteger(found)) return found;
  throw new OutOfRangeError("an integer that a JavaScript number does not hold", {
    place: { pointer: pointer(path) },
    expected: `${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    got: String(value),
    hint: "Read the field of the message, which is a bigint",
    rule: "wire.proto.int64",
  });
}

function parsed(text: string, path: Path): object {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    throw noText(`JSON text that is none: ${error.reason}`, text, path);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw noText("JSON text that is no object", text, path);
}

function noText(reason: string, text: string, path: Path): InvalidProtoError {
  return invalid(reason, path, {
    expected: "a JSON object as text",
    got: text,
    rule: "wire.proto.json-text",
  });
}

function invalid(
  reason: string,
  path: Path,
  details: { expected: string; got: string; rule: string },
): InvalidProtoError {
  return new InvalidProtoError(reason, { ...details, place: { pointer: pointer(path) } });
}
