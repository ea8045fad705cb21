"""Random streams, folded by the real AgentScope and by us: the same Msg after every event.

``make oracle`` installs each release in an environment of its own, and makes a missing one a
failure; elsewhere the tests are skipped, and say why.
"""

from __future__ import annotations

import json
from typing import Any

import msgfold
import pytest
from deviations import SKIPPED, as_compared, deviations, for_agentscope, never_applies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgfold.conformance.compare import differences
from msgfold.errors import MsgfoldError
from msgfold.wire.decode import EVENT_TYPES
from odd_streams import ODD_STREAM, START
from reducers import AgentScope, Json, Ours, dump

pytestmark = pytest.mark.oracle

EXAMPLES = 800
"""Streams of up to 40 events: ten to twenty seconds."""


class MadeUp:
    """What AgentScope made up, and what stands in its place in our Msg.

    An id keeps its pair for the whole stream, and one made-up id never stands for two of ours.  A
    time that was made up is of the clock, so it is no string that was given.
    """

    def __init__(self, *values: Any) -> None:
        self._given: set[str] = set()
        self._ours: dict[str, str] = {}
        self.know(*values)

    def know(self, *values: Any) -> None:
        """Every string of ``values`` was given to AgentScope, and not made up by it."""
        for value in values:
            if isinstance(value, str):
                self._given.add(value)
            elif isinstance(value, dict):
                self.know(*value.values())
            elif isinstance(value, list):
                self.know(*value)

    def rename(self, theirs: Any, ours: Any) -> Any:
        """``theirs`` with our id, or our time, wherever AgentScope made one up."""
        if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
            return [self.rename(*pair) for pair in zip(theirs, ours, strict=True)]
        if not isinstance(theirs, dict) or not isinstance(ours, dict):
            return theirs
        renamed = {}
        for name, value in theirs.items():
            is_time = name in ("created_at", "finished_at") and isinstance(value, str)
            if not is_time or value in self._given:
                renamed[name] = self.rename(value, ours.get(name))
            elif name in ours:
                renamed[name] = ours[name]
        made_up = theirs.get("id")
        if isinstance(made_up, str) and made_up not in self._given and "id" in ours:
            renamed["id"] = self._ours.setdefault(made_up, ours["id"])
        return renamed


def assert_same(theirs: Any, ours: Any, context: Any) -> None:
    """Exactly the same JSON text, the order of members included."""
    if json.dumps(theirs) != json.dumps(ours):
        found = differences(theirs, ours, "Msg") or "order, or null and absent"
        pytest.fail(f"AgentScope (expected) and ours (got) differ: {found}\nafter {context}")


def test_the_same_msg_after_every_event(agentscope):
    seen: set[str] = set()

    @settings(
        max_examples=EXAMPLES,
        suppress_health_check=[HealthCheck.too_slow],
        report_multiple_bugs=False,
    )
    @given(start=START, events=ODD_STREAM, way=st.sampled_from(Ours.WAYS))
    def same(start, events, way):
        seen.update(fold_side_by_side(agentscope, start, events, way))

    same()
    assert seen >= EVENT_TYPES, "a type is missing from the random streams"


def test_each_entry_applies_to_its_own_example(agentscope):
    for deviation in deviations(agentscope.release):
        if deviation.applies is not never_applies:
            start, events = deviation.example
            assert deviation.rule in fold_side_by_side(agentscope, start, events, "dicts")


def fold_side_by_side(
    agentscope: AgentScope, start: Json, events: list[Json], way: str
) -> set[str]:
    """Fold one stream with both, compare after every event; the types and rules that were met."""
    release = agentscope.release
    theirs, ours = agentscope.load(start), Ours(start, release)
    made_up = MadeUp(start)
    before = dump(theirs)
    seen = set()
    for position, given_event in enumerate(events):
        context = (position, way, given_event)
        event = completed(given_event) if way == "models" else given_event
        made_up.know(event, "")
        instead, applied = for_agentscope(event, before, agentscope.reads(event), release)
        raised, warned = agentscope.apply(theirs, instead) if instead is not None else (None, False)
        refused, reports = ours.apply(event, way)

        before, after = dump(theirs), as_compared(ours.dump())
        assert_same(made_up.rename(as_compared(before), after), after, context)
        skipped = bool(set(reports) & set(SKIPPED))
        if instead is None:
            assert_reported(applied, refused, reports, context)
        elif raised is not None:
            # From JSON we look into an event only when its reply and block are there; and a model
            # is of the newest release, so that what only an earlier one refuses is looked at late.
            late = way != "models" or ours.has_newer(event)
            assert refused or (skipped and late), (raised, reports, context)
        else:
            assert refused is None, (refused, context)
            assert warned == skipped, (warned, reports, context)
        seen.update(deviation.rule for deviation in applied)
        seen.add(str(event.get("type")))
    ours.assert_events_unchanged()
    return seen


def completed(event: Json) -> Json:
    """The event with what parsing makes up, so that both reducers are given the same."""
    try:
        return dump(msgfold.parse_event(event))
    except MsgfoldError:
        return event


def assert_reported(applied: Any, refused: str | None, reports: list[str], context: Any) -> None:
    """We say why an event was left alone: one of the codes of the entries that apply."""
    said = {refused, *reports} - {None}
    allowed = {code for deviation in applied for code in deviation.reported}
    if context[1] == "models":  # of several faults, a reader of models names one
        allowed.add("invalid_event")
    silent = any(not deviation.reported for deviation in applied)
    assert said & allowed or (silent and not said), (said, allowed, context)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(start=START, events=ODD_STREAM)
def test_each_reads_what_the_other_writes(agentscope, start, events):
    ours = Ours(start, agentscope.release)
    for event in events:
        ours.apply(event, "dicts")
    written = ours.dump()
    theirs = dump(agentscope.message.Msg.model_validate(written))
    read = MadeUp(written, "").rename(as_compared(theirs), as_compared(written))
    assert_same(read, as_compared(written), "AgentScope read what we wrote for it")

    # What is set is written for nobody in particular, too, and any release can read that.
    anyhow = dump(agentscope.message.Msg.model_validate(ours.msg.model_dump(mode="json")))
    read = MadeUp(written, "").rename(as_compared(anyhow), as_compared(written))
    assert_same(read, as_compared(written), "AgentScope read what we wrote for nobody")

    returned = msgfold.parse_msg(json.dumps(theirs))
    assert msgfold.dump(returned, revision=agentscope.release) == theirs
