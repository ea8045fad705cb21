"""A whole JSON document: one event, or a list of events (``wire.document``).

The list is framing, as line ends are in NDJSON.  So a document is refused as a whole only when it
is no JSON; what is wrong inside an event (a lone surrogate, a member that came twice) is left to
the reader of its frame, who says which event it is.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

from msgfold.wire import json
from msgfold.wire.frames import BOM, Frame, Truncated

_SPACE = b" \t\r\n"
_TOKEN = re.compile(r"[^ \t\r\n]")

# Only where a value ends is asked for.  Numbers are not converted: digits may be any number.
_scan = JSONDecoder(parse_int=str, parse_float=str).raw_decode


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
            InvalidJsonError: the document is not JSON; ``place`` has the line.
            TooDeepError: an event is nested too deeply; the list around it does not count.
        """
        raw = b"".join(self._chunks).removeprefix(BOM)
        head = raw.lstrip(_SPACE)[:1]
        if not head:
            return [], None
        json.check_depth(raw, json.MAX_DEPTH + (head == b"["))
        try:
            text = raw.decode("utf-8")
            return (_elements(text) if head == b"[" else _value(text)), None
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise json.not_utf8(error).at(line=line) from None
        except JSONDecodeError as error:
            raise json.not_json(error).at(line=error.lineno) from None
        except RecursionError:  # the caller's own stack left no room for 128 levels
            raise json.too_deep() from None


def _value(text: str) -> list[Frame]:
    start = _token(text, 0)
    _, end = _scan(text, start)
    _finish(text, end)
    return [Frame(text[start:end].encode(), text.count("\n", 0, start) + 1)]


def _elements(text: str) -> list[Frame]:
    """The elements of a list, in their own spelling."""
    frames: list[Frame] = []
    at = _token(text, _token(text, 0) + 1)
    if text.startswith("]", at):
        _finish(text, at + 1)
        return frames
    line, counted = 1, 0
    while True:
        _, end = _scan(text, at)
        line += text.count("\n", counted, at)
        counted = at
        frames.append(Frame(text[at:end].encode(), line))
        at = _token(text, end)
        if text.startswith("]", at):
            _finish(text, at + 1)
            return frames
        if not text.startswith(",", at):
            raise JSONDecodeError("Expecting ',' delimiter", text, at)
        at = _token(text, at + 1)


def _finish(text: str, end: int) -> None:
    if (at := _token(text, end)) < len(text):
        raise JSONDecodeError("Extra data", text, at)


def _token(text: str, at: int) -> int:
    """Where the next thing that is not white space begins; the end when there is none."""
    found = _TOKEN.search(text, at)
    return found.start() if found else len(text)
