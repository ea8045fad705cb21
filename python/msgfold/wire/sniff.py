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


_NO_TEXT = {
    b"\x1f\x8b": "It is packed with gzip: unpack it first",
    b"\x28\xb5\x2f\xfd": "It is packed with zstd: unpack it first",
    b"PK\x03\x04": "It is a zip file: unpack it first",
    b"\xff\xfe": "It looks like UTF-16: convert it to UTF-8 first",
    b"\xfe\xff": "It looks like UTF-16: convert it to UTF-8 first",
}
"""How some inputs begin that people take for text, and what to do with them."""


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
    no_text = next((hint for start, hint in _NO_TEXT.items() if head.startswith(start)), None)
    if no_text is None and b"\0" in head[:4]:  # what a letter of ASCII is in UTF-16 and UTF-32
        no_text = "It is no UTF-8 text: convert it first"
    if no_text is not None:
        raise _unknown(head, no_text)
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
    raise _unknown(head, "Say it with --format")


def _unknown(head: bytes, hint: str) -> InvalidInputError:
    return InvalidInputError(
        "cannot tell how events are framed here",
        expected='a line of JSON, a JSON list, or an event stream ("data: ...")',
        got=shorten(repr(head[:60])),
        hint=hint,
    )


def _is_closed(line: bytes) -> bool:
    """Whether every bracket is closed again: a line that is one value, sound or not."""
    brackets = json.brackets(line)
    return len(brackets.translate(None, b"]}")) * 2 == len(brackets)


def _by_name(name: str | None, otherwise: Format) -> Format:
    suffix = PurePath(name or "").suffix.lower()
    return _SUFFIXES.get(suffix, otherwise)
