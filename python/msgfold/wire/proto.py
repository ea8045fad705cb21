"""JSON to protobuf and back, losslessly, by the names of the proto files.

There is no table of members here.  The rules at the top of ``content_block.proto`` say how JSON and
protobuf name the same things, and the descriptors say what there is; a field that is added to the
proto files is transcoded as soon as its code is generated (``wire.proto.*``).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from pydantic import BaseModel

from msgfold.errors import (
    InvalidBase64Error,
    InvalidEventError,
    InvalidMsgError,
    InvalidProtoError,
    MsgfoldError,
    OutOfRangeError,
    Place,
    UnmappedFieldError,
    shorten,
)
from msgfold.model.base64_source import decode as decode_base64
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.wire import json, text_events
from msgfold.wire.decode import refuse
from msgfold.wire.fields import EXTRA, Plan, is_list, message_class, plan_of, prefix, tags

Path = tuple[str | int, ...]

_INT64 = range(-(2**63), 2**63)


def to_proto(
    value: dict[str, Any] | BaseModel, definition: str, *, ignore_unknown: bool = False
) -> Message:
    """A JSON value as a protobuf message.

    Args:
        value: a Msg, a block or an event: the JSON value, or the model.
        definition: its definition, such as ``"Msg"`` or ``"AgentEvent"``.
        ignore_unknown: drop members that protobuf has no field for, instead of refusing them.

    Raises:
        UnmappedFieldError: a member, or its form, has no field; the error leads to it.
        OutOfRangeError: an integer that 64 bits do not hold.
        InvalidBase64Error: data that is not canonical base64.
        InvalidJsonError: a lone surrogate.

    Example:
        >>> event = {"type": "TEXT_BLOCK_DELTA", "reply_id": "r", "block_id": "b", "delta": "Hi"}
        >>> message = to_proto(event, "AgentEvent")
        >>> message.text_block_delta.delta
        'Hi'
        >>> from_proto(message, check=False) == event
        True
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    message = message_class(definition)()
    if definition == "AgentEvent" and text_events.write(cast("Any", message), value):
        return message
    try:
        _fill(message, value, (), ignore_unknown)
    except UnicodeEncodeError:
        json.check_value(value)  # knows where the lone surrogate stands
        raise
    return message


def from_proto(message: Message, *, check: bool = True) -> dict[str, Any]:
    """A protobuf message as a JSON value, members in the order of the contract.

    Args:
        message: a message of ``msgfold.v1``.
        check: hold the value against the schema, as JSON that comes from elsewhere.

    Raises:
        InvalidProtoError: an empty union, an enum that is not set, JSON text that is none.
        MsgfoldError: the schema refuses the value; the error leads to the first fault.
    """
    if isinstance(message, AgentEvent):
        found = text_events.read(message)
        if found is not None:
            return found
    value: dict[str, Any] = _read(message, ())
    if check:
        _check(value, message.DESCRIPTOR.name)
    return value


def decode_proto(data: bytes, definition: str, *, check: bool = True) -> dict[str, Any]:
    """The JSON value of a message on the wire.  Arguments and errors as in :func:`from_proto`."""
    message = message_class(definition)()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise InvalidProtoError(
            f"no {definition} in protobuf: {error}",
            place=Place(pointer=""),
            expected=f"the bytes of a msgfold.v1.{definition}",
            got=f"{len(data)} bytes",
            rule="wire.proto.bytes",
        ) from None
    return from_proto(message, check=check)


def _check(value: Any, definition: str) -> None:
    from msgfold.validate.quick import plainly_valid
    from msgfold.validate.schema import check as faults_of  # jsonschema is slow to import

    json.check_value(value)
    if definition == "AgentEvent" and plainly_valid(json.dumps(value), None) is not None:
        return
    found = faults_of(value, definition)
    if found:
        error = InvalidMsgError if definition == "Msg" else InvalidEventError
        raise refuse(error, found, None, "wire.proto.checked")


