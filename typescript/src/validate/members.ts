/**
 * Members that the schema does not name, through a whole value (`wire.json.unknown-member`).
 *
 * Not every one is a fault: they are kept everywhere. But one that came with a later release is
 * dropped by this one, and one that is another's name in camelCase is read by some and not by
 * others.
 *
 * @module
 */

import { type Definition, isObject, type Profile, profile } from "../contract.js";
import { pointer } from "../json.js";
import type { Fault } from "./faults.js";

type Path = readonly (string | number)[];

/**
 * The faults of a value's unnamed members.
 *
 * @param value The value.
 * @param given What it is meant to follow.
 * @param held The profile that this is of.
 * @param strict Whether every unnamed member is a fault.
 * @param path Where the value is.
 */
export function* unnamedMembers(
  value: unknown,
  given: Definition,
  held: Profile,
  strict: boolean,
  path: Path = [],
): Generator<Fault> {
  const schema = held.select(value, given);
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield* unnamedMembers(item, schema.items ?? {}, held, strict, [...path, at]);
    }
    return;
  }
  const known = schema.properties;
  if (!isObject(value) || known === undefined) return;
  for (const [name, member] of Object.entries(value)) {
    const named = Object.hasOwn(known, name) ? known[name] : undefined;
    if (named !== undefined) {
      yield* unnamedMembers(member, named, held, strict, [...path, name]);
    } else {
      const fault = unnamed(name, schema, known, strict);
      if (fault !== undefined) yield { ...fault, place: { pointer: pointer([...path, name]) } };
    }
  }
}

function unnamed(
  name: string,
  schema: Definition,
  known: Readonly<Record<string, Definition>>,
  strict: boolean,
): Fault | undefined {
  const newest = profile().definition(schema.title as string).properties ?? {};
  const later = Object.hasOwn(newest, name) ? newest[name]?.["x-since"] : undefined;
  const isOpen = schema["x-extra-members"] !== undefined;
  const names = Object.keys(known).join(", ");
  const said = JSON.stringify(name);
  const base = { place: {}, got: said };
  if (later !== undefined && !isOpen) {
    const message = `${said} came with ${later}`;
    return { ...base, code: "newer_member", message, expected: `one of ${names}` };
  }
  const message = `unknown member ${said}`;
  const snake = name.replace(/(?<=[a-z0-9])([A-Z])/g, (found) => `_${found.toLowerCase()}`);
  if (Object.hasOwn(known, snake)) {
    const expected = `snake_case, did you mean ${snake}?`;
    return { ...base, code: "camel_case_member", message, expected };
  }
  if (!strict || isOpen) return undefined;
  return { ...base, code: "unknown_member", message, expected: `one of ${names}` };
}
