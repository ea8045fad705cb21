"""``msgfold validate``: is this what it is meant to be, and if not, where not?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any, cast

import typer

from msgfold.cli import common
from msgfold.cli.common import Input
from msgfold.cli.fold import FormatOption
from msgfold.errors import InvalidInputError, MsgfoldError
from msgfold.validate import Fault, validate_msgs, validate_stream, validate_text
from msgfold.wire import json as json_text
from msgfold.wire.sniff import Format, sniff


class TypeOption(StrEnum):
    """What the input is meant to be."""

    AUTO = "auto"
    MSG = "msg"
    EVENT = "event"
    STREAM = "stream"


class OutputOption(StrEnum):
    """How faults are told."""

    TEXT = "text"
    JSON = "json"


_DEFINITIONS = {TypeOption.MSG: "Msg", TypeOption.EVENT: "AgentEvent"}
_BOM = b"\xef\xbb\xbf"
_BLANK = _BOM + b" \t\r\n"


def command(
    file: Input = "-",
    type: Annotated[
        TypeOption, typer.Option(help="What the input is meant to be; auto looks at it.")
    ] = TypeOption.AUTO,
    format: Annotated[
        FormatOption, typer.Option(help="For a stream: how events are framed.")
    ] = FormatOption.AUTO,
    strict: Annotated[
        bool, typer.Option("--strict", help="Report members that the schema does not name, too.")
    ] = False,
    revision: Annotated[
        str | None,
        typer.Option(
            metavar="RELEASE",
            help="The AgentScope release that has to read it. What it would refuse and what it "
            "would drop are faults; left out: only what the contract refuses.",
        ),
    ] = None,
    output: Annotated[OutputOption, typer.Option(help="How faults are told.")] = OutputOption.TEXT,
) -> None:
    """Check Msgs, an event or a stream of events against the contract.

    Every fault is told with its line, the event's index, a JSON Pointer, what was expected and what
    came. Exits with 0 when there is none, else with 1.

    Examples:

    - `msgfold validate reply.ndjson`
    - `msgfold validate msg.json --type msg --strict`
    - `msgfold validate reply.ndjson --revision 2.0.4`
    - `cat reply.ndjson | msgfold validate --output json`
    """
    found = 0
    if revision is not None:
        common.known_revision(revision)
    with common.opened(file) as source:
        try:
            first = common.head(source)
            asked = {"strict": strict, "revision": revision}
            faults = _faults(source, first, file, type, format, asked)
            found = _tell(faults, file, output)
        except MsgfoldError as error:
            raise common.failure_of(file, error) from None
    if found:
        raise common.Failure("", common.FAULTY)


def _is_row(first: bytes, name: str) -> bool:
    """Whether the input looks like several values: SSE, a list, or more than one line."""
    if sniff(first, name) != "ndjson":
        return not first.lstrip(_BLANK).startswith(b"{")
    return len([line for line in first.splitlines() if line.strip()]) > 1


def _faults(
    source: Any,
    first: bytes,
    name: str,
    kind: TypeOption,
    format: FormatOption,
    asked: dict[str, Any],
) -> Iterator[Fault]:
    if kind is TypeOption.STREAM or (kind is not TypeOption.EVENT and _is_row(first, name)):
        framing = sniff(first, name) if format is FormatOption.AUTO else cast("Format", format)
        if kind is TypeOption.AUTO:
            value = _first_value(first)
            is_msg = isinstance(value, dict) and value.keys() >= {"content", "role"}
            kind = TypeOption.MSG if is_msg else TypeOption.STREAM
        with common.progress(source, name) as bar:
            pieces = common.tracked(common.chunks(source, first), bar)
            yield from _faults_of_row(pieces, kind, framing, asked)
        return
    text = b"".join(common.chunks(source, first)).removeprefix(_BOM)
    if kind is TypeOption.AUTO:
        kind = _kind_of(json_text.faults(text)[0])
    yield from validate_text(text, _DEFINITIONS[kind], **asked)


def _faults_of_row(
    pieces: Iterator[bytes], kind: TypeOption, framing: Format, asked: dict[str, Any]
) -> Iterator[Fault]:
    validate = validate_msgs if kind is TypeOption.MSG else validate_stream
    faults, values, found = validate(pieces, framing, **asked), None, 0
    while values is None:
        try:
            fault = next(faults)
        except StopIteration as end:
            values = end.value
        else:
            found += 1
            yield fault
    if values == found == 0:  # nothing is wrong, for nothing was looked at
        raise InvalidInputError(
            f"no {'Msgs' if kind is TypeOption.MSG else 'events'}, read as {framing}",
            expected="at least one",
            hint="Another framing is named with --format",
        )


def _first_value(first: bytes) -> Any:
    """The first of several values, as far as it can be told from the beginning."""
    text = first.decode("utf-8", "replace").lstrip("\ufeff[ \t\r\n")
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _kind_of(value: Any) -> TypeOption:
    """What one object is meant to be: every Msg has content and a role, no event has content."""
    is_msg = isinstance(value, dict) and ("content" in value or "type" not in value)
    return TypeOption.MSG if is_msg else TypeOption.EVENT


def _tell(faults: Iterable[Fault], name: str, output: OutputOption) -> int:
    if output is OutputOption.JSON:
        listed = [fault.to_json() for fault in faults]
        report = {"file": name, "valid": not listed, "faults": listed}
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
        return len(listed)
    count = 0
    for count, fault in enumerate(faults, 1):  # noqa: B007  (the last count is the number)
        typer.echo(f"{name}: {fault}")
    said = "1 fault" if count == 1 else f"{count} faults"
    common.note(f"{name}: {said if count else 'valid'}")
    return count
