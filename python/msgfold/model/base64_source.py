"""Base64 data that grows in constant time.

A data block streams as deltas, each base64 by itself.  Joining them means joining *bytes*
(``fold.data.delta``), and a join falls inside a group of three bytes unless the chunk happened to
fit.  So a growing source holds bytes.  They become text when somebody looks: reads ``data``, dumps,
compares, copies or prints the source; and what was text before stays text when it grows on.
"""

from __future__ import annotations

from binascii import Error as _BinasciiError
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr, model_serializer

from msgfold.model.base import Model


def decode(data: str) -> bytes:
    """The bytes of canonical, padded base64 (RFC 4648 section 4).

    Raises:
        ValueError: ``data`` is anything else; the message says what is wrong with it.
    """
    try:
        raw = a2b_base64(data, strict_mode=True)
    except (_BinasciiError, ValueError) as error:
        raise ValueError(str(error)) from None
    # strict_mode lets bits beyond the last byte pass; they are lost in decoding, so they must be 0.
    if data.endswith("=") and not data.endswith(encode(raw[-(len(raw) % 3) :])):
        raise ValueError("Unused bits at the end are not zero")
    return raw


def encode(raw: bytes | memoryview) -> str:
    """Canonical, padded base64 without line ends."""
    return b2a_base64(raw, newline=False).decode("ascii")


def _split(text: str) -> tuple[str, bytearray]:
    """Text as whole groups that will not change, and the bytes of a last group that may."""
    if len(text) % 4:
        raise ValueError("The data that the block holds is not padded base64")
    last = decode(text[-4:])
    return (text[:-4], bytearray(last)) if text.endswith("=") else (text, bytearray())


def _joined(text: str, raw: bytearray) -> str:
    """The whole text; ``raw`` is empty afterwards, so that little is held twice."""
    view = memoryview(raw)
    pieces = [text, *(encode(view[at : at + _PIECE]) for at in range(0, len(raw), _PIECE))]
    view.release()
    raw.clear()
    return "".join(pieces)


_PIECE = 3 << 14
"""Bytes encoded at a time: whole groups of three, in a piece that malloc keeps at hand."""


class Base64SourceBehaviour(Model):
    """An inline source whose ``data`` may still be growing."""

    if TYPE_CHECKING:
        data: str

    _growing: tuple[str, bytearray] | None = PrivateAttr(default=None)
    """The text so far, in whole groups, and the bytes behind it; while it is set, ``data`` is not
    in the instance's ``__dict__``."""

    def append_base64(self, data: str) -> None:
        """Append the bytes of ``data``, which is base64 by itself.

        Raises:
            ValueError: ``data``, or what the source holds, is not canonical base64; nothing
            changed.
        """
        more = decode(data)
        private: Any = self.__pydantic_private__  # by itself: Pydantic's way costs a microsecond
        growing = private["_growing"]
        if growing is None:
            growing = _split(self.__dict__["data"])
            private["_growing"] = growing
            del self.__dict__["data"]
        growing[1].extend(more)

    def _settle(self) -> None:
        """Put the text that grew where Pydantic keeps it."""
        growing = self._growing
        if growing is not None:
            self._growing = None
            members = self.__dict__
            after = {name: members.pop(name) for name in list(members) if name != "type"}
            # In the order of the class, which is the order of a dump.
            members["data"] = _joined(*growing)
            members.update(after)

    def __getattr__(self, name: str) -> Any:
        # Only asked for what __dict__ lacks: `data` while it grows, private and extra members.
        if name == "data" and self._growing is not None:
            self._settle()
            return self.__dict__["data"]
        return super().__getattr__(name)  # type: ignore[misc]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "data":
            self._settle()
        super().__setattr__(name, value)

    @model_serializer(mode="wrap")
    def _dump(self, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        self._settle()
        return handler(self)

    def __eq__(self, other: object) -> bool:
        self._settle()
        if isinstance(other, Base64SourceBehaviour):
            other._settle()
        return super().__eq__(other)

    def __iter__(self) -> Any:
        self._settle()
        return super().__iter__()

    def __repr_args__(self) -> Any:
        self._settle()
        return super().__repr_args__()

    def __copy__(self) -> Any:
        self._settle()
        return super().__copy__()

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Any:
        self._settle()
        return super().__deepcopy__(memo)

    def __getstate__(self) -> dict[Any, Any]:
        self._settle()
        return super().__getstate__()
