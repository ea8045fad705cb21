"""TypeScript types of the contract: plain objects, and unions that ``type`` tells apart.

JSON that was parsed is of these types as it is: there are no classes, and nothing is converted.
Descriptions become doc comments, and each object says what becomes of members it does not name.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from msgfold.contract import OPEN, SINCE, SINCE_WORDS, Navigator, Schema, navigator

_WIDTH = 100


_OPENNESS = {
    True: "Open: members that are not named here are data of the object.",
    False: "Members that are not named here are kept; strict validation reports them.",
}


def source() -> str:
    """Source text of ``types.ts``."""
    contract = navigator(None)
    parts = ["/** The contract's types: what JSON of messages and events looks like. @module */"]
    parts += ["\n".join(_definition(title, contract)) for title in contract.defs]
    return "\n\n".join(parts) + "\n"


def _definition(title: str, contract: Navigator) -> Iterator[str]:
    schema = contract.defs[title]
    said = [schema["description"]]
    if SINCE in schema:
        said.append(f"Since {schema[SINCE]}.")
    later = schema.get(SINCE_WORDS, {})
    said += [f"`{word}`: since {release}." for word, release in later.items()]
    if "properties" not in schema:
        yield from _comment(said)
        yield f"export type {title} ={_right_side(schema)};"
        return
    yield from _comment([*said, _OPENNESS[OPEN in schema]])
    parents = [contract.resolve(p)["title"] for p in schema.get("allOf", []) if "$ref" in p]
    extends = f" extends {', '.join(parents)}" if parents else ""
    yield f"export interface {title}{extends} {{"
    required = schema.get("required", [])
    for name, member in schema["properties"].items():
        yield from _comment(list(_about(member)), indent="  ")
        yield f"  {name}{'' if name in required else '?'}: {_type(member)};"
    if OPEN in schema:
        yield from _comment(["Members of a provider's own."], indent="  ")
        yield "  [extra: string]: unknown;"
    yield "}"


def _about(member: Schema) -> Iterator[str]:
    yield member["description"]
    if member.get("default") is not None:
        yield f"Left out: `{json.dumps(member['default'])}`."
    if SINCE in member:
        yield f"Since {member[SINCE]}."


def _right_side(schema: Schema) -> str:
    """What stands behind ``=``: one line when it fits, else a line for each member."""
    members = _members(schema)
    line = " " + " | ".join(members)
    if len(members) == 1 or len(schema["title"]) + len(line) < _WIDTH - 16:
        return line
    return "".join(f"\n  | {member}" for member in members)


def _members(schema: Schema) -> list[str]:
    if "enum" in schema:
        return [json.dumps(word) for word in schema["enum"]]
    if "oneOf" in schema:
        return [_type(member) for member in schema["oneOf"]]
    return [_type(schema)]


_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def _type(schema: Schema) -> str:
    """A TypeScript type expression."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(_members(schema)))
    kind: Any = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_PLAIN[each] for each in kind)
    if kind == "array":
        item = _type(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object":
        return "{ [member: string]: unknown }"
    return _PLAIN[kind]


def _comment(sentences: list[str], indent: str = "") -> Iterator[str]:
    text = " ".join(sentences)
    line = f"{indent}/** {text} */"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{indent}/**"
    for wrapped in textwrap.wrap(text, _WIDTH - len(indent) - 3, break_long_words=False):
        yield f"{indent} * {wrapped}"
    yield f"{indent} */"
