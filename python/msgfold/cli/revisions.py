"""``msgfold revisions``: what each AgentScope release changed."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Table

from msgfold.cli import common
from msgfold.revisions import CHANGES, DEFAULT_REVISION, RELEASES, comes_after


class OutputOption(StrEnum):
    """How the changes are told."""

    TABLE = "table"
    JSON = "json"


def command(
    since: Annotated[
        str | None,
        typer.Option(metavar="RELEASE", help="Only what came after this release."),
    ] = None,
    output: Annotated[OutputOption, typer.Option(help="How they are told.")] = OutputOption.TABLE,
) -> None:
    """Show what each AgentScope release changed: on the wire, and in the fold.

    Examples:

    - `msgfold revisions`
    - `msgfold revisions --since 2.0.7`
    """
    if since is not None:
        common.known_revision(since)
    changes = [c for c in CHANGES if since is None or comes_after(c.since, since)]
    if output is OutputOption.JSON:
        listed = [
            {"since": c.since, "kind": c.kind.value, "what": c.what, "rules": list(c.rules)}
            for c in changes
        ]
        report = {"revisions": list(RELEASES), "default": DEFAULT_REVISION, "changes": listed}
        typer.echo(json.dumps(report, indent=2))
        return
    shown = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("release", "about", "what changed"):
        shown.add_column(heading, no_wrap=heading != "what changed")
    last = ""
    for change in changes:
        release, last = ("" if change.since == last else change.since), change.since
        shown.add_row(
            release, change.kind.value, f"{change.what}\n[dim]{', '.join(change.rules)}[/]"
        )
    if changes:
        common.console.print(shown)
    told = {change.since for change in changes}
    silent = [r for r in RELEASES[1:] if r not in told and comes_after(r, since or RELEASES[0])]
    if silent:
        common.note(f"nothing that is seen here changed in {' and '.join(silent)}")
    common.note(f"revisions: {', '.join(RELEASES)}; the default is {DEFAULT_REVISION}")
