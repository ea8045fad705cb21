"""Random streams, folded by the real AgentScope 2.0.4 and by us: the same Msg after every event.

Needs the dependency group ``oracle``.  ``make oracle`` installs it and makes a missing package a
failure; elsewhere the tests are skipped, and say why.
"""

from __future__ import annotations

import json
from typing import Any

import msgfold
import pytest
from deviations import DEVIATIONS, SKIPPED, as_compared, for_agentscope, never_applies
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


class Ids:
    """Ids that AgentScope made up, and what stands in their place in our Msg.

    A place keeps its pair for the whole stream, and one made-up id never stands for two of ours.
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
        """``theirs`` with our id wherever AgentScope made one up."""
        if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
            return [self.rename(*pair) for pair in zip(theirs, ours, strict=True)]
        if not isinstance(theirs, dict) or not isinstance(ours, dict):
            return theirs
        renamed = {k: self.rename(v, ours.get(k)) for k, v in theirs.items()}
        made_up = theirs.get("id")
        if isinstance(made_up, str) and made_up not in self._given and "id" in ours:
            renamed["id"] = self._ours.setdefault(made_up, ours["id"])
        return renamed


def assert_same(theirs: Any, ours: Any, context: Any) -> None:
    """Exactly the same JSON text, the order of members included."""
    if json.dumps(theirs) != json.dumps(ours):
        found = differences(theirs, ours, "Msg") or "the order of members"
        pytest.fail(f"AgentScope (expected) and ours (got) differ: {found}\nafter {context}")


def test_the_same_msg_after_every_event(agentscope):
    seen: set[str] = set()

    @settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
    @given(start=START, events=ODD_STREAM, way=st.sampled_from(Ours.WAYS))
    def same(start, events, way):
        seen.update(fold_side_by_side(agentscope, start, events, way))

    same()
    assert seen >= EVENT_TYPES, "a type is missing from the random streams"


@pytest.mark.parametrize(
    "deviation",
    [deviation for deviation in DEVIATIONS if deviation.applies is not never_applies],
    ids=lambda deviation: deviation.rule,
)
def test_each_entry_applies_to_its_own_example(agentscope, deviation):
    start, events = deviation.example
    assert deviation.rule in fold_side_by_side(agentscope, start, events, "dicts")


def fold_side_by_side(
    agentscope: AgentScope, start: Json, events: list[Json], way: str
) -> set[str]:
    """Fold one stream with both, compare after every event; the types and rules that were met."""
    theirs, ours = agentscope.load(start), Ours(start)
    ids = Ids(start)
    before = dump(theirs)
    seen = set()
    for position, given_event in enumerate(events):
        context = (position, way, given_event)
        event = completed(given_event) if way == "models" else given_event
        ids.know(event)
        instead, applied = for_agentscope(event, before, agentscope.reads(event))
        raised, warned = agentscope.apply(theirs, instead) if instead is not None else (None, False)
        refused, reports = ours.apply(event, way)

        before, after = dump(theirs), as_compared(dump(ours.msg))
        assert_same(ids.rename(as_compared(before), after), after, context)
        skipped = bool(set(reports) & set(SKIPPED))
        if instead is None:
            assert_reported(applied, refused, reports, context)
        elif raised is not None:
            # From JSON we look into an event only when its reply and block are there.
            assert refused or (skipped and way != "models"), (raised, reports, context)
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
    ours = Ours(start)
    for event in events:
        ours.apply(event, "dicts")
    written = ours.msg.model_dump_json()
    theirs = agentscope.message.Msg.model_validate_json(written)
    assert_same(as_compared(dump(theirs)), as_compared(json.loads(written)), "AgentScope read ours")
    by_value = agentscope.message.Msg.model_validate(ours.msg.model_dump())
    assert dump(by_value) == dump(theirs)

    returned = msgfold.parse_msg(theirs.model_dump_json())
    assert returned.model_dump_json() == theirs.model_dump_json()
