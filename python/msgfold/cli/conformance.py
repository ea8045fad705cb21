"""``msgfold conformance``: run, list and explain the cases of the corpus."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold import __version__
from msgfold.cli import common, reports
from msgfold.cli.conformance_cost import cost_command
from msgfold.cli.conformance_coverage import coverage_command
from msgfold.cli.conformance_fuzz import fuzz_command
from msgfold.cli.conformance_replay import line_for, named, replay_command, smoke_command
from msgfold.conformance import implementations
from msgfold.conformance.corpus import Case, Selection, load
from msgfold.conformance.process import TIMEOUT, BrokenTesteeError
from msgfold.conformance.report import known as known_failures
from msgfold.conformance.report import log, render
from msgfold.conformance.rules import rules
from msgfold.conformance.runner import run as judge_all
from msgfold.conformance.runner import run_processes
from msgfold.errors import MsgfoldError
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
    known: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Known failures: lines of PATTERN | REASON | LINK."),
    ] = None,
    flaky: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The same for cases that may pass or fail."),
    ] = None,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first MUST that fails.")
    ] = False,
    log_file: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="Write a run log, for `report` and `diff`."),
    ] = None,
    cases: Cases = CASES,
) -> None:
    """Run cases against the reference reducer, or against a program of yours.

    The program speaks one JSON object a line: see schemas/conformance/testee.schema.json. Exits
    with 1 when a MUST fails, no case was tested, or an entry of --known is stale or fits no case; a
    SHOULD only warns.

    Examples:

    - `msgfold conformance run`
    - `msgfold conformance run --revision 2.0.11 -- msgfold-testee`
    - `msgfold conformance run --impl agentscope==2.0.11`
    - `msgfold conformance run --filter 'fold/data/*' --level must`
    - `msgfold conformance run --rule fold.confirm --output json`
    - `msgfold conformance run --known known.txt --log run.ndjson -- ./my-testee`
    """
    release, testee = _implementation(impl, testee)
    revision = revision or release or DEFAULT_REVISION
    entries, may_fail = reports.entries(known), reports.entries(flaky)
    chosen = _selected(cases, filter, level, rule, op, revision)
    who = {"name": "msgfold", "version": __version__, "language": "python"}
    results = (
        run_processes(
            chosen,
            revision,
            testee,
            timeout=timeout,
            processes=processes,
            described=lambda said: who.update((part, said[part]) for part in who),
        )
        if testee
        else judge_all(chosen, revision)
    )
    marked = (known_failures.marked(log.record(one), entries, may_fail) for one in results)
    records: list[log.Record] = []
    with reports.log_file(log_file) as file, common.counted(len(chosen), "cases") as counted:
        writer = log.Writer(file, who, revision)
        try:
            for record in marked:
                records.append(record)
                writer.add(record)
                counted()
                if fail_fast and log.fails(record):
                    break
        except BrokenTesteeError as error:  # it never started
            if output is OutputOption.TABLE:
                count = len(chosen)
                common.console.print(f"0 passed, 0 failed, {count} errored, {count} in all")
            raise common.Failure(str(error)) from None
        run = log.Run(who, revision, tuple(records), complete=len(records) == len(chosen))
        writer.end(run)
    if all(record["outcome"] == "untested" for record in records):
        raise common.Failure(f"no case was tested: the testee {records[0]['message']}")
    if output is OutputOption.JSON:
        typer.echo(render.as_json(run), nl=False)
    else:
        reports.show(run, lambda case_id: line_for(case_id, revision, testee or ()))
    every = [case.id for case in load(cases) if case.holds_for(revision)]
    rotten = known_failures.rotten(records, every, entries, may_fail)
    for said in rotten:
        common.say_error(said)
    failures = [record for record in records if log.fails(record)]
    if known is not None:
        reports.show_lines(failures)
    if failures or rotten:
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
    chosen = named(case, cases)
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


app.command("coverage")(coverage_command)
app.command("fuzz")(fuzz_command)
app.command("replay")(replay_command)
app.command("smoke")(smoke_command)
app.command("cost")(cost_command)
app.command("report")(reports.report_command)
app.command("diff")(reports.diff_command)


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
