"""Strict JSON: I-JSON (RFC 7493), with the place of every fault.

The standard library reads JSON generously: duplicate keys, NaN and lone surrogates pass, and deep
nesting ends in a ``RecursionError``.  Here the text is read with hooks that let nothing slip by
unseen, and one walk over the result finds where the faults are.  This is the careful reader; the
hot path decodes with msgspec, which refuses the same texts but for duplicate keys
(``wire.json.duplicate-key``).
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from msgfold.errors import InvalidJsonError, MsgfoldError, Place, TooDeepError, shorten

MAX_DEPTH = 128
"""Nesting allowed, in containers: ``[]`` is 1 deep, ``[[]]`` is 2 (``wire.json.depth``)."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class _Duplicated(dict[str, Any]):
    """An object in which ``names`` came more than once; the last value is kept."""

    names: list[str]


def pointer(parts: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901) from its parts."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def check_depth(text: bytes) -> None:
    """Refuse text that is nested too deeply, before anything is built from it.

    A level takes two bytes, so short text passes at once, and so does text with few brackets; only
    the rest is looked at closely.

    Raises:
        TooDeepError: it is.
    """
    if len(text) <= 2 * MAX_DEPTH or text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _STRINGS.sub(b"", text).translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            raise _too_deep(())


def loads(text: bytes | str) -> Any:
    """The value of I-JSON text.

    Raises:
        InvalidJsonError: it is not I-JSON; the first fault.
        TooDeepError: it is nested deeper than :data:`MAX_DEPTH`.
    """
    value, found = faults(text)
    if found:
        raise found[0]
    return value


def faults(text: bytes | str) -> tuple[Any, list[MsgfoldError]]:
    """The value of JSON text, and every fault of it.

    Returns:
        The value, ``None`` when there is none, and the faults: one that keeps the text from being
        read at all, or those of the value, each with its pointer.
    """
    try:
        decoded = _decode(text)
        check_depth(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        value = _read(decoded)
    except MsgfoldError as error:
        return None, [error]
    return value, list(_walk(value))


def check_value(value: Any) -> None:
    """Refuse a JSON value that text could not hold: too deep, a lone surrogate, NaN.

    Raises:
        InvalidJsonError, TooDeepError: the first fault.
    """
    for fault in _walk(value):
        raise fault


def dumps(value: Any) -> bytes:
    """A JSON value as compact UTF-8 text, as AgentScope's ``model_dump_json`` writes it.

    Raises:
        InvalidJsonError: NaN, Infinity, a lone surrogate, or what is no JSON value.
        TooDeepError: nested deeper than :data:`MAX_DEPTH`.
    """
    check_value(value)
    with _long_integers():
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _decode(text: bytes | str) -> str:
    if isinstance(text, str):
        decoded = text
    else:
        try:
            decoded = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidJsonError(
                f"not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}",
                expected="UTF-8 text",
                got=shorten(repr(text[max(0, error.start - 10) : error.start + 10])),
                rule="wire.json.utf8",
            ) from None
    if decoded.startswith("\ufeff"):
        raise InvalidJsonError(
            "a byte order mark inside the stream",
            expected="a JSON value",
            got="U+FEFF",
            rule="wire.json.utf8",
        )
    return decoded


def _read(text: str) -> Any:
    try:
        with _long_integers():
            return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 20) : error.pos + 20]
        raise InvalidJsonError(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})",
            expected="one JSON value",
            got=f"{shorten(near)!r}" if near else "nothing",
            rule="wire.json.shape",
        ) from None
    except RecursionError:  # brackets of invalid text that check_depth could not pair
        raise _too_deep(()) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    names = [name for name, _ in pairs]
    marked = _Duplicated(value)
    marked.names = [name for name in value if names.count(name) > 1]
    return marked


def _constant(name: str) -> float:
    # NaN and Infinity are not JSON; the walk finds them, and where they are.
    return float(name)


def _walk(root: Any) -> Iterator[MsgfoldError]:
    """Every fault of a value, with its pointer.  A stack, because a value may be of any depth."""
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(root, ())]
    while stack:
        value, path = stack.pop()
        if isinstance(value, str):
            if _SURROGATE.search(value):
                yield _fault("a lone surrogate", path, "Unicode text", ascii(value), "utf8")
        elif isinstance(value, float):
            if not math.isfinite(value):
                expected = "a number that a double can hold"
                yield _fault("a number that is not finite", path, expected, value, "numbers")
        elif isinstance(value, dict | list):
            if len(path) >= MAX_DEPTH:
                yield _too_deep(path)
                continue
            if isinstance(value, _Duplicated):
                for name in value.names:
                    yield _fault(
                        f"the member {shorten(name)!r} came twice",
                        (*path, name),
                        "each member once",
                        "two",
                        "duplicate-key",
                    )
            if isinstance(value, dict):
                for name in value:
                    if isinstance(name, str) and _SURROGATE.search(name):
                        where = (*path, ascii(name)[1:-1])
                        yield _fault(
                            "a lone surrogate in a name", where, "Unicode text", ascii(name), "utf8"
                        )
            items = value.items() if isinstance(value, dict) else enumerate(value)
            stack += reversed([(member, (*path, key)) for key, member in items])


def _fault(
    reason: str, path: tuple[str | int, ...], expected: str, got: object, rule: str
) -> InvalidJsonError:
    return InvalidJsonError(
        reason,
        place=Place(pointer=pointer(path)),
        expected=expected,
        got=shorten(got),
        rule=f"wire.json.{rule}",
    )


def _too_deep(path: tuple[str | int, ...]) -> TooDeepError:
    return TooDeepError(
        f"nested deeper than {MAX_DEPTH} levels",
        place=Place(pointer=pointer(path)),
        expected=f"at most {MAX_DEPTH} levels of arrays and objects",
        got="more",
        rule="wire.json.depth",
    )


class _long_integers:  # noqa: N801  (used as a statement)
    """Integers keep their digits, however many (``wire.json.numbers``).

    Python refuses to read or write more than 4,300 at a time, to keep quadratic conversions short;
    the texts here are bounded by the size of a message.
    """

    def __enter__(self) -> None:
        self._limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)

    def __exit__(self, *_: object) -> None:
        sys.set_int_max_str_digits(self._limit)
