/**
 * A value against a definition of the contract, with faults that lead to the spot.
 *
 * A union goes straight to the member that `type` names, or to the one of the right JSON type, so
 * that a wrong event yields one fault and not one for every member of a union of 28. Asked about an
 * earlier release, the value is held against that release's profile.
 *
 * @module
 */

import { type Definition, isObject, type Profile, profile, tagOf } from "../contract.js";
import { shorten } from "../errors.js";
import { beginning, pointer } from "../json.js";
import type { Fault, FaultCode } from "./faults.js";
import { unnamedMembers } from "./members.js";

/** How a value is looked at. */
export interface CheckOptions {
  /** Report members that the schema does not name, too. */
  strict?: boolean | undefined;
  /** The release that has to read it; left out, it is held against the contract as it is. */
  revision?: string | undefined;
}

type Path = readonly (string | number)[];
type Report = (
  code: FaultCode,
  path: Path,
  message: string,
  expected: string,
  got: string,
  minted?: boolean,
) => void;

/**
 * Every fault of a value, in the order of their places.
 *
 * @param value A JSON value.
 * @param definition A title of the contract, such as `"Msg"` or `"AgentEvent"`.
 * @param options How it is looked at.
 * @throws {UnknownRevisionError} No such revision.
 */
export function check(value: unknown, definition: string, options: CheckOptions = {}): Fault[] {
  const held = profile(options.revision);
  const found: Fault[] = [];
  const report: Report = (code, path, message, expected, got, minted = false) => {
    const fault = { code, place: { pointer: pointer(path) }, message, expected, got };
    found.push(minted ? { ...fault, minted } : fault);
  };
  const schema = held.definition(definition);
  new Checker(held, report).value(value, schema, []);
  found.push(...unnamedMembers(value, schema, held, options.strict ?? false));
  return found
    .map((fault, at) => ({ fault, at, where: fault.place.pointer ?? "" }))
    .sort((a, b) => (a.where === b.where ? a.at - b.at : a.where < b.where ? -1 : 1))
    .map(({ fault }) => fault);
}

class Checker {
  constructor(
    readonly profile: Profile,
    readonly report: Report,
  ) {}

  value(value: unknown, given: Definition, path: Path): void {
    const schema = this.profile.resolve(given);
    if (schema.type !== undefined && !isType(value, schema.type)) {
      const wanted = typeof schema.type === "string" ? schema.type : schema.type.join(" or ");
      this.report("wrong_type", path, "another JSON type", wanted, shown(value));
      if (schema.enum === undefined) return;
    }
    if (schema.enum !== undefined) this.word(value, schema.enum, schema, path);
    if (schema.const !== undefined) this.word(value, [schema.const], schema, path);
    if (schema.pattern !== undefined) this.pattern(value, schema, path);
    if (schema.roles !== undefined) this.roles(value, schema.roles, path);
    if (schema.properties !== undefined) this.object(value, schema, path);
    else if (schema.oneOf !== undefined) this.union(value, schema, schema.oneOf, path);
    if (schema.items !== undefined && Array.isArray(value)) {
      for (const [at, item] of value.entries()) this.value(item, schema.items, [...path, at]);
    }
  }

  /** A word of a closed list (`wire.json.enum`). */
  private word(value: unknown, words: readonly string[], schema: Definition, path: Path): void {
    if (words.includes(value as string)) return;
    const later = schema["x-since-words"]?.[String(value)];
    const said = `unknown word ${shown(value)}`;
    this.report(
      "unknown_word",
      path,
      later === undefined ? said : `${said}, which came with ${later}`,
      words.length === 1 ? String(words[0]) : `one of ${words.join(", ")}`,
      shown(value),
    );
  }

