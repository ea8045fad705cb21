"""A whole JSON document: one event, or a list of events (``wire.document``)."""

from __future__ import annotations

import json as _json
import re

from msgfold.errors import InvalidJsonError
from msgfold.wire import json
from msgfold.wire.frames import BOM, Frame, Truncated

_SPACE = re.compile(r"[ \t\r\n]*")


class DocumentDecoder:
    """Holds the document until it is whole, then gives its events as they were written."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def feed(self, chunk: bytes) -> list[Frame]:
        """Nothing yet: a document is whole at its end."""
        self._chunks.append(chunk)
        return []

    def close(self) -> tuple[list[Frame], Truncated | None]:
        """One frame for each event.

        Raises:
            InvalidJsonError, TooDeepError: the document is not I-JSON.
        """
        text = b"".join(self._chunks).removeprefix(BOM)
        if not text.strip():
            return [], None
        json.loads(text)  # finds every fault first, so that the scan below meets none
        return _elements(text.decode("utf-8")), None


def _elements(text: str) -> list[Frame]:
    """The elements of a list, or the one value, in their own spelling."""
    start = _skip(text, 0)
    if text[start] != "[":
        return [Frame(text.strip().encode(), _line(text, start))]
    frames = []
    scan = _json.JSONDecoder().raw_decode
    at, line, counted = _skip(text, start + 1), 1, 0
    while text[at] != "]":
        _, end = scan(text, at)
        line += text.count("\n", counted, at)
        counted = at
        frames.append(Frame(text[at:end].encode(), line))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return frames


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    if match is None:  # pragma: no cover  (the pattern matches everywhere)
        raise InvalidJsonError("not JSON")
    return match.end()


def _line(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)
