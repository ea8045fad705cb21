"""Event type to handler, a table for each revision.

A revision is an AgentScope release whose fold is reproduced.  A later one is written as what it
changes, laid over the one before it, so that the difference between two releases can be read off.
What each of them changed in words is in :data:`msgfold.revisions.CHANGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgfold import revisions
from msgfold._generated import models, structs
from msgfold.fold import data, hint, made, newer, reply, text, thinking, tool_call, tool_result
from msgfold.fold.state import Blocks, FoldState
from msgfold.fold.times import ends, timed, whole
from msgfold.wire.decode import CLOSED

Handler = Callable[[FoldState, Any], Blocks | None]
"""Applies one event; gives the blocks that it made, if any."""

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

TABLE_2_0_5 = TABLE_2_0_4 | {
    "REPLY_END": reply.end_with_reason,
}

TABLE_2_0_6 = TABLE_2_0_5 | {
    # Blocks know when they began ...
    "TEXT_BLOCK_START": timed(text.start),
    "DATA_BLOCK_START": timed(data.start),
    "THINKING_BLOCK_START": timed(thinking.start),
    "TOOL_CALL_START": timed(tool_call.start),
    "TOOL_RESULT_START": timed(tool_result.start),
    "TOOL_RESULT_TEXT_DELTA": timed(tool_result.text_delta),
    "TOOL_RESULT_DATA_DELTA": timed(tool_result.data_delta),
    # ... and when they ended.
    "TEXT_BLOCK_END": ends("text", "block_id"),
    "DATA_BLOCK_END": ends("data", "block_id"),
    "THINKING_BLOCK_END": ends("thinking", "block_id"),
    "TOOL_CALL_END": ends("tool_call", "tool_call_id"),
    "TOOL_RESULT_END": tool_result.end_stamped,
    # What comes whole begins and ends at once.
    "HINT_BLOCK": whole(hint.append),
    "EXTERNAL_EXECUTION_RESULT": whole(tool_call.external_result),
}

TABLE_2_0_7 = TABLE_2_0_6 | {
    "MODEL_CALL_END": reply.model_call_end_cached,
}

TABLE_2_0_8 = TABLE_2_0_7 | {
    "TEXT_BLOCK_END": text.end,
    "DATA_BLOCK_START": timed(data.start_named),
    "DATA_BLOCK_DELTA": data.delta_or_url,
}

TABLE_2_0_11 = TABLE_2_0_8 | {
    "TOOL_RESULT_DATA_DELTA": timed(tool_result.data_delta_merged),
}

REVISIONS: Mapping[str, Mapping[str, Handler]] = {
    "2.0.4": TABLE_2_0_4,
    "2.0.5": TABLE_2_0_5,
    "2.0.6": TABLE_2_0_6,
    "2.0.7": TABLE_2_0_7,
    "2.0.8": TABLE_2_0_8,
    "2.0.9": TABLE_2_0_8,
    "2.0.10": TABLE_2_0_8,
    "2.0.11": TABLE_2_0_11,
}
"""Every revision that can be folded."""


def table(revision: str) -> Mapping[str, Handler]:
    """The revision's table.

    Raises:
        UnknownRevisionError: there is no such revision.
    """
    return REVISIONS[revisions.known(revision)]


@cache
def handlers(revision: str) -> dict[type, Handler]:
    """The revision's handlers by the class of the event: its model, and its structs.

    An event whose members came later, in part, is looked over for them first; one that a program
    made is looked over for what is no JSON.

    Raises:
        UnknownRevisionError: there is no such revision.
    """
    by_type = table(revision)
    found: dict[type, Handler] = {}
    for title, model in vars(models).items():
        if isinstance(model, type) and issubclass(model, models.EventBase):
            tag = model.model_fields.get("type")
            if tag is not None:
                handler = by_type[tag.default]
                struct = getattr(structs, title)
                for kind in (model, struct, CLOSED[struct]):
                    found[kind] = newer.watched(handler, kind, title, revision)
                if handler is not reply.custom:  # known by that, and carries nothing into a Msg
                    found[model] = made.checked(found[model])
    return found
