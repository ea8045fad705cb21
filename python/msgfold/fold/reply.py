"""The reply as a whole: its beginning, its end, and what its model calls cost."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import ErrorInfo, ErrorType, Msg, ReplyFinishedReason, Usage
from msgfold.errors import DiagnosticCode, shorten
from msgfold.fold.adopt import adopt
from msgfold.fold.newer import known_words
from msgfold.fold.state import FoldState, given, stamp


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
    """REPLY_END in 2.0.4 (``fold.reply-end``)."""
    state.msg.finished_at = stamp(event)


def end_with_reason(state: FoldState, event: Any) -> None:
    """REPLY_END from 2.0.5 on (``fold.reply-end``)."""
    error = _error(state, event)  # may refuse the event, so nothing has been changed yet
    end(state, event)
    reason: Any = given(event.finished_reason, ReplyFinishedReason.COMPLETED)
    if reason is not None:  # an unknown word that was left out; completed would be a lie
        reason = ReplyFinishedReason(reason).value
    state.msg.finished_reason = reason
    state.msg.error = error


def _error(state: FoldState, event: Any) -> ErrorInfo | None:
    """The event's error; when errors are skipped, one of an unknown type is of type unknown."""
    error = given(event.error)
    if error is None:
        return None
    if isinstance(error, ErrorInfo):
        error = error.model_dump(mode="json")
    if state.context.lenient and isinstance(error, dict):
        kind = error.get("type", ErrorType.UNKNOWN)
        words = known_words("ErrorInfo", "type", state.context.revision)
        if isinstance(kind, str) and kind not in words:
            state.report(
                DiagnosticCode.UNKNOWN_ENUM_VALUE,
                f"REPLY_END.error.type: unknown word {shorten(kind)}, expected one of "
                f"{', '.join(words)}; read as unknown",
                "fold.unknown-enum",
                pointer="/error/type",
            )
            error = {**error, "type": ErrorType.UNKNOWN.value}
    return adopt(state, ErrorInfo, error, "/error")


def model_call_end(state: FoldState, event: Any) -> None:
    """MODEL_CALL_END up to 2.0.6 (``fold.usage``)."""
    usage = state.msg.usage
    if usage is None:
        state.msg.usage = Usage(input_tokens=event.input_tokens, output_tokens=event.output_tokens)
    else:
        sums = usage.__dict__
        sums["input_tokens"] += event.input_tokens
        sums["output_tokens"] += event.output_tokens


def model_call_end_cached(state: FoldState, event: Any) -> None:
    """MODEL_CALL_END from 2.0.7 on (``fold.usage``)."""
    model_call_end(state, event)
    usage: Any = state.msg.usage
    usage.cache_input_tokens += given(event.cache_input_tokens, 0)
    usage.cache_creation_input_tokens += given(event.cache_creation_input_tokens, 0)


def nothing(state: FoldState, event: Any) -> None:
    """An event that changes nothing (``fold.no-op``, ``fold.reply-start.repeat``)."""


def custom(state: FoldState, event: Any) -> None:
    """CUSTOM (``fold.custom``): an application's own signal, of no reply."""
