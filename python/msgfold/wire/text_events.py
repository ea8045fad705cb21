"""The short way between JSON and protobuf for events that hold nothing but text.

Deltas and starts are nearly all of a stream, and each of their members is a string that is always
there.  Which events are so is read off the schemas and the descriptors, so nothing has to be kept
in step.  Whatever looks different in the least goes the long way of :mod:`msgfold.wire.proto`,
which explains what it refuses.  A property test holds the two against each other.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from msgfold.contract import navigator
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.wire.fields import plan_of

ENVELOPE = ("id", "created_at", "reply_id")
_BARE = {"type", "title", "description"}
"""Keywords that leave a string free."""

_EMPTY = "{}"
"""Metadata without members, the usual one, as JSON text."""


@cache
def text_events() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Event type to the field of the union, and the members, of each event that is only text."""
    found = {}
    for kind, field in plan_of(AgentEvent.DESCRIPTOR).union.items():
        message = field.message_type
        assert message is not None
        schema = navigator().defs[message.name]
        members = navigator().members(schema)
        own = [name for name in members if name not in {*ENVELOPE, "type", "metadata"}]
        if all(_is_text(message, name, members[name]) for name in own):
            found[kind] = (field.name, tuple(own))
    return found


def _is_text(message: Any, name: str, schema: dict[str, Any]) -> bool:
    schema = navigator().select("", schema)
    field = message.fields_by_name.get(name)
    return (
        schema.get("type") == "string"
        and "default" not in schema
        and {key for key in schema if not key.startswith("x-")} <= _BARE
        and field is not None
        and field.type == FieldDescriptor.TYPE_STRING
        and field.containing_oneof is None
    )


def write(message: AgentEvent, value: dict[str, Any]) -> bool:
    """Fill an empty message with an event; ``False`` when it has to go the long way."""
    kind = value.get("type")
    found = text_events().get(kind) if isinstance(kind, str) else None
    if found is None:
        return False
    field, own = found
    # As many members as it has, so that none is left out.
    if len(value) != len(own) + 5 or value.get("metadata") != {}:
        return False
    try:
        message.id = value["id"]
        message.created_at = value["created_at"]
        message.metadata_json = _EMPTY
        message.reply_id = value["reply_id"]
        inner = getattr(message, field)
        if not own:
            inner.SetInParent()
        for name in own:
            setattr(inner, name, value[name])
    except (KeyError, TypeError, ValueError):
        message.Clear()
        return False
    return True


def read(message: AgentEvent) -> dict[str, Any] | None:
    """The event, with nothing left to check; ``None`` when it has to go the long way."""
    field = message.WhichOneof("event")
    kind = field.upper() if field else ""
    found = text_events().get(kind)
    if found is None or message.metadata_json != _EMPTY:
        return None
    inner = getattr(message, found[0])
    value: dict[str, Any] = {
        "id": message.id,
        "created_at": message.created_at,
        "metadata": {},
        "type": kind,
        "reply_id": message.reply_id,
    }
    for name in found[1]:
        value[name] = getattr(inner, name)
    # An empty string may be an absent one.
    for name, member in value.items():
        if member == "" and not (message if name in ENVELOPE else inner).HasField(name):
            return None
    return value
