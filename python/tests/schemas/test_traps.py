"""What class generators get wrong in silence: tags, nulls, missing union members, lost data."""

from __future__ import annotations

import ast
import copy
import inspect
import json
from typing import Any, Literal, get_args, get_origin

import pytest
from contract_examples import (
    DEFINITIONS,
    EITHER,
    EVENTS,
    OBJECTS,
    VALID,
    json_types,
    members,
    objects,
    plain_errors,
    required,
    resolve,
    same,
    valid,
    with_defaults,
)
from msgfold._generated import models, structs
from msgfold.codegen import prepare, python_classes
from msgfold.message import (
    Base64Source,
    DataBlock,
    HintBlock,
    Msg,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from msgfold.model.base import Model
from msgfold.validate.schema import check
from pydantic import TypeAdapter, ValidationError

TAGGED = {
    title: schema
    for title, schema in OBJECTS.items()
    if "const" in schema["properties"].get("type", {})
}

STRANGE = {
    "x_unknown": {"n": 1, "f": 1.0, "deep": [None, {"s": ""}]},
    "__proto__": "kept",
    "X": None,
}
"""Members that no schema names."""


def test_every_model_class_is_looked_at_here():
    classes = {
        name
        for name, found in vars(models).items()
        if inspect.isclass(found)
        and issubclass(found, Model)
        and found.__module__ == models.__name__
    }
    assert classes == set(OBJECTS)


@pytest.mark.parametrize("title", TAGGED)
def test_the_tag_is_the_schemas_constant(title):
    tag = TAGGED[title]["properties"]["type"]["const"]
    cls = getattr(models, title)
    annotation = cls.model_fields["type"].annotation
    assert get_origin(annotation) is Literal
    assert get_args(annotation) == (tag,)
    given = {name: value for name, value in valid(title, "minimal").items() if name != "type"}
    made = cls(**given)
    assert made.type == tag
    assert made.model_dump(mode="json")["type"] == tag
    with pytest.raises(ValidationError):
        cls(type=tag.swapcase(), **given)


@pytest.mark.parametrize("title", OBJECTS)
def test_a_field_takes_null_only_where_the_schema_does(title):
    wrong = []
    for name, field in getattr(models, title).model_fields.items():
        takes_null = type(None) in get_args(field.annotation) or field.annotation is type(None)
        if takes_null != ("null" in json_types(members(OBJECTS[title])[name])):
            wrong.append(name)
    assert wrong == []


@pytest.mark.parametrize("title", OBJECTS)
def test_a_field_is_required_where_nothing_can_stand_in_for_it(title):
    schema = OBJECTS[title]
    fields = getattr(models, title).model_fields
    assert set(fields) == set(members(schema))
    assert {name for name, field in fields.items() if field.is_required()} == {
        name
        for name in required(schema)
        if "x-mint" not in members(schema)[name] and "const" not in resolve(members(schema)[name])
    }


def test_every_list_of_event_types_is_the_same():
    def tags(union: Any) -> list[str]:
        return [cls.model_fields["type"].default for cls in get_args(union)]

    schema = [
        resolve(part)["properties"]["type"]["const"] for part in DEFINITIONS["AgentEvent"]["oneOf"]
    ]
    from_models = tags(get_args(models.AgentEvent.__value__)[0])
    from_structs = [
        struct.__struct_config__.tag for struct in get_args(get_args(structs.AgentEvent)[0])
    ]
    files = {
        part["properties"]["type"]["const"]
        for title, part in EVENTS.items()
        if title != "EventBase"
    }
    assert schema == from_models == from_structs
    assert schema == DEFINITIONS["EventType"]["enum"]
    assert schema == list(models.EventType) == list(structs.EventType)
    assert set(schema) == files
    assert len(schema) == len(files) == 28


def test_every_list_of_block_types_is_the_same():
    schema = [
        resolve(part)["properties"]["type"]["const"]
        for part in DEFINITIONS["ContentBlock"]["oneOf"]
    ]
    item = get_args(models.Msg.model_fields["content"].annotation)[0]
    union = get_args(item)[0]
    assert schema == [cls.model_fields["type"].default for cls in get_args(union)]
    assert schema == DEFINITIONS["ContentBlockType"]["enum"] == list(models.ContentBlockType)
    files = {
        part["properties"]["type"]["const"]
        for title, part in TAGGED.items()
        if title.endswith("Block")
    }
    assert set(schema) == files


@pytest.mark.parametrize(
    "name", [title for title, schema in DEFINITIONS.items() if "enum" in schema]
)
def test_an_enum_has_the_words_of_the_schema(name):
    words = DEFINITIONS[name]["enum"]
    if hasattr(models, name):
        assert list(getattr(models, name)) == words
        return
    literals = [
        getattr(models, title).model_fields[member].annotation
        for title, schema in OBJECTS.items()
        for member, part in schema["properties"].items()
        if part.get("$ref") == f"#/$defs/{name}"
    ]
    assert literals
    for literal in literals:
        assert get_origin(literal) is Literal
        assert list(get_args(literal)) == words


@pytest.mark.parametrize("title", OBJECTS)
def test_the_default_dump_follows_the_schema(title):
    cls = getattr(models, title)
    fields = cls.model_fields
    given = {
        name: value
        for name, value in valid(title, "minimal").items()
        # `data` has a default, yet one of data and url must be given.
        if fields[name].is_required() or name == "data"
    }
    made = cls(**given)
    for found in (made.model_dump(), made.model_dump(mode="json")):
        assert plain_errors(title, found) == []
        assert check(found, title, strict=True) == []


@pytest.mark.parametrize("title", OBJECTS)
def test_defaults_are_not_shared_between_instances(title):
    cls = getattr(models, title)
    given = {
        name: value
        for name, value in valid(title, "minimal").items()
        if cls.model_fields[name].is_required() or name == "data"
    }
    one, other = cls(**given), cls(**given)
    for name, field in cls.model_fields.items():
        if not field.is_required() and isinstance(value := getattr(one, name), dict | list):
            assert value is not getattr(other, name), name


@pytest.mark.parametrize("title", OBJECTS)
def test_unknown_members_survive_on_every_object(title):
    value = valid(title, "full")
    spread(value, title)
    cls = getattr(models, title)
    found = cls.model_validate(value).model_dump(mode="json")
    assert same(found, with_defaults(value, title))
    assert same(cls.model_validate_json(json.dumps(value)).model_dump(mode="json"), found)


@pytest.mark.parametrize("title", [title for title in EVENTS if title != "EventBase"])
def test_unknown_members_survive_through_the_union(title):
    value = valid(title, "full")
    spread(value, title)
    adapter = TypeAdapter(models.AgentEvent)
    found = adapter.dump_python(adapter.validate_python(value), mode="json")
    assert same(found, with_defaults(value, title))


def spread(value: Any, title: str) -> None:
    """Give every object of the contract inside ``value`` members that it does not know."""
    found = [one for one, _ in objects(value, DEFINITIONS[title])]
    assert found
    for one in found:
        one |= copy.deepcopy(STRANGE)


@pytest.mark.parametrize(
    "extra",
    [
        {"signature": "EuYBCkYIBRgCKkA="},
        {"redacted_thinking_data": {"blob": [1, 1.0, True, None, ""], "n": 2**70}},
        {"thoughtSignature": None, "encrypted_content": "", "": [], "__proto__": {"a": 1}},
    ],
    ids=lambda extra: next(iter(extra)),
)
def test_extra_members_of_thinking_survive_verbatim_and_are_no_fault(extra):
    block = {"type": "thinking", "thinking": "", "id": "b", **extra}
    msg = {**valid("Msg", "minimal"), "content": [block]}
    found = Msg.model_validate(msg).model_dump(mode="json")
    assert same(found["content"], [block])
    assert check(found, "Msg", strict=True) == []


def test_every_valid_example_of_thinking_is_free_of_faults_when_strict():
    for example in VALID:
        if example.title == "ThinkingBlock":
            assert check(example.instance, example.title, strict=True) == [], example.id


BLOCKS = {
    "text": TextBlock(text="t"),
    "thinking": ThinkingBlock(thinking="t"),
    "hint": HintBlock(hint="h"),
    "tool_call": ToolCallBlock(id="c", name="n", input=""),
    "tool_result": ToolResultBlock(id="c", name="n", output=""),
    "data": DataBlock(source=Base64Source(data="", media_type="image/png")),
}


@pytest.mark.parametrize("role", DEFINITIONS["Role"]["enum"])
@pytest.mark.parametrize("kind", DEFINITIONS["ContentBlockType"]["enum"])
def test_models_and_schema_agree_on_which_role_carries_which_block(role, kind):
    value = {**valid("Msg", "minimal"), "role": role, "content": [BLOCKS[kind].model_dump()]}
    if plain_errors("Msg", value):
        with pytest.raises(ValidationError, match=f"{role} message may carry only"):
            Msg(**value)
    else:
        assert Msg(**value).content[0].type == kind


@pytest.mark.parametrize("title", sorted(EITHER))
@pytest.mark.parametrize("data", [None, "", "AAEC"])
@pytest.mark.parametrize("url", [None, "https://example.com/a.png"])
def test_models_and_schema_agree_on_exactly_one_of_data_and_url(title, data, url):
    value = {**valid(title, "minimal"), "data": data, "url": url}
    if plain_errors(title, value):
        with pytest.raises(ValidationError, match="exactly one of data and url"):
            getattr(models, title)(**value)
    else:
        made = getattr(models, title)(**value)
        assert (made.data, made.url) == (data, url)


def shapes(code: str) -> dict[str, set[str]]:
    """Class name to the names of its members."""
    return {
        node.name: {
            item.target.id
            for item in node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        }
        for node in ast.parse(code).body
        if isinstance(node, ast.ClassDef)
    }


def test_the_order_of_definitions_does_not_name_classes(monkeypatch):
    """Generators that meet two alike objects may call the second one ``Source1``."""
    usual = shapes(inspect.getsource(models))
    every = prepare.definitions
    monkeypatch.setattr(prepare, "definitions", lambda: dict(reversed(every().items())))
    assert list(prepare.definitions()) != list(every())
    assert shapes(python_classes.models()) == usual
