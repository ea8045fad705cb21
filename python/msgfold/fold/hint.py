"""Hint blocks come whole, in one event."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import HintBlock
from msgfold.fold.adopt import adopt, check_depth, name_nested
from msgfold.fold.state import Blocks, FoldState, given


def append(state: FoldState, event: Any) -> Blocks:
    """HINT_BLOCK (``fold.hint``)."""
    state.check_role("hint")
    check_depth(event.hint, "hint")
    block = {
        "id": event.block_id,
        "hint": name_nested(event.hint, event.block_id),
        "source": given(event.source),
    }
    return state.add(adopt(state, HintBlock, block, ""))
