"""A value against a definition of the contract, with faults that lead to the spot.

The schemas are plain JSON Schema 2020-12; any validator gives the same verdict.  Two keywords are
read here in their own way, so that a wrong event yields one fault and not one for every member of a
union of 28:

* ``oneOf`` with a ``discriminator`` goes straight to the member that ``type`` names, and ``oneOf``
  without one to the member of the right JSON type;
* ``pattern`` is anchored as in ECMA 262, where ``$`` is the end of the string and not, as in
  Python, also the place before a last line feed.

Asked about an earlier revision, the value is held against that release's profile, and what came
later is named with its release (``wire.revision.since``).

Of ``required``, each missing name is a fault of its own.  ``type``, ``enum`` and ``const`` say no
without quoting the value, because Python does not print an integer of thousands of digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource

from msgfold.contract import OPEN, SINCE, SINCE_WORDS, Navigator, Schema, navigator
from msgfold.errors import NOWHERE, MsgfoldError, Place, shorten
from msgfold.validate.faults import Fault, FaultCode
from msgfold.wire.json import dumps, pointer


def check(
    value: Any, definition: str, *, strict: bool = False, revision: str | None = None
) -> list[Fault]:
    """Every fault of ``value`` against ``$defs/<definition>``, in the order of their places.

    Args:
        value: a JSON value.
        definition: a title of the contract, such as ``"Msg"`` or ``"AgentEvent"``.
        strict: report members that the schema does not name, too.
        revision: the AgentScope release that has to read it; ``None`` is the contract as it is.

    Raises:
        UnknownRevisionError: no such revision.
    """
    profile = navigator(revision)
    validator = _validator(definition, revision)
    found = [_fault(error, profile) for error in validator.iter_errors(value)]
    found += _members(value, profile.defs[definition], (), profile, strict)
    return sorted(dict.fromkeys(found), key=lambda fault: fault.place.pointer or "")


@cache
def _validator(definition: str, revision: str | None) -> Any:
    profile = navigator(revision)
    home = profile.document["$id"]
    registry: Registry[Any] = Registry().with_resource(
        home, Resource.from_contents(profile.document)
    )
    return _contract(profile)({"$ref": f"{home}#/$defs/{definition}"}, registry=registry)


def _one_of(
    profile: Navigator, validator: Any, members: list[Any], value: Any, schema: Schema
) -> Iterator[ValidationError]:
    if "properties" in schema:  # exactly one of data and url; their types are checked by themselves
        if isinstance(value, dict) and len(_given(value)) != 1:
            yield ValidationError("data or url", validator="oneOf", validator_value=members)
        return
    chosen = [member for member in members if profile.fits(member, value, schema)]
    if len(chosen) == 1:
        yield from validator.descend(value, chosen[0])
    elif "discriminator" not in schema:
        yield ValidationError("another JSON type", validator="type", validator_value=None)
    elif not isinstance(value, dict):
        return  # `type` says so already
    elif "type" not in value:
        yield ValidationError("type is missing", validator="required", validator_value=["type"])
    else:
        yield ValidationError("unknown type", validator="discriminator", path=["type"])


def _given(value: dict[str, Any]) -> list[str]:
    """Which of data and url have a value; empty data is one (``wire.json.data-or-url``)."""
    return [name for name in ("data", "url") if value.get(name) is not None]


def _type(validator: Any, kinds: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    wanted = [kinds] if isinstance(kinds, str) else kinds
    if not any(validator.is_type(value, kind) for kind in wanted):
        yield ValidationError("another JSON type")


def _enum(validator: Any, words: list[Any], value: Any, schema: Any) -> Iterator[ValidationError]:
    if value not in words:
        yield ValidationError("unknown word")


def _const(validator: Any, word: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if value != word:
        yield ValidationError("unknown word")


def _required(
    validator: Any, names: list[str], value: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name in names:
            if name not in value:
                yield ValidationError(f"{name} is missing", validator_value=[name])


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "string") and not _compiled(pattern).search(value):
        yield ValidationError(f"does not match {pattern}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\$$", r"\\Z", pattern), re.ASCII)


@cache
def _contract(profile: Navigator) -> Any:
    return extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {
            "type": _type,
            "enum": _enum,
            "const": _const,
            "oneOf": partial(_one_of, profile),
            "pattern": _pattern,
            "required": _required,
        },
    )


def _fault(error: ValidationError, profile: Navigator) -> Fault:
    """A validator's error in the words of the contract."""
    keyword = str(error.validator)
    path = list(error.absolute_path)
    value: Any = error.instance
    wanted: Any = error.validator_value
    code = _CODES.get(keyword, FaultCode.WRONG_TYPE)
    match keyword:
        case "required":
            missing = wanted[0]
            message, expected, got = (
                f"{missing} is missing",
                f"a member {missing}",
                _members_of(value),
            )
        case "discriminator":
            known = _tags(error, profile)
            value = value["type"] if isinstance(value, dict) else value
            message = f"unknown type {_shown(value)}"
            expected, got = _one_of_words(known, value), _shown(value)
            keyword = "oneOf"
        case "enum" if "then" in error.absolute_schema_path:
            code, message = FaultCode.ROLE_VIOLATION, "a block that the role may not carry"
            expected, got = " or ".join(wanted), _shown(value)
        case "enum" | "const":
            words = wanted if keyword == "enum" else [wanted]
            message, expected = f"unknown word {_shown(value)}", _one_of_words(words, value)
            since = _word_since(error.schema, value)
            if since:
                message += f", which came with {since}"
            got = _shown(value)
        case "pattern" if isinstance(error.schema, dict) and "contentEncoding" in error.schema:
            code, message = FaultCode.INVALID_BASE64, "not base64"
            expected, got = "canonical, padded base64 (RFC 4648 section 4)", _shown(value)
        case "pattern":
            code, message = FaultCode.NOT_ABSOLUTE_URL, "not an absolute URL"
            expected, got = "an absolute URL, such as https://example.com/a.png", _shown(value)
        case "oneOf":
            code, message = FaultCode.DATA_OR_URL, "exactly one of data and url must be given"
            expected, got = (
                "data or url, the other null or absent",
                " and ".join(_given(value)) or "neither",
            )
        case _:
            expected = " or ".join(
                [wanted] if isinstance(wanted, str) else wanted or _types(error, profile)
            )
            message, got = "another JSON type", _shown(value)
    return Fault(code, Place(pointer=pointer(path)), message, expected, got, keyword)


