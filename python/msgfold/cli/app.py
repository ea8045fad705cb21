"""The commands, put together, and what they have in common."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from msgfold import __version__
from msgfold.cli import conformance, fold, generate, revisions, upgrade, validate
from msgfold.cli.common import FAULTY, Failure, fail

app = typer.Typer(
    name="msgfold",
    help="""The shared contract for AgentScope 2.x messages and events.

    Examples:

    - `msgfold fold reply.ndjson`
    - `msgfold validate reply.ndjson`
    - `msgfold upgrade-check reply.ndjson --from 2.0.4 --to 2.0.11`
    - `msgfold conformance run`
    """,
    epilog="Exit codes: 0 good, 1 the input is wrong, 2 usage, 3 incomplete where completeness "
    "was required.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("fold")(fold.command)
app.command("validate")(validate.command)
app.add_typer(conformance.app, name="conformance")
app.command("revisions")(revisions.command)
app.command("upgrade-check")(upgrade.command)
app.command("generate")(generate.command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"msgfold {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def run() -> None:
    """Run the command line; nothing leaves here as a bare traceback."""
    for stream in (sys.stdout, sys.stderr):
        # JSON is UTF-8 whatever the locale, and a message may quote text that is not.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except Failure as failure:
        fail(failure)
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; that is no fault of the input.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAULTY)
