"""``msgfold conformance report`` and ``diff``, and how a run is told on a terminal.

Everything is read from run logs: the terminal tells of a run what the files tell of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.markup import escape
from rich.table import Table

from msgfold.cli import common
from msgfold.conformance.corpus import load
from msgfold.conformance.coverage import coverage
from msgfold.conformance.report import known, log, page, render
from msgfold.conformance.report.changes import changes
from msgfold.conformance.report.formats import FORMATS
from msgfold.conformance.runner import NOT_ASKED
from msgfold.errors import InvalidInputError


class FormatOption(StrEnum):
    """What a run is told as."""

    TABLE = "table"
    JSON = "json"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    BADGE = "badge"
    SVG = "svg"
    HTML = "html"


Log = Annotated[Path, typer.Argument(metavar="LOG", help="What `run --log` wrote.")]


def report_command(
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="What `run --log` wrote; html: several.")
    ],
    format: Annotated[FormatOption, typer.Option(help="What to make of it.")] = FormatOption.TABLE,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
) -> None:
    """Tell of a run.

    junit is for CI, markdown for people, badge for shields.io, svg is a badge as a picture, html
    is all of it.

    Examples:

    - `msgfold conformance report run.ndjson`
    - `msgfold conformance report run.ndjson --format junit --out junit.xml`
    - `msgfold conformance report run.ndjson --format svg -o conformance.svg`
    - `msgfold conformance report go.ndjson rust.ndjson --format html --out report.html`
    """
    runs = [read(path) for path in logs]
    if len(runs) > 1 and format is not FormatOption.HTML:
        raise common.Failure("several runs go into one report only as html", common.USAGE)
    if format is FormatOption.TABLE:
        if out is not None:
            raise common.Failure("--out needs a --format that is a file", common.USAGE)
        show(runs[0])
        return
    if format is FormatOption.HTML:
        text = page.html(runs, coverage(load()))
    else:
        text = FORMATS[format](runs[0])
    if out is None:
        typer.echo(text, nl=False)
    else:
        write(out, text)


def diff_command(before: Log, after: Log) -> None:
    """Hold two runs against each other.  Exits with 1 when a case got worse, or a run was cut off.

    Example:

    - `msgfold conformance diff yesterday.ndjson today.ndjson`
    """
    runs = [read(before), read(after)]
    found = changes(*runs)
    for change in found:
        was, now = change.before or "not there", change.after or "not there"
        common.console.print(f"{change.kind:<7}{change.id}  {was} -> {now}", markup=False)
    worse = sum(change.kind == "worse" for change in found)
    common.console.print(f"{worse} worse, {len(found)} changed")
    cut = [path for path, run in zip((before, after), runs, strict=True) if not run.complete]
    if cut:  # what is gone may have got worse
        raise common.Failure(f"{cut[0]}: the run was cut off: its log has no end")
    if worse:
        raise common.Failure("", common.FAULTY)


def read(path: Path) -> log.Run:
    """The log in a file.

    Raises:
        Failure: it cannot be read, or is none.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            return log.read(lines)
    except OSError as error:
        raise common.Failure(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise common.Failure(f"{path}: expected a run log, got no UTF-8") from None
    except InvalidInputError as error:
        raise common.Failure(f"{path}: {error}") from None


def write(path: Path, text: str) -> None:
    """Write a report.

    Raises:
        Failure: it cannot be written.
    """
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise common.Failure(f"{path}: {error.strerror}") from None


def entries(path: Path | None) -> list[known.Entry]:
    """The entries of a file of known or flaky failures; none when no file is named.

    Raises:
        Failure: it cannot be read, or a line is no entry.
    """
    if path is None:
        return []
    try:
        return known.parse(path.read_text("utf-8"))
    except OSError as error:
        raise common.Failure(f"{path}: {error.strerror}", common.USAGE) from None
    except (InvalidInputError, UnicodeDecodeError) as error:
        raise common.Failure(f"{path}: {error}", common.USAGE) from None


@contextmanager
def log_file(path: Path | None) -> Iterator[TextIO | None]:
    """A file for a run log; ``None`` when none is named.

    Raises:
        Failure: it cannot be written.
    """
    if path is None:
        yield None
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise common.Failure(f"{path}: {error.strerror}") from None


def show(run: log.Run, again: Callable[[str], str] | None = None) -> None:
    """Tell of a run on the terminal.

    Args:
        run: the run.
        again: the shell line that replays a case.
    """
    shown = Table(box=None, header_style="bold")
    shown.add_column("area")
    outcomes = [name for name in log.OUTCOMES if name != "flaky" or run.counts["flaky"]]
    for heading in outcomes:
        shown.add_column(heading, justify="right")
    for area, counts in render.by_area(run).items():
        shown.add_row(area, *(_count(counts[name], name) for name in outcomes))
    common.console.print(shown)
    asked = [result for result in run.failures if result.get("message") != NOT_ASKED]
    for result in asked:
        _show_failure(result, again(result["id"]) if again else "")
    if left := len(run.failures) - len(asked):
        common.console.print(f"{left} more {NOT_ASKED}\n", markup=False)
    for result in run.results:
        if result["outcome"] == "known":
            common.console.print(f"[yellow]known[/] {result['id']}", soft_wrap=True)
            common.console.print(f"  {_reason(result)}", markup=False, soft_wrap=True)
            if again:
                common.console.print(
                    f"  again: {again(result['id'])}", markup=False, soft_wrap=True
                )
    common.console.print(render.counted(run))
    if not run.complete:
        common.warn("the run was cut off: its log has no end")


def _reason(result: log.Record) -> str:
    return render.legible(result.get("reason") or result.get("message", ""))


def show_lines(failures: Sequence[dict[str, Any]]) -> None:
    """The lines that would make failures known."""
    if failures:
        common.note("to make them known, put these lines into the --known file:")
    for result in failures:
        if result.get("message") != NOT_ASKED:
            common.note(render.legible(known.line_for(result)))


def _count(number: int, outcome: str) -> str:
    if not number:
        return "[dim]0[/]"
    color = {"passed": "green", "failed": "bold red", "errored": "bold red"}.get(outcome, "yellow")
    return f"[{color}]{number}[/]"


def _show_failure(result: log.Record, again: str) -> None:
    title = escape(result["title"])
    common.console.print(f"\n[bold red]{result['outcome']}[/] [bold]{result['id']}[/]  {title}")
    for line in render.details(result):
        common.console.print(f"  {line}", markup=False)
    if again:
        common.console.print(f"  again: {again}", markup=False, soft_wrap=True)
    common.console.print()