# ---------------------------------------------------------------- JSON to protobuf
def _fill(message: Message, value: dict[str, Any], path: Path, ignore_unknown: bool) -> None:
    plan = plan_of(message.DESCRIPTOR)
    inner, inner_plan = None, None
    own = tags().get(message.DESCRIPTOR.name)
    if plan.union:
        tag = value.get("type")
        field = plan.union.get(tag) if isinstance(tag, str) else None
        if field is None:
            raise _unmapped(f"no {message.DESCRIPTOR.name} has this type", (*path, "type"), tag)
        inner = getattr(message, field.name)
        inner.SetInParent()
        inner_plan = plan_of(field.message_type)
    elif own is not None and value.get("type", own) != own:
        raise _unmapped("another type stands here", (*path, "type"), value["type"])
    extra = {}
    for name, member in value.items():
        if name == "type" and (plan.union or own is not None):
            continue
        if inner is not None and inner_plan is not None and name in inner_plan.members:
            _set(inner, inner_plan.members[name], member, (*path, name), ignore_unknown)
        elif name in plan.members:
            _set(message, plan.members[name], member, (*path, name), ignore_unknown)
        else:
            extra[name] = member
    holder = message if inner is None else inner
    if extra and EXTRA in holder.DESCRIPTOR.fields_by_name:
        setattr(holder, EXTRA, _text(extra))
    elif extra and not ignore_unknown:
        name = next(iter(extra))
        raise _unmapped("protobuf has no field for this member", (*path, name), extra[name])


def _set(
    message: Message,
    fields: tuple[FieldDescriptor, ...],
    value: Any,
    path: Path,
    ignore_unknown: bool,
) -> None:
    for field in fields:
        if _takes(field, value):
            break
    else:
        raise _unmapped("protobuf has no field for this kind of value", path, value)
    if field.is_repeated:
        _fill_list(getattr(message, field.name), value, path, ignore_unknown)
    elif field.message_type is not None:
        inner = getattr(message, field.name)
        inner.SetInParent()
        if is_list(field.message_type):
            _fill_list(inner.items, value, path, ignore_unknown)
        else:
            _fill(inner, value, path, ignore_unknown)
    else:
        setattr(message, field.name, _scalar(field, value, path))


def _fill_list(target: Any, values: list[Any], path: Path, ignore_unknown: bool) -> None:
    for position, value in enumerate(values):
        if not isinstance(value, dict):
            raise _unmapped("an object is expected", (*path, position), value)
        _fill(target.add(), value, (*path, position), ignore_unknown)


def _takes(field: FieldDescriptor, value: Any) -> bool:
    """Whether a field is the one for a JSON value of this kind."""
    if field.enum_type is not None:
        return value is None if field.enum_type.name == "NullValue" else isinstance(value, str)
    if field.is_repeated:
        return isinstance(value, list)
    if field.message_type is not None:
        return isinstance(value, list if is_list(field.message_type) else dict)
    if field.name.endswith("_json"):
        return isinstance(value, dict)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return isinstance(value, bool)
    if field.type == FieldDescriptor.TYPE_INT64:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str)


def _scalar(field: FieldDescriptor, value: Any, path: Path) -> Any:
    if field.enum_type is not None:
        return 0 if value is None else _number(field.enum_type, value, path)
    if field.name.endswith("_json"):
        return _text(value)
    if field.type == FieldDescriptor.TYPE_INT64 and value not in _INT64:
        raise OutOfRangeError(
            "an integer that 64 bits do not hold",
            place=Place(pointer=json.pointer(path)),
            expected=f"{_INT64.start} to {_INT64.stop - 1}",
            got=shorten(str(value.bit_length()) + " bits"),
            rule="wire.proto.int64",
        )
    if field.type == FieldDescriptor.TYPE_BYTES:
        try:
            return decode_base64(value)
        except ValueError as error:
            raise InvalidBase64Error(
                f"invalid base64: {error}",
                place=Place(pointer=json.pointer(path)),
                expected="canonical, padded base64 (RFC 4648 section 4)",
                got=shorten(value, 40),
                rule="wire.json.base64",
            ) from None
    return value