  private pattern(value: unknown, schema: Definition, path: Path): void {
    if (typeof value !== "string" || compiled(schema.pattern as string).test(value)) return;
    if (schema.contentEncoding === undefined) {
      const expected = "an absolute URL, such as https://example.com/a.png";
      this.report("not_absolute_url", path, "not an absolute URL", expected, shown(value));
    } else {
      const expected = "canonical, padded base64 (RFC 4648 section 4)";
      this.report("invalid_base64", path, "not base64", expected, shown(value));
    }
  }

  /** The kinds of block that a role may carry (`fold.role`). */
  private roles(value: unknown, roles: NonNullable<Definition["roles"]>, path: Path): void {
    if (!isObject(value) || !Array.isArray(value.content)) return;
    const role = value.role;
    const kinds = typeof role === "string" && Object.hasOwn(roles, role) ? roles[role] : undefined;
    if (kinds === undefined) return;
    for (const [at, block] of value.content.entries()) {
      if (!isObject(block) || block.type === undefined || kinds.includes(block.type as string)) {
        continue;
      }
      const said = "a block that the role may not carry";
      const where = [...path, "content", at, "type"];
      this.report("role_violation", where, said, kinds.join(" or "), shown(block.type));
    }
  }

  private object(value: unknown, schema: Definition, path: Path): void {
    if (!isObject(value)) return;
    for (const name of schema.required ?? []) {
      if (value[name] !== undefined && Object.hasOwn(value, name)) continue;
      const names = Object.keys(value).map((each) => shown(each));
      const got = `an object with ${names.join(", ") || "no members"}`;
      const minted = schema.properties?.[name]?.["x-mint"] !== undefined;
      this.report("missing_member", path, `${name} is missing`, `a member ${name}`, got, minted);
    }
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
      this.value(value[name], member, [...path, name]);
    }
    if (schema.oneOf !== undefined) this.dataOrUrl(value, path);
  }

  /** Exactly one of data and url; empty data is data (`wire.json.data-or-url`). */
  private dataOrUrl(value: Record<string, unknown>, path: Path): void {
    const given = ["data", "url"].filter((name) => value[name] != null);
    if (given.length === 1) return;
    const said = "exactly one of data and url must be given";
    const expected = "data or url, the other null or absent";
    this.report("data_or_url", path, said, expected, given.join(" and ") || "neither");
  }

  private union(
    value: unknown,
    schema: Definition,
    members: readonly Definition[],
    path: Path,
  ): void {
    const chosen = members.find((member) => this.profile.fits(member, value, schema));
    if (chosen !== undefined) {
      this.value(value, chosen, path);
    } else if (!schema.tagged) {
      const kinds = members.map((member) => String(this.profile.resolve(member).type ?? "object"));
      this.report("wrong_type", path, "another JSON type", kinds.join(" or "), shown(value));
    } else if (isObject(value)) {
      this.untagged(value, members, path);
    }
  }

  private untagged(
    value: Record<string, unknown>,
    members: readonly Definition[],
    path: Path,
  ): void {
    if (value.type === undefined) {
      const names = Object.keys(value).map((each) => shown(each));
      const got = `an object with ${names.join(", ") || "no members"}`;
      this.report("missing_member", path, "type is missing", "a member type", got);
      return;
    }
    const known = members.map((member) => tagOf(this.profile.resolve(member)));
    const [said, got] = [`unknown type ${shown(value.type)}`, shown(value.type)];
    this.report("unknown_type", [...path, "type"], said, `one of ${known.join(", ")}`, got);
  }
}

function isType(value: unknown, wanted: string | readonly string[]): boolean {
  if (typeof wanted !== "string") return wanted.some((each) => isType(value, each));
  switch (wanted) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    default:
      return typeof value === wanted;
  }
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let found = patterns.get(pattern);
  if (found === undefined) {
    found = new RegExp(pattern);
    patterns.set(pattern, found);
  }
  return found;
}

/** Characters of a value that a message shows. */
const SHOWN = 80;

/** A JSON value for a message: as JSON, shortened. */
export function shown(value: unknown): string {
  return value === undefined ? "nothing" : shorten(beginning(value, SHOWN), SHOWN);
}
