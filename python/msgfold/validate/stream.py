"""A whole stream against the contract: every event's faults, and what the stream as such lacks."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from msgfold.errors import Diagnostic, DiagnosticCode, MsgfoldError, Place
from msgfold.fold import Folder, truncation
from msgfold.revisions import NEWEST
from msgfold.validate.faults import Fault, FaultCode, of_error
from msgfold.validate.quick import plainly_valid
from msgfold.validate.schema import check
from msgfold.wire import json
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.frames import Frame, Truncated, read_frames
from msgfold.wire.sniff import Format, decoder_for
from msgfold.wire.sse import is_foreign


def validate_value(
    value: Any, definition: str, *, strict: bool = False, revision: str | None = None
) -> list[Fault]:
    """Every fault of a JSON value.

    Args:
        value: the value, as :func:`msgfold.wire.json.loads` gives it.
        definition: a title of the contract, such as ``"Msg"`` or ``"AgentEvent"``.
        strict: report members that the schema does not name, too.
        revision: the AgentScope release that has to read it: what it refuses, and what it drops,
            are faults.  ``None`` asks about no release, only about the contract.

    Raises:
        UnknownRevisionError: no such revision.
    """
    return check(value, definition, strict=strict, revision=revision)


def validate_text(
    text: bytes, definition: str, *, strict: bool = False, revision: str | None = None
) -> list[Fault]:
    """Every fault of JSON text: of the text first, then of the value.

    Arguments and errors as in :func:`validate_value`.
    """
    value, errors = json.faults(text)
    found = [of_error(error) for error in errors]
    if value is not None or not errors:
        found += check(value, definition, strict=strict, revision=revision)
    return found


def validate_stream(
    chunks: Iterable[bytes],
    format: Format,
    *,
    strict: bool = False,
    revision: str | None = None,
) -> Generator[Fault, None, int]:
    """Every fault of a stream of events, as it is read.

    Besides each event's own faults: an event of a reply that has not started, a reply that is
    incomplete at the end, a frame that the end cut off.

    Args:
        chunks: the bytes, cut anywhere.
        format: how the events are framed.
        strict: report members that the schema does not name, too.
        revision: as in :func:`validate_value`.

    Returns:
        The number of events: to have found no fault in none of them says nothing.

    Raises:
        UnknownRevisionError: no such revision.
    """
    tails: list[Truncated] = []
    reports: list[Diagnostic] = []
    folder = Folder(revision=revision or NEWEST, errors="skip", on_diagnostic=reports.append)
    try:
        for frame in read_frames(chunks, decoder_for(format), tails.append):
            if not is_foreign(frame, EVENT_TYPES):
                event = plainly_valid(frame.data, revision)
                if event is not None:
                    folder.feed(event, line=frame.line)
                else:
                    yield from _faults(frame, folder.events, strict, revision)
                    folder.feed_text(frame.data, line=frame.line)
                yield from _stream_faults(reports)
    except MsgfoldError as error:  # the framing itself is broken
        yield of_error(error)
    yield from map(_cut_off, tails)
    folder.close()
    yield from _stream_faults(reports)
    return folder.events


def validate_msgs(
    chunks: Iterable[bytes],
    format: Format,
    *,
    strict: bool = False,
    revision: str | None = None,
) -> Generator[Fault, None, int]:
    """Every fault of a row of Msgs, one a line or in a list, as ``msgfold fold`` prints them.

    Arguments and errors as in :func:`validate_stream`; returns the number of Msgs.
    """
    tails: list[Truncated] = []
    count = 0
    try:
        for frame in read_frames(chunks, decoder_for(format), tails.append):
            count += 1
            for fault in validate_text(frame.data, "Msg", strict=strict, revision=revision):
                yield fault.within(line=frame.line, event_index=None)
    except MsgfoldError as error:  # the framing itself is broken
        yield of_error(error)
    yield from map(_cut_off, tails)
    return count


def _cut_off(tail: Truncated) -> Fault:
    report = truncation(tail, "wire.ndjson.last-line")
    return _fault(report, FaultCode.TRUNCATED_FRAME, "a whole frame", "a part of one")


def _faults(frame: Frame, index: int, strict: bool, revision: str | None) -> Iterator[Fault]:
    for fault in validate_text(frame.data, "AgentEvent", strict=strict, revision=revision):
        yield fault.within(line=frame.line, event_index=index)


def _stream_faults(reports: list[Diagnostic]) -> Iterator[Fault]:
    for report in reports:
        if report.code == DiagnosticCode.INCOMPLETE_REPLY:
            yield _fault(report, FaultCode.INCOMPLETE_REPLY, "a REPLY_END", "the end of the stream")
        elif report.code == DiagnosticCode.REPLY_NOT_STARTED:
            yield _fault(report, FaultCode.REPLY_NOT_STARTED, "a REPLY_START first", "none")
    reports.clear()


def _fault(report: Diagnostic, code: FaultCode, expected: str, got: str) -> Fault:
    place = Place(report.place.line, report.place.event_index, None)
    return Fault(code, place, report.message, expected, got)
