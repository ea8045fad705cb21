"""The corpus covers every event in every state that it may meet, and the map of it is true."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest
from msgfold.conformance.corpus import load
from msgfold.conformance.coverage import AXES, EVENTS, STATES, coverage, reason
from msgfold.conformance.report import log, page
from msgfold.wire.decode import EVENT_TYPES

ALL = load()
FOUND = coverage(ALL)


def test_every_event_type_has_a_row():
    assert set(EVENTS) == {str(kind) for kind in EVENT_TYPES}


def test_no_cell_that_applies_is_empty():
    assert FOUND.empty == []


def test_a_cell_that_does_not_apply_has_a_reason_and_no_case():
    for event, state in FOUND.every:
        if reason(event, state) is not None:
            assert reason(event, state)
            assert not FOUND.cells[event, state], (event, state)


def test_a_cell_without_its_cases_is_empty():
    cell = ("TOOL_CALL_DELTA", "call: submitted")
    left = [case for case in ALL if case.id not in FOUND.cells[cell]]
    assert cell in coverage(left).empty


@pytest.mark.parametrize(
    ("case", "event", "state"),
    [
        ("fold/after-end/text", "TEXT_BLOCK_DELTA", "block: ended"),
        ("fold/reply-id/mismatch-is-skipped", "TEXT_BLOCK_DELTA", "reply: other"),
        ("fold/find/kind-is-part-of-the-key", "TEXT_BLOCK_DELTA", "block: started"),
        ("fold/confirm/no-from-allowed", "USER_CONFIRM_RESULT", "call: allowed"),
        ("fold/confirm/stale-for-a-missing-call", "USER_CONFIRM_RESULT", "call: absent"),
    ],
)
def test_a_case_is_where_its_events_meet_the_state(case, event, state):
    assert case in FOUND.cells[event, state]


def test_an_event_that_is_refused_covers_nothing():
    case = next(case for case in ALL if case.id == "fold/after-end/text")
    events = [{**event, "delta": 1} for event in case.input["events"]]
    spoilt = dataclasses.replace(case, input={**case.input, "events": events[:1]})
    assert coverage([case]).cells
    assert not any(kind.endswith("_DELTA") for kind, _ in coverage([spoilt]).cells)


def told_of(*args):
    command = [sys.executable, "-m", "msgfold", "conformance", "coverage", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_tells_what_is_to_do(tmp_path):
    done = told_of("--output", "json")
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert told["empty"] == []
    assert len(told["cells"]) + len(told["not_applicable"]) == len(EVENTS) * len(STATES)
    done = told_of("--cases", tmp_path)
    assert done.returncode == 1
    assert "to do: REPLY_START with reply: none" in done.stdout


def test_the_page_shows_the_states_and_marks_what_is_empty():
    run = log.Run({"name": "x", "version": "1", "language": "python"}, "2.0.4", ())
    before = page.html([run])
    full, bare = page.html([run], FOUND), page.html([run], coverage([]))
    assert full.count("<caption>") == before.count("<caption>") + len(AXES)
    assert '<th scope="row">TEXT_BLOCK_DELTA</th>' in full
    assert "not applicable: a hint comes whole" in full
    assert ">empty</td>" not in full
    assert bare.count(">empty</td>") == len(coverage([]).empty)
