"""Fuzzing real testees with one fault each: it is found, shrunk, written, and found again."""

from __future__ import annotations

import json

import pytest
from msgfold.cli.app import app
from msgfold.conformance.corpus import load
from msgfold.conformance.fuzz import NAMES, REFERENCE, Fuzzing
from msgfold.conformance.laws import LAWS
from msgfold.conformance.runner import judge
from typer.testing import CliRunner

COUNT = 40 * len(NAMES)


def fuzzing(testee, *names, seed=1):
    return Fuzzing(testee.answer, "2.0.4", testee.features, seed, names or NAMES)


def test_the_reference_keeps_every_law(process):
    checked = fuzzing(process("none"))
    assert list(checked.run(count=COUNT)) == []
    assert checked.streams == COUNT
    assert checked.checked() == list(NAMES)


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("space", {"fold.text.delta", "fold.tool-call.delta", "fold.tool-result.text"}),
        ("base64 joined as text", {"fold.data.delta", "fold.tool-result.data"}),
    ],
)
def test_a_fault_is_shrunk_to_three_events_at_most_with_its_rule(process, fault, rules):
    testee = process(fault)
    found = list(fuzzing(testee).run(count=COUNT))
    assert found
    assert found[0].result.case.rules[0] in rules
    for finding in found:
        assert 0 < len(finding.result.case.input["events"]) <= 3
        assert judge(finding.result.case, "2.0.4").outcome == "passed"  # by the reference


BREAKS = {
    "cut": "space",
    "interleave": "last of its kind",
    "resume": "usage forgotten",
    "repeat": "events kept",
    "twice": "a second end undoes the first",
    "foreign": "every reply is this one",
    "order": "blocks in front",
}
"""Law to a fault that breaks it."""


@pytest.mark.parametrize("law", [law.name for law in LAWS])
def test_a_law_finds_a_fault_without_an_expectation(process, law):
    found = next(fuzzing(process(BREAKS[law]), law).run(count=400))
    assert found.law == law


def test_what_a_testee_cannot_do_is_not_checked(process):
    assert "repeat" not in fuzzing(process("none", lacks=["repeat"])).checked()


def test_a_stream_is_drawn_again_by_its_number(process):
    testee = process("space")
    found = next(fuzzing(testee, REFERENCE).run(count=COUNT))
    (again,) = fuzzing(testee, REFERENCE).run(count=1, first=found.number)
    assert again.result.case == found.result.case


def test_the_command_writes_cases_that_the_corpus_reads_and_a_line_that_finds_them(
    faulty, tmp_path
):
    command = faulty("space")
    cli = ["conformance", "fuzz", "--seed", "1", "--count", str(COUNT)]
    done = CliRunner().invoke(app, [*cli, "--save", str(tmp_path / "found"), "--", *command])
    assert done.exception is not None
    assert "again: msgfold conformance fuzz --seed 1 --law" in done.stdout
    cases = load(tmp_path / "found")
    assert cases
    assert all(len(case.input["events"]) <= 3 for case in cases)
    run = ["conformance", "run", "--cases", str(tmp_path / "found"), "--output", "json"]
    report = json.loads(CliRunner().invoke(app, run).stdout)
    assert report["passed"] == len(cases)
    report = json.loads(CliRunner().invoke(app, [*run, "--", *command]).stdout)
    assert report["failed"] == len(cases)


def test_a_law_that_is_none_is_told(faulty):
    done = CliRunner().invoke(app, ["conformance", "fuzz", "--law", "x", "--", *faulty("none")])
    assert "no law 'x'; expected reference, cut" in str(done.exception)
