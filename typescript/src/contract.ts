/**
 * Finding one's way in the contract: which part of it a value is meant to follow.
 *
 * A **profile** is the contract as a release has it (`wire.revision.since`). Of the earlier ones
 * only what was otherwise is stored; here it is laid over the newest, once for each release.
 *
 * @module
 */

import {
  type Definition,
  type Definitions,
  EARLIER,
  NEWEST,
  RELEASES,
} from "./_contract/contract.js";
import { knownRevision, NEWEST_REVISION } from "./revisions.js";

export type { Definition, Definitions };

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The contract as one release has it. */
export class Profile {
  constructor(
    readonly revision: string,
    readonly definitions: Definitions,
  ) {}

  /**
   * A definition by its title.
   *
   * @throws {RangeError} This release has none of that title.
   */
  definition(title: string): Definition {
    const found = Object.hasOwn(this.definitions, title) ? this.definitions[title] : undefined;
    if (found === undefined) throw new RangeError(`${this.revision} has no definition ${title}`);
    return found;
  }

  /** A definition behind its reference. */
  resolve(schema: Definition): Definition {
    return schema.ref === undefined ? schema : this.definition(schema.ref);
  }

  /** Whether `member` is the one of `union` that `value` is meant to follow. */
  fits(member: Definition, value: unknown, union: Definition): boolean {
    const resolved = this.resolve(member);
    if (union.tagged) return isObject(value) && value.type === tagOf(resolved);
    return typeof resolved.type === "string" && resolved.type in TYPES
      ? TYPES[resolved.type as keyof typeof TYPES](value)
      : false;
  }

  /** What `value` is meant to follow, through references and unions; `{}` if nothing. */
  select(value: unknown, given: Definition): Definition {
    const schema = this.resolve(given);
    if (schema.oneOf === undefined || schema.properties !== undefined) return schema;
    const fitting = schema.oneOf.find((member) => this.fits(member, value, schema));
    return fitting === undefined ? {} : this.select(value, fitting);
  }
}

/** The types that members of a union are told apart by. */
const TYPES = {
  object: isObject,
  array: Array.isArray as (value: unknown) => boolean,
  string: (value: unknown) => typeof value === "string",
  null: (value: unknown) => value === null,
};

/** The `type` of the objects that a definition describes. */
export function tagOf(schema: Definition): string | undefined {
  return schema.properties?.type?.const;
}

const profiles = new Map<string, Profile>();

/**
 * The profile of a release.
 *
 * @param revision A release; the newest when left out, which is the contract as it is.
 * @throws {UnknownRevisionError} No such revision.
 */
export function profile(revision: string = NEWEST_REVISION): Profile {
  let found = profiles.get(revision);
  if (found === undefined) {
    found = new Profile(knownRevision(revision), definitionsOf(revision));
    profiles.set(revision, found);
  }
  return found;
}

function definitionsOf(revision: string): Definitions {
  const definitions: Record<string, Definition> = { ...NEWEST };
  for (const release of [...RELEASES].reverse()) {
    for (const [title, was] of Object.entries(EARLIER[release] ?? {})) {
      if (was === null) delete definitions[title];
      else definitions[title] = was;
    }
    if (release === revision) break;
  }
  return definitions;
}
