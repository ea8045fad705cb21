"""What the corpus covers: each event against each state that it may meet, and each rule by release.

A list of cases does not show what is missing; a map does.  Its first table has a row for each event
type and a column for each state that the reply, the block or the tool call may be in just before
the event.  It is not written by hand: each fold of the corpus is replayed with the reference, and
the Msg is looked at before every event.  A cell is empty when no case is of that kind: the empty
cells are the to-do list.  Where a state cannot be met, the cell gives the reason.

The second table says for each event type and rule in which releases a case asks about both.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from msgfold.conformance.blame import RULES
from msgfold.conformance.corpus import Case
from msgfold.conformance.prefix import events_of
from msgfold.errors import Diagnostic, MsgfoldError
from msgfold.fold import Folder
from msgfold.message import Msg
from msgfold.revisions import RELEASES
from msgfold.wire.decode import parse_msg

AXES = {
    "reply": ("none", "other", "open", "finished"),
    "block": ("absent", "other kind", "started", "ended"),
    "call": ("absent", "pending", "asking", "allowed", "submitted", "finished"),
}
"""What an event may look at, and the states of it.

``reply``: no Msg yet; Msgs, but none of the event's ``reply_id``; that Msg, before and after its
REPLY_END.  ``block``: the block that the event names by kind and id; ``other kind`` is one that has
only its id.  ``call``: the tool call that the event names.
"""

STATES = tuple(f"{axis}: {state}" for axis, states in AXES.items() for state in states)
"""The columns of the map."""

EVENTS = tuple(RULES)
"""The rows of the map: every event type, in the order of the specification."""

_BLOCKS = {
    **dict.fromkeys(("TEXT_BLOCK_START", "TEXT_BLOCK_DELTA", "TEXT_BLOCK_END"), "text"),
    **dict.fromkeys(
        ("THINKING_BLOCK_START", "THINKING_BLOCK_DELTA", "THINKING_BLOCK_END"), "thinking"
    ),
    **dict.fromkeys(("DATA_BLOCK_START", "DATA_BLOCK_DELTA", "DATA_BLOCK_END"), "data"),
    "HINT_BLOCK": "hint",
    **dict.fromkeys(("TOOL_CALL_START", "TOOL_CALL_DELTA", "TOOL_CALL_END"), "tool_call"),
    **dict.fromkeys(
        (
            "TOOL_RESULT_START",
            "TOOL_RESULT_TEXT_DELTA",
            "TOOL_RESULT_DATA_DELTA",
            "TOOL_RESULT_END",
            "EXTERNAL_EXECUTION_RESULT",
        ),
        "tool_result",
    ),
}
"""Event type to the kind of block that it names."""

_LISTS = {
    "REQUIRE_USER_CONFIRM": ("tool_calls", ("id",)),
    "REQUIRE_EXTERNAL_EXECUTION": ("tool_calls", ("id",)),
    "USER_CONFIRM_RESULT": ("confirm_results", ("tool_call", "id")),
    "EXTERNAL_EXECUTION_RESULT": ("execution_results", ("id",)),
}
"""Events about several tool calls: the list, and the way from an element to the call's id."""

_CALLS = {kind for kind, block in _BLOCKS.items() if block.startswith("tool")} | set(_LISTS)

_NOT_APPLICABLE = {
    "CUSTOM": {"reply": "it has no reply_id, and belongs to no reply"},
    "HINT_BLOCK": {"block: started": "a hint comes whole: it is never open"},
}
"""Event type to axes, or single states, that it cannot meet, and why."""


def reason(event: str, state: str) -> str | None:
    """Why an event of that type cannot meet that state; ``None`` when it can.

    Args:
        event: one of :data:`EVENTS`.
        state: one of :data:`STATES`.
    """
    axis = state.partition(":")[0]
    own = _NOT_APPLICABLE.get(event, {})
    if axis == "block" and event not in _BLOCKS:
        return "it names no single block"
    if axis == "call" and event not in _CALLS:
        return "it names no tool call"
    return own.get(state) or own.get(axis)


@dataclass(slots=True)
class Coverage:
    """The map.

    Attributes:
        cells: event type and state to the ids of the cases in which they meet.
        rules: event type and rule to the releases in which a case has both.
    """

    cells: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    rules: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    @property
    def every(self) -> list[tuple[str, str]]:
        """Every cell, row by row, also those that do not apply."""
        return [(event, state) for event in EVENTS for state in STATES]

    @property
    def empty(self) -> list[tuple[str, str]]:
        """The cells that apply and that no case covers: what is still to do."""
        return [cell for cell in self.every if reason(*cell) is None and not self.cells[cell]]

    def as_json(self) -> dict[str, Any]:
        """The map as one JSON value."""
        return {
            "events": list(EVENTS),
            "states": list(STATES),
            "cells": [
                {"event": event, "state": state, "cases": sorted(self.cells[event, state])}
                for event, state in self.every
                if reason(event, state) is None
            ],
            "not_applicable": [
                {"event": event, "state": state, "reason": why}
                for event, state in self.every
                if (why := reason(event, state)) is not None
            ],
            "rules": [
                {"event": event, "rule": rule, "revisions": sorted(found, key=RELEASES.index)}
                for (event, rule), found in sorted(self.rules.items())
            ],
            "empty": [{"event": event, "state": state} for event, state in self.empty],
        }


