"""Expected against got: the first place where they differ, or none.

Exact, with four allowances that the contract makes:

* null and absent are equal where the schema allows null, and only there (``wire.json.null``);
* two URLs are equal when their WHATWG forms are (``wire.json.url``);
* an integer and a float are never equal (``wire.json.numbers``), unless numbers are compared as
  doubles, for an implementation that has no others;
* values that a case calls volatile may be any strings, as long as they are different from each
  other and from every other id of the expected Msg.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import AnyUrl, ValidationError

from msgfold.contract import bundle
from msgfold.wire.json import pointer

_ANY: dict[str, Any] = {}

ABSENT = "<absent>"
"""Stands for a member that is not there, in a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two values part, and the two values there."""

    pointer: str
    expected: Any
    got: Any


def differences(
    expected: Any,
    got: Any,
    definition: str = "Msg",
    volatile: Collection[str] = (),
    *,
    exact: bool = True,
) -> list[Difference]:
    """Every place where ``got`` is not as expected, in document order.

    Args:
        expected: the expected JSON value.
        got: the JSON value that came.
        definition: what both are, or each is in two lists, for its nullable members; ``""``
            compares plain JSON.
        volatile: JSON Pointers of values that may be chosen.
        exact: whether numbers are compared as they were written; else as doubles.
    """
    schema = bundle()["$defs"].get(definition, {})
    if isinstance(expected, list):
        schema = {"type": "array", "items": schema}
    found = list(_walk(expected, got, schema, (), frozenset(volatile), exact))
    return found + list(_check_chosen(expected, got, volatile))


def _walk(
    expected: Any,
    got: Any,
    schema: dict[str, Any],
    path: tuple[Any, ...],
    volatile: frozenset[str],
    exact: bool,
) -> Iterator[Difference]:
    here = pointer(path)
    if here in volatile and isinstance(got, str):
        return
    schema = _follow(schema, expected)
    if isinstance(expected, dict) and isinstance(got, dict):
        members = schema.get("properties", {})
        for name in [*expected, *(name for name in got if name not in expected)]:
            member = members.get(name, {})
            left, right = expected.get(name, ABSENT), got.get(name, ABSENT)
            if _nullable(member):
                left, right = (None if side is ABSENT else side for side in (left, right))
            yield from _walk(left, right, member, (*path, name), volatile, exact)
    elif isinstance(expected, list) and isinstance(got, list):
        for position in range(max(len(expected), len(got))):
            left = expected[position] if position < len(expected) else ABSENT
            right = got[position] if position < len(got) else ABSENT
            yield from _walk(
                left, right, schema.get("items", {}), (*path, position), volatile, exact
            )
    elif not same(expected, got, schema, exact=exact):
        yield Difference(here, expected, got)


def same(expected: Any, got: Any, schema: dict[str, Any] = _ANY, *, exact: bool = True) -> bool:
    """Whether two values that hold no others are equal; arguments as in :func:`differences`."""
    if not exact and _is_number(expected) and _is_number(got):
        expected, got = _double(expected), _double(got)
    if type(expected) is not type(got):
        return False
    if expected == got:
        return not isinstance(expected, float) or str(expected) == str(got)  # -0.0 is not 0.0
    if schema.get("$ref", "").endswith("/AbsoluteUrl"):
        return _whatwg(expected) == _whatwg(got)
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _double(value: float) -> float:
    """The double that a reader of doubles makes of a number; ``-0`` is one of its own there."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _whatwg(url: str) -> str:
    try:
        return str(AnyUrl(url))
    except ValidationError:
        return url


def _follow(schema: dict[str, Any], value: Any) -> dict[str, Any]:
    """The schema that ``value`` follows, through references and unions; scalars stay references."""
    if schema.get("$ref", "").endswith("/AbsoluteUrl"):
        return schema
    if "$ref" in schema:
        return _follow(bundle()["$defs"][schema["$ref"].rsplit("/", 1)[1]], value)
    if "oneOf" in schema and "properties" not in schema:
        for member in schema["oneOf"]:
            followed = _follow(member, value)
            tag = followed.get("properties", {}).get("type", {}).get("const")
            if isinstance(value, dict) and tag == value.get("type"):
                return followed
            if isinstance(value, list) and followed.get("type") == "array":
                return followed
        return {}
    return schema


def _nullable(member: dict[str, Any]) -> bool:
    kinds = member.get("type", [])
    return "null" in kinds or any(part.get("type") == "null" for part in member.get("oneOf", []))


def _check_chosen(expected: Any, got: Any, volatile: Collection[str]) -> Iterator[Difference]:
    """Chosen values must differ from each other and from the ids that were given."""
    taken = {value for path, value in _ids(expected, ()) if path not in volatile}
    for path, value in _ids(got, ()):
        if path in volatile:
            if value in taken:
                yield Difference(path, "an id of its own", value)
            taken.add(value)


def _ids(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    for key, member in members_of(value):
        if key == "id":
            yield pointer((*path, key)), member
        yield from _ids(member, (*path, key))


def members_of(value: Any) -> Iterable[tuple[Any, Any]]:
    """What a JSON value has in it, by name or by index."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()
