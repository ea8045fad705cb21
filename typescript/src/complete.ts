/**
 * Members that a value came without, and that every writer gives: their defaults.
 *
 * @module
 */

import { type Definition, isObject, type Profile, profile } from "./contract.js";
import { copyJson, setMember } from "./fold/copy.js";

/**
 * A copy of a value with the defaults of the first release; what came later is left absent, since
 * nobody set it (`wire.revision.optional`).
 *
 * @param value A value that follows the definition.
 * @param title The definition.
 * @param mint Makes up a member that must be there and is not: an id, a time.
 */
export function completed<T>(
  value: unknown,
  title: string,
  mint?: (kind: "id" | "now") => string,
): T {
  const contract = profile();
  const copy = copyJson(value);
  complete(copy, contract.definition(title), contract, mint);
  return copy as T;
}

function complete(
  value: unknown,
  schema: Definition,
  contract: Profile,
  mint: ((kind: "id" | "now") => string) | undefined,
): void {
  const followed = contract.select(value, schema);
  if (Array.isArray(value)) {
    for (const item of value) complete(item, followed.items ?? {}, contract, mint);
    return;
  }
  if (!isObject(value) || followed.properties === undefined) return;
  for (const [name, member] of Object.entries(followed.properties)) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) {
      complete(value[name], member, contract, mint);
    } else if (member["x-mint"] !== undefined && mint !== undefined) {
      setMember(value, name, mint(member["x-mint"]));
    } else if ("default" in member && member["x-since"] === undefined) {
      setMember(value, name, copyJson(member.default));
    }
  }
}
