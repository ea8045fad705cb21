"""The contract as each release has it: what came later is out, what was there before is back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract_examples import OBJECTS, VALID, members, same, valid
from jsonschema import Draft202012Validator
from msgfold._generated import models, since
from msgfold.contract import OPEN, SINCE, SINCE_WORDS, bundle, navigator, profile
from msgfold.errors import UnknownRevisionError
from msgfold.revisions import NEWEST, RELEASES, comes_after
from msgfold.validate import validate_value
from msgfold.wire.encode import as_of, dump

EACH = pytest.mark.parametrize("release", RELEASES)
FOLDER = Path(__file__).parents[3] / "generated" / "json-schema"


def later(release):
    """Every member that came after ``release``."""
    return {
        (title, name)
        for title, names in since.MEMBERS.items()
        for name, when in names.items()
        if comes_after(when, release)
    }


@EACH
def test_a_profile_is_a_schema_of_its_own_without_what_came_later(release):
    document = profile(release)
    Draft202012Validator.check_schema(document)
    assert document == {
        k: v
        for k, v in json.loads((FOLDER / f"msgfold-{release}.schema.json").read_text()).items()
        if k != "$comment"
    }
    text = json.dumps(document["$defs"])
    assert not any(f'"{SINCE}": "{r}"' in text for r in RELEASES if comes_after(r, release))
    assert not [
        ref
        for ref in text.split('"$ref": "#/$defs/')[1:]
        if ref.split('"')[0] not in document["$defs"]
    ]
    missing = {
        (title, name)
        for title, schema in OBJECTS.items()
        for name in schema["properties"]
        if name not in document["$defs"].get(title, {}).get("properties", {})
    }
    assert missing == later(release) | {
        (title, name)
        for title, when in since.DEFINITIONS.items()
        if comes_after(when, release) and title in OBJECTS
        for name in OBJECTS[title]["properties"]
    }


def test_the_newest_profile_says_what_the_bundle_says():
    for example in VALID:
        assert validate_value(example.instance, example.title, revision=NEWEST) == []
    assert set(profile(NEWEST)["$defs"]) == set(bundle()["$defs"])


def test_every_mark_names_a_release_after_the_first():
    marks = [when for names in since.MEMBERS.values() for when in names.values()]
    marks += since.DEFINITIONS.values()
    for schema in bundle()["$defs"].values():
        marks += schema.get(SINCE_WORDS, {}).values()
        marks += [*schema.get("x-before", {}), *schema.get("x-order", {})]
    assert set(marks) <= set(RELEASES[1:])
    assert set(marks) == {"2.0.5", "2.0.6", "2.0.7", "2.0.8"}


def test_the_order_of_a_release_names_each_member_once():
    for title, schema in OBJECTS.items():
        for order in schema.get("x-order", {}).values():
            assert sorted(order) == sorted(schema["properties"]), title


@EACH
@pytest.mark.parametrize("title", sorted(OBJECTS))
def test_what_is_written_for_a_release_is_all_of_it_and_nothing_later(release, title):
    if title not in profile(release)["$defs"]:
        return
    made = getattr(models, title).model_validate(valid(title, "full"))
    written = dump(made, revision=release)
    known = navigator(release).members(profile(release)["$defs"][title])
    if OPEN in OBJECTS[title]:  # a later member is one more extra member to an open object
        known |= {name: {} for name in written if name in members(OBJECTS[title])}
    assert [name for name in written if name in members(OBJECTS[title])] == list(known)
    assert [
        f
        for f in validate_value(written, title, revision=release, strict=True)
        if f.code != "unknown_word"
    ] == []


@pytest.mark.parametrize("title", sorted(OBJECTS))
def test_what_is_written_for_the_newest_release_is_what_was_read(title):
    value = valid(title, "full")
    made = getattr(models, title).model_validate(value)
    assert same(dump(made, revision=NEWEST), as_of(value, title, NEWEST))
    again = getattr(models, title).model_validate(dump(made, revision=NEWEST))
    assert again == made


def test_a_member_that_nobody_set_is_not_written_and_reads_as_empty():
    for title, names in since.MEMBERS.items():
        made = getattr(models, title).model_validate(valid(title, "minimal"))
        written = made.model_dump(mode="json")
        copied = made.model_copy(deep=True).model_dump(mode="json")
        assert not set(names) & set(written), title
        assert copied == written, title
        assert not any(getattr(made, name) for name in names), title
        assert not any(f"{name}=''" in repr(made) for name in names), title


@pytest.mark.parametrize(
    "call", [profile, navigator, lambda r: validate_value({}, "Msg", revision=r)]
)
def test_an_unknown_release_is_refused_with_a_list_of_those_there_are(call):
    with pytest.raises(UnknownRevisionError, match=r"2\.0\.12.*one of 2\.0\.4, .*2\.0\.11"):
        call("2.0.12")
