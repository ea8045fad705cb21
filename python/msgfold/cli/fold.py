"""``msgfold fold``: streams of events in, Msgs out."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from msgfold.cli import common
from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    MsgfoldError,
    NoReplyError,
    OnDiagnostic,
    Place,
    UnknownReplyError,
)
from msgfold.fold import NdjsonFolder, ReplyStatus, status, truncation
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.encode import dump
from msgfold.wire.frames import Frame, read_frames
from msgfold.wire.json import written
from msgfold.wire.sniff import Format, decoder_for, sniff
from msgfold.wire.sse import is_foreign

if TYPE_CHECKING:
    from msgfold._generated.models import Msg


class FormatOption(StrEnum):
    """How events are framed."""

    AUTO = "auto"
    NDJSON = "ndjson"
    SSE = "sse"
    JSON = "json"


class ErrorsOption(StrEnum):
    """What to do with an event that must not be applied."""

    RAISE = "raise"
    SKIP = "skip"


@dataclass(frozen=True)
class Options:
    """What was asked for, of every file."""

    format: FormatOption
    revision: str
    reply: str | None
    errors: str
    require_complete: bool
    indent: int | None


@dataclass
class Outcome:
    """What came of one file.

    Attributes:
        code: the exit code that it asks for.
        said: the error that ended it, if one did.
        warnings: what it was warned of, when warnings are kept and not shown at once.
    """

    code: int = common.GOOD
    said: str = ""
    warnings: list[str] = field(default_factory=list)


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE|-]...", help="What to read; - is standard input."),
    ] = None,
    format: Annotated[
        FormatOption, typer.Option(help="How events are framed; auto looks at the beginning.")
    ] = FormatOption.AUTO,
    revision: Annotated[
        str, typer.Option(help="The AgentScope release to fold as.")
    ] = DEFAULT_REVISION,
    reply: Annotated[str | None, typer.Option(metavar="ID", help="Print this reply only.")] = None,
    errors: Annotated[
        ErrorsOption,
        typer.Option(help="Stop at an event that must not be applied, or report it and go on."),
    ] = ErrorsOption.RAISE,
    require_complete: Annotated[
        bool,
        typer.Option(
            "--require-complete",
            help="Exit with 3 when a reply has no REPLY_END and waits for nobody.",
        ),
    ] = False,
    indent: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Indent the JSON by N spaces.")
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", min=1, help="Fold N files at the same time."),
    ] = 1,
) -> None:
    """Fold streams of events into Msgs.

    Prints the Msg as JSON on standard output; several replies one a line, in order of first
    appearance, file by file. Warnings go to standard error. A pipe is read as it grows, and a reply
    that is finished is printed and let go of when another starts.

    Examples:

    - `msgfold fold reply.ndjson`
    - `curl -sN http://localhost:8000/stream | msgfold fold --format sse`
    - `msgfold fold log.ndjson --reply r1 --errors skip --require-complete`
    - `msgfold fold day/*.ndjson --jobs 4 > msgs.ndjson`
    """
    common.known_revision(revision)
    names = files or ["-"]
    options = Options(format, revision, reply, errors.value, require_complete, indent)
    if jobs > 1 and len(names) > 1:
        outcomes = _in_parallel(names, options, jobs)
    else:
        outcomes = (_fold(name, options, sys.stdout, _warner(names, name)) for name in names)
    codes = set()
    for name, outcome in zip(names, outcomes, strict=True):
        for warning in outcome.warnings:
            common.warn(f"{name}: {warning}")
        if len(names) > 1 and outcome.said:
            common.say_error(outcome.said)
        codes.add(outcome.code)
    if codes == {common.GOOD}:
        return
    code = min(codes - {common.GOOD})  # the gravest: they are numbered so
    raise common.Failure(outcome.said if len(names) == 1 else "", code)


def _warner(names: list[str], name: str) -> OnDiagnostic:
    """Shows a warning at once; with the file's name where there are several."""
    return common.warn if len(names) == 1 else lambda report: common.warn(f"{name}: {report}")


