"""Every example gives the stated result, and every rule of every definition has an example.

What is compared, for an invalid example with ``keyword`` and ``location``:

* plain jsonschema: one of its errors, those inside unions included, has exactly that keyword and
  that instance location;
* ``msgfold.validate.schema.check``: at least one fault has exactly that keyword and that place, and
  *no* fault lies elsewhere.  For ``oneOf`` over a union that goes by tag, the place is the tag that
  names no member, one level deeper than the plain validator's.
"""

from __future__ import annotations

import json

import pytest
from contract_examples import (
    DEFINITIONS,
    EITHER,
    EXAMPLES,
    INVALID,
    OBJECTS,
    VALID,
    Invalid,
    json_type,
    json_types,
    plain_errors,
    required,
    resolve,
    valid,
)
from msgfold.validate.schema import check
from msgfold.wire.json import pointer

DOLLAR_BEFORE_LINE_FEED = {
    "Base64Data/invalid/line-feed-at-end": (
        "JSON Schema patterns are ECMA 262, where $ is the end of the string. Python's re, which "
        "plain jsonschema uses, also lets it match before a last line feed."
    ),
}
"""Examples that plain jsonschema for Python lets pass, although JSON Schema refuses them."""


def ids(examples):
    return [pytest.param(example, id=example.id) for example in examples]


@pytest.mark.parametrize("example", ids(VALID))
def test_a_valid_example_is_valid_to_both_validators(example):
    assert [error.message for error in plain_errors(example.title, example.instance)] == []
    assert check(example.instance, example.title) == []


@pytest.mark.parametrize(
    "example", ids(one for one in INVALID if one.id not in DOLLAR_BEFORE_LINE_FEED)
)
def test_an_invalid_example_fails_as_stated_in_plain_jsonschema(example):
    found = {
        (error.validator, pointer(error.absolute_path))
        for error in plain_errors(example.title, example.instance)
    }
    assert (example.keyword, example.location) in found


def test_what_plain_jsonschema_lets_pass_is_only_what_is_listed():
    passed = {one.id for one in INVALID if not plain_errors(one.title, one.instance)}
    assert passed == set(DOLLAR_BEFORE_LINE_FEED)


@pytest.mark.parametrize("example", ids(INVALID))
def test_an_invalid_example_fails_as_stated_in_our_validator_and_nowhere_else(example):
    faults = check(example.instance, example.title)
    place = example.location
    if example.keyword == "oneOf" and goes_by_tag(example):
        place += "/type"
    assert (example.keyword, place) in {(fault.keyword, fault.place.pointer) for fault in faults}
    assert {fault.place.pointer for fault in faults} == {place}


@pytest.mark.parametrize("title", OBJECTS)
def test_every_missing_member_is_reported_not_only_the_first(title):
    expected = {fault.expected for fault in check({}, title) if fault.keyword == "required"}
    assert expected == {f"a member {name}" for name in required(OBJECTS[title])}


def goes_by_tag(example: Invalid) -> bool:
    """Whether the ``oneOf`` that fails is a union told apart by ``type``."""
    return not any(
        error.validator == "oneOf" and "discriminator" not in error.schema
        for error in plain_errors(example.title, example.instance)
        if pointer(error.absolute_path) == example.location
    )


def test_every_definition_has_examples_and_every_folder_a_definition():
    assert {path.name for path in EXAMPLES.iterdir()} == set(DEFINITIONS)
    for title in DEFINITIONS:
        assert {path.name for path in (EXAMPLES / title).iterdir()} == {"valid", "invalid"}
        assert len([one for one in VALID if one.title == title]) >= 2, title
        assert any(one.title == title for one in INVALID), title


def test_no_file_lies_where_it_would_not_be_read():
    read = len(VALID) + len(INVALID)
    assert read == sum(path.is_file() for path in EXAMPLES.rglob("*"))


def test_files_are_written_in_one_way():
    for path in EXAMPLES.rglob("*.json"):
        text = path.read_text("utf-8")
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n", path