_CODES = {
    "required": FaultCode.MISSING_MEMBER,
    "discriminator": FaultCode.UNKNOWN_TYPE,
    "enum": FaultCode.UNKNOWN_WORD,
    "const": FaultCode.UNKNOWN_WORD,
}


def _word_since(schema: Any, word: Any) -> str | None:
    """The release that brought a word which an earlier one does not know."""
    later: dict[str, str] = schema.get(SINCE_WORDS, {})
    return later.get(word) if isinstance(word, str) else None


def _tags(error: ValidationError, profile: Navigator) -> list[str]:
    schema: Any = error.schema
    return [profile.resolve(member)["properties"]["type"]["const"] for member in schema["oneOf"]]


def _types(error: ValidationError, profile: Navigator) -> list[str]:
    schema: Any = error.schema
    return [str(profile.resolve(member).get("type", "object")) for member in schema["oneOf"]]


def _one_of_words(words: Iterable[str], value: Any) -> str:
    known = list(words)
    near = get_close_matches(_shown(value).strip('"'), known, n=1)
    listed = known[0] if len(known) == 1 else f"one of {', '.join(known)}"
    return f"{listed} (did you mean {near[0]}?)" if near and len(known) > 1 else listed


def _members_of(value: dict[str, Any]) -> str:
    return f"an object with {', '.join(map(_shown, value)) or 'no members'}"


def _shown(value: Any) -> str:
    """A JSON value for a message: as JSON, shortened."""
    try:
        return shorten(dumps(value).decode())
    except MsgfoldError:
        return "what is no JSON"


def _members(
    value: Any, schema: Schema, path: tuple[str | int, ...], profile: Navigator, strict: bool
) -> Iterator[Fault]:
    """Members that the schema does not name, through the whole value (``wire.json.*-member``)."""
    schema = profile.select(value, schema)
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield from _members(item, schema.get("items", {}), (*path, position), profile, strict)
        return
    if not isinstance(value, dict) or "properties" not in schema:
        return
    known = profile.members(schema)
    for name, member in value.items():
        if name in known:
            yield from _members(member, known[name], (*path, name), profile, strict)
        else:
            fault = _unknown(name, known, schema, profile, strict)
            if fault is not None:
                yield replace(fault, place=Place(pointer=pointer((*path, name))))


def _unknown(
    name: str, known: dict[str, Schema], schema: Schema, profile: Navigator, strict: bool
) -> Fault | None:
    """What is wrong with a member that the schema does not name, if anything is."""
    newest = navigator(None)
    later = newest.members(newest.defs[schema["title"]]).get(name)
    snake = _snake(name)
    near = get_close_matches(name, known, n=1)
    if later is not None and OPEN not in schema:
        code, said = FaultCode.NEWER_MEMBER, f"{_shown(name)} came with {later[SINCE]}"
        expected = f"what {profile.revision} reads: {', '.join(known)}"
    elif snake in known:
        code, said = FaultCode.CAMEL_CASE_MEMBER, f"unknown member {_shown(name)}"
        expected = f"snake_case, did you mean {snake}?"
    elif strict and OPEN not in schema:
        code, said = FaultCode.UNKNOWN_MEMBER, f"unknown member {_shown(name)}"
        expected = f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"
    else:
        return None
    return Fault(code, NOWHERE, said, expected, _shown(name))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name)
