"""``msgfold fold``: a stream of events in, Msgs out."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from msgfold.cli import common
from msgfold.cli.common import Input
from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    MsgfoldError,
    NoReplyError,
    Place,
    UnknownReplyError,
)
from msgfold.fold import Folder, ReplyStatus, status, truncation
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.encode import dump
from msgfold.wire.frames import read_frames
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


def command(
    file: Input = "-",
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
        int | None, typer.Option(metavar="N", help="Indent the JSON by N spaces.")
    ] = None,
) -> None:
    """Fold a stream of events into a Msg.

    Prints the Msg as JSON on standard output; several replies one a line, in order of first
    appearance. Warnings go to standard error. A pipe is read as it grows.

    Examples:

    - `msgfold fold reply.ndjson`
    - `curl -sN http://localhost:8000/stream | msgfold fold --format sse`
    - `msgfold fold log.ndjson --reply r1 --errors skip --require-complete`
    """
    run = _Run(reply, indent, common.known_revision(revision))
    folder = Folder(
        revision=revision,
        errors=cast("Any", errors.value),
        on_diagnostic=common.warn,
        on_reply=run.print,
    )
    with common.opened(file) as source:
        try:
            _read(source, file, format, folder)
        except MsgfoldError as error:
            folder.close()  # what was good until here is printed all the same
            raise common.failure_of(file, error) from None
    folder.close()
    if run.printed == 0:
        raise common.failure_of(file, _nothing(folder, reply))
    if require_complete and run.incomplete:
        raise common.Failure(f"incomplete: {', '.join(run.incomplete)}", common.INCOMPLETE)


class _Run:
    """What is printed, and what is known of it at the end."""

    def __init__(self, only: str | None, indent: int | None, revision: str) -> None:
        self.only = only
        self.indent = indent
        self.revision = revision
        self.printed = 0
        self.incomplete: list[str] = []

    def print(self, msg: Msg) -> None:
        if self.only is not None and msg.id != self.only:
            return
        self.printed += 1
        if status(msg) is ReplyStatus.OPEN:
            self.incomplete.append(msg.id)
        written = dump(msg, revision=self.revision)
        separators = None if self.indent is not None else (",", ":")
        text = json.dumps(written, ensure_ascii=False, indent=self.indent, separators=separators)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _read(source: Any, name: str, format: FormatOption, folder: Folder) -> None:
    first = common.head(source)
    framing = sniff(first, name) if format is FormatOption.AUTO else cast("Format", format.value)
    rule = "wire.sse.eof" if framing == "sse" else "wire.ndjson.last-line"
    with common.progress(source, name) as bar:
        pieces = common.tracked(common.chunks(source, first), bar)
        frames = read_frames(
            pieces, decoder_for(framing), lambda tail: common.warn(truncation(tail, rule))
        )
        for frame in frames:
            if is_foreign(frame, EVENT_TYPES):
                common.warn(
                    Diagnostic(
                        DiagnosticCode.FOREIGN_FRAME,
                        f"an SSE frame of event type {frame.event!r} is no AgentEvent; skipped",
                        rule="wire.sse.foreign-event",
                        place=Place(line=frame.line),
                    )
                )
            else:
                folder.feed_text(frame.data, line=frame.line)


def _nothing(folder: Folder, reply: str | None) -> MsgfoldError:
    if reply is not None:
        return UnknownReplyError(f"no reply {reply!r} in {folder.events} events")
    return NoReplyError(
        f"no reply in {folder.events} events",
        expected="a REPLY_START",
        hint="`msgfold validate` shows what the stream holds instead",
    )
