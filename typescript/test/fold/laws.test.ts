/** Laws of the fold, held over every case of the corpus and every revision. */

import { describe, expect, test } from "vitest";
import {
  type AgentEvent,
  appendEvent,
  type Diagnostic,
  Folder,
  type Msg,
  MsgfoldError,
  parseMsg,
  RELEASES,
  reduce,
} from "../../src/index.js";
import type { FoldInput } from "../../src/testee/fold.js";
import { cases } from "../cases.js";

/** A case as a Msg to begin with and events that come one by one. */
interface Story {
  id: string;
  msg: Msg | null;
  events: AgentEvent[];
}

function stories(): Story[] {
  return cases<FoldInput>("fold/").map(({ id, input }) => {
    const lines = (input.text ?? "").split("\n").filter((line) => line.trim() !== "");
    const events = (input.events ?? lines.flatMap(jsonOrNothing)) as AgentEvent[];
    return { id, msg: input.msg === null ? null : parseMsg(input.msg), events };
  });
}

function jsonOrNothing(line: string): object[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // what is no JSON is not for a fold of events
  }
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

/** What came of one event: the Msg, or the error; and what was reported. */
function outcome(work: (onDiagnostic: (said: Diagnostic) => void) => Msg | null) {
  const said: Diagnostic[] = [];
  try {
    return { msg: work((each) => said.push(each)), said, error: undefined };
  } catch (error) {
    if (!(error instanceof MsgfoldError)) throw error;
    return { msg: undefined, said, error };
  }
}

/** An outcome without the index of its event: a Folder counts, a single event is not counted. */
function uncounted({ msg, said, error }: ReturnType<typeof outcome>) {
  const placed = [...said, ...(error === undefined ? [] : [error])];
  const kept = placed.map(({ place, ...rest }) => ({ ...rest, pointer: place.pointer }));
  return { msg, reason: error?.reason, kept };
}

describe.each(RELEASES)("in %s", (revision) => {
  test("reduce, appendEvent and a Folder do the same, and reduce changes nothing", () => {
    let applied = 0;
    for (const { id, msg, events } of stories()) {
      let pure = frozen(structuredClone(msg));
      let own: Msg | null = msg;
      for (const event of events) {
        const before = JSON.stringify(event);
        const given = frozen(event);
        const mine = outcome((onDiagnostic) => {
          const options = { revision, onDiagnostic };
          return own === null ? reduce(own, given, options) : appendEvent(own, given, options);
        });
        const folded = outcome((onDiagnostic) => {
          const folder = new Folder({ revision, onDiagnostic, msg: structuredClone(pure) });
          folder.feed(given);
          return folder.msgs[0] ?? null;
        });
        const theirs = outcome((onDiagnostic) => reduce(pure, given, { revision, onDiagnostic }));
        expect(uncounted(folded), id).toEqual(uncounted(theirs));
        expect(theirs.msg, id).toEqual(mine.msg);
        expect(theirs.error?.toString(), id).toBe(mine.error?.toString());
        expect(theirs.said, id).toEqual(mine.said);
        expect(JSON.stringify(event), id).toBe(before);
        if (mine.msg !== undefined) {
          pure = frozen(theirs.msg as Msg | null);
          own = structuredClone(mine.msg);
          applied += 1;
        }
      }
    }
    expect(applied).toBeGreaterThan(300);
  });
});

test("an event that changes nothing gives the same Msg; else what it leaves alone is the same", () => {
  let shared = 0;
  for (const { id, msg, events } of stories()) {
    let now = msg;
    for (const event of events) {
      const before = now;
      const { msg: after } = outcome((onDiagnostic) => reduce(now, event, { onDiagnostic }));
      if (after === undefined) continue;
      now = after;
      if (before === null || after === null) continue;
      if (JSON.stringify(before) === JSON.stringify(after)) continue;
      expect(after, id).not.toBe(before);
      for (const [at, block] of before.content.entries()) {
        if (JSON.stringify(block) !== JSON.stringify(after.content[at])) continue;
        // A block that an event names may be copied though its text stays; the others may not.
        const names =
          Object.values(event).includes(block.id) || JSON.stringify(event).includes(block.id);
        if (!names) {
          expect(after.content[at], id).toBe(block);
          shared += 1;
        }
      }
    }
  }
  expect(shared).toBeGreaterThan(10);
});