def _in_parallel(names: list[str], options: Options, jobs: int) -> Iterator[Outcome]:
    """Every file in a process of a pool; what they print comes in the order of the names."""
    with tempfile.TemporaryDirectory(prefix="msgfold-") as folder:
        places = [str(Path(folder, str(number))) for number in range(len(names))]
        with ProcessPoolExecutor(min(jobs, len(names))) as pool:
            given = names, [options] * len(names), places
            for outcome, place in zip(pool.map(_fold_apart, *given), places, strict=True):
                with open(place, encoding="utf-8") as printed:
                    shutil.copyfileobj(printed, sys.stdout)
                Path(place).unlink()
                yield outcome


def _fold_apart(name: str, options: Options, place: str) -> Outcome:
    """One file in a process of its own; prints into a file."""
    warnings: list[str] = []
    with open(place, "w", encoding="utf-8", errors="backslashreplace") as out:
        outcome = _fold(name, options, out, lambda report: warnings.append(str(report)))
    outcome.warnings = warnings
    return outcome


def _fold(name: str, options: Options, out: TextIO, warn: OnDiagnostic) -> Outcome:
    """Fold one file and print its Msgs."""
    printer = _Printer(options, out)
    folder = NdjsonFolder(
        revision=options.revision,
        errors=cast("Any", options.errors),
        on_diagnostic=warn,
        on_reply=printer.print,
    )
    try:
        with common.opened(name) as source:
            try:
                _read(source, name, options.format, folder, warn)
            finally:
                folder.close()  # what was good is printed whatever comes
        if printer.printed == 0:
            raise _nothing(folder, options.reply)
    except MsgfoldError as error:
        return Outcome(common.FAULTY, str(common.failure_of(name, error)))
    except common.Failure as failure:
        return Outcome(failure.code, str(failure))
    if options.require_complete and printer.incomplete:
        return Outcome(common.INCOMPLETE, f"incomplete: {', '.join(printer.incomplete)}")
    return Outcome()


class _Printer:
    """Prints Msgs, and knows at the end what was printed."""

    def __init__(self, options: Options, out: TextIO) -> None:
        self._options = options
        self._out = out
        self.printed = 0
        self.incomplete: list[str] = []

    def print(self, msg: Msg) -> None:
        if self._options.reply is not None and msg.id != self._options.reply:
            return
        self.printed += 1
        if status(msg) is ReplyStatus.OPEN:
            self.incomplete.append(msg.id)
        value = dump(msg, revision=self._options.revision)
        self._out.write(written(value, indent=self._options.indent) + "\n")
        self._out.flush()


def _read(
    source: Any, name: str, format: FormatOption, folder: NdjsonFolder, warn: OnDiagnostic
) -> None:
    first = common.head(source)
    framing = sniff(first, name) if format is FormatOption.AUTO else cast("Format", format.value)
    with common.progress(source, name) as bar:
        pieces = common.tracked(common.chunks(source, first), bar)
        if framing == "ndjson":
            for piece in pieces:
                folder.feed_chunk(piece)
            tail = folder.feed_end()
            if tail is not None:
                warn(truncation(tail, "wire.ndjson.last-line"))
            return
        frames = read_frames(
            pieces, decoder_for(framing), lambda tail: warn(truncation(tail, "wire.sse.eof"))
        )
        for frame in frames:
            if is_foreign(frame, EVENT_TYPES):
                warn(foreign(frame))
            else:
                folder.feed_text(frame.data, line=frame.line)


def foreign(frame: Frame) -> Diagnostic:
    """The report of a frame that is not ours."""
    return Diagnostic(
        DiagnosticCode.FOREIGN_FRAME,
        f"an SSE frame of event type {frame.event!r} is no AgentEvent; skipped",
        rule="wire.sse.foreign-event",
        place=Place(line=frame.line or None),
    )


def _nothing(folder: NdjsonFolder, reply: str | None) -> MsgfoldError:
    if reply is not None:
        return UnknownReplyError(f"no reply {reply!r} in {folder.events} events")
    return NoReplyError(
        f"no reply in {folder.events} events",
        expected="a REPLY_START",
        hint="`msgfold validate` shows what the stream holds instead",
    )
