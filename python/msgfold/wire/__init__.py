"""Bytes to events: framing, strict JSON, and decoding.

:mod:`.ndjson`, :mod:`.sse` and :mod:`.document` cut bytes into frames; :mod:`.json` reads a frame's
text with care; :mod:`.decode` makes events of it.  The rules are in ``docs/spec/wire.md``.
"""

from __future__ import annotations

from msgfold.wire.document import DocumentDecoder
from msgfold.wire.frames import Frame, FrameDecoder, Truncated, read_frames
from msgfold.wire.json import MAX_DEPTH, check_depth, dumps, faults, loads, pointer
from msgfold.wire.ndjson import NdjsonDecoder
from msgfold.wire.sniff import Format, decoder_for, sniff
from msgfold.wire.sse import SseDecoder, is_foreign

__all__ = [
    "MAX_DEPTH",
    "DocumentDecoder",
    "Format",
    "Frame",
    "FrameDecoder",
    "NdjsonDecoder",
    "SseDecoder",
    "Truncated",
    "check_depth",
    "decoder_for",
    "dumps",
    "faults",
    "is_foreign",
    "loads",
    "pointer",
    "read_frames",
    "sniff",
]
