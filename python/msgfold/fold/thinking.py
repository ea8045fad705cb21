"""Thinking blocks: as text blocks, in a member of their own."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import ThinkingBlock
from msgfold.fold.state import Blocks, FoldState, extend


def start(state: FoldState, event: Any) -> Blocks:
    """THINKING_BLOCK_START (``fold.thinking.start``)."""
    state.check_role("thinking")
    return state.add(ThinkingBlock.trusted({"id": event.block_id, "thinking": ""}))


def delta(state: FoldState, event: Any) -> None:
    """THINKING_BLOCK_DELTA (``fold.thinking.delta``)."""
    block = state.find_or_report("thinking", event.block_id, "fold.thinking.delta")
    if block is not None:
        extend(block, "thinking", event.delta)
