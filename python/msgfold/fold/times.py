"""When blocks began and ended, from 2.0.6 on (``fold.block.*``).

AgentScope takes ``created_at`` from the clock of whoever folds, so two folds of one stream differ.
Here every time is the ``created_at`` of an event (``fold.deterministic``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgfold.fold.state import Blocks, FoldState, stamp
from msgfold.model.absent import is_absent

_Handler = Callable[[FoldState, Any], Blocks]


def timed(handler: _Handler) -> _Handler:
    """``handler``, and the blocks that it makes begin at the event (``fold.block.created-at``)."""

    def apply(state: FoldState, event: Any) -> Blocks:
        made = handler(state, event)
        for block in _with_nested(made):
            if is_absent(block.created_at):
                block.__dict__["created_at"] = stamp(event)
        return made

    return apply


def whole(handler: _Handler) -> _Handler:
    """``handler``, and the blocks that it makes begin and end at the event."""
    begin = timed(handler)

    def apply(state: FoldState, event: Any) -> Blocks:
        made = begin(state, event)
        for block in made:
            if block.finished_at is None:
                block.finished_at = stamp(event)
        return made

    return apply


def ends(kind: str, member: str) -> Callable[[FoldState, Any], None]:
    """An END: stamps the ``finished_at`` of a block (``fold.block.finished-at``).

    Args:
        kind: the block's kind.
        member: the event's member that holds the block's id.
    """

    def apply(state: FoldState, event: Any) -> None:
        block = state.find_or_report(kind, getattr(event, member), "fold.block.finished-at")
        if block is not None:
            block.finished_at = stamp(event)

    return apply


def _with_nested(blocks: Blocks) -> Iterator[Any]:
    """The blocks, and those inside a hint or a result."""
    for block in blocks:
        yield block
        inner = getattr(block, {"hint": "hint", "tool_result": "output"}.get(block.type, ""), ())
        if isinstance(inner, list):
            yield from inner
