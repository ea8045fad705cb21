/** Hint blocks come whole, in one event. @module */

import { checkDepth } from "../json.js";
import type { HintBlock, HintBlockEvent } from "../types.js";
import { adopt, nameNested } from "./adopt.js";
import type { FoldState } from "./state.js";

/** HINT_BLOCK (`fold.hint`). */
export function append(state: FoldState, event: HintBlockEvent): void {
  state.checkRole("hint");
  checkDepth(event.hint, "hint");
  const block = {
    type: "hint",
    hint: nameNested(event.hint, event.block_id),
    id: event.block_id,
    source: event.source ?? null,
  };
  state.add(adopt<HintBlock>(state, "HintBlock", block, ""));
}
