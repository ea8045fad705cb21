"""The example instances of ``schemas/examples`` and a plain JSON Schema validator for them.

The validator here is jsonschema as it comes, on the schema files as they lie: what any user of the
contract has.  The package's own validator (``msgfold.validate.schema``) is held against it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from msgfold.contract import SINCE, definitions, files
from msgfold.wire.json import pointer
from referencing import Registry, Resource

SCHEMAS = Path(__file__).parents[3] / "schemas"
EXAMPLES = SCHEMAS / "examples"

DEFINITIONS = definitions()
OBJECTS = {title: schema for title, schema in DEFINITIONS.items() if "properties" in schema}
EVENTS = {
    title: schema for title, schema in OBJECTS.items() if title != "Msg" and "allOf" in schema
}


@dataclass(frozen=True)
class Valid:
    """An instance that follows its definition."""

    title: str
    slug: str
    instance: Any

    @property
    def id(self) -> str:
        return f"{self.title}/valid/{self.slug}"


@dataclass(frozen=True)
class Invalid:
    """An instance with one fault: the keyword that fails, and where."""

    title: str
    slug: str
    keyword: str
    location: str
    why: str
    instance: Any

    @property
    def id(self) -> str:
        return f"{self.title}/invalid/{self.slug}"

    @property
    def value(self) -> Any:
        """What stands at ``location``."""
        return at(self.instance, self.location)

    @property
    def missing(self) -> str | None:
        """The one required member that is missing at ``location``, for keyword ``required``."""
        if self.keyword != "required":
            return None
        messages = {
            error.message
            for error in plain_errors(self.title, self.instance)
            if error.validator == "required" and pointer(error.absolute_path) == self.location
        }
        assert len(messages) == 1, f"{self.id}: more than one member is missing: {messages}"
        return messages.pop().removesuffix(" is a required property").strip("'")


def _load(kind: str) -> Iterator[tuple[str, str, Any]]:
    for path in sorted(EXAMPLES.glob(f"*/{kind}/*.json")):
        yield path.parts[-3], path.stem, json.loads(path.read_text("utf-8"))


VALID = [Valid(*found) for found in _load("valid")]
INVALID = [Invalid(title, slug, **document) for title, slug, document in _load("invalid")]


def valid(title: str, slug: str) -> Any:
    """The instance of one valid example, read anew, so that a test may change it."""
    return json.loads((EXAMPLES / title / "valid" / f"{slug}.json").read_text("utf-8"))


def at(value: Any, location: str) -> Any:
    """The value at a JSON Pointer."""
    for token in location.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal, with 1, 1.0 and true told apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@cache
def _plain(title: str) -> Draft202012Validator:
    registry: Registry[Any] = Registry()
    home = {}
    for _, document in files():
        registry = registry.with_resource(document["$id"], Resource.from_contents(document))
        for name in document.get("$defs", {}):
            home[name] = f"{document['$id']}#/$defs/{name}"
        home.setdefault(document["title"], document["$id"])
    return Draft202012Validator({"$ref": home[title]}, registry=registry)


def plain_errors(title: str, instance: Any) -> list[ValidationError]:
    """Every error of plain jsonschema, those inside unions included.

    A union reports one error and, in its ``context``, what each member had to say.  Members whose
    tag says that they were not meant are passed over: "not a DataBlock" is no fault of a TextBlock.
    """
    return [found for error in _plain(title).iter_errors(instance) for found in _opened(error)]


def _opened(error: ValidationError) -> Iterator[ValidationError]:
    yield error
    inside = error.context or []
    tag = [*error.absolute_path, "type"]
    others = {
        inner.relative_schema_path[0]
        for inner in inside
        if inner.validator == "const" and list(inner.absolute_path) == tag
    }
    for inner in inside:
        if inner.relative_schema_path[0] not in others:
            yield from _opened(inner)


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` behind its reference."""
    reference = schema.get("$ref")
    return DEFINITIONS[reference.rsplit("/", 1)[1]] if reference else schema


def members(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of an object's definition, those of ``EventBase`` included."""
    found: dict[str, Any] = {}
    for parent in schema.get("allOf", []):
        if "$ref" in parent:
            found |= members(resolve(parent))
    return found | schema.get("properties", {})


def required(schema: dict[str, Any]) -> set[str]:
    """The required members, those of ``EventBase`` included."""
    parents = [parent for parent in schema.get("allOf", []) if "$ref" in parent]
    return set(schema.get("required", [])).union(*(required(resolve(part)) for part in parents))


def json_types(schema: dict[str, Any]) -> set[str]:
    """The JSON types that a schema lets pass, through references and unions."""
    schema = resolve(schema)
    if "oneOf" in schema and "properties" not in schema:
        return set().union(*(json_types(part) for part in schema["oneOf"]))
    if "const" in schema:
        return {"string"}
    kinds = schema["type"]
    return {kinds} if isinstance(kinds, str) else set(kinds)


def json_type(value: Any) -> str:
    """The JSON type of a value, in the schema's words."""
    if isinstance(value, bool):
        return "boolean"
    names = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return "null" if value is None else names[type(value)]


def objects(value: Any, schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every object of the contract inside a valid ``value``, with its definition, outermost first.

    Free objects (``metadata``, ``value``) and the extra members of a thinking block are data.
    """
    schema = resolve(schema)
    if isinstance(value, list):
        arrays = [part for part in schema.get("oneOf", [schema]) if "items" in part]
        for item in value:
            yield from objects(item, arrays[0]["items"])
    elif isinstance(value, dict):
        if "properties" not in schema and "oneOf" in schema:
            parts = [resolve(part) for part in schema["oneOf"]]
            tagged = [
                part
                for part in parts
                if part.get("properties", {}).get("type", {}).get("const") == value.get("type")
            ]
            known = [part for part in parts if "properties" in part]
            # A free object has no members of the contract.
            [schema] = tagged if "discriminator" in schema else known or [{}]
        if "properties" not in schema:
            return
        yield value, schema
        for name, member in members(schema).items():
            if name in value:
                yield from objects(value[name], member)


def with_defaults(value: Any, title: str) -> Any:
    """A copy of ``value`` as a model of it is written.

    An absent optional member has its default, but for one that came after 2.0.4: that is left out
    until it is set, and null is as good as not set (``wire.revision.dump``).
    """
    value = copy.deepcopy(value)
    for found, schema in list(objects(value, DEFINITIONS[title])):
        for name, member in members(schema).items():
            if SINCE in member:
                if found.get(name, member) is None:
                    del found[name]
            elif "default" in member:
                found.setdefault(name, copy.deepcopy(member["default"]))
    return value


EITHER = {"DataBlockDeltaEvent", "ToolResultDataDeltaEvent"}
"""Objects of which exactly one of data and url is required, which ``required`` cannot say."""
