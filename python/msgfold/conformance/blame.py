"""The rule that an event of a fold falls under: what a report quotes when the event went wrong.

A case is about one rule, but a reducer may fail it at an event that is there for another reason.
Where the event is odd, the reference names the rule itself, in its diagnostic or its error.  Else
it is the rule of the event's type.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from msgfold.conformance.prefix import events_of
from msgfold.errors import Diagnostic, MsgfoldError
from msgfold.fold import Folder
from msgfold.wire.decode import parse_msg

RULES = {
    "REPLY_START": "fold.reply-start.repeat",
    "REPLY_END": "fold.reply-end",
    "MODEL_CALL_END": "fold.usage",
    "MODEL_CALL_START": "fold.no-op",
    "EXCEED_MAX_ITERS": "fold.no-op",
    "USER_INTERRUPT": "fold.no-op",
    "CUSTOM": "fold.custom",
    "HINT_BLOCK": "fold.hint",
    "TEXT_BLOCK_START": "fold.text.start",
    "TEXT_BLOCK_DELTA": "fold.text.delta",
    "TEXT_BLOCK_END": "fold.text.end",
    "THINKING_BLOCK_START": "fold.thinking.start",
    "THINKING_BLOCK_DELTA": "fold.thinking.delta",
    "THINKING_BLOCK_END": "fold.block.finished-at",
    "DATA_BLOCK_START": "fold.data.start",
    "DATA_BLOCK_DELTA": "fold.data.delta",
    "DATA_BLOCK_END": "fold.block.finished-at",
    "TOOL_CALL_START": "fold.tool-call.start",
    "TOOL_CALL_DELTA": "fold.tool-call.delta",
    "TOOL_CALL_END": "fold.block.finished-at",
    "REQUIRE_USER_CONFIRM": "fold.confirm.require",
    "USER_CONFIRM_RESULT": "fold.confirm.result",
    "REQUIRE_EXTERNAL_EXECUTION": "fold.external.require",
    "EXTERNAL_EXECUTION_RESULT": "fold.external.result",
    "TOOL_RESULT_START": "fold.tool-result.start",
    "TOOL_RESULT_TEXT_DELTA": "fold.tool-result.text",
    "TOOL_RESULT_DATA_DELTA": "fold.tool-result.data",
    "TOOL_RESULT_END": "fold.tool-result.end",
}
"""Event type to the rule that says what it does, when nothing about it is odd."""

GENERAL = "fold.deterministic"
"""The rule that is broken when no event is known to be at fault."""


def rule_of(given: dict[str, Any], revision: str, event: int | None) -> str:
    """The id of the rule that says what an event of the input does.

    Args:
        given: the input of a fold.
        revision: the release to fold as.
        event: index of the event; ``None`` when it is not known.
    """
    if event is None:
        return GENERAL
    return _named(given, revision, event) or RULES.get(type_of(given, event), "fold.invalid-event")


def type_of(given: dict[str, Any], event: int) -> str:
    """The type of an event of the input; empty when it has none."""
    found = events_of(given)[event]
    if "text" in given:
        try:
            found = json.loads(found)
        except ValueError:
            return ""
    kind = found.get("type") if isinstance(found, dict) else None
    return kind if isinstance(kind, str) else ""


def _named(given: dict[str, Any], revision: str, event: int) -> str | None:
    """The rule that the reference names for the event, if it does."""
    named: list[str] = []

    def note(report: Diagnostic) -> None:
        if report.place.event_index == event:
            named.append(report.rule)

    folder = Folder(
        revision=revision,
        errors=given.get("errors", "raise"),
        on_diagnostic=note,
        msg=given["msg"] and parse_msg(copy.deepcopy(given["msg"])),
        first_only=given.get("replies", "first") == "first",
    )
    try:
        for each in events_of(given)[: event + 1]:
            if "text" in given:
                folder.feed_text(each.encode("utf-8", "surrogatepass"))
            else:
                folder.feed(each)
    except MsgfoldError as error:
        if error.rule and error.place.event_index == event:
            named.append(error.rule)
    return named[0] if named else None
