/**
 * What a revision does not know yet: members and words of later releases.
 *
 * An earlier AgentScope reads a later one's stream, drops the members that it has never heard of,
 * and refuses the words (`fold.revision.newer-member`, `fold.revision.newer-word`). So does the
 * fold, and it says so: once a stream for each kind of member.
 *
 * @module
 */

import { type Definition, isObject, profile } from "../contract.js";
import { InvalidEventError } from "../errors.js";
import { pointer } from "../json.js";
import { comesAfter } from "../revisions.js";
import type { FoldState, Handler } from "./state.js";

type Releases = ReadonlyMap<string, string>;

/** What came after a revision in one definition. */
interface Newer {
  /** Members and their releases. */
  readonly members: Releases;
  /** Members with words that came later, and those words. */
  readonly words: ReadonlyMap<string, Releases>;
}

const looked = new Map<string, Newer>();

/** What came after `revision` in a definition. */
export function newerThan(title: string, revision: string): Newer {
  const key = `${title} ${revision}`;
  let found = looked.get(key);
  if (found === undefined) {
    found = lookUp(profile().definition(title), revision);
    looked.set(key, found);
  }
  return found;
}

function lookUp(schema: Definition, revision: string): Newer {
  const members = new Map<string, string>();
  const words = new Map<string, Releases>();
  // By name, so that everybody reports them in the same order.
  for (const [name, member] of Object.entries(schema.properties ?? {}).sort(byName)) {
    const since = member["x-since"];
    if (since !== undefined && comesAfter(since, revision)) members.set(name, since);
    const later = Object.entries(enumOf(member)?.["x-since-words"] ?? {}).filter(([, release]) =>
      comesAfter(release, revision),
    );
    if (later.length > 0) words.set(name, new Map(later));
  }
  return { members, words };
}

function byName([left]: [string, Definition], [right]: [string, Definition]): number {
  return left < right ? -1 : 1;
}

/** The enum that a member takes its words from, null aside. */
function enumOf(member: Definition): Definition | undefined {
  const parts = [member, ...(member.oneOf ?? [])].map((part) => profile().resolve(part));
  return parts.find((part) => part.enum !== undefined);
}

/** The words that a member of a definition may hold in `revision`. */
export function knownWords(title: string, member: string, revision: string): string[] {
  const schema = enumOf(profile().definition(title).properties?.[member] ?? {});
  const later = newerThan(title, revision).words.get(member);
  return (schema?.enum ?? []).filter((word) => !later?.has(word));
}

/**
 * Refuse a word that came later; report it when errors are skipped and nobody reads it.
 *
 * @throws {InvalidEventError} `value` holds such a word.
 */
function refuseNewerWords(
  state: FoldState,
  value: Record<string, unknown>,
  title: string,
  place: string,
): void {
  const { revision, lenient } = state.context;
  for (const [member, later] of newerThan(title, revision).words) {
    const word = value[member];
    const release = typeof word === "string" ? later.get(word) : undefined;
    if (release === undefined) continue;
    const where = `${place}/${member}`;
    const said = `unknown word ${word} in ${where}, which came with ${release}`;
    const known = `one of ${knownWords(title, member, revision).join(", ")}`;
    if (!lenient) {
      throw new InvalidEventError(said, {
        place: { pointer: where },
        expected: known,
        got: String(word),
        hint: `This is folded as AgentScope ${revision}; name a later revision`,
        rule: "fold.revision.newer-word",
      });
    }
    const message = `${said}; expected ${known}`;
    state.report("unknown_enum_value", message, "fold.unknown-enum", { pointer: where });
  }
}

/**
 * `handler`, after a look at what came later in the event itself. The revision's handler does not
 * read such members; they are reported, and words refused.
 *
 * @param handler Applies the event.
 * @param title The event's definition.
 * @param revision The release that is folded as.
 */
export function watched(handler: Handler, title: string, revision: string): Handler {
  const { members, words } = newerThan(title, revision);
  if (members.size === 0 && words.size === 0) return handler;
  return (state, event) => {
    refuseNewerWords(state, event, title, "");
    for (const [name, release] of members) {
      if (event[name] !== undefined) tell(state, title, name, release, `/${name}`);
    }
    return handler(state, event);
  };
}

/**
 * Take out of a value what came later, and report it.
 *
 * @param state The state, for the revision and for reports.
 * @param value A copy of what the event carries.
 * @param schema What it follows.
 * @param place Where it is in the event.
 * @throws {InvalidEventError} It holds a word that came later.
 */
export function forgetNewer(
  state: FoldState,
  value: unknown,
  schema: Definition,
  place: string,
): void {
  const followed = profile().select(value, schema);
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      forgetNewer(state, item, followed.items ?? {}, `${place}/${at}`);
    }
    return;
  }
  if (!isObject(value) || followed.properties === undefined) return;
  const title = followed.title as string;
  for (const [name, release] of newerThan(title, state.context.revision).members) {
    if (value[name] === undefined) continue;
    tell(state, title, name, release, `${place}/${name}`);
    delete value[name];
  }
  refuseNewerWords(state, value, title, place);
  for (const [name, member] of Object.entries(followed.properties)) {
    if (Object.hasOwn(value, name)) {
      forgetNewer(state, value[name], member, place + pointer([name]));
    }
  }
}

function tell(state: FoldState, title: string, name: string, release: string, place: string): void {
  const { revision } = state.context;
  state.context.told ??= new Set();
  const { told } = state.context;
  const member = `${title}.${name}`;
  if (told.has(member)) return;
  told.add(member);
  const ignored = `AgentScope ${revision} ignores it, here and in what follows`;
  state.report(
    "newer_member",
    `${member} came with ${release}; ${ignored}`,
    "fold.revision.newer-member",
    { pointer: place, details: { member, since: release } },
  );
}