def coverage(cases: Iterable[Case]) -> Coverage:
    """The map of the cases' folds; other operations are passed over.

    A case is replayed once for each of its expectations, as the release that begins it.
    """
    found = Coverage()
    for case in cases:
        if case.op != "fold":
            continue
        types = set()
        for release in (case.revisions["from"], *(change["from"] for change in case.later)):
            for event, states in _met(case, release):
                types.add(event)
                for state in states:
                    found.cells[event, state].add(case.id)
        releases = [release for release in RELEASES if case.holds_for(release)]
        for event in types:
            for rule in case.rules:
                found.rules[event, rule].update(releases)
    return found


def _met(case: Case, revision: str) -> Iterator[tuple[str, set[str]]]:
    """Each event of a fold that is one, with the states that it meets; the fold goes on with it."""
    given = case.input
    refused: list[Diagnostic] = []
    handed_on: list[Msg] = []
    replies = given.get("replies", "first")
    folder = Folder(
        revision=revision,
        errors=given.get("errors", "raise"),
        on_diagnostic=refused.append,
        msg=given["msg"] and parse_msg(copy.deepcopy(given["msg"])),
        first_only=replies == "first",
        on_reply=handed_on.append if replies == "handed-on" else None,
    )
    ended: set[tuple[str, str, str]] = set()
    for index, written in enumerate(events_of(given)):
        event = _value(written)
        states = _states(event, folder.msgs, ended) if event else set()
        code = ""
        refused.clear()
        try:
            if isinstance(written, str) and "text" in given:
                folder.feed_text(written.encode("utf-8", "surrogatepass"))
            else:
                folder.feed(written)
        except MsgfoldError as error:
            code = str(error.code)
        codes = {code, *(str(report.code) for report in refused)}
        # An event that its schema refuses meets nothing: it is never applied.
        if event and "invalid_event" not in codes:
            yield event["type"], states
            if event["type"].endswith("_END") and event["type"] in _BLOCKS:
                kind = _BLOCKS[event["type"]]
                ended.update((event["reply_id"], kind, name) for name in _ids(event))
        if code:
            return
        assert folder.events == index + 1


def _value(written: Any) -> dict[str, Any] | None:
    """The event as a JSON object of a known type, or ``None``: it is something else."""
    if isinstance(written, str):
        try:
            written = json.loads(written)
        except ValueError:
            return None
    known = isinstance(written, dict) and written.get("type") in RULES
    return written if known else None


def _states(event: dict[str, Any], msgs: list[Msg], ended: set[tuple[str, str, str]]) -> set[str]:
    """What the event meets, one state of each axis for everything that it names."""
    kind = event["type"]
    if kind == "CUSTOM":
        return set()
    reply = event.get("reply_id")
    msg = next((msg for msg in msgs if msg.id == reply), None)
    if msg is None:
        return {"reply: other" if msgs else "reply: none"}
    found = {"reply: open" if msg.finished_at is None else "reply: finished"}
    for name in _ids(event):
        if kind in _BLOCKS:
            found.add(f"block: {_block(msg, _BLOCKS[kind], name, ended)}")
        if kind in _CALLS:
            call = _find(msg, "tool_call", name)
            found.add(f"call: {'absent' if call is None else call.state}")
    return found


def _block(msg: Msg, kind: str, name: str, ended: set[tuple[str, str, str]]) -> str:
    """The state of a block.  Up to 2.0.5 a block does not say that it ended: its events do."""
    block = _find(msg, kind, name)
    if block is None:
        return "other kind" if any(each.id == name for each in msg.content) else "absent"
    over = kind == "hint" or getattr(block, "finished_at", None) is not None
    if kind == "tool_result":
        over = over or block.state != "running"
    return "ended" if over or (msg.id, kind, name) in ended else "started"


def _find(msg: Msg, kind: str, name: str) -> Any:
    return next((b for b in msg.content if b.type == kind and b.id == name), None)


def _ids(event: dict[str, Any]) -> list[str]:
    """The ids of the blocks that the event names; what is misshapen names none."""
    if event["type"] not in _LISTS:
        single = "tool_call_id" if event["type"] in _CALLS else "block_id"
        return [event[single]] if isinstance(event.get(single), str) else []
    member, way = _LISTS[event["type"]]
    found = []
    elements = event.get(member)
    for element in elements if isinstance(elements, list) else []:
        for step in way:
            element = element.get(step) if isinstance(element, dict) else None
        if isinstance(element, str):
            found.append(element)
    return found
