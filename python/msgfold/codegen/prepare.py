"""The bundle, put into the words that datamodel-code-generator understands.

The schemas say more than a class can.  Before the generator sees them, each target takes out what
it would get wrong and turns the rest into what it gets right.  What is taken out here is not lost:
the hand-written classes of :mod:`msgfold.model` bring it back, and tests hold the two together.
"""

from __future__ import annotations

from typing import Any

from msgfold.contract import BEFORE, DIALECT, SINCE, Schema, definitions

MINT = "x-mint"
"""Schema keyword: a constructor makes this member up when it is left out, ``id`` or ``now``."""

_PREFIX = "#/$defs/"


def for_models() -> Schema:
    """For Pydantic: minted members optional with a marker default, rules of objects removed."""
    found = _inlined()
    for schema in found.values():
        _drop_object_rules(schema)
        for name, member in schema.get("properties", {}).items():
            if MINT in member:
                schema["required"].remove(name)
                member["default"] = factory_marker(member.pop(MINT))
            elif SINCE in member:
                # A string without a default reads as an empty one (msgfold.model.absent).
                member.setdefault("default", "")
    return _document(found)


def for_structs() -> Schema:
    """For msgspec: the events' shape only, so that absent members read as ``UNSET``, never made up.

    What an event carries inside (blocks, rules, answers) stays plain JSON: the fold hands it to the
    model that it becomes part of, which keeps its unknown members.  Patterns go too: the fold
    checks base64 and URLs where it uses them, once.  Descriptions go, because the models carry
    them.
    """
    found = _inlined()
    events = {
        title: schema
        for title, schema in found.items()
        if ("allOf" in schema and title != "Msg") or title in {"EventBase", "AgentEvent"}
    }
    enums = {title: schema for title, schema in found.items() if "enum" in schema}
    for schema in events.values():
        _drop_object_rules(schema)
        for name, member in schema.get("properties", {}).items():
            if member.pop(MINT, None):
                schema["required"].remove(name)
            member.pop("default", None)
            if _refers(member, set(found) - set(enums)):
                schema["properties"][name] = {}
    return _document(_without(events | enums, {"description", "pattern", "$comment"}))


def factory_marker(kind: str) -> str:
    """The default that stands for a factory, replaced in the generator's output."""
    return f"{MINT}:{kind}"


def _document(found: dict[str, Schema]) -> Schema:
    root = found.pop("AgentEvent")
    return {"$schema": DIALECT, "title": "AgentEvent", **root, "$defs": found}


def _inlined() -> dict[str, Schema]:
    """The definitions with scalars and free objects written out: no class helps there.

    Nor for Role, which is a plain word in AgentScope, too.
    """
    every = definitions()
    scalars = {
        title: schema
        for title, schema in every.items()
        if title == "Role" or not {"properties", "oneOf", "enum"} & schema.keys()
    }
    return {
        title: _inline(schema, scalars) for title, schema in every.items() if title not in scalars
    }


def _inline(node: Any, scalars: dict[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_inline(item, scalars) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: _inline(value, scalars) for key, value in node.items()}
    if "discriminator" in node:
        del node["type"]  # beside `oneOf` it would make a class of its own
    target = node.get("$ref", "").removeprefix(_PREFIX)
    if target in scalars:
        del node["$ref"]
        # contentEncoding and format would turn the string into bytes or a parsed URL.
        kept = {k: v for k, v in scalars[target].items() if k not in _NOT_A_TYPE}
        node = {**kept, **node}
    return _plain_nullable(node)


_NOT_A_TYPE = {"title", "contentEncoding", "format"}


def _refers(node: Any, titles: set[str]) -> bool:
    if isinstance(node, list):
        return any(_refers(item, titles) for item in node)
    if not isinstance(node, dict):
        return False
    return str(node.get("$ref")).removeprefix(_PREFIX) in titles or any(
        _refers(value, titles) for value in node.values()
    )


def _plain_nullable(node: Schema) -> Schema:
    """``oneOf [string, null]`` as ``type [string, null]``: one type instead of an alias of one."""
    match node.get("oneOf"):
        case [{"type": "string"} as text, {"type": "null"}]:
            plain: Schema = {**text, **node, "type": ["string", "null"]}
            del plain["oneOf"]
            return plain
    return node


def _drop_object_rules(schema: Schema) -> None:
    """Rules over several members have no place in a field: if/then of roles, exactly-one-of."""
    schema.pop(BEFORE, None)
    if "properties" not in schema:
        return
    schema.pop("oneOf", None)
    parents = [part for part in schema.get("allOf", []) if "$ref" in part]
    schema.pop("allOf", None)
    if parents:
        schema["allOf"] = parents


def _without(node: Any, keywords: set[str]) -> Any:
    """``node`` without ``keywords``; names of members are kept, whatever they are."""
    if isinstance(node, list):
        return [_without(item, keywords) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {k: _without(v, keywords) for k, v in value.items()}
        if key == "properties"
        else _without(value, keywords)
        for key, value in node.items()
        if key not in keywords
    }
