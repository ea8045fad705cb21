"""What the descriptors say: how each protobuf message is written in JSON.

The rules are at the top of ``content_block.proto``; here they are read off the generated code, once
for each message.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from msgfold.contract import navigator
from msgfold.v1 import agent_event_pb2, content_block_pb2, msg_pb2

EXTRA = "extra_json"
"""The field that holds extra members, where there is one."""

_FILES = (agent_event_pb2, content_block_pb2, msg_pb2)


@dataclass(frozen=True)
class Plan:
    """How a message is written in JSON.

    Attributes:
        members: JSON member to the fields that carry it, each for one kind of JSON value.
        union: the JSON ``type`` to the field of the union, when the message is or holds one.
        order: the members in the order of the contract.
    """

    members: dict[str, tuple[FieldDescriptor, ...]]
    union: dict[str, FieldDescriptor]
    order: tuple[str, ...]


@cache
def plan_of(message: Descriptor) -> Plan:
    """How a message is written in JSON."""
    union = _union_of(message)
    members: dict[str, list[FieldDescriptor]] = {}
    for field in message.fields:
        if field in union.values() or field.name == EXTRA:
            continue
        oneof = field.containing_oneof
        name = field.name.removesuffix("_json") if oneof is None else oneof.name
        members.setdefault(name, []).append(field)
    schema = navigator().defs.get(message.name, {})
    order = tuple(navigator().members(schema)) if "properties" in schema else ()
    return Plan({name: tuple(fields) for name, fields in members.items()}, union, order)


def _union_of(message: Descriptor) -> dict[str, FieldDescriptor]:
    for oneof in message.oneofs:
        if oneof.name in {"block", "source", "event"} and all(f.message_type for f in oneof.fields):
            spell = str.upper if oneof.name == "event" else str
            return {spell(field.name): field for field in oneof.fields}
    return {}


@cache
def tags() -> dict[str, str]:
    """Message to the JSON ``type`` that it has wherever it stands."""
    every = (m for file in _FILES for m in file.DESCRIPTOR.message_types_by_name.values())
    found = (pair for message in every for pair in _union_of(message).items())
    return {f.message_type.name: tag for tag, f in found if f.message_type is not None}


@cache
def message_class(definition: str) -> type[Message]:
    """The class of the message that a definition of the contract has.

    Raises:
        KeyError: it has none.
    """
    for file in _FILES:
        descriptor = file.DESCRIPTOR.message_types_by_name.get(definition)
        if descriptor is not None:
            return GetMessageClass(descriptor)
    raise KeyError(definition)


def is_list(message: Descriptor) -> bool:
    """Whether a message is a list in JSON."""
    return [field.name for field in message.fields] == ["items"]


@cache
def prefix(enum: EnumDescriptor) -> str:
    """What stands before each word of an enum."""
    return str(enum.values_by_number[0].name.removesuffix("UNSPECIFIED"))
