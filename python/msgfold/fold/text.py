"""Text blocks: START makes an empty one, DELTA appends to it, END may say it all again."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import TextBlock
from msgfold.fold.state import Blocks, FoldState, extend, given, stamp


def start(state: FoldState, event: Any) -> Blocks:
    """TEXT_BLOCK_START (``fold.text.start``)."""
    state.check_role("text")
    return state.add(TextBlock.trusted({"id": event.block_id, "text": ""}))


def delta(state: FoldState, event: Any) -> None:
    """TEXT_BLOCK_DELTA (``fold.text.delta``)."""
    block = state.find_or_report("text", event.block_id, "fold.text.delta")
    if block is not None:
        extend(block, "text", event.delta)


def end(state: FoldState, event: Any) -> None:
    """TEXT_BLOCK_END from 2.0.8 on (``fold.text.end``)."""
    block = state.find_or_report("text", event.block_id, "fold.text.end")
    if block is None:
        return
    whole = given(event.text)
    if whole is not None:
        block.text = whole
    block.finished_at = stamp(event)
