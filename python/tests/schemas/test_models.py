"""The generated Pydantic models say what the schemas say; where they differ is written down."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any, get_args

import pytest
from contract_examples import (
    DEFINITIONS,
    INVALID,
    OBJECTS,
    VALID,
    at,
    members,
    objects,
    plain_errors,
    resolve,
    same,
    with_defaults,
)
from msgfold._generated import models
from msgfold.validate.schema import check
from pydantic import TypeAdapter, ValidationError

MINTED = "Left out, it is made up, as AgentScope does (wire.json.mint). Only validation reports it."
ONE_CLASS = "The class is known without the tag, so the tag is a default. A union never guesses it."

ACCEPTED = {
    "*Event/invalid/missing-id": MINTED,
    "EventBase/invalid/missing-*": MINTED,
    "AgentEvent/invalid/missing-id": MINTED,
    "AgentEvent/invalid/missing-created-at": MINTED,
    "TextBlock/invalid/missing-id": MINTED,
    "ThinkingBlock/invalid/missing-id": MINTED,
    "HintBlock/invalid/missing-id": MINTED,
    "DataBlock/invalid/missing-id": MINTED,
    "ToolResultDataDeltaEvent/invalid/missing-block-id": MINTED,
    "Msg/invalid/missing-id": MINTED,
    "Msg/invalid/missing-created-at": MINTED,
    "*Event/invalid/missing-type": ONE_CLASS,
    "*Block/invalid/missing-type": ONE_CLASS,
    "*Source/invalid/missing-type": ONE_CLASS,
    "ConfirmResult/invalid/tool-call-without-type": ONE_CLASS,
    "Require*Event/invalid/tool-calls-item-without-type": ONE_CLASS,
    "ExternalExecutionResultEvent/invalid/execution-results-item-without-type": ONE_CLASS,
}
"""Invalid examples that the models accept, as patterns over their ids, and why."""

NEVER_GUESSED = {
    "AgentEvent/invalid/missing-type",
    "ContentBlock/invalid/missing-type",
}
"""What the patterns of :data:`ACCEPTED` take in beside what they mean."""


def reason(example_id: str) -> str | None:
    """Why the models accept an invalid example; ``None`` when they must refuse it."""
    if example_id in NEVER_GUESSED:
        return None
    found = [why for pattern, why in ACCEPTED.items() if fnmatchcase(example_id, pattern)]
    return found[0] if found else None


@cache
def adapter(title: str) -> TypeAdapter[Any]:
    """What parses a definition: its class, or for one without a class the member that uses it."""
    if hasattr(models, title):
        return TypeAdapter(getattr(models, title))
    if title == "ContentBlock":
        return TypeAdapter(get_args(models.Msg.model_fields["content"].annotation)[0])
    for owner, schema in OBJECTS.items():
        for name, member in schema["properties"].items():
            if member.get("$ref") == f"#/$defs/{title}":
                field = getattr(models, owner).model_fields[name]
                return TypeAdapter(Annotated[(field.annotation, *field.metadata, None)])
    raise LookupError(f"no class and no member for {title}")


def dumped(title: str, value: Any) -> Any:
    return adapter(title).dump_python(adapter(title).validate_python(value), mode="json")


def ids(examples):
    return [pytest.param(example, id=example.id) for example in examples]


@pytest.mark.parametrize("example", ids(VALID))
def test_a_valid_example_is_accepted_and_keeps_every_member(example):
    found = dumped(example.title, example.instance)
    assert same(found, with_defaults(example.instance, example.title))
    assert plain_errors(example.title, found) == []
    assert check(found, example.title) == []


@pytest.mark.parametrize("example", ids(VALID))
def test_a_valid_example_survives_parsing_from_text_too(example):
    parse = adapter(example.title)
    value = parse.validate_python(example.instance)
    again = parse.validate_json(parse.dump_json(value))
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("example", ids(VALID))
def test_members_come_out_in_the_order_of_the_schema(example):
    found = dumped(example.title, example.instance)
    for value, schema in objects(found, DEFINITIONS[example.title]):
        known = [name for name in value if name in members(schema)]
        assert known == [name for name in members(schema) if name in value]


@pytest.mark.parametrize("example", ids(one for one in INVALID if not reason(one.id)))
def test_an_invalid_example_is_refused(example):
    with pytest.raises(ValidationError):
        adapter(example.title).validate_python(example.instance)


@pytest.mark.parametrize("example", ids(one for one in INVALID if reason(one.id)))
def test_an_invalid_example_that_is_accepted_comes_out_mended(example):
    assert example.keyword == "required"
    found = dumped(example.title, example.instance)
    assert check(found, example.title) == []
    mended = at(found, example.location)
    assert isinstance(mended.pop(example.missing), str)
    kept = at(example.instance, example.location)
    assert same({name: mended[name] for name in kept}, kept)


def test_every_entry_of_the_table_is_needed():
    for pattern in ACCEPTED:
        assert any(fnmatchcase(one.id, pattern) for one in INVALID), pattern
    assert {one.id for one in INVALID} >= NEVER_GUESSED


def test_a_made_up_member_is_one_that_the_schema_marks():
    for example in INVALID:
        if reason(example.id) == MINTED:
            schemas = [DEFINITIONS[example.title], *unioned(example.title)]
            marked = [members(schema).get(example.missing, {}) for schema in schemas]
            assert any("x-mint" in member for member in marked), example.id


def unioned(title: str) -> list[dict[str, Any]]:
    return [resolve(part) for part in DEFINITIONS[title].get("oneOf", []) if "$ref" in part]


def test_what_is_made_up_is_new_every_time():
    for title, schema in OBJECTS.items():
        minted = {name for name, member in members(schema).items() if "x-mint" in member}
        [value] = [one.instance for one in VALID if (one.title, one.slug) == (title, "minimal")]
        bare = {name: member for name, member in value.items() if name not in minted}
        one, other = dumped(title, bare), dumped(title, bare)
        for name in minted:
            assert isinstance(one[name], str)
            if members(schema)[name]["x-mint"] == "id":
                assert one[name] != other[name]
                assert len(one[name]) == 32


NO_CLASS = {
    "ContentBlock": "A union, written out where it is used; `msgfold.message` names it.",
    "Role": "A plain word in AgentScope too, so a Literal where it is used.",
}
"""Definitions with a shape or words of their own, but without a class, and why."""


def test_every_definition_but_those_without_members_has_a_class():
    shapeless = {
        title
        for title, schema in DEFINITIONS.items()
        if not {"properties", "enum", "oneOf"} & schema.keys()
    }
    classless = {title for title in DEFINITIONS if not hasattr(models, title)}
    assert classless == shapeless | set(NO_CLASS)
