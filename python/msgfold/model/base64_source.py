"""Base64 data that grows in constant time.

A data block streams as deltas, each base64 by itself.  Joining them means joining *bytes*
(``fold.data.delta``), and the join falls inside a group of three bytes unless the chunk happened to
fit.  Only the last group has to be made again, but a Python string cannot be cut at its end without
copying all of it.  So the text of a growing source lives in a ``bytearray`` and becomes a string
when somebody looks: reads ``data``, dumps, compares, copies or prints the source.
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


def encode(raw: bytes) -> str:
    """Canonical, padded base64 without line ends."""
    return b2a_base64(raw, newline=False).decode("ascii")


class Base64SourceBehaviour(Model):
    """An inline source whose ``data`` may still be growing."""

    if TYPE_CHECKING:
        data: str

    _growing: bytearray | None = PrivateAttr(default=None)
    """The text so far; while it is set, ``data`` is not in the instance's ``__dict__``."""

    def append_base64(self, data: str) -> None:
        """Append the bytes of ``data``, which is base64 by itself.

        Raises:
            ValueError: ``data``, or what the source holds, is not canonical base64; nothing
            changed.
        """
        raw = decode(data)
        text = self._growing
        if text is None:
            held = self.__dict__["data"]
            if len(held) % 4:
                raise ValueError("The data that the block holds is not padded base64")
            decode(held[-4:])
            text = bytearray(held, "ascii")
        if text.endswith(b"="):
            raw = a2b_base64(text[-4:]) + raw
            del text[-4:]
            text += b2a_base64(raw, newline=False)
        else:
            text += data.encode("ascii")
        self.__dict__.pop("data", None)
        self._growing = text

    def _settle(self) -> None:
        """Put the string that grew back where Pydantic keeps it."""
        text = self._growing
        if text is not None:
            self._growing = None
            members = self.__dict__
            after = {name: members.pop(name) for name in list(members) if name != "type"}
            # In the order of the class, which is the order of a dump.
            members["data"] = text.decode("ascii")
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
