"""JSON Schema and protobuf say the same: every member has a field, every field a member.

Both are walked here by the naming rules at the top of ``content_block.proto``; what follows them
needs no entry in any table, and what does not follow them fails.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgfold.contract import definitions
from msgfold.v1 import (
    agent_event_pb2,
    content_block_pb2,
    msg_pb2,
    permission_pb2,
    reply_pb2,
    since_pb2,
)

MODULES = (agent_event_pb2, content_block_pb2, msg_pb2, permission_pb2, reply_pb2)
SCHEMAS = definitions()
MESSAGES: dict[str, Descriptor] = {
    name: message
    for module in MODULES
    for name, message in module.DESCRIPTOR.message_types_by_name.items()
}
ENUMS = {
    name: enum for module in MODULES for name, enum in module.DESCRIPTOR.enum_types_by_name.items()
}
OBJECTS = {title for title, schema in SCHEMAS.items() if "properties" in schema}

# Only in protobuf: lists and unions, which JSON writes without a name.
WRAPPERS = {"DataSource", "MediaBlock", "MediaBlocks", "PermissionRules"}

# Only in JSON Schema. EventBase is the envelope's part; the types are names of oneof fields.
ENVELOPE = {"id", "created_at", "metadata", "reply_id"}
TYPE_ENUMS = {"EventType", "ContentBlockType"}


def is_union(message: Descriptor) -> bool:
    return (
        len(message.oneofs) == 1
        and message.oneofs[0].name in {"block", "source", "event"}
        and (all(field.message_type for field in message.oneofs[0].fields))
    )


def members(message: Descriptor) -> dict[str, list[FieldDescriptor]]:
    """JSON member to the fields that carry it."""
    found: dict[str, list[FieldDescriptor]] = {}
    for field in message.fields:
        oneof = field.containing_oneof
        if oneof is not None:
            assert field.name.startswith(f"{oneof.name}_"), field.full_name
            found.setdefault(oneof.name, []).append(field)
        elif field.name != "extra_json":
            found.setdefault(field.name.removesuffix("_json"), []).append(field)
    return found


def follow(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rsplit("/", 1)[1]]
    return schema


def shapes(schema: dict[str, Any]) -> set[str]:
    """What a member may be, in the words of :func:`shape`."""
    title = schema.get("$ref", "").rsplit("/", 1)[-1]
    if title in OBJECTS:
        return {title}
    if "enum" in follow(schema):
        return {title}
    schema = follow(schema)
    if "discriminator" in schema:
        inner = {shape for part in schema["oneOf"] for shape in shapes(part)}
        return {"|".join(sorted(inner))}
    if "oneOf" in schema:
        return {shape for part in schema["oneOf"] for shape in shapes(part)}
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if schema["type"] == "array":
        return {f"list of {shape}" for shape in shapes(schema["items"])}
    base64 = "contentEncoding" in schema
    names = {"object": "json", "string": "bytes" if base64 else "string"}
    return {names.get(kind, kind) for kind in kinds}


def shape(field: FieldDescriptor) -> str:
    """What a field holds."""
    if field.name.endswith("_json"):
        return "json"
    if field.enum_type is not None:
        return "null" if field.enum_type.name == "NullValue" else field.enum_type.name
    if field.message_type is not None:
        return _message_shape(field.message_type, field.is_repeated)
    plain = {
        FieldDescriptor.TYPE_STRING: "string",
        FieldDescriptor.TYPE_BYTES: "bytes",
        FieldDescriptor.TYPE_INT64: "integer",
        FieldDescriptor.TYPE_BOOL: "boolean",
    }
    return plain[field.type]


def _message_shape(message: Descriptor, repeated: bool) -> str:
    if [field.name for field in message.fields] == ["items"]:
        return shape(message.fields[0])
    if is_union(message):
        said = "|".join(sorted(field.message_type.name for field in message.oneofs[0].fields))
    else:
        said = message.name
    return f"list of {said}" if repeated else said


def properties(title: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMAS[title]["properties"]
    return {name: member for name, member in found.items() if "const" not in member}


def test_every_object_has_a_message_and_every_message_an_object():
    unions = {name for name, message in MESSAGES.items() if is_union(message)}
    assert OBJECTS - {"EventBase"} == set(MESSAGES) - WRAPPERS - unions


@pytest.mark.parametrize("title", sorted(OBJECTS - {"EventBase"}))
def test_members_and_fields_are_the_same(title):
    in_schema = properties(title)
    if title.endswith("Event"):
        in_schema = {name: m for name, m in in_schema.items() if name not in ENVELOPE}
    in_proto = members(MESSAGES[title])
    assert set(in_proto) == set(in_schema)
    for name, member in in_schema.items():
        assert {shape(field) for field in in_proto[name]} == shapes(member), name


def test_the_envelope_has_what_every_event_has():
    message = MESSAGES["AgentEvent"]
    outside = {f.name.removesuffix("_json") for f in message.fields if f.containing_oneof is None}
    assert outside == set(SCHEMAS["EventBase"]["properties"]) | {"reply_id"} == ENVELOPE


@pytest.mark.parametrize(
    ("union", "oneof", "spell"),
    [("AgentEvent", "event", str.upper), ("ContentBlock", "block", str)],
)
def test_unions_have_the_same_members_and_their_names_are_the_types(union, oneof, spell):
    in_schema = {}
    for part in SCHEMAS[union]["oneOf"]:
        schema = follow(part)
        in_schema[schema["properties"]["type"]["const"]] = schema["title"]
    fields = MESSAGES[union].oneofs_by_name[oneof].fields
    assert {spell(field.name): field.message_type.name for field in fields} == in_schema


@pytest.mark.parametrize("title", sorted(set(ENUMS)))
def test_enums_have_the_same_words(title):
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", title).upper() + "_"
    values = [value.name.removeprefix(prefix) for value in ENUMS[title].values]
    assert values[0] == "UNSPECIFIED"
    assert [value.lower() for value in values[1:]] == SCHEMAS[title]["enum"]


def test_every_enum_is_on_both_sides():
    assert {t for t, s in SCHEMAS.items() if "enum" in s} - TYPE_ENUMS == set(ENUMS)


def test_every_single_field_has_presence():
    """Absent, null and value are three things (wire.json.null), and zero is a value."""
    for message in MESSAGES.values():
        for field in message.fields:
            assert field.is_repeated or field.has_presence, field.full_name


def test_a_plain_list_is_a_required_member():
    """A repeated field cannot be absent; what may be absent needs a message around it."""
    for title in OBJECTS - {"EventBase"}:
        for name, fields in members(MESSAGES[title]).items():
            if any(field.is_repeated for field in fields):
                assert name in SCHEMAS[title]["required"], f"{title}.{name}"


def test_only_open_objects_have_room_for_extra_members():
    open_objects = {title for title in OBJECTS if "x-extra-members" in SCHEMAS[title]}
    assert {
        t for t in OBJECTS - {"EventBase"} if "extra_json" in MESSAGES[t].fields_by_name
    } == open_objects


def since(options: Any, extension: Any) -> str | None:
    return options.Extensions[extension] if options.HasExtension(extension) else None


@pytest.mark.parametrize("title", sorted(OBJECTS - {"EventBase"}))
def test_messages_and_fields_came_with_the_same_release(title):
    message = MESSAGES[title]
    assert since(message.GetOptions(), since_pb2.message_since) == SCHEMAS[title].get("x-since")
    for name, fields in members(message).items():
        in_schema = SCHEMAS[title]["properties"].get(name, {}).get("x-since")
        for field in fields:
            said = since(field.GetOptions(), since_pb2.field_since)
            # A form of a member may have come later than the member: data was never null before.
            later_form = field.name == "data_null" and title == "DataBlockDeltaEvent"
            assert said == ("2.0.8" if later_form else in_schema), field.full_name


@pytest.mark.parametrize("title", sorted(set(ENUMS)))
def test_enums_and_words_came_with_the_same_release(title):
    enum, schema = ENUMS[title], SCHEMAS[title]
    assert since(enum.GetOptions(), since_pb2.enum_since) == schema.get("x-since")
    words = {
        schema["enum"][value.number - 1]: since(value.GetOptions(), since_pb2.value_since)
        for value in enum.values
        if value.number
    }
    assert {word: release for word, release in words.items() if release} == schema.get(
        "x-since-words", {}
    )
