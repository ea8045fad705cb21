"""Testees that misbehave in every way: the verdict is right, only the guilty case is blamed."""

from __future__ import annotations

import json
import re
import sys

import pytest
from msgfold.cli.app import app
from msgfold.cli.common import Failure
from msgfold.conformance.corpus import Selection, load
from msgfold.conformance.process import RESTARTS, BrokenTesteeError
from msgfold.conformance.process import Testee as Process
from msgfold.conformance.process import TesteeError as NoAnswerError
from msgfold.conformance.runner import NOT_ASKED, run_processes
from typer.testing import CliRunner

REFERENCE = [sys.executable, "-m", "msgfold.conformance.testee"]
EVERY = [case for case in load() if case.holds_for("2.0.4")]
CASES = [case for case in EVERY if Selection(globs=("fold/text/*",)).takes(case)]

PRELUDE = """
import json, sys, time
from msgfold.conformance.testee import describe, reply
count = 0
for line in sys.stdin:
    request = json.loads(line)
    count += request["op"] != "describe"
    answer = reply(request)
"""


def program(tmp_path, body):
    """A testee that does ``body`` for each request, with the right reply in ``answer``."""
    script = tmp_path / "testee.py"
    indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
    script.write_text(PRELUDE + indented)
    return [sys.executable, str(script)]


def verdicts(command, cases=CASES, *, timeout=10.0, processes=1):
    found = run_processes(cases, "2.0.4", command, timeout=timeout, processes=processes)
    return list(found)


def outcomes(results):
    return [result.outcome for result in results]


@pytest.mark.parametrize("processes", [1, 3])
def test_the_reference_passes_over_its_own_pipe(processes):
    results = verdicts(REFERENCE, processes=processes)
    assert [result.case.id for result in results] == [case.id for case in CASES]
    assert set(outcomes(results)) == {"passed"}


def test_every_case_passes_over_the_pipe():
    assert set(outcomes(verdicts(REFERENCE, EVERY))) == {"passed"}


def test_one_that_hangs_is_stopped_and_blamed_for_that_case_only(tmp_path):
    command = program(
        tmp_path, "if count == 2: time.sleep(3600)\nprint(json.dumps(answer), flush=True)"
    )
    results = verdicts(command, CASES[:4], timeout=5)  # long to a machine that is busy, too
    # Started anew, it counts from 1 again, and hangs on its second case.
    assert outcomes(results) == ["passed", "errored", "passed", "errored"]
    assert "no reply within 5 seconds" in results[1].message


def test_one_that_crashes_on_every_third_case_is_started_anew(tmp_path):
    command = program(
        tmp_path,
        "if count == 3: sys.exit('out of luck')\nprint(json.dumps(answer), flush=True)",
    )
    # The third is asked once more, to find the event at which it crashes; then it does not.
    results = verdicts(command, CASES[:7])
    assert outcomes(results) == ["passed", *["passed", "errored"] * 3]
    assert "exit code 1" in results[2].message
    assert "out of luck" in results[2].message
    assert results[2].event is None


def test_the_event_at_which_it_crashes_is_found(tmp_path):
    case = next(case for case in EVERY if case.id == "fold/text/deltas-join-without-a-gap")
    crash = "if count and 'TEXT_BLOCK_DELTA' in line: sys.exit('no deltas')\n"
    command = program(tmp_path, crash + "print(json.dumps(answer), flush=True)")
    (result,) = verdicts(command, [case])
    kinds = [event["type"] for event in case.input["events"]]
    assert (result.outcome, result.event) == ("errored", kinds.index("TEXT_BLOCK_DELTA"))
    assert result.rule == "fold.text.delta"
    assert "no deltas" in result.message


def test_one_that_always_crashes_is_given_up(tmp_path):
    command = program(tmp_path, "if count: sys.exit(3)\nprint(json.dumps(answer), flush=True)")
    results = verdicts(command, EVERY)
    assert set(outcomes(results)) == {"errored"}
    assert len(results) == len(EVERY)
    given_up = next(n for n, r in enumerate(results) if f"anew {RESTARTS} times" in r.message)
    assert 0 < given_up <= RESTARTS + 1
    assert {result.message for result in results[:given_up]} == {
        "the testee ended with exit code 3"
    }
    assert results[given_up].message.endswith("at last: the testee ended with exit code 3")
    assert {result.message for result in results[given_up + 1 :]} == {NOT_ASKED}


