/**
 * A value as a certain AgentScope release writes it (`wire.revision.dump`).
 *
 * `JSON.stringify` writes what is set, whichever release it came with. That is what a store or a
 * relay wants. A peer of a known release is written to from here: it gets every member that its
 * release has, in that release's order, and none that came later.
 *
 * @module
 */

import { type Definition, isObject, type JsonObject, type Profile, profile } from "./contract.js";
import { copyJson, setMember } from "./fold/copy.js";
import { DEFAULT_REVISION } from "./revisions.js";
import type { AgentEvent, ContentBlock, Msg } from "./types.js";

/**
 * A Msg as a release writes it, and shares nothing with `msg`. Nothing is made up: a block whose
 * `created_at` nobody knows has none.
 *
 * @param msg What to write.
 * @param revision The AgentScope release that will read it.
 * @throws {UnknownRevisionError} No such revision.
 */
export function dump(msg: Msg, revision: string = DEFAULT_REVISION): Msg {
  return asOf(msg, "Msg", revision) as Msg;
}

/** As {@link dump}, for a value of any definition of the contract. */
export function asOf(
  value: Msg | AgentEvent | ContentBlock | JsonObject,
  definition: string,
  revision: string,
): unknown {
  const [now, then] = [profile(), profile(revision)];
  return walk(value, now.definition(definition), then.definition(definition), now, then);
}

function walk(
  value: unknown,
  schemaNow: Definition,
  schemaThen: Definition,
  now: Profile,
  then: Profile,
): unknown {
  const [named, known] = [now.select(value, schemaNow), then.select(value, schemaThen)];
  if (Array.isArray(value)) {
    const items = [named.items ?? {}, known.items ?? {}] as const;
    return value.map((item) => walk(item, ...items, now, then));
  }
  if (!isObject(value) || named.properties === undefined) return copyJson(value);
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(known.properties ?? {})) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) {
      out[name] = walk(value[name], named.properties[name] ?? {}, member, now, then);
    } else if ("default" in member) {
      out[name] = copyJson(member.default);
    }
  }
  // To an open object of an earlier release, a later member is one more extra member.
  const taken = (named["x-extra-members"] === undefined ? named : known).properties ?? {};
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(taken, name)) setMember(out, name, copyJson(value[name]));
  }
  return out;
}
