"""Every schema file is valid JSON Schema 2020-12, named after its place, and explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from contract_examples import DEFINITIONS, OBJECTS, SCHEMAS, members, required, resolve
from jsonschema import Draft202012Validator
from msgfold.contract import BASE, DIALECT, bundle

PATHS = sorted(path.relative_to(SCHEMAS) for path in SCHEMAS.rglob("*.schema.json"))

OUR_KEYWORDS = {
    *("x-mint", "x-extra-members", "discriminator"),
    *("x-since", "x-since-words", "x-before", "x-order"),
}
"""Keywords that JSON Schema does not know; ``schemas/README.md`` explains them."""

ANNOTATIONS = {
    *("$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples"),
    *("contentEncoding", "then", "else"),
}
"""Keywords without a function of their own in the validator's table."""


def load(path) -> dict[str, Any]:
    return json.loads((SCHEMAS / path).read_text("utf-8"))


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """``schema`` and every schema inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, value in schema.items():
        if keyword in {"properties", "$defs", "patternProperties", "dependentSchemas"}:
            inside = list(value.values())
        elif keyword in {"oneOf", "allOf", "anyOf", "prefixItems"}:
            inside = value
        elif keyword in {
            *("items", "if", "then", "else", "not", "contains", "propertyNames"),
            *("additionalProperties", "unevaluatedProperties"),
        }:
            inside = [value]
        else:
            continue
        for part in inside:
            yield from subschemas(part)


def described(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every definition and property that a reader meets.

    Branches (``oneOf``, ``allOf``, ``if``) are passed over: their ``properties`` only narrow down
    members that are described elsewhere.
    """
    for keyword in ("$defs", "properties"):
        for name, part in schema.get(keyword, {}).items():
            yield f"{path}/{keyword}/{name}", part
            yield from described(part, f"{path}/{keyword}/{name}")
    if isinstance(schema.get("items"), dict):
        yield from described(schema["items"], f"{path}/items")


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_a_schema_file_is_valid_2020_12(path):
    document = load(path)
    assert document["$schema"] == DIALECT
    Draft202012Validator.check_schema(document)


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_the_id_of_a_schema_file_is_its_path(path):
    assert load(path)["$id"] == BASE + path.as_posix()


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_every_definition_and_property_is_described(path):
    document = load(path)
    assert document["title"]
    silent = [
        where
        for where, part in [("", document), *described(document, "")]
        if not str(part.get("description", "")).strip()
    ]
    assert silent == []


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_no_keyword_is_misspelt(path):
    known = set(Draft202012Validator.VALIDATORS) | ANNOTATIONS | OUR_KEYWORDS
    used = {keyword for schema in subschemas(load(path)) for keyword in schema}
    assert used - known == set()


def test_a_definition_has_one_name_everywhere():
    for path in PATHS:
        for name, part in load(path).get("$defs", {}).items():
            assert part.get("title", name) == name, path
    assert all(schema["title"] == title for title, schema in DEFINITIONS.items())


@pytest.mark.parametrize("title", OBJECTS)
def test_members_are_either_required_or_have_a_default(title):
    schema = OBJECTS[title]
    assert set(schema["required"]) <= set(members(schema))
    optional = set(members(schema)) - required(schema)
    # The time at which a block began may be unknown; that is no value (wire.revision.optional).
    unknown = {"created_at"} & optional
    defaults = {name for name in members(schema) if "default" in members(schema)[name]}
    assert defaults == optional - unknown


def test_defaults_follow_the_schema_that_they_are_the_default_of():
    for title, schema in OBJECTS.items():
        for name, member in schema["properties"].items():
            if "default" in member:
                assert whole(member).is_valid(member["default"]), f"{title}.{name}"


def whole(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "$defs": DEFINITIONS})


def test_minted_members_are_required_strings():
    for title, schema in OBJECTS.items():
        for name, member in schema["properties"].items():
            if "x-mint" in member:
                assert member["x-mint"] in {"id", "now"}
                assert name in schema["required"], f"{title}.{name}"
                assert resolve(member)["type"] == "string", f"{title}.{name}"


def test_members_of_a_discriminated_union_have_a_tag_each():
    unions = [
        schema
        for part in DEFINITIONS.values()
        for schema in subschemas(part)
        if "discriminator" in schema
    ]
    assert unions
    for union in unions:
        assert union["discriminator"] == {"propertyName": "type"}
        parts = [resolve(part) for part in union["oneOf"]]
        tags = [part["properties"]["type"]["const"] for part in parts]
        assert len(set(tags)) == len(tags)
        assert all("type" in part["required"] for part in parts)


def test_the_bundle_refers_to_nothing_outside_itself():
    Draft202012Validator.check_schema(bundle())
    references = {part["$ref"] for part in subschemas(bundle()) if "$ref" in part}
    assert references <= {f"#/$defs/{title}" for title in DEFINITIONS}
