/**
 * Revisions: the AgentScope releases whose wire and fold are spoken here.
 *
 * A Msg that is folded as a revision is what that release's own models accept and write. What each
 * release changed is in the specification, and `msgfold revisions` prints it.
 *
 * @module
 */

import { RELEASES } from "./_contract/contract.js";
import { UnknownRevisionError } from "./errors.js";

export { RELEASES };

/** A release. */
export type Revision = (typeof RELEASES)[number];

/** What is folded as when nobody says otherwise: the baseline, which every later release reads. */
export const DEFAULT_REVISION: Revision = RELEASES[0];

/** What the types describe. */
export const NEWEST_REVISION: Revision = "2.0.11";

/**
 * `revision` itself.
 *
 * @throws {UnknownRevisionError} There is no such release here; the error lists those there are.
 */
export function knownRevision(revision: string): Revision {
  if ((RELEASES as readonly string[]).includes(revision)) return revision as Revision;
  throw new UnknownRevisionError(`unknown revision ${JSON.stringify(revision)}`, {
    expected: `one of ${RELEASES.join(", ")}`,
    got: revision,
    hint: "The guide to revisions says what each of them changed",
  });
}

/** Whether what came with release `since` is unknown to `revision`. */
export function comesAfter(since: string, revision: string): boolean {
  const [left, right] = [since, revision].map((each) => each.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const [a, b] = [left?.[at] ?? 0, right?.[at] ?? 0];
    if (a !== b) return a > b;
  }
  return false;
}
