"""Replaying one case, ten cases that say whether a program speaks at all, and the cost curve."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest
from msgfold.cli.app import app
from msgfold.cli.common import Failure
from msgfold.cli.conformance_replay import SMOKE
from msgfold.conformance.corpus import load
from msgfold.conformance.cost import exponent, measure
from typer.testing import CliRunner

REFERENCE = [sys.executable, "-m", "msgfold.conformance.testee"]
CASE = "fold/text/deltas-join-without-a-gap"


def kit(*arguments):
    return CliRunner().invoke(app, ["conformance", *map(str, arguments)])


@pytest.mark.parametrize("case", [CASE, "decode/sse/bom-and-comment", "proto/to/lone-surrogate"])
def test_what_is_replayed_is_what_the_runner_sends(case, tmp_path):
    seen = tmp_path / "seen"
    note = f"open({str(seen)!r}, 'a').write(line)"
    body = f"{note}\nprint(json.dumps(reply(json.loads(line))), flush=True)"
    script = tmp_path / "recording.py"
    script.write_text(
        "import json, sys\nfrom msgfold.conformance.testee import reply\nfor line in sys.stdin:\n"
        + "".join(f"    {each}\n" for each in body.splitlines())
    )
    assert kit("run", "--filter", case, "--", sys.executable, script).exit_code == 0
    assert kit("replay", case).stdout == seen.read_text()


def test_a_case_is_sent_to_a_program_and_judged(faulty):
    done = kit("replay", CASE, "--", *REFERENCE)
    assert done.exit_code == 0
    assert json.loads(done.stdout.splitlines()[0])["msg"]["id"] == "r1"
    assert "1 passed" in done.stdout
    done = kit("replay", CASE, "--", *faulty("space"))
    assert isinstance(done.exception, Failure)
    assert "event 2: " in done.stdout


def test_a_failure_shows_the_line_that_replays_it(faulty):
    command = faulty("space")
    shown = kit("run", "--filter", CASE, "--", *command).stdout
    line = next(each for each in shown.splitlines() if "  again: " in each).partition(": ")[2]
    assert line == f"msgfold conformance replay {CASE} -- {shlex.join(command)}"
    again = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(again, capture_output=True, text=True)
    assert (done.returncode, "1 failed" in done.stdout) == (1, True)


def test_ten_cases_say_whether_it_speaks(faulty, tmp_path):
    assert {case.id for case in load()} >= set(SMOKE)
    assert kit("smoke", "--", *REFERENCE).exit_code == 0
    assert isinstance(kit("smoke", "--", *faulty("space")).exception, Failure)
    banner = tmp_path / "banner.py"
    banner.write_text("print('hello, I am a reducer', flush=True)\ninput()\n")
    done = kit("smoke", "--", sys.executable, banner)
    assert "logs and banners belong on standard error" in str(done.exception)


def test_an_exponent_is_the_slope_of_the_cost():
    sizes = (100, 200, 400, 800)
    assert exponent(sizes, (2.0, 2.0, 2.0, 2.0)) == 0
    assert exponent(sizes, (1.0, 2.0, 4.0, 8.0)) == pytest.approx(1)
    assert exponent(sizes, (0.0, 0.0, 1.0, 2.0)) == 0, "two points say nothing"


QUADRATIC = """
import json, sys
from msgfold.conformance.testee import reply
for line in sys.stdin:
    request = json.loads(line)
    text = ""
    for event in request.get("input", {}).get("events", []):
        if event["type"] == "TEXT_BLOCK_DELTA":
            text = "".join(list(text) + list(event["delta"]))
    print(json.dumps(reply(request)), flush=True)
"""


def test_a_cost_that_grows_is_told_and_one_that_does_not_is_not(process, tmp_path):
    from msgfold.conformance.process import Testee

    slow = tmp_path / "slow.py"
    slow.write_text(QUADRATIC)
    sizes = (500, 1000, 2000, 4000)
    testee = Testee([sys.executable, str(slow)], timeout=60)
    try:
        assert measure(testee.answer, "2.0.4", "text", sizes=sizes).grows
    finally:
        testee.close()
    # A busy machine can bend one curve of a program that folds well, hardly three in a row.
    flat = process("none").answer
    assert not all(measure(flat, "2.0.4", "text", sizes=sizes).grows for _ in range(3))


def test_a_cost_that_grows_is_a_warning(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text(QUADRATIC)
    command = [sys.executable, "-m", "msgfold", "conformance", "cost", "--shape", "text"]
    done = subprocess.run(
        [*command, "--output", "json", "--", sys.executable, str(slow)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    (curve,) = json.loads(done.stdout)
    assert curve["grows"]
    assert "SHOULD stay the same" in done.stderr
