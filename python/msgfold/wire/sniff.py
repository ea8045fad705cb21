"""Which framing is this?  From the first bytes, helped by the file's name.

Over HTTP the content type says it; this is for files and pipes, which have none.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from msgfold.errors import InvalidInputError, shorten
from msgfold.wire import json
from msgfold.wire.document import DocumentDecoder
from msgfold.wire.frames import BOM, FrameDecoder
from msgfold.wire.ndjson import NdjsonDecoder
from msgfold.wire.sse import SseDecoder

Format = Literal["ndjson", "sse", "json"]

_DECODERS: dict[Format, type[FrameDecoder]] = {
    "ndjson": NdjsonDecoder,
    "sse": SseDecoder,
    "json": DocumentDecoder,
}

_SUFFIXES: dict[str, Format] = {
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".sse": "sse",
    ".json": "json",
}

_FIELD = re.compile(rb"(?:data|event|id|retry)?:|(?:data|event|id|retry)\s*$")


def decoder_for(format: Format) -> FrameDecoder:
    """A fresh decoder."""
    return _DECODERS[format]()


def sniff(head: bytes, name: str | None = None) -> Format:
    """The framing of a stream.

    Args:
        head: its first bytes; the first line, when that is short.
        name: the file's name, which decides when the bytes do not.

    Raises:
        InvalidInputError: it cannot be told.
    """
    text = head.removeprefix(BOM).lstrip()
    first = re.split(rb"[\r\n]", text, maxsplit=1)[0].rstrip()
    if _FIELD.match(first):
        return "sse"
    if first.startswith(b"["):
        return "json"
    if first.startswith(b"{"):
        if _is_closed(first):
            return "ndjson"
        # A value that goes on below is a document printed for people; one cut off says nothing.
        return "json" if first != text.rstrip() else _by_name(name, "ndjson")
    if not text:
        return _by_name(name, "ndjson")
    raise InvalidInputError(
        "cannot tell how events are framed here",
        expected='a line of JSON, a JSON list, or an event stream ("data: ...")',
        got=shorten(repr(head[:60])),
        hint="Say it with --format",
    )


def _is_closed(line: bytes) -> bool:
    """Whether every bracket is closed again: a line that is one value, sound or not."""
    brackets = json.brackets(line)
    return len(brackets.translate(None, b"]}")) * 2 == len(brackets)


def _by_name(name: str | None, otherwise: Format) -> Format:
    suffix = PurePath(name or "").suffix.lower()
    return _SUFFIXES.get(suffix, otherwise)
