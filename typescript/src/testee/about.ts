/**
 * Errors and diagnostics as the testee protocol writes them.
 *
 * @module
 */

import type { Place } from "../errors.js";

/** An error or a diagnostic: its code and its place. */
export function about({ code, place }: { code: string; place: Place }): Record<string, unknown> {
  return {
    code,
    event: place.eventIndex ?? null,
    line: place.line ?? null,
    pointer: place.pointer ?? null,
  };
}
