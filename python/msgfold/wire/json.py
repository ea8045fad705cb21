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
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from pydantic_core import to_json

from msgfold.errors import InvalidJsonError, MsgfoldError, Place, TooDeepError, shorten

MAX_DEPTH = 128
"""Nesting allowed, in containers: ``[]`` is 1 deep, ``[[]]`` is 2 (``wire.json.depth``)."""

# Possessive, so that a long string is passed over at once and leaves nothing to go back to.
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DIGITS = 512
"""Digits that every Python converts at once, whatever limit its user has set (640 or more)."""


class _Duplicated(dict[str, Any]):
    """An object in which ``names`` came more than once; the last value is kept."""

    names: list[str]


def pointer(parts: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901) from its parts.

    A lone surrogate in a name is written as its escape, ``\\ud800``: a pointer goes into messages
    and reports, and those are UTF-8.
    """
    text = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)
    return text.encode("utf-8", "backslashreplace").decode()


def integer(digits: str) -> int:
    """The integer that decimal digits, with or without a sign, stand for.

    Python reads at most 4,300 digits at a time (``sys.set_int_max_str_digits``) unless told
    otherwise for the whole process, all threads included.  Halves are read one by one instead,
    which is quicker, too (``wire.json.numbers``).
    """
    if len(digits) <= _DIGITS:
        return int(digits)
    if digits[0] == "-":
        return -integer(digits[1:])
    half = len(digits) // 2
    shift: int = 10**half
    return integer(digits[:-half]) * shift + integer(digits[-half:])


def brackets(text: bytes) -> bytes:
    """The brackets of JSON text that are not inside strings, in order."""
    return _STRINGS.sub(b"", text).translate(None, _NOT_BRACKETS)


def is_deep(text: bytes, limit: int = MAX_DEPTH) -> bool:
    """Whether text is nested too deeply; asked before anything is built from it.

    A level takes two bytes, so short text passes at once, and so does text with few brackets; only
    the rest is looked at closely.

    Args:
        text: JSON text; what is not JSON is not deep, and fails to be read later.
        limit: containers that may stand in each other; ``[]`` is 1 deep, a scalar 0.
    """
    if len(text) <= 2 * limit or text.count(b"[") + text.count(b"{") <= limit:
        return False
    depth = 0
    for bracket in brackets(text):
        depth += 1 if bracket in b"[{" else -1
        if depth > limit:
            return True
    return False


def check_depth(text: bytes, limit: int = MAX_DEPTH) -> None:
    """Refuse text that is nested too deeply; arguments as in :func:`is_deep`.

    Raises:
        TooDeepError: it is.
    """
    if is_deep(text, limit):
        raise too_deep()


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
    return value, list(_walk(value, ()))


def check_value(value: Any, *, member: str | None = None, above: int = 0) -> None:
    """Refuse a JSON value that text could not hold: too deep, a lone surrogate, NaN.

    Args:
        value: the value.
        member: the name of the member that holds it, for the place.
        above: containers that it will stand in, which count as well.

    Raises:
        InvalidJsonError, TooDeepError: the first fault.
    """
    path = () if member is None else (member,)
    for fault in _walk(value, path, limit=MAX_DEPTH - above + len(path)):
        raise fault


def dumps(value: Any) -> bytes:
    """A JSON value as compact UTF-8 text, as AgentScope's ``model_dump_json`` writes it.

    Raises:
        InvalidJsonError: NaN, Infinity, a lone surrogate, or what is no JSON value.
        TooDeepError: nested deeper than :data:`MAX_DEPTH`.
    """
    for fault in _walk(value, (), only_json=True):
        raise fault
    return to_json(value)  # the writer behind model_dump_json: floats come out the same, too


def written(value: Any, *, indent: int | None = None) -> str:
    """A value that is known to be JSON as text, on lines of its own where an indent is given.

    The standard library writes no integer of more digits than its user's limit allows
    (:func:`integer`); this writer does, and writes floats as ``model_dump_json`` does.
    """
    return to_json(value, indent=indent).decode()


def _decode(text: bytes | str) -> str:
    if isinstance(text, str):
        decoded = text
    else:
        try:
            decoded = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(error) from None
    if decoded.startswith("\ufeff"):
        raise InvalidJsonError(
            "a byte order mark inside the stream",
            expected="a JSON value",
            got="U+FEFF",
            rule="wire.json.utf8",
        )
    return decoded


def _read(text: str) -> Any:
    read = partial(json.loads, text, object_pairs_hook=_object, parse_constant=_constant)
    try:
        try:
            return read()
        except json.JSONDecodeError:
            raise
        except ValueError:  # an integer that is too long for int(); rare, so the rest stays quick
            return read(parse_int=integer)
    except json.JSONDecodeError as error:
        raise not_json(error) from None
    except RecursionError:  # the caller's own stack left no room for 128 levels
        raise too_deep() from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    times = Counter(name for name, _ in pairs)
    marked = _Duplicated(value)
    marked.names = [name for name in value if times[name] > 1]
    return marked


def _constant(name: str) -> float:
    # NaN and Infinity are not JSON; the walk finds them, and where they are.
    return float(name)


def _walk(
    root: Any,
    place: tuple[str | int, ...],
    *,
    limit: int = MAX_DEPTH,
    only_json: bool = False,
) -> Iterator[MsgfoldError]:
    """Every fault of a value, with its pointer.  A stack, because a value may be of any depth.

    Args:
        root: the value.
        place: the path that leads to it.
        limit: how long the path to a container may be.
        only_json: what JSON has no place for (bytes, dates, names that are no strings) is a fault.
    """
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(root, place)]
    while stack:
        value, path = stack.pop()
        if isinstance(value, str):
            if _SURROGATE.search(value):
                yield _fault("a lone surrogate", path, "Unicode text", ascii(value), "utf8")
        elif isinstance(value, float):
            if not math.isfinite(value):
                expected = "a number that a double can hold"
                yield _fault("a number that is not finite", path, expected, value, "numbers")
        elif isinstance(value, dict | list | tuple):
            if len(path) >= limit:
                yield too_deep(path)
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
                yield from _names(value, path, only_json)
            items = value.items() if isinstance(value, dict) else enumerate(value)
            stack += reversed([(member, (*path, key)) for key, member in items])
        elif only_json and value is not None and not isinstance(value, int):
            yield _fault("not a JSON value", path, "a JSON value", type(value).__name__, "shape")


def _names(
    value: dict[Any, Any], path: tuple[str | int, ...], only_json: bool
) -> Iterator[MsgfoldError]:
    for name in value:
        if not isinstance(name, str):
            if only_json:
                yield _fault("a name that is no string", path, "a string", repr(name), "shape")
        elif _SURROGATE.search(name):
            where = (*path, name)
            yield _fault("a lone surrogate in a name", where, "Unicode text", ascii(name), "utf8")


def not_utf8(error: UnicodeDecodeError) -> InvalidJsonError:
    """The error for bytes that are no UTF-8."""
    at, text = error.start, error.object
    return InvalidJsonError(
        f"not UTF-8: byte 0x{text[at]:02x} at offset {at}",
        expected="UTF-8 text",
        got=shorten(repr(text[max(0, at - 10) : at + 10])),
        rule="wire.json.utf8",
    )


def not_json(error: json.JSONDecodeError) -> InvalidJsonError:
    """The error for text that is no JSON.

    The line within the text is in the reason, for the place may have that of a frame; in a text of
    one line it would only look like a contradiction.
    """
    near = error.doc[max(0, error.pos - 20) : error.pos + 20]
    line = f"line {error.lineno}, " if "\n" in error.doc.strip() else ""
    return InvalidJsonError(
        f"not JSON: {error.msg.removesuffix(' at')} ({line}column {error.colno})",
        expected="one JSON value",
        got=shorten(repr(near)) if near else "nothing",
        rule="wire.json.shape",
    )


def too_deep(path: tuple[str | int, ...] = ()) -> TooDeepError:
    """The error for a value that is nested too deeply, at ``path`` if that is known."""
    return TooDeepError(
        f"nested deeper than {MAX_DEPTH} levels",
        place=Place(pointer=pointer(path)),
        expected=f"at most {MAX_DEPTH} levels of arrays and objects",
        got="more",
        rule="wire.json.depth",
    )


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
