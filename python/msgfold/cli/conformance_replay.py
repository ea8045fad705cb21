"""``msgfold conformance replay``: one case as the runner sends it, to look at or to send again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold.cli import common, reports
from msgfold.conformance.corpus import Case, load
from msgfold.conformance.process import TIMEOUT, BrokenTesteeError, Testee, request
from msgfold.conformance.report import log
from msgfold.conformance.runner import inputs, judge, run_processes
from msgfold.errors import MsgfoldError
from msgfold.resources import CASES
from msgfold.revisions import DEFAULT_REVISION

SMOKE = (
    "fold/reply/start-makes-the-msg",
    "fold/text/start-appends-an-empty-block",
    "fold/text/deltas-join-without-a-gap",
    "fold/thinking/start-and-deltas",
    "fold/data/padded-chunks-join-as-bytes",
    "fold/tool-call/parallel-arguments-interleave",
    "fold/tool-result/data-inline",
    "fold/confirm/yes-from-asking",
    "fold/external/result-is-appended",
    "fold/reply/end-stamps-finished-at",
)
"""What a fold cannot do without: a reply begins, text and tools come, it ends."""


def replay_command(
    case_id: Annotated[str, typer.Argument(metavar="CASE", help="The id of a case.")],
    testee: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- CMD ARGS...]", help="Send it to this program, and judge."),
    ] = None,
    revision: Annotated[
        str, typer.Option(help="The AgentScope release to judge by.")
    ] = DEFAULT_REVISION,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="For each answer.")
    ] = TIMEOUT,
    cases: Annotated[Path, typer.Option("--cases", metavar="DIR", help="Another folder.")] = CASES,
) -> None:
    """Show what the runner sends for a case, byte by byte, or send it to a program.

    Without CMD, standard output is what the program would read on its standard input. With CMD,
    each answer is shown as it came, then the verdict; exits with 1 when that is not good.

    Examples:

    - `msgfold conformance replay fold/text/empty-delta`
    - `msgfold conformance replay fold/text/empty-delta | ./my-testee`
    - `msgfold conformance replay fold/text/empty-delta -- ./my-testee`
    """
    common.known_revision(revision)
    case = named(case_id, cases)
    if not case.holds_for(revision):
        raise common.Failure(f"{case_id} says nothing of {revision}", common.USAGE)
    if not testee:
        for line in stdin_of(case, revision):
            typer.echo(line)
        common.note(f"send it to your program: {line_for(case_id, revision)} | CMD")
        return
    try:
        process = Testee(testee, timeout=timeout)
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    try:
        _send(case, revision, process)
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    finally:
        process.close()


def smoke_command(
    testee: Annotated[
        list[str], typer.Argument(metavar="-- CMD ARGS...", help="The implementation.")
    ],
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="For each answer.")
    ] = TIMEOUT,
) -> None:
    """Ten cases that say in a second whether a program speaks the protocol and folds at all.

    Exits with 1 when it does not. Then go on with `msgfold conformance run`.

    Example:

    - `msgfold conformance smoke -- ./my-testee`
    """
    asked = set(SMOKE)
    chosen = [case for case in load() if case.id in asked]
    described: dict[str, str] = {}
    try:
        results = list(
            run_processes(
                chosen,
                DEFAULT_REVISION,
                testee,
                timeout=timeout,
                processes=1,
                described=described.update,
            )
        )
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    common.note(f"{described['name']} {described['version']} speaks the protocol")
    who = {part: described[part] for part in ("name", "version", "language")}
    reports.show(log.Run(who, DEFAULT_REVISION, tuple(map(log.record, results))))
    if any(result.outcome != "passed" for result in results):
        raise common.Failure("", common.FAULTY)


def named(case_id: str, cases: Path) -> Case:
    """The case of an id.

    Raises:
        Failure: there is none.
    """
    try:
        found = {each.id: each for each in load(cases)}
    except MsgfoldError as error:
        raise common.Failure(str(error)) from None
    if case_id not in found:
        begun = [each for each in found if case_id and each.startswith(case_id)]
        near = begun[:3] or get_close_matches(case_id, found, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see `msgfold conformance list`"
        raise common.Failure(f"no case {case_id!r}; {hint}", common.USAGE)
    return found[case_id]


def stdin_of(case: Case, revision: str) -> list[str]:
    """What the runner writes to a testee for one case, line by line."""
    asked = [{"op": "describe"}, *(request(case.op, given, revision) for given in inputs(case))]
    return [json.dumps({"id": number, **each}) for number, each in enumerate(asked, 1)]


def line_for(case_id: str, revision: str, testee: Sequence[str] = ()) -> str:
    """The shell line that replays a case."""
    line = ["msgfold", "conformance", "replay", case_id]
    if revision != DEFAULT_REVISION:
        line += ["--revision", revision]
    return shlex.join([*line, "--", *testee] if testee else line)


def _send(case: Case, revision: str, process: Testee) -> None:
    why = process.supports(case, revision)
    if why is not None:
        raise common.Failure(f"{case.id} is not for this testee: it {why}")
    asked = list(inputs(case))

    def answer(op: str, given: dict[str, Any], revision: str, **more: Any) -> dict[str, Any]:
        found = process.answer(op, given, revision, **more)
        if given in asked and not more:  # what is asked to find the event is not the case's
            typer.echo(json.dumps(found))
        return found

    result = judge(case, revision, answer, features=process.features)
    run = log.Run(
        {part: process.description[part] for part in ("name", "version", "language")},
        revision,
        (log.record(result),),
    )
    reports.show(run)
    if result.outcome != "passed":
        raise common.Failure("", common.FAULTY)