def _number(enum: EnumDescriptor, word: str, path: Path) -> int:
    found = enum.values_by_name.get(f"{prefix(enum)}{word.upper()}")
    if found is None or found.number == 0 or word != word.lower():
        raise _unmapped(f"{enum.name} has no such word", path, word)
    return int(found.number)


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value).decode()


def _unmapped(said: str, path: Path, value: Any) -> UnmappedFieldError:
    return UnmappedFieldError(
        said,
        place=Place(pointer=json.pointer(path)),
        expected="what the schema and the proto files have",
        got=shorten(value),
        hint="Validate the value first, or say ignore_unknown=True to drop unknown members",
        rule="wire.proto.unmapped",
    )


# ---------------------------------------------------------------- protobuf to JSON
def _read(message: Message, path: Path) -> dict[str, Any]:
    plan = plan_of(message.DESCRIPTOR)
    found = dict(_members_of(message, plan, path))
    order = plan.order
    if plan.union:
        chosen = next((tag for tag, f in plan.union.items() if message.HasField(f.name)), None)
        if chosen is None:
            raise InvalidProtoError(
                f"{message.DESCRIPTOR.name} is empty: none of its union is set",
                place=Place(pointer=json.pointer(path)),
                expected=f"one of {', '.join(plan.union)}",
                got="none, or one of a later release",
                rule="wire.proto.union",
            )
        inner = getattr(message, plan.union[chosen].name)
        found |= _read(inner, path)
        order = plan_of(inner.DESCRIPTOR).order
    elif message.DESCRIPTOR.name in tags():
        found["type"] = tags()[message.DESCRIPTOR.name]
    known = {name: found.pop(name) for name in order if name in found}
    return {**known, **found}


def _members_of(message: Message, plan: Plan, path: Path) -> Iterator[tuple[str, Any]]:
    for name, fields in plan.members.items():
        for field in fields:
            if field.is_repeated or message.HasField(field.name):
                yield name, _value(field, getattr(message, field.name), (*path, name))
    if EXTRA in message.DESCRIPTOR.fields_by_name and message.HasField(EXTRA):
        yield from _parsed(getattr(message, EXTRA), path).items()


def _value(field: FieldDescriptor, value: Any, path: Path) -> Any:
    if field.is_repeated:
        return [_read(item, (*path, position)) for position, item in enumerate(value)]
    if field.message_type is not None:
        if is_list(field.message_type):
            return [_read(item, (*path, position)) for position, item in enumerate(value.items)]
        return _read(value, path)
    if field.enum_type is not None:
        if field.enum_type.name == "NullValue":
            return None
        return _word(field.enum_type, value, path)
    if field.name.endswith("_json"):
        return _parsed(value, path)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64encode(value).decode()
    return value


def _word(enum: EnumDescriptor, number: int, path: Path) -> str:
    found = enum.values_by_number.get(number)
    if found is None or number == 0:
        raise InvalidProtoError(
            f"{enum.name} is {number}, which is no word",
            place=Place(pointer=json.pointer(path)),
            expected=f"one of {', '.join(value.name for value in enum.values[1:])}",
            got=str(number),
            rule="wire.proto.enum",
        )
    return str(found.name.removeprefix(prefix(enum)).lower())


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except MsgfoldError as error:
        raise InvalidProtoError(
            f"JSON text that is none: {error.reason}",
            place=Place(pointer=json.pointer(path)),
            expected="a JSON object as text",
            got=shorten(text),
            rule="wire.proto.json-text",
        ) from None
    if not isinstance(value, dict):
        raise InvalidProtoError(
            "JSON text that is no object",
            place=Place(pointer=json.pointer(path)),
            expected="a JSON object as text",
            got=shorten(text),
            rule="wire.proto.json-text",
        )
    return value
