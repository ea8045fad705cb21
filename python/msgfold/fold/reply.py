"""The reply as a whole: its beginning, its end, and what its model calls cost."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import Msg, Usage
from msgfold.fold.state import FoldState, stamp


def new_msg(event: Any) -> Msg:
    """The Msg that a REPLY_START makes (``fold.reply-start.new``)."""
    return Msg(
        name=event.name,
        content=[],
        role="assistant",
        id=event.reply_id,
        created_at=stamp(event),
    )


def end(state: FoldState, event: Any) -> None:
    """REPLY_END (``fold.reply-end``)."""
    state.msg.finished_at = stamp(event)


def model_call_end(state: FoldState, event: Any) -> None:
    """MODEL_CALL_END (``fold.usage``)."""
    usage = state.msg.usage
    if usage is None:
        state.msg.usage = Usage(input_tokens=event.input_tokens, output_tokens=event.output_tokens)
    else:
        usage.input_tokens += event.input_tokens
        usage.output_tokens += event.output_tokens


def nothing(state: FoldState, event: Any) -> None:
    """An event that changes nothing (``fold.no-op``, ``fold.reply-start.repeat``)."""


def custom(state: FoldState, event: Any) -> None:
    """CUSTOM (``fold.custom``): an application's own signal, of no reply."""
