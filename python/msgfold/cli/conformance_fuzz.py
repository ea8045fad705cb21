"""``msgfold conformance fuzz``: random streams, and the smallest that a testee gets wrong."""

from __future__ import annotations

import json
import secrets
import shlex
from pathlib import Path
from typing import Annotated

import typer

from msgfold.cli import common
from msgfold.conformance import made
from msgfold.conformance.fuzz import NAMES, Finding, Fuzzing
from msgfold.conformance.laws import LAWS
from msgfold.conformance.process import TIMEOUT, BrokenTesteeError, Testee
from msgfold.conformance.rules import rules
from msgfold.revisions import DEFAULT_REVISION


def fuzz_command(
    testee: Annotated[
        list[str],
        typer.Argument(metavar="-- CMD ARGS...", help="The implementation, as a program."),
    ],
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many streams.")] = 700,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed draws the same streams.")
    ] = None,
    first: Annotated[
        int, typer.Option(metavar="N", min=0, help="The number of the first stream of each law.")
    ] = 0,
    law: Annotated[
        list[str] | None, typer.Option("--law", help=f"Only these: {', '.join(NAMES)}.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="DIR", help="Write a case file for each fault.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="For each answer.")
    ] = TIMEOUT,
    revision: Annotated[
        str, typer.Option(help="The AgentScope release to judge by.")
    ] = DEFAULT_REVISION,
) -> None:
    """Fold random streams with a program of yours, and shrink what it gets wrong.

    Each stream is checked against a law of the fold, or against the reference. A fault is shown
    once, with the fewest events and the smallest values that show it. Exits with 1 when there is
    one.

    Examples:

    - `msgfold conformance fuzz -- msgfold-testee`
    - `msgfold conformance fuzz --count 10000 --save found -- ./my-testee`
    - `msgfold conformance fuzz --seed 7 --law cut --law resume -- ./my-testee`
    - `msgfold conformance run --cases found -- ./my-testee`
    """
    common.known_revision(revision)
    for name in law or ():
        if name not in NAMES:
            raise common.Failure(f"no law {name!r}; expected {', '.join(NAMES)}", common.USAGE)
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    try:
        process = Testee(testee, timeout=timeout)
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    try:
        fuzzing = Fuzzing(process.answer, revision, process.features, seed, law or NAMES)
        _check_able(process, fuzzing)
        for finding in fuzzing.run(count=count, first=first):
            again = ["--seed", str(seed), "--law", finding.law, "--first", str(finding.number)]
            _print(finding, [*again, "--count", "1", "--revision", revision, "--", *testee])
            if save is not None and finding.result is not None:
                _save(finding, save)
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    finally:
        process.close()
    common.console.print(
        f"{fuzzing.streams} streams, {len(fuzzing.findings)} faults, seed {seed}, "
        f"checked: {', '.join(fuzzing.checked())}"
    )
    if fuzzing.findings:
        raise common.Failure("", common.FAULTY)


def _check_able(process: Testee, fuzzing: Fuzzing) -> None:
    """Something can be asked of the testee; green for nothing is not green."""
    if fuzzing.revision not in process.description["revisions"]:
        raise common.Failure(f"nothing was tested: the testee does not know {fuzzing.revision}")
    if "fold" not in process.description["ops"] or not fuzzing.checked():
        raise common.Failure("nothing was tested: the testee lacks what the laws ask for")


def _print(finding: Finding, again: list[str]) -> None:
    def say(text: str) -> None:
        common.console.print(text, markup=False)

    law = next((law.says for law in LAWS if law.name == finding.law), "folds as the reference does")
    say(f"\nwrong  {finding.law}: {law}")
    result = finding.result
    found = finding.difference if result is None else result.difference
    if found is not None:
        what = "msg" if result is None else result.what
        say(f"  {what} at {found.pointer or '/'}")
        say(f"  expected {json.dumps(found.expected, ensure_ascii=False)}")
        say(f"  got      {json.dumps(found.got, ensure_ascii=False)}")
    if result is None:
        say("  asked the same once more, it answers as the reference: it is not deterministic")
    else:
        if result.message:
            say(f"  {result.message}")
        rule = result.rule or result.case.rules[0]
        say(f"  {rule}: {rules()[rule].text}")
        say(f"  input {json.dumps(result.case.input, ensure_ascii=False)}")
    say(f"  again: msgfold conformance fuzz {shlex.join(again)}")


def _save(finding: Finding, folder: Path) -> None:
    assert finding.result is not None
    try:
        (path,) = made.write([finding.result.case], folder)
    except OSError as error:
        raise common.Failure(f"{folder}: cannot be written: {error.strerror}") from None
    common.console.print(f"  written: {path}", markup=False)
