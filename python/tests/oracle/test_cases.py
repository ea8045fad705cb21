"""The corpus is true of AgentScope: each fold case, in each release, unless it says otherwise.

A case that names no difference must come out as AgentScope has it, but for what AgentScope makes up
and for how it writes some values.  A case that names one is about a rule that differs.
"""

from __future__ import annotations

import pytest
from deviations import as_compared
from msgfold.conformance.corpus import load
from reducers import dump
from test_agentscope import MadeUp, assert_same

pytestmark = pytest.mark.oracle


def is_comparable(case):
    """AgentScope folds events into one Msg; framing and several replies are not its affair."""
    given = case.input
    return (
        case.op == "fold"
        and given["msg"] is not None
        and "events" in given
        and given.get("replies", "first") == "first"
        and not case.agentscope
    )


CASES = [case for case in load() if is_comparable(case)]


def test_most_cases_are_compared():
    assert len(CASES) >= 300


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_agentscope_gives_the_msg_of_the_case(agentscope, case):
    if not case.holds_for(agentscope.release):
        return
    msg = agentscope.load(case.input["msg"])
    for event in case.input["events"]:
        raised, _ = agentscope.apply(msg, event)
        if raised and case.input.get("errors", "raise") == "raise":
            break
    expected = as_compared(case.expected_of(agentscope.release)["msg"])
    made_up = MadeUp(case.input, "")
    found = made_up.rename(as_compared(dump(msg)), expected)
    assert_same(in_order(found, expected), expected, case.id)


def in_order(found, expected):
    """``found`` as the case writes it: members in its order, nulls only where it has them."""
    if isinstance(found, list) and isinstance(expected, list):
        pairs = [in_order(*pair) for pair in zip(found, expected, strict=False)]
        return pairs + found[len(expected) :]
    if not isinstance(found, dict) or not isinstance(expected, dict):
        return found
    known = {name: in_order(found[name], expected[name]) for name in expected if name in found}
    return known | {name: v for name, v in found.items() if name not in expected and v is not None}
