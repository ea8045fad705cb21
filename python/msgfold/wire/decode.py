"""JSON text to events, and what to say when it is none.

There are two readers.  The hot one decodes a line straight into a generated msgspec struct: it
makes nothing up (an absent member reads as ``UNSET``), and it is what the fold uses.  The other
one, :func:`parse_event`, gives the Pydantic models that people work with, and makes up a missing
``id`` and ``created_at`` as AgentScope does (``wire.json.mint``).

Both are quick to say no and slow to explain it: only when a value is refused is it held against the
schema, which knows the place and what was expected.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Union, cast

import msgspec
from pydantic import TypeAdapter, ValidationError

from msgfold._generated import models, structs
from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    ErrorCode,
    InvalidBase64Error,
    InvalidEventError,
    InvalidMsgError,
    MsgfoldError,
    OnDiagnostic,
    Place,
    shorten,
)
from msgfold.wire import json
from msgfold.wire.integers import whole

EVENT_TYPES = frozenset(models.EventType)
"""The 28 types."""

_decoder = msgspec.json.Decoder(structs.AgentEvent)


def _closed(struct: Any) -> Any:
    """A struct of the same members that takes no others, and that the garbage collector passes.

    What JSON builds has no cycles, so there is nothing for the collector to find.
    """
    return msgspec.defstruct(
        struct.__name__,
        [],
        bases=(struct,),
        module=struct.__module__,
        forbid_unknown_fields=True,
        gc=False,
    )


CLOSED: dict[type, Any] = {
    struct: _closed(struct)
    for struct in vars(structs).values()
    if isinstance(struct, type)
    and issubclass(struct, structs.EventBase)
    and struct is not structs.EventBase
}
"""Each event's struct to one that knows no other members: what :data:`decode_plain` gives."""

_TEXT_DELTAS: dict[Any, tuple[str, str]] = {
    structs.TextBlockDeltaEvent: ("text", "block_id"),
    structs.ThinkingBlockDeltaEvent: ("thinking", "block_id"),
    structs.ToolCallDeltaEvent: ("tool_call", "tool_call_id"),
    structs.ToolResultTextDeltaEvent: ("tool_result", "tool_call_id"),
}
"""Struct of an event that appends to a text: the kind of block, the member that names it."""

TEXT_DELTAS = {CLOSED[struct]: kind for struct, (kind, _) in _TEXT_DELTAS.items()}
"""The same, closed; the block's id is in ``target``, whatever its name is on the wire."""

for _struct, (_, _member) in _TEXT_DELTAS.items():
    CLOSED[_struct].target = vars(_struct)[_member]

NESTED = frozenset(
    CLOSED[struct]
    for struct in CLOSED
    if any("Any" in str(kind) for kind in struct.__annotations__.values())
)
"""Closed structs that hold JSON, which may be nested deeply, in other members than ``metadata``."""

decode_plain = msgspec.json.Decoder(Union[tuple(CLOSED.values())]).decode  # noqa: UP007
"""The quick reader: an event with known members only, as a closed struct.

It refuses more than it must, and checks no depth; what it refuses is for :func:`decode_event`.
"""