def test_an_invalid_example_says_why_in_one_sentence():
    for example in INVALID:
        assert example.why.endswith("."), example.id
        assert len(example.why) <= 120, example.id


@pytest.mark.parametrize("title", OBJECTS)
def test_minimal_has_the_required_members_only_and_full_has_all(title):
    schema = OBJECTS[title]
    either = {"data"} if title in EITHER else set()
    assert set(valid(title, "minimal")) == required(schema) | either
    full = set(valid(title, "full"))
    assert full >= set(schema["properties"]) | required(schema)
    assert ("metadata" in full) or "allOf" not in schema


def test_every_word_of_an_enum_and_every_member_of_a_union_has_a_valid_example():
    for title, schema in DEFINITIONS.items():
        instances = [one.instance for one in VALID if one.title == title]
        if "enum" in schema:
            assert sorted(instances) == sorted(schema["enum"])
        elif "discriminator" in schema:
            tags = [resolve(part)["properties"]["type"]["const"] for part in schema["oneOf"]]
            assert {one["type"] for one in instances} == set(tags)


@pytest.mark.parametrize("title", OBJECTS)
def test_every_rule_of_an_object_has_an_example_that_breaks_it(title):
    schema = OBJECTS[title]
    mine = [one for one in INVALID if one.title == title]
    missing = {one.missing for one in mine if one.location == "" and one.keyword == "required"}
    # Inherited rules are EventBase's; one of them here shows that they are inherited.
    inherited = {"id"} if any("$ref" in part for part in schema.get("allOf", [])) else set()
    assert missing == set(schema["required"]) | inherited
    unbroken = [
        f"{name}: {rule}"
        for name, member in schema["properties"].items()
        for rule, broken in rules(member)
        if not any(broken(one) for one in mine if f"{one.location}/".startswith(f"/{name}/"))
    ]
    assert unbroken == []


def rules(member):
    """The rules that a member's schema states, each with how to tell that an example breaks it."""
    target = resolve(member)
    allowed = json_types(member)

    def direct(one, keyword):
        return one.keyword == keyword and one.location.count("/") == 1

    def other_type(one):
        return direct(one, "type") and one.value is not None and json_type(one.value) not in allowed

    if "const" in target:
        yield "another word", lambda one: direct(one, "const") and isinstance(one.value, str)
        return
    yield "another JSON type", other_type
    if "null" not in allowed:
        yield "null", lambda one: direct(one, "type") and one.value is None
    if "enum" in target:
        yield "unknown word", lambda one: direct(one, "enum")
    parts = [resolve(part) for part in target.get("oneOf", [target])]
    if any("pattern" in part for part in parts):
        yield "pattern", lambda one: direct(one, "pattern")
    if any("items" in part or "properties" in part for part in parts):
        yield (
            "a fault inside",
            lambda one: (
                one.location.count("/") > 1 or (one.keyword == "required" and bool(one.location))
            ),
        )


def test_every_pair_of_a_role_and_a_block_it_may_not_carry_has_an_example():
    kinds = set(DEFINITIONS["ContentBlockType"]["enum"])
    shown = {
        (one.instance["role"], one.value)
        for one in INVALID
        if one.title == "Msg" and one.keyword == "enum" and one.location.endswith("/type")
    }
    asked = set()
    for part in DEFINITIONS["Msg"]["allOf"]:
        role = part["if"]["properties"]["role"]["const"]
        allowed = part["then"]["properties"]["content"]["items"]["properties"]["type"]["enum"]
        asked |= {(role, kind) for kind in kinds - set(allowed)}
    assert shown == asked


@pytest.mark.parametrize("title", sorted(EITHER))
def test_data_or_url_has_an_example_for_neither_and_both(title):
    shown = {
        tuple(one.instance.get(name) is not None for name in ("data", "url"))
        for one in INVALID
        if one.title == title and one.keyword == "oneOf"
    }
    assert shown == {(False, False), (True, True)}
