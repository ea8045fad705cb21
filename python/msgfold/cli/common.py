"""What the commands share: exit codes, reading input, speaking to people on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from msgfold import revisions
from msgfold.errors import Diagnostic, InvalidInputError, MsgfoldError, UnknownRevisionError

GOOD, FAULTY, USAGE, INCOMPLETE = range(4)

# A text of somebody else's is shown as it is: `:x:` is no picture of a cross.
console = Console(highlight=False, soft_wrap=True, emoji=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)

HEAD = 1 << 16
"""Bytes looked at to tell a format: more than any first line that is not a picture."""

_READ = 1 << 18
_LONG = 8 << 20
"""From this size on, in bytes, a file gets a progress bar."""

Input = Annotated[
    str, typer.Argument(metavar="FILE|-", help="The file to read; - is standard input.")
]


def known_revision(revision: str) -> str:
    """A revision that was named on the command line.

    Raises:
        Failure: there is no such revision.
    """
    try:
        return revisions.known(revision)
    except UnknownRevisionError as error:
        raise Failure(str(error), USAGE) from None


class Failure(Exception):  # noqa: N818  (the end of a command, not a fault of the program)
    """A command ends here: what to say on stderr, and the exit code."""

    def __init__(self, said: str, code: int = FAULTY) -> None:
        super().__init__(said)
        self.code = code


def fail(failure: Failure) -> NoReturn:
    """Say why and leave."""
    if str(failure):
        say_error(str(failure))
    sys.exit(failure.code)


def say_error(said: str) -> None:
    """An error, for a person."""
    errors.print(f"[bold red]error:[/] {_plain(said)}")


def warn(diagnostic: Diagnostic | str) -> None:
    """A diagnostic, for a person."""
    errors.print(f"[yellow]warning:[/] {_plain(str(diagnostic))}")


def note(said: str) -> None:
    """A remark, for a person."""
    errors.print(_plain(said))


def _plain(text: str) -> str:
    return visible(text).replace("[", "\\[")


def visible(text: str) -> str:
    """A text of somebody else's, for a terminal: it can move no cursor and hide nothing.

    Example:
        >>> visible("\\x1b[2J gone")
        '␛[2J gone'
    """
    return text.translate(_CONTROLS)


_CONTROLS = {
    **{code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"},
    0x7F: "␡",
    # C1 controls, and those that turn the direction of what follows.
    **dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd"),
}
"""Characters that a terminal acts upon to what is shown instead."""


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The input as a binary file.

    Raises:
        Failure: it cannot be opened, or a person has forgotten to name it.
    """
    if name == "-":
        if sys.stdin is None or sys.stdin.isatty():  # None: closed by the caller
            raise Failure("nothing to read: name a file, or pipe something in (see --help)", USAGE)
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}") from None
    with file:
        yield file


def chunks(file: BinaryIO, first: bytes = b"") -> Iterator[bytes]:
    """``first``, then the file as it grows: what a pipe has ready is not waited on."""
    if first:
        yield first
    read = getattr(file, "read1", file.read)
    try:
        while chunk := read(_READ):
            yield chunk
    except OSError as error:
        raise InvalidInputError(f"cannot be read: {error.strerror}") from None


def head(file: BinaryIO) -> bytes:
    """The first bytes: enough to tell the format, no more than has to be waited for."""
    read = getattr(file, "read1", file.read)
    seen = b""
    try:
        while len(seen) < HEAD and (chunk := read(HEAD)):
            seen += chunk
            if b"\n" in seen.strip():
                break
    except OSError as error:
        raise InvalidInputError(f"cannot be read: {error.strerror}") from None
    return seen


@contextmanager
def progress(file: BinaryIO, name: str) -> Iterator[Progress | None]:
    """A progress bar for a long file on a terminal, else ``None``."""
    size = Path(name).stat().st_size if name != "-" else 0
    if size < _LONG or not errors.is_terminal:
        yield None
        return
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=errors, transient=True) as bar:
        bar.add_task(Path(name).name, total=size)
        yield bar


@contextmanager
def counted(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A bar for so many steps on a terminal, and what to call after each."""
    if not errors.is_terminal:
        yield lambda: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeRemainingColumn(), console=errors, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def tracked(source: Iterator[bytes], bar: Progress | None) -> Iterator[bytes]:
    """``source``, moving the bar along."""
    for chunk in source:
        yield chunk
        if bar is not None:
            bar.advance(bar.task_ids[0], len(chunk))


def failure_of(name: str, error: MsgfoldError) -> Failure:
    """An error of the input as the end of the command."""
    return Failure(f"{'standard input' if name == '-' else name}: {error}")
