"""``msgfold conformance``: run, list and explain the cases of the corpus."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from msgfold.cli import common
from msgfold.cli.conformance_fuzz import fuzz_command
from msgfold.conformance import implementations
from msgfold.conformance.corpus import Case, Selection, load
from msgfold.conformance.prefix import events_of
from msgfold.conformance.process import TIMEOUT, BrokenTesteeError
from msgfold.conformance.rules import rules
from msgfold.conformance.runner import Result, run_processes
from msgfold.conformance.runner import run as judge_all
from msgfold.errors import MsgfoldError, shorten
from msgfold.resources import CASES
from msgfold.revisions import DEFAULT_REVISION, RELEASES

app = typer.Typer(
    help="Hold the reference reducer against the conformance corpus.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class OutputOption(StrEnum):
    """How results are told."""

    TABLE = "table"
    JSON = "json"


Filter = Annotated[
    list[str] | None,
    typer.Option("--filter", metavar="GLOB", help="Cases whose id fits, such as 'fold/text/*'."),
]
Level = Annotated[list[str] | None, typer.Option(help="must, should or may.")]
RuleOption = Annotated[
    list[str] | None, typer.Option("--rule", help="A rule id, or the beginning of one.")
]
Op = Annotated[
    list[str] | None, typer.Option(help="fold, validate, decode, to_proto or from_proto.")
]
Cases = Annotated[Path, typer.Option("--cases", metavar="DIR", help="Another folder of cases.")]
Revision = Annotated[str, typer.Option(help="The AgentScope release to judge by.")]


def _selected(
    cases: Path, filter: Any, level: Any, rule: Any, op: Any, revision: str
) -> list[Case]:
    """The cases that were asked for.  None at all is a failure: green for nothing is not green."""
    common.known_revision(revision)
    try:
        every = load(cases)
    except MsgfoldError as error:
        raise common.Failure(str(error)) from None
    chosen = Selection(tuple(filter or ()), tuple(level or ()), tuple(rule or ()), tuple(op or ()))
    found = [case for case in every if chosen.takes(case) and case.holds_for(revision)]
    if not found:
        raise common.Failure(
            f"0 of {len(every)} cases selected, so nothing would be tested; "
            "see `msgfold conformance list`"
        )
    return found


@app.command("run")
def run_command(
    testee: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD ARGS...]", help="An implementation to judge, as a program."
        ),
    ] = None,
    filter: Filter = None,
    level: Level = None,
    rule: RuleOption = None,
    op: Op = None,
    impl: Annotated[
        str | None,
        typer.Option(
            metavar="NAME==VERSION",
            help="A known implementation, installed in an environment of its own: agentscope.",
        ),
    ] = None,
    revision: Annotated[
        str | None,
        typer.Option(help="The AgentScope release to judge by; that of --impl, or 2.0.4."),
    ] = None,
    output: Annotated[
        OutputOption, typer.Option(help="How results are told.")
    ] = OutputOption.TABLE,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="For each case, with CMD.")
    ] = TIMEOUT,
    processes: Annotated[
        int, typer.Option("--processes", metavar="N", min=1, help="Run N of CMD side by side.")
    ] = 1,
    cases: Cases = CASES,
) -> None:
    """Run cases against the reference reducer, or against a program of yours.

    The program speaks one JSON object a line: see schemas/conformance/testee.schema.json. Exits
    with 1 when a MUST fails or no case was tested; a SHOULD only warns.

    Examples:

    - `msgfold conformance run`
    - `msgfold conformance run --revision 2.0.11 -- msgfold-testee`
    - `msgfold conformance run --impl agentscope==2.0.11`
    - `msgfold conformance run --filter 'fold/data/*' --level must`
    - `msgfold conformance run --rule fold.confirm --output json`
    """
    known, testee = _implementation(impl, testee)
    revision = revision or known or DEFAULT_REVISION
    chosen = _selected(cases, filter, level, rule, op, revision)
    try:
        results = list(
            run_processes(chosen, revision, testee, timeout=timeout, processes=processes)
            if testee
            else judge_all(chosen, revision)
        )
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    if all(result.outcome == "untested" for result in results):
        raise common.Failure(f"no case was tested: the testee {results[0].message}")
    if output is OutputOption.JSON:
        typer.echo(json.dumps(_report(results, revision), ensure_ascii=False, indent=2))
    else:
        _print(results)
    if any(result.fails_run for result in results):
        raise common.Failure("", common.FAULTY)


@app.command("list")
def list_command(
    filter: Filter = None,
    level: Level = None,
    rule: RuleOption = None,
    op: Op = None,
    revision: Revision = DEFAULT_REVISION,
    output: Annotated[OutputOption, typer.Option(help="How cases are told.")] = OutputOption.TABLE,
    cases: Cases = CASES,
) -> None:
    """List cases.

    Examples:

    - `msgfold conformance list --rule fold.text`
    - `msgfold conformance list --op decode --output json`
    """
    found = _selected(cases, filter, level, rule, op, revision)
    if output is OutputOption.JSON:
        listed = [
            {"id": c.id, "title": c.title, "op": c.op, "level": c.level, "rules": list(c.rules)}
            for c in found
        ]
        typer.echo(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    for case in found:
        common.console.print(f"[bold]{case.id}[/]  {case.title}")
    common.note(f"{len(found)} cases")


@app.command("explain")
def explain_command(
    case: Annotated[str, typer.Argument(help="The case's id.")], cases: Cases = CASES
) -> None:
    """Explain a case: what it tests, the sentences of the specification, input and expectation.

    Example:

    - `msgfold conformance explain fold/data/padded-chunks-join-as-bytes`
    """
    try:
        found = {each.id: each for each in load(cases)}
    except MsgfoldError as error:
        raise common.Failure(str(error)) from None
    if case not in found:
        near = get_close_matches(case, found, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see `msgfold conformance list`"
        raise common.Failure(f"no case {case!r}; {hint}", common.USAGE)
    chosen = found[case]
    say = common.console.print
    say(f"[bold]{chosen.id}[/]  {chosen.title}")
    say(f"level {chosen.level}, revisions {_span(chosen)}, op {chosen.op}\n")
    for rule in chosen.rules:
        say(f"[bold]{rule}[/] (docs/spec/{rules()[rule].page})")
        say(rules()[rule].text + "\n", markup=False)
    if chosen.agentscope:
        say(f"AgentScope differs: {chosen.agentscope['differs']}\n", markup=False)
    say(f"catches: {chosen.kill}\n", markup=False)
    say("input", style="bold")
    typer.echo(json.dumps(chosen.input, ensure_ascii=False, indent=2))
    say("expected", style="bold")
    typer.echo(json.dumps(chosen.expect, ensure_ascii=False, indent=2))
    for change in chosen.later:
        say(f"expected from {change['from']} on", style="bold")
        typer.echo(json.dumps(change["expect"], ensure_ascii=False, indent=2))


app.command("fuzz")(fuzz_command)

_OUTCOMES = ("passed", "failed", "errored", "known", "untested")


def _implementation(
    spec: str | None, testee: list[str] | None
) -> tuple[str | None, list[str] | None]:
    """The release and the command of what ``--impl`` names, or the command that was given."""
    if spec is None:
        return None, testee
    if testee:
        raise common.Failure("either --impl or a program behind --, not both", common.USAGE)
    try:
        found = implementations.parse(spec)
    except ValueError as error:
        raise common.Failure(str(error), common.USAGE) from None
    try:
        return found.version if found.version in RELEASES else None, found.command(common.note)
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None


def _span(case: Case) -> str:
    return f"{case.revisions['from']} to {case.revisions.get('to', 'the newest')}"


def _print(results: list[Result]) -> None:
    areas: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        areas[result.case.area][result.outcome] += 1
    shown = Table(box=None, header_style="bold")
    shown.add_column("area")
    for heading in _OUTCOMES:
        shown.add_column(heading, justify="right")
    for area in sorted(areas):
        counts = areas[area]
        shown.add_row(area, *(_count(counts[name], name) for name in _OUTCOMES))
    common.console.print(shown)
    for result in results:
        if result.outcome in {"failed", "errored"}:
            _print_failure(result)
    total = Counter(result.outcome for result in results)
    rest = "".join(f"{total[name]} {name}, " for name in ("known", "untested") if total[name])
    common.console.print(
        f"{total['passed']} passed, {total['failed']} failed, {total['errored']} errored, "
        f"{rest}{len(results)} in all"
    )


def _count(number: int, outcome: str) -> str:
    if not number:
        return "[dim]0[/]"
    color = {"passed": "green", "known": "yellow", "untested": "yellow"}.get(outcome, "bold red")
    return f"[{color}]{number}[/]"


def _print_failure(result: Result) -> None:
    say = common.console.print
    say(f"\n[bold red]{result.outcome}[/] [bold]{result.case.id}[/]  {result.case.title}")
    if result.difference is not None:
        say(f"  {result.what} at {result.difference.pointer or '/'}", markup=False)
        say(
            f"  expected {json.dumps(result.difference.expected, ensure_ascii=False)}", markup=False
        )
        say(f"  got      {json.dumps(result.difference.got, ensure_ascii=False)}", markup=False)
    if result.event is not None:
        say(f"  {shown_event(result)}", markup=False)
    if result.message:
        say(f"  {result.message}", markup=False)
    for rule in dict.fromkeys(filter(None, (result.case.rules[0], result.rule))):
        say(f"  {rule}: {rules()[rule].text}", markup=False)
    say("")


def shown_event(result: Result) -> str:
    """The event after which a fold departed, in one line."""
    assert result.event is not None
    found = events_of(result.case.input)[result.event]
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return f"event {result.event}: {shorten(text, 200)}"


def _report(results: list[Result], revision: str) -> dict[str, Any]:
    total = Counter(result.outcome for result in results)
    return {
        "revision": revision,
        "total": len(results),
        **{name: total[name] for name in _OUTCOMES},
        "results": [
            {
                "id": result.case.id,
                "level": result.case.level,
                "outcome": result.outcome,
                "what": result.what or None,
                "pointer": result.difference and result.difference.pointer,
                "expected": result.difference and result.difference.expected,
                "got": result.difference and result.difference.got,
                "event": result.event,
                "rule": result.rule or result.case.rules[0],
                "message": result.message or None,
            }
            for result in results
        ],
    }
