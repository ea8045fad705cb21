"""Text blocks: START makes an empty one, DELTA appends to it, END changes nothing."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import TextBlock
from msgfold.fold.state import FoldState, extend


def start(state: FoldState, event: Any) -> None:
    """TEXT_BLOCK_START (``fold.text.start``)."""
    state.check_role("text")
    state.add(TextBlock(id=event.block_id, text=""))


def delta(state: FoldState, event: Any) -> None:
    """TEXT_BLOCK_DELTA (``fold.text.delta``)."""
    block = state.find_or_report("text", event.block_id, "fold.text.delta")
    if block is not None:
        extend(block, "text", event.delta)
