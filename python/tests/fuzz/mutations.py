"""Bytes that were good, and are changed in the ways that break readers."""

from __future__ import annotations

from random import Random
from typing import Any

TOKENS = [
    *(b"\r", b"\n", b"\n\n", b"\r\n\r\n", b"\0", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80"),
    *(b"data:", b"data: [DONE]\n\n", b"id: \n", b"event: x\n", b"retry: 9\n", b": hb\n\n"),
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"true", b"1e999", b"NaN", b"-0"),
    *(b"\\ud800", b"\\u0000", b'"type":"', b'"id":', b"{}", b"[]", b'""', b"9" * 40),
    *(b"[" * 200, b'{"a":' * 150, b"]" * 200),
    # Tags and lengths of protobuf: the longest varint, an endless one, large lengths, groups.
    *(b"\xff" * 9 + b"\x01", b"\x80" * 11, b"\x0a\xff\xff\xff\xff\x07", b"\x0b", b"\x0c", b"\x7a"),
]
"""What formats are made of, and what they choke on."""


def mutated(good: list[bytes], chance: Random) -> bytes:
    """One of ``good``, changed a few times."""
    data = bytearray(chance.choice(good))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randint(0, len(data))
        chance.choice(_CHANGES)(data, at, chance, good)
    return bytes(data)


def _flip(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    if at < len(data):
        data[at] ^= 1 << chance.randrange(8)


def _overwrite(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    if at < len(data):
        data[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _insert(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    data[at:at] = chance.choice(TOKENS)


def _replace(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    data[at : at + chance.randint(1, 12)] = chance.choice(TOKENS)


def _delete(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    del data[at : at + chance.randint(1, 30)]


def _cut(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    del data[at:]


def _repeat(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    piece = data[at : at + chance.randint(1, 100)]
    data[at:at] = piece * chance.randint(1, 20)


def _splice(data: bytearray, at: int, chance: Random, good: list[bytes]) -> None:
    other = chance.choice(good)
    data[at:] = other[chance.randint(0, len(other)) :]


_CHANGES = [_flip, _overwrite, _insert, _replace, _delete, _cut, _repeat, _splice]


def altered(message: Any, chance: Random) -> bytes:
    """A message of which some fields were changed: it can be parsed, and may say what no JSON can.

    Args:
        message: a protobuf message; it is changed.
        chance: what decides.
    """
    for _ in range(chance.choice((1, 1, 2, 4))):
        _alter(message, chance)
    data: bytes = message.SerializeToString()
    return data


def _alter(message: Any, chance: Random) -> None:
    present = [field for field, _ in message.ListFields()]
    fields = present if present and chance.random() < 0.8 else list(message.DESCRIPTOR.fields)
    if not fields:
        return  # a message that only is there or is not
    field = chance.choice(fields)
    value = getattr(message, field.name)
    if field.is_repeated:
        if len(value) and field.message_type and chance.random() < 0.6:
            _alter(chance.choice(value), chance)
        elif len(value) and chance.random() < 0.5:
            del value[chance.randrange(len(value))]
        elif field.message_type:
            value.add()
        else:
            value.append(_scalar(field, chance))
    elif field.message_type:
        if chance.random() < 0.8:
            value.SetInParent()
            _alter(value, chance)
        else:
            message.ClearField(field.name)
    elif chance.random() < 0.2:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, _scalar(field, chance))


def _scalar(field: Any, chance: Random) -> Any:
    if field.enum_type:
        return chance.choice((0, 1, 2, 99, -1))
    if field.cpp_type == field.CPPTYPE_STRING:
        token = chance.choice(TOKENS)
        is_bytes = field.type == field.TYPE_BYTES
        return token if is_bytes else token.decode("utf-8", "replace")
    if field.cpp_type == field.CPPTYPE_BOOL:
        return chance.random() < 0.5
    if field.cpp_type in {field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT}:
        return chance.choice((0.0, -1.5, 1e308, float("nan"), float("inf")))
    high = 2**62 if field.cpp_type in {field.CPPTYPE_INT64, field.CPPTYPE_UINT64} else 2**30
    unsigned = field.cpp_type in {field.CPPTYPE_UINT32, field.CPPTYPE_UINT64}
    return chance.choice((0, 1, high) if unsigned else (0, 1, -1, high, -high))
