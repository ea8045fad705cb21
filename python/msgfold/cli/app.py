"""The commands, put together, and what they have in common.

A command's module is imported when the command is asked for: the program starts three times as
quick when it does not load what it will not use.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from msgfold import __version__
from msgfold.cli.common import FAULTY, Failure, fail

_COMMANDS = {
    "fold": "fold",
    "validate": "validate",
    "conformance": "conformance",
    "revisions": "revisions",
    "upgrade-check": "upgrade",
    "convert": "convert",
    "serve": "serve",
    "call": "call",
    "generate": "generate",
}
"""Command to the module of this package that has it: as ``command``, or several as ``app``."""


class _LazyGroup(TyperGroup):
    """Commands in the order of the table, each imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _command(cmd_name) if cmd_name in _COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        # Typer looks for what was meant among commands that are there already.
        self.commands = cast("Any", dict.fromkeys(_COMMANDS))
        return super().resolve_command(ctx, args)


@cache
def _command(name: str) -> Any:
    module = import_module(f"msgfold.cli.{_COMMANDS[name]}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(**_SETTINGS)
        app.command(name)(module.command)
    command = typer.main.get_command(app)
    command.name = name
    return command


_SETTINGS: dict[str, Any] = {
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "add_completion": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

app = typer.Typer(
    name="msgfold",
    cls=_LazyGroup,
    help="""The shared contract for AgentScope 2.x messages and events.

    Examples:

    - `msgfold fold reply.ndjson`
    - `msgfold validate reply.ndjson`
    - `msgfold upgrade-check reply.ndjson --from 2.0.4 --to 2.0.11`
    - `msgfold conformance run`
    - `msgfold serve`, and in another terminal `msgfold call "hello"`
    """,
    epilog="Exit codes: 0 good, 1 the input is wrong, 2 usage, 3 incomplete where completeness "
    "was required.",
    no_args_is_help=True,
    **{**_SETTINGS, "add_completion": True},
)


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
    _replace_closed()
    for stream in (sys.stdout, sys.stderr):
        # JSON is UTF-8 whatever the locale, and a message may quote text that is not.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here and not at the exit, where nobody could say that it failed
    except Failure as failure:
        fail(failure)
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; that is no fault of the input.
        _discard_output()
        sys.exit(FAULTY)
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        _discard_output()
        fail(Failure(f"{error.filename or 'standard output'}: {error.strerror}"))


_CANNOT_WRITE = {errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT}
"""What a full disk, a closed stream or a broken device say."""


def _replace_closed() -> None:
    """Python has ``None`` for a standard stream that its caller has closed."""
    if sys.stdout is None:
        # Not to be written to, so that output that gets lost is an error.
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _discard_output() -> None:
    """What is left in the buffer goes nowhere, or the exit would fail on it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
