/**
 * JSON to protobuf, losslessly, by the names of the proto files (`wire.proto.*`).
 *
 * @module
 */

import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { decodeBase64 } from "../base64.js";
import { isObject, type JsonObject } from "../contract.js";
import { MsgfoldError, OutOfRangeError, UnmappedFieldError } from "../errors.js";
import { checkJson, dumpJson, pointer } from "../json.js";
import { shown } from "../validate/schema.js";
import { isNull, listOf, planOf, tagOf, wordOf } from "./fields.js";

type Path = readonly (string | number)[];

/** Settings of {@link toProto}. */
export interface ToProtoOptions {
  /** Drop members that protobuf has no field for, instead of refusing them. */
  ignoreUnknown?: boolean | undefined;
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * A JSON value as a protobuf message.
 *
 * @param schema The message: `AgentEventSchema`, `MsgSchema`, or a block's.
 * @param value An event, a Msg or a block.
 * @param options Settings.
 * @throws {UnmappedFieldError} A member, or its form, has no field.
 * @throws {OutOfRangeError} An integer that 64 bits, or a JavaScript number, do not hold.
 * @throws {InvalidBase64Error} Data that is not canonical base64.
 * @throws {InvalidJsonError} A lone surrogate, or a number that is not finite.
 * @throws {TooDeepError} It is nested too deeply.
 *
 * @example
 * ```ts
 * const event = { type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id: "b", delta: "Hi" };
 * const message = toProto(AgentEventSchema, event);
 * if (message.event.case === "textBlockDelta") message.event.value.delta; // "Hi"
 * ```
 */
export function toProto<Desc extends DescMessage>(
  schema: Desc,
  value: object,
  { ignoreUnknown = false }: ToProtoOptions = {},
): MessageShape<Desc> {
  checkJson(value);
  if (!isObject(value)) throw unmapped("an object is expected", [], value);
  const message = create(schema);
  new Writer(ignoreUnknown).fill(reflect(schema, message), value, []);
  return message;
}

class Writer {
  readonly #ignoreUnknown: boolean;

  constructor(ignoreUnknown: boolean) {
    this.#ignoreUnknown = ignoreUnknown;
  }

  fill(message: ReflectMessage, value: JsonObject, path: Path): void {
    const plan = planOf(message.desc);
    let inner: ReflectMessage | undefined;
    const tag = value.type;
    if (plan.union.size > 0) {
      const field = typeof tag === "string" ? plan.union.get(tag) : undefined;
      if (field === undefined) {
        throw unmapped(`no ${message.desc.name} has this type`, [...path, "type"], tag);
      }
      inner = reflect(field.message);
      this.#members(inner, message, value, path);
      message.set(field, inner);
      return;
    }
    const own = tagOf(message.desc);
    if (own !== undefined && tag !== undefined && tag !== own) {
      throw unmapped("another type stands here", [...path, "type"], tag);
    }
    this.#members(message, undefined, value, path);
  }

  /** Every member of an object: in `inner`, or else in the message around it. */
  #members(
    inner: ReflectMessage,
    outer: ReflectMessage | undefined,
    value: JsonObject,
    path: Path,
  ): void {
    const plan = planOf(inner.desc);
    const outerPlan = outer && planOf(outer.desc);
    const isTagged = outer !== undefined || tagOf(inner.desc) !== undefined;
    const extra: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const own = plan.members.get(name);
      const around = outerPlan?.members.get(name);
      if (own !== undefined) {
        this.#set(inner, own, member, [...path, name]);
      } else if (outer !== undefined && around !== undefined) {
        this.#set(outer, around, member, [...path, name]);
      } else if (name !== "type" || !isTagged) {
        extra.push([name, member]);
      }
    }
    const [first] = extra;
    if (first === undefined) return;
    if (plan.extra !== undefined) inner.set(plan.extra, dumpJson(Object.fromEntries(extra)));
    else if (!this.#ignoreUnknown) {
      throw unmapped("protobuf has no field for this member", [...path, first[0]], first[1]);
    }
  }

  #set(message: ReflectMessage, fields: readonly DescField[], value: unknown, path: Path): void {
    const field = fields.find((each) => takes(each, value));
    if (field === undefined) {
      throw unmapped("protobuf has no field for this kind of value", path, value);
    }
    if (field.fieldKind === "list") {
      this.#list(message.get(field), value as unknown[], path);
    } else if (field.fieldKind === "message") {
      const inner = reflect(field.message);
      const list = listOf(field.message);
      if (list !== undefined) this.#list(inner.get(list), value as unknown[], path);
      else this.fill(inner, value as JsonObject, path);
      message.set(field, inner);
    } else {
      message.set(field, scalar(field, value, path));
    }
  }

  #list(target: ReflectList, values: unknown[], path: Path): void {
    const desc = (target.field() as { message?: DescMessage }).message as DescMessage;
    values.forEach((value, position) => {
      const where = [...path, position];
      if (!isObject(value)) throw unmapped("an object is expected", where, value);
      const item = reflect(desc);
      this.fill(item, value, where);
      target.add(item);
    });
  }
}

/** Whether a field is the one for a JSON value of this kind. */
function takes(field: DescField, value: unknown): boolean {
  if (field.fieldKind === "enum") {
    return isNull(field.enum) ? value === null : typeof value === "string";
  }
  if (field.fieldKind === "list") return Array.isArray(value);
  if (field.fieldKind === "message") {
    return listOf(field.message) === undefined ? isObject(value) : Array.isArray(value);
  }
  if (field.name.endsWith("_json")) return isObject(value);
  if (field.scalar === ScalarType.BOOL) return typeof value === "boolean";
  if (field.scalar === ScalarType.INT64) {
    return typeof value === "bigint" || Number.isInteger(value);
  }
  return typeof value === "string";
}

function scalar(field: DescField, value: unknown, path: Path): unknown {
  if (field.fieldKind === "enum") {
    return value === null ? 0 : numberOf(field.enum, value as string, path);
  }
  if (field.name.endsWith("_json")) return dumpJson(value);
  if (field.scalar === ScalarType.INT64) return int64(value as number | bigint, path);
  if (field.scalar === ScalarType.BYTES) return bytes(value as string, path);
  return value;
}

function int64(value: number | bigint, path: Path): bigint {
  const isExact = typeof value === "bigint" || Number.isSafeInteger(value);
  const found = BigInt(value);
  if (isExact && found >= INT64.min && found <= INT64.max) return found;
  throw new OutOfRangeError("an integer that 64 bits or a JavaScript number do not hold", {
    place: { pointer: pointer(path) },
    expected: `a number up to ${Number.MAX_SAFE_INTEGER}, or a bigint up to ${INT64.max}`,
    got: String(value),
    rule: "wire.proto.int64",
  });
}

function bytes(value: string, path: Path): Uint8Array {
  try {
    return decodeBase64(value);
  } catch (error) {
    throw error instanceof MsgfoldError ? error.at({ pointer: pointer(path) }) : error;
  }
}

function numberOf(desc: DescEnum, word: string, path: Path): number {
  const found = desc.values.find((value) => wordOf(value) === word);
  if (found === undefined) throw unmapped(`${desc.name} has no such word`, path, word);
  return found.number;
}

function unmapped(said: string, path: Path, value: unknown): UnmappedFieldError {
  return new UnmappedFieldError(said, {
    place: { pointer: pointer(path) },
    expected: "what the schema and the proto files have",
    got: shown(value),
    hint: "Validate the value first, or say ignoreUnknown to drop unknown members",
    rule: "wire.proto.unmapped",
  });
}
