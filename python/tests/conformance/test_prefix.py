"""The event at which a fold departs: with the Msg after every event, and by halving."""

from __future__ import annotations

import json

import pytest
from msgfold.conformance import reference
from msgfold.conformance.blame import RULES, rule_of
from msgfold.conformance.corpus import load
from msgfold.conformance.made import case as made
from msgfold.conformance.prefix import events_of, prefix
from msgfold.conformance.rules import rules
from msgfold.conformance.runner import judge
from msgfold.conformance.streams import EMPTY, event
from msgfold.wire.decode import EVENT_TYPES
from typer.testing import CliRunner

FOLDS = [case for case in load() if case.op == "fold"]


def stamped(*events):
    at = "2026-07-07T10:00:{:02}"
    stamps = [{"id": f"e{n}", "created_at": at.format(n)} for n in range(len(events))]
    return [stamp | each for stamp, each in zip(stamps, events, strict=True)]


def of_text(*deltas):
    opening = event("TEXT_BLOCK_START", block_id="b")
    following = (event("TEXT_BLOCK_DELTA", block_id="b", delta=delta) for delta in deltas)
    return {"msg": EMPTY, "events": stamped(opening, *following)}


def asking(process, asked):
    """The testee, with a note of how it was asked."""

    def answer(op, given, revision, **how):
        asked.append((len(events_of(given)), how))
        return process.answer(op, given, revision, **how)

    return answer


@pytest.mark.parametrize("lacks", [(), ("steps",)], ids=["steps", "halving"])
def test_the_first_event_that_went_wrong_is_named_not_the_last(process, lacks):
    testee = process("space", lacks=lacks)
    case = made(of_text("a", *[""] * 40, "b", "c", "d"), "2.0.4")
    # An empty delta is where a space comes in first: behind the first text.
    result = judge(case, "2.0.4", testee.answer, features=testee.features)
    assert (result.outcome, result.what, result.event) == ("failed", "msg", 2)
    assert result.rule == "fold.text.delta"


def test_one_without_steps_is_asked_a_few_prefixes_only(process):
    testee, asked = process("space", lacks=["steps"]), []
    case = made(of_text(*["a"] * 127), "2.0.4")
    result = judge(case, "2.0.4", asking(testee, asked), features=testee.features)
    assert result.event == 2
    assert len(asked) <= 10
    assert not any(how for _, how in asked)


def test_one_with_steps_is_asked_once_more(process):
    testee, asked = process("space"), []
    case = made(of_text(*["a"] * 127), "2.0.4")
    result = judge(case, "2.0.4", asking(testee, asked), features=testee.features)
    assert result.event == 2
    assert asked == [(128, {}), (128, {"steps": True})]


def test_a_msg_that_is_misread_departs_at_no_event():
    case = made({**of_text("a"), "msg": {**EMPTY, "metadata": {"k": 1}}}, "2.0.4")

    def forgetful(op, given, revision):
        return reference.answer(op, {**given, "msg": {**given["msg"], "metadata": {}}}, revision)

    result = judge(case, "2.0.4", forgetful)
    assert (result.outcome, result.event, result.rule) == ("failed", None, "")


def test_an_error_names_its_event_itself(process):
    testee = process("any role")
    case = next(c for c in FOLDS if "fold.role" in c.rules and "error" in c.expect)
    revision = case.revisions["from"]
    result = judge(case, revision, testee.answer, features=testee.features)
    assert result.what == "error"
    assert result.event == case.expect["error"]["event"]
    assert result.rule == "fold.role"


def test_a_testee_that_claims_steps_and_gives_none_is_halved(process):
    testee = process("space", lacks=["steps"])

    def forgetful(op, given, revision, *, steps=False):
        return testee.answer(op, given, revision)

    result = judge(made(of_text("a", "b"), "2.0.4"), "2.0.4", forgetful, features={"steps"})
    assert result.event == 2


@pytest.mark.parametrize("case", FOLDS, ids=lambda case: case.id)
def test_the_msgs_after_every_event_are_those_of_the_prefixes(case):
    """What ``steps`` answers is what a fold of each prefix answers; and each event has a rule."""
    revision = case.revisions["from"]
    for index in range(len(events_of(case.input))):
        assert rule_of(case.input, revision, index) in rules()
    if case.input.get("replies", "first") != "first" or "repeat" in case.input:
        return
    steps = reference.answer("fold", case.input, revision, steps=True)["steps"]
    for count, msg in enumerate(steps, 1):
        assert reference.answer("fold", prefix(case.input, count), revision)["msg"] == msg


def test_every_type_of_event_has_a_rule():
    assert set(RULES) == set(EVENT_TYPES)
    assert set(RULES.values()) <= set(rules())


def test_the_command_line_shows_the_event_and_its_sentence(faulty):
    from msgfold.cli.app import app

    case = "fold/text/deltas-join-without-a-gap"
    run = ["conformance", "run", "--filter", case]
    shown = CliRunner().invoke(app, [*run, "--", *faulty("space")]).stdout
    assert "event 2: " in shown
    assert rules()["fold.text.delta"].text in shown
    found = CliRunner().invoke(app, [*run, "--output", "json", "--", *faulty("space")]).stdout
    (result,) = json.loads(found)["results"]
    rule = result.get("event_rule", result["rules"][0])
    assert (result["event"], rule) == (2, "fold.text.delta")
    assert result["pointer"] == "/content/0/text"
