"""Event type to handler, a table for each revision.

A revision is an AgentScope release whose fold is reproduced.  A later one is written as what it
changes, laid over the one before it (``TABLE_2_0_6 = TABLE_2_0_5 | {...}``), so that the difference
between two releases can be read off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgfold._generated import models, structs
from msgfold.errors import UnknownRevisionError
from msgfold.fold import data, hint, reply, text, thinking, tool_call, tool_result
from msgfold.fold.state import FoldState

Handler = Callable[[FoldState, Any], None]

DEFAULT_REVISION = "2.0.4"

TABLE_2_0_4: dict[str, Handler] = {
    "REPLY_START": reply.nothing,
    "REPLY_END": reply.end,
    "MODEL_CALL_START": reply.nothing,
    "MODEL_CALL_END": reply.model_call_end,
    "TEXT_BLOCK_START": text.start,
    "TEXT_BLOCK_DELTA": text.delta,
    "TEXT_BLOCK_END": reply.nothing,
    "DATA_BLOCK_START": data.start,
    "DATA_BLOCK_DELTA": data.delta,
    "DATA_BLOCK_END": reply.nothing,
    "THINKING_BLOCK_START": thinking.start,
    "THINKING_BLOCK_DELTA": thinking.delta,
    "THINKING_BLOCK_END": reply.nothing,
    "HINT_BLOCK": hint.append,
    "TOOL_CALL_START": tool_call.start,
    "TOOL_CALL_DELTA": tool_call.delta,
    "TOOL_CALL_END": reply.nothing,
    "TOOL_RESULT_START": tool_result.start,
    "TOOL_RESULT_TEXT_DELTA": tool_result.text_delta,
    "TOOL_RESULT_DATA_DELTA": tool_result.data_delta,
    "TOOL_RESULT_END": tool_result.end,
    "EXCEED_MAX_ITERS": reply.nothing,
    "REQUIRE_USER_CONFIRM": tool_call.require_confirm,
    "REQUIRE_EXTERNAL_EXECUTION": tool_call.require_external,
    "USER_CONFIRM_RESULT": tool_call.confirm_result,
    "USER_INTERRUPT": reply.nothing,
    "EXTERNAL_EXECUTION_RESULT": tool_call.external_result,
    "CUSTOM": reply.custom,
}

REVISIONS: Mapping[str, Mapping[str, Handler]] = {DEFAULT_REVISION: TABLE_2_0_4}
"""Every revision that can be folded."""


def table(revision: str) -> Mapping[str, Handler]:
    """The revision's table.

    Raises:
        UnknownRevisionError: there is no such revision.
    """
    try:
        return REVISIONS[revision]
    except KeyError:
        raise UnknownRevisionError(
            f"unknown revision {revision!r}", expected=f"one of {', '.join(REVISIONS)}"
        ) from None


@cache
def handlers(revision: str) -> dict[type, Handler]:
    """The revision's handlers by the class of the event: its model, and its struct.

    Raises:
        UnknownRevisionError: there is no such revision.
    """
    by_type = table(revision)
    found: dict[type, Handler] = {}
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, models.EventBase):
            tag = model.model_fields.get("type")
            if tag is not None:
                found[model] = by_type[tag.default]
                found[getattr(structs, model.__name__)] = by_type[tag.default]
    return found
