"""``msgfold convert``: events and Msgs from one form into another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, BinaryIO, cast

import typer
from google.protobuf.proto import serialize_length_prefixed

from msgfold.cli import common
from msgfold.cli.common import Input
from msgfold.cli.fold import foreign
from msgfold.errors import (
    InvalidInputError,
    InvalidProtoError,
    MsgfoldError,
    Place,
    UnmappedFieldError,
)
from msgfold.wire import json
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.frames import read_frames
from msgfold.wire.proto import decode_proto, to_proto
from msgfold.wire.sniff import Format, decoder_for, sniff
from msgfold.wire.sse import is_foreign


class From(StrEnum):
    """What comes in."""

    AUTO = "auto"
    NDJSON = "ndjson"
    SSE = "sse"
    JSON = "json"
    PROTO = "proto"


class To(StrEnum):
    """What goes out."""

    NDJSON = "ndjson"
    SSE = "sse"
    JSON = "json"
    PROTO = "proto"


class What(StrEnum):
    """What the values are."""

    EVENT = "event"
    MSG = "msg"


_DEFINITIONS = {What.EVENT: "AgentEvent", What.MSG: "Msg"}


def command(
    file: Input = "-",
    source: Annotated[
        From, typer.Option("--from", help="The form it has; auto looks at it, but not for proto.")
    ] = From.AUTO,
    target: Annotated[To, typer.Option("--to", help="The form to write.")] = To.NDJSON,
    type: Annotated[What, typer.Option(help="What the values are.")] = What.EVENT,
    ignore_unknown: Annotated[
        bool,
        typer.Option("--ignore-unknown", help="To proto: drop members that it has no field for."),
    ] = False,
) -> None:
    """Convert events, or Msgs, between JSON, NDJSON, server-sent events and protobuf.

    Protobuf is a row of messages, each behind its length as a varint (as `writeDelimitedTo` writes
    it). Nothing is lost: what one form has no place for is an error that leads to it. What comes
    from protobuf is checked against the contract.

    Examples:

    - `msgfold convert reply.ndjson --to proto > reply.binpb`
    - `msgfold convert reply.binpb --from proto --to sse`
    - `msgfold convert msg.json --type msg --to proto > msg.binpb`
    """
    definition = _DEFINITIONS[type]
    write = _WRITERS[target]
    with common.opened(file) as stream:
        try:
            values = (
                _messages(stream, definition)
                if source is From.PROTO
                else _values(stream, file, source)
            )
            write(values, definition, ignore_unknown)
        except MsgfoldError as error:
            sys.stdout.flush()
            raise common.failure_of(file, error) from None


def _values(stream: BinaryIO, name: str, form: From) -> Iterator[tuple[int, int, Any]]:
    """Position, line and value of each frame."""
    first = common.head(stream)
    framing = sniff(first, name) if form is From.AUTO else cast("Format", form.value)
    position = 0
    for frame in read_frames(common.chunks(stream, first), decoder_for(framing), _cut_off):
        if is_foreign(frame, EVENT_TYPES):
            common.warn(foreign(frame))
            continue
        try:
            value = json.loads(frame.data)
        except MsgfoldError as error:
            raise error.at(line=frame.line, event_index=position) from None
        yield position, frame.line, value
        position += 1


def _cut_off(tail: Any) -> None:
    raise InvalidInputError(
        "the input ends inside a frame",
        place=Place(line=tail.line),
        expected="a whole frame",
        got=f"{len(tail.pending)} bytes of one",
    )


def _messages(stream: BinaryIO, definition: str) -> Iterator[tuple[int, int | None, Any]]:
    """Position and value of each message behind its length."""
    position = 0
    while (size := _varint(stream, position)) is not None:
        data = stream.read(size)
        if len(data) < size:
            raise _broken(position, f"{size} bytes", f"{len(data)}, then the end")
        try:
            yield position, None, decode_proto(data, definition)
        except MsgfoldError as error:
            raise error.at(event_index=position) from None
        position += 1


def _varint(stream: BinaryIO, position: int) -> int | None:
    """A length, or ``None`` at the end."""
    size = shift = 0
    while shift < 32:
        byte = stream.read(1)
        if not byte:
            if shift:
                raise _broken(position, "a length", "the end inside it")
            return None
        size |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return size
        shift += 7
    raise _broken(position, "a length of at most five bytes", "a longer one")


def _broken(position: int, expected: str, got: str) -> InvalidProtoError:
    return InvalidProtoError(
        "not a row of messages, each behind its length",
        place=Place(event_index=position),
        expected=expected,
        got=got,
        rule="wire.proto.bytes",
    )


def _write_proto(values: Any, definition: str, ignore_unknown: bool) -> None:
    out = sys.stdout.buffer
    for position, line, value in values:
        try:
            if not isinstance(value, dict):
                raise InvalidInputError("not a JSON object", place=Place(pointer=""))
            message = to_proto(value, definition, ignore_unknown=ignore_unknown)
        except MsgfoldError as error:
            if isinstance(error, UnmappedFieldError):
                error.hint = _hint(value, definition)
            raise error.at(line=line, event_index=position) from None
        serialize_length_prefixed(message, cast("Any", out))
        out.flush()


def _hint(value: Any, definition: str) -> str:
    """What to do, in the words of the command line."""
    if definition == _DEFINITIONS[What.EVENT] and value.keys() >= {"content", "role"}:
        return "It looks like a Msg: say --type msg"
    return "Validate the value first; --ignore-unknown drops members that have no field"


def _write_ndjson(values: Any, definition: str, ignore_unknown: bool) -> None:
    for _, _, value in values:
        _write(json.dumps(value) + b"\n")


def _write_sse(values: Any, definition: str, ignore_unknown: bool) -> None:
    """As AgentScope's service writes it: data only."""
    for _, _, value in values:
        _write(b"data: " + json.dumps(value) + b"\n\n")


def _write_json(values: Any, definition: str, ignore_unknown: bool) -> None:
    """One value as it is, several as an array: framing, whose level does not count."""
    held = [json.dumps(value) for _, _, value in values]
    _write((held[0] if len(held) == 1 else b"[" + b",".join(held) + b"]") + b"\n")


def _write(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


_WRITERS = {
    To.PROTO: _write_proto,
    To.NDJSON: _write_ndjson,
    To.SSE: _write_sse,
    To.JSON: _write_json,
}