def test_one_of_several_that_is_given_up_leaves_the_cases_to_the_others(tmp_path):
    """The first to come takes the folder and is sound; the others fail whatever they are asked."""
    command = program(
        tmp_path,
        "import os\n"
        "if 'sound' not in globals():\n"
        "    try: sound = os.mkdir('sound') is None\n"
        "    except FileExistsError: sound = False\n"
        "if count and not sound: sys.exit(3)\n"
        "print(json.dumps(answer), flush=True)",
    )
    command = ["sh", "-c", 'cd "$0" && exec "$@"', str(tmp_path), *command]
    results = verdicts(command, EVERY[:60], processes=2)
    assert outcomes(results).count("errored") <= RESTARTS + 1
    assert NOT_ASKED not in {result.message for result in results}


def test_a_run_whose_testee_is_given_up_says_why_and_counts_every_case(tmp_path):
    command = program(
        tmp_path,
        "answer |= {'mood': 1} if count else {}\nprint(json.dumps(answer), flush=True)",
    )
    run = ["conformance", "run", "--filter", "fold/t*", "--", *command]
    result = CliRunner().invoke(app, run)
    assert isinstance(result.exception, Failure)
    assert "'mood' was unexpected" in result.stdout
    assert "more not asked: the testee was given up" in result.stdout
    counted = result.stdout.splitlines()[-1]
    assert re.fullmatch(r"0 passed, 0 failed, (\d+) errored, \1 in all", counted)


def test_a_run_whose_testee_never_starts_counts_every_case():
    result = CliRunner().invoke(
        app, ["conformance", "run", "--filter", "fold/text/*", "--", "true"]
    )
    assert "does not describe itself" in str(result.exception)
    assert f"{len(CASES)} errored, {len(CASES)} in all" in result.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('ok' if count else json.dumps(answer), flush=True)", "no JSON: 'ok'"),
        ("print('[]' if count else json.dumps(answer), flush=True)", "not a reply"),
        (
            "answer['id'] += 100 * bool(count)\nprint(json.dumps(answer), flush=True)",
            "which was never sent",
        ),
        (
            "answer = {'id': answer['id'], 'failure': 'no idea'} if count else answer\n"
            "print(json.dumps(answer), flush=True)",
            "the testee failed: no idea",
        ),
    ],
)
def test_what_is_no_answer_is_told(tmp_path, body, said):
    results = verdicts(program(tmp_path, body), CASES[:2])
    assert outcomes(results) == ["errored", "errored"]
    assert said in results[0].message


def test_a_late_reply_never_answers_the_next_case(tmp_path):
    """It repeats its last reply before each new one."""
    command = program(
        tmp_path,
        "if count > 1: print(json.dumps(last))\n"
        "print(json.dumps(answer), flush=True)\nlast = answer",
    )
    assert set(outcomes(verdicts(command))) == {"passed"}


def test_a_wrong_answer_is_a_failure_with_its_place(tmp_path):
    command = program(
        tmp_path,
        "if count: answer['result']['msg']['content'] = []\nprint(json.dumps(answer), flush=True)",
    )
    results = verdicts(command, CASES[:3])
    assert "failed" in outcomes(results)
    failed = next(result for result in results if result.outcome == "failed")
    assert failed.what == "msg"
    assert failed.difference.pointer.startswith("/content")


ONLY_FOLD = """
if not count:
    answer['result'] |= {'ops': ['fold'], 'features': [], 'revisions': ['2.0.4']}
else:
    answer['result'].pop('diagnostics', None)
    answer['result'].pop('status', None)
print(json.dumps(answer), flush=True)
"""


