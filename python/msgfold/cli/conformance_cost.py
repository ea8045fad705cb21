"""``msgfold conformance cost``: what an event costs, the longer the stream."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Table

from msgfold.cli import common
from msgfold.conformance.cost import SHAPES, Curve, measure
from msgfold.conformance.process import TIMEOUT, BrokenTesteeError, Testee
from msgfold.revisions import DEFAULT_REVISION


class OutputOption(StrEnum):
    """How the curves are told."""

    TABLE = "table"
    JSON = "json"


def cost_command(
    testee: Annotated[
        list[str], typer.Argument(metavar="-- CMD ARGS...", help="The implementation.")
    ],
    shape: Annotated[
        list[str] | None, typer.Option("--shape", help=f"Only these: {', '.join(SHAPES)}.")
    ] = None,
    output: Annotated[OutputOption, typer.Option(help="How it is told.")] = OutputOption.TABLE,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="For each answer.")
    ] = TIMEOUT,
    revision: Annotated[
        str, typer.Option(help="The AgentScope release to fold as.")
    ] = DEFAULT_REVISION,
) -> None:
    """Time doubling streams, and say whether the cost of an event grows with the Msg.

    That an event costs the same in a long Msg is a SHOULD: one that grows is a warning, and the
    exit code is 0 all the same. The exponent is 0 when it does not grow, and 1 when each event
    looks at the whole Msg.

    Examples:

    - `msgfold conformance cost -- ./my-testee`
    - `msgfold conformance cost --shape text --output json -- ./my-testee`
    """
    common.known_revision(revision)
    for name in shape or ():
        if name not in SHAPES:
            raise common.Failure(f"no shape {name!r}; expected {', '.join(SHAPES)}", common.USAGE)
    try:
        process = Testee(testee, timeout=timeout)
        try:
            curves = [measure(process.answer, revision, name) for name in shape or SHAPES]
        finally:
            process.close()
    except BrokenTesteeError as error:
        raise common.Failure(str(error)) from None
    if output is OutputOption.JSON:
        shown = [{**asdict(curve), "grows": curve.grows} for curve in curves]
        typer.echo(json.dumps(shown, indent=2))
    else:
        _print(curves)
    for curve in curves:
        if curve.grows:
            common.warn(
                f"{curve.shape}: the cost of an event grows as the length of the stream to the "
                f"power of {curve.exponent:.1f}; it SHOULD stay the same"
            )


def _print(curves: list[Curve]) -> None:
    table = Table(box=None, header_style="bold")
    for heading in ("stream", "events", "microseconds an event", "seconds in all", "exponent"):
        table.add_column(heading, justify="left" if heading == "stream" else "right")
    for curve in curves:
        rows = list(zip(curve.sizes, curve.costs, curve.whole, strict=True))
        for position, (size, cost, whole) in enumerate(rows):
            last = position == len(rows) - 1
            table.add_row(
                curve.shape if position == 0 else "",
                f"{size:,}",
                f"{cost:.2f}" if cost else "too little to tell",
                f"{whole:.2f}",
                f"{curve.exponent:.2f}" if last else "",
            )
        if curve.stopped:
            common.note(f"{curve.shape}: {curve.stopped}")
    common.console.print(table)
