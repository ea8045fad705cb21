"""``msgfold conformance coverage``: what the corpus covers, and what is still to do."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from msgfold.cli import common
from msgfold.conformance.corpus import load
from msgfold.conformance.coverage import AXES, EVENTS, Coverage, coverage, reason
from msgfold.errors import MsgfoldError
from msgfold.resources import CASES


class OutputOption(StrEnum):
    """How the map is told."""

    TABLE = "table"
    JSON = "json"


def coverage_command(
    output: Annotated[OutputOption, typer.Option(help="How the map is told.")] = OutputOption.TABLE,
    cases: Annotated[
        Path, typer.Option("--cases", metavar="DIR", help="Another folder of cases.")
    ] = CASES,
) -> None:
    """Show how many cases there are for each event and each state that it may meet.

    Exits with 1 when a cell that applies is empty; the empty cells are the to-do list.

    Examples:

    - `msgfold conformance coverage`
    - `msgfold conformance coverage --output json`
    """
    try:
        found = coverage(load(cases))
    except MsgfoldError as error:
        raise common.Failure(str(error)) from None
    if output is OutputOption.JSON:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    else:
        for axis in AXES:
            common.console.print(_table(found, axis))
        for event, state in found.empty:
            common.console.print(f"to do: {event} with {state}", markup=False)
    total = sum(reason(*cell) is None for cell in found.every)
    common.note(f"{total - len(found.empty)} of {total} cells covered")
    if found.empty:
        raise common.Failure("", common.FAULTY)


def _table(found: Coverage, axis: str) -> Table:
    """One axis: the events that can meet it, and how many cases are in each cell."""
    table = Table("event", title=f"cases by {axis}", title_justify="left")
    for state in AXES[axis]:
        table.add_column(state, justify="right")
    for event in EVENTS:
        cells = [f"{axis}: {state}" for state in AXES[axis]]
        if all(reason(event, cell) for cell in cells):
            continue
        counts = (
            "-" if reason(event, cell) else str(len(found.cells[event, cell])) for cell in cells
        )
        table.add_row(event, *counts)
    return table