def test_one_that_only_folds_is_not_judged_for_the_rest(tmp_path):
    command = program(tmp_path, ONLY_FOLD)
    results = verdicts(command, EVERY)
    for result in results:
        given = result.case.input
        several = given.get("replies", "first") != "first"
        lacks = result.case.op != "fold" or "repeat" in given or several or result.case.needs
        assert result.outcome == ("untested" if lacks else "passed"), result
    later = list(run_processes(CASES, "2.0.11", command, timeout=10, processes=1))
    assert {(r.outcome, r.message) for r in later} == {("untested", "does not know 2.0.11")}


def test_one_that_has_doubles_only_is_not_asked_what_needs_more(tmp_path):
    command = program(
        tmp_path,
        "if not count: answer['result']['features'].remove('numbers')\n"
        "print(json.dumps(answer), flush=True)",
    )
    needy = [case for case in EVERY if case.needs]
    assert needy
    results = verdicts(command, needy)
    assert {(r.outcome, "doubles only" in r.message) for r in results} == {("untested", True)}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["no-such-program"], "cannot be started"),
        ([sys.executable, "-c", "print('Welcome!')"], "no JSON: 'Welcome!'"),
        ([sys.executable, "-c", ""], "exit code 0"),
        ([sys.executable, "-c", 'print(\'{"id": 1, "result": {}}\')'], "its description is wrong"),
    ],
)
def test_one_that_does_not_describe_itself_gets_one_clear_message(command, said):
    with pytest.raises(BrokenTesteeError, match=re.escape(said)):
        Process(command)


def test_every_reply_of_the_reference_follows_the_schema():
    process = Process(REFERENCE)
    try:
        for case in CASES[:20]:
            assert json.dumps(process.answer(case.op, case.input, "2.0.4"))
    finally:
        process.close()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--impl", "agentscope"], 2, "expected agentscope==VERSION"),
        (["--impl", "other==1.0"], 2, "no implementation 'other==1.0'"),
        (["--impl", "agentscope==2.0.4", "--", "x"], 2, "not both"),
        (["--revision", "2.0.4", "--", "no-such-program"], 1, "cannot be started"),
    ],
)
def test_the_command_line_says_what_it_expected(arguments, code, said):
    failure = CliRunner().invoke(app, ["conformance", "run", *arguments]).exception
    assert isinstance(failure, Failure)
    assert (failure.code, said in str(failure)) == (code, True), failure


def test_one_that_crashes_now_and_then_is_never_given_up(tmp_path):
    """It answers in between, so it is not broken: what counts is how often in a row."""
    command = program(tmp_path, "if count == 2: sys.exit(1)\nprint(json.dumps(answer), flush=True)")
    process = Process(command, timeout=30, restarts=1)
    try:
        for _ in range(3):
            assert process.answer("fold", CASES[0].input, "2.0.4")["msg"]
            with pytest.raises(NoAnswerError, match="exit code 1"):
                process.answer("fold", CASES[0].input, "2.0.4")
    finally:
        process.close()


def test_one_that_does_not_read_is_stopped_like_one_that_does_not_answer(tmp_path):
    """The request is longer than a pipe holds, and nobody takes it."""
    command = program(tmp_path, "print(json.dumps(answer), flush=True)\ntime.sleep(60)")
    process = Process(command, timeout=0.5)
    try:
        with pytest.raises(NoAnswerError, match=re.escape("no reply within 0.5 seconds")):
            process.answer("fold", {"msg": None, "events": ["x" * (1 << 20)]}, "2.0.4")
    finally:
        process.close()


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({}, "at /: "),
        ({"msg": []}, "at /msg: [] is not of type 'object', 'null'"),
        ({"msg": None, "error": {"event": 1}}, "at /error: 'code' is a required property"),
        ({"msg": None, "state": "open"}, "at /: Additional properties are not allowed"),
    ],
)
def test_a_result_that_is_none_is_told_with_its_place(tmp_path, result, said):
    body = f"if count: answer['result'] = {result!r}\nprint(json.dumps(answer), flush=True)"
    (judged,) = verdicts(program(tmp_path, body), CASES[:1])
    assert judged.outcome == "errored"
    assert f"not a result of fold, {said}" in judged.message