_WORDS_NOT_FOLDED = {
    "REPLY_START": "role",
    "REPLY_END": "finished_reason",
    "MODEL_CALL_END": "finished_reason",
}
"""Event type to the enum member that no fold handler reads (``fold.unknown-enum``)."""


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event whose type is not of this contract, as it came (``fold.unknown-event``)."""

    type: str
    reply_id: str | None
    value: dict[str, Any]


StructEvent = Any
"""One of the structs of ``msgfold._generated.structs.AgentEvent``."""


def decode_event(
    text: bytes, *, on_unknown_word: OnDiagnostic | None = None
) -> StructEvent | UnknownEvent:
    """One event's JSON text as a struct.

    Args:
        text: UTF-8 JSON text.
        on_unknown_word: given, an unknown word in a member that the fold does not read is reported
            here and left out, instead of refusing the event (``fold.unknown-enum``).

    Raises:
        InvalidJsonError: not I-JSON.
        TooDeepError: nested too deeply.
        InvalidEventError: the schema refuses it.
    """
    # The common case first; whatever it refuses is read again with care, to say why.
    try:
        json.check_depth(text)
        return _decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        return convert_event(json.loads(text), on_unknown_word=on_unknown_word, because=error)


def convert_event(
    value: Any,
    *,
    on_unknown_word: OnDiagnostic | None = None,
    because: Exception | None = None,
) -> StructEvent | UnknownEvent:
    """One event's JSON value as a struct.  Arguments and errors as in :func:`decode_event`."""
    if because is None:
        json.check_value(value)
    kind = value.get("type") if isinstance(value, dict) else None
    member = None
    if isinstance(kind, str):
        if kind not in EVENT_TYPES:
            reply_id = value.get("reply_id")
            return UnknownEvent(kind, reply_id if isinstance(reply_id, str) else None, value)
        try:
            return msgspec.convert(value, structs.AgentEvent)
        except (msgspec.MsgspecError, RecursionError) as error:
            because = because or error
        with suppress(msgspec.MsgspecError, RecursionError):
            return msgspec.convert(whole(value, "AgentEvent"), structs.AgentEvent)
        member = _WORDS_NOT_FOLDED.get(kind)
    faults = explain(value, "AgentEvent")
    # What an error holds is looked at when it is applied, and is no reason to refuse it before.
    faults = [f for f in faults if not str(f.place.pointer).startswith("/error/")] or faults
    if on_unknown_word and member and [fault.place.pointer for fault in faults] == [f"/{member}"]:
        on_unknown_word(
            Diagnostic(
                DiagnosticCode.UNKNOWN_ENUM_VALUE,
                f"{kind}.{member}: unknown word {shorten(value[member])}, "
                f"expected {faults[0].expected}",
                rule="fold.unknown-enum",
                place=faults[0].place,
                reply_id=value.get("reply_id"),
            )
        )
        event = convert_event({k: v for k, v in value.items() if k != member}, because=because)
        setattr(event, member, None)  # left out because it is unknown, which is not its default
        return event
    refused = refuse(InvalidEventError, faults, because, "fold.invalid-event")
    if isinstance(value, dict) and value.keys() >= {"content", "role"}:
        refused.hint = "It looks like a Msg, which is what events are folded into"
    raise refused


def parse_event(data: bytes | str | dict[str, Any]) -> models.EventBase:
    """One event as a model.  A missing ``id`` or ``created_at`` is made up (``wire.json.mint``).

    Args:
        data: JSON text, or the JSON value.

    Returns:
        An instance of the class for its type, such as ``TextBlockDeltaEvent``.

    Raises:
        InvalidJsonError, TooDeepError: the text is not I-JSON.
        InvalidBase64Error: its data is not canonical base64.
        InvalidEventError: it is not an event; the error leads to the first fault.
    """
    return cast("models.EventBase", _parse(data, "AgentEvent", InvalidEventError))


def parse_msg(data: bytes | str | dict[str, Any]) -> models.Msg:
    """One Msg as a model.  A missing ``id`` or ``created_at`` is made up (``wire.json.mint``).

    Raises:
        InvalidJsonError, TooDeepError: the text is not I-JSON.
        InvalidBase64Error: the data of a block is not canonical base64.
        InvalidMsgError: it is not a Msg; the error leads to the first fault.
    """
    return cast("models.Msg", _parse(data, "Msg", InvalidMsgError))


@cache
def _adapter(definition: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(models, definition))


def _parse(data: Any, definition: str, error_type: type[MsgfoldError]) -> Any:
    if isinstance(data, bytes | str):
        value = json.loads(data)
    else:
        value = data
        json.check_value(value)
    try:
        return _adapter(definition).validate_python(value)
    except (ValidationError, RecursionError) as error:
        because = error
    if faults := explain(value, definition):
        raise refuse(error_type, faults, because, "wire.json.shape")
    try:
        return _adapter(definition).validate_python(whole(value, definition))
    except (ValidationError, RecursionError) as error:
        raise refuse(error_type, [], error, "wire.json.shape") from None


def explain(value: Any, definition: str) -> list[Any]:
    """Why ``value`` is refused: its faults, but for members that parsing makes up."""
    from msgfold.validate.schema import check  # explaining is rare, and jsonschema slow to import

    return [fault for fault in check(value, definition) if not _is_minted(fault)]


def _is_minted(fault: Any) -> bool:
    return fault.keyword == "required" and fault.expected in {
        "a member id",
        "a member created_at",
        "a member block_id",
    }


def refuse(
    error_type: type[MsgfoldError],
    faults: list[Any],
    because: Exception | None,
    rule: str,
) -> MsgfoldError:
    """The error for a refused value: its first fault, or what the reader said without one."""
    if isinstance(because, RecursionError):
        return json.too_deep()
    if not faults:  # the reader is stricter than the schema: `1.0` for an integer
        return error_type(str(because).splitlines()[0], place=Place(pointer=""), rule=rule)
    first = faults[0]
    if first.code == ErrorCode.INVALID_BASE64:
        error_type, rule = InvalidBase64Error, "wire.json.base64"
    return error_type(
        first.message,
        place=first.place,
        expected=first.expected,
        got=first.got,
        hint=f"{len(faults) - 1} more: see `msgfold validate`" if len(faults) > 1 else None,
        rule=rule,
    )
