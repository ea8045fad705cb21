/**
 * What an event carries whole becomes part of a Msg here, and is a copy from then on.
 *
 * The Msg gets objects of its own (`fold.no-alias`), unknown members included, and a block that came
 * without an id gets one that every reader would give it (`fold.deterministic`).
 *
 * @module
 */

import { completed } from "../complete.js";
import { isObject, profile, tagOf } from "../contract.js";
import { InvalidEventError } from "../errors.js";
import { explain, refusal } from "../refuse.js";
import { shown } from "../validate/schema.js";
import { forgetNewer } from "./newer.js";
import type { FoldState } from "./state.js";

/**
 * A copy of `value`, as the revision knows it.
 *
 * @param state The state, for the revision and for reports.
 * @param title The definition that it must follow.
 * @param value The JSON value.
 * @param member JSON Pointer to the event's member that holds it, for the error.
 * @throws {InvalidEventError} The value is none; nothing has been changed.
 */
export function adopt<T>(state: FoldState, title: string, value: unknown, member: string): T {
  const schema = profile().definition(title);
  const tag = tagOf(schema);
  // Only one kind can stand here, so a missing tag is no guess (wire.json.type-required).
  const named = tag !== undefined && isObject(value) ? { type: tag, ...value } : value;
  const faults = explain(tagged(named, schema.properties), title);
  if (faults.length > 0) {
    throw refusal(InvalidEventError, faults, "fold.invalid-event", member);
  }
  const copy = completed<T>(tagged(named, schema.properties), title);
  forgetNewer(state, copy, schema, member);
  return copy;
}

/** The tool call inside an answer may come without its tag, too. */
function tagged(value: unknown, members: Readonly<Record<string, { ref?: string }>> = {}): unknown {
  if (!isObject(value)) return value;
  const found = { ...value };
  for (const [name, { ref }] of Object.entries(members)) {
    const inner = found[name];
    const tag = ref === undefined ? undefined : tagOf(profile().definition(ref));
    if (tag !== undefined && isObject(inner)) found[name] = { type: tag, ...inner };
  }
  return found;
}

/** A list of values; arguments and errors as in {@link adopt}. */
export function adoptEach<T>(
  state: FoldState,
  title: string,
  values: unknown,
  member: string,
): T[] {
  if (!Array.isArray(values)) {
    throw new InvalidEventError(`${member.slice(1)} is not a list`, {
      place: { pointer: member },
      expected: `a list of ${title}`,
      got: shown(values),
      rule: "fold.invalid-event",
    });
  }
  return values.map((value, at) => adopt<T>(state, title, value, `${member}/${at}`));
}

/** Nested blocks with the ids that are missing: `<owner>:<position>`. */
export function nameNested(blocks: unknown, owner: string): unknown {
  if (!Array.isArray(blocks)) return blocks;
  return blocks.map((block, at) =>
    isObject(block) && block.id === undefined ? { ...block, id: `${owner}:${at}` } : block,
  );
}
