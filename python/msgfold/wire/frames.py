"""A frame: the bytes of one JSON value in a stream, and where they stood.

Every framing (NDJSON, server-sent events, a whole JSON document) is read by a decoder with the same
two methods.  Bytes arrive cut anywhere; the frames never depend on where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Protocol

BOM = b"\xef\xbb\xbf"
"""The byte order mark in UTF-8.  One is dropped at the very start of a stream."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One JSON value's bytes.

    Attributes:
        data: UTF-8 JSON text.
        line: the line on which it begins, counted from 1.
        event: the SSE event type, ``""`` when the frame has none.
        last_event_id: the SSE last event id after this frame.
    """

    data: bytes
    line: int
    event: str = ""
    last_event_id: str = ""


@dataclass(frozen=True, slots=True)
class Truncated:
    """Bytes at the end of a stream that make no whole frame.

    Attributes:
        line: the line on which their data begins, counted from 1; without data, their first line.
        pending: the bytes, without comments.
    """

    line: int
    pending: bytes


class FrameDecoder(Protocol):
    """Cuts a stream of bytes into frames."""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes."""

    def close(self) -> tuple[list[Frame], Truncated | None]:
        """The stream is over: the frames that its end completes, and what was cut off."""


class LineSplitter:
    """Cuts bytes into lines, in time linear in their number however they are chunked.

    Args:
        ends: ``LF`` splits at LF only; ``ANY`` at LF, CR and CR LF, as event streams have it.
    """

    LF = (b"\n",)
    ANY = (b"\r\n", b"\n", b"\r")

    def __init__(self, ends: tuple[bytes, ...]) -> None:
        self._ends = ends
        self._pending: list[bytes] = []
        self._start = b""
        """The first bytes of the stream, until they can be told from a byte order mark."""
        self._started = False
        self._after_cr = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that ``chunk`` completes, each with an LF at its end."""
        if not self._started:
            self._start += chunk
            if len(self._start) < len(BOM) and BOM.startswith(self._start):
                return []
            chunk, self._start, self._started = self._start.removeprefix(BOM), b"", True
        if self._ends is self.ANY:
            chunk = self._joined_ends(chunk)
        if b"\n" not in chunk:
            if chunk:
                self._pending.append(chunk)
            return []
        lines = BytesIO(chunk).readlines()  # four times as quick as split
        lines[0] = b"".join([*self._pending, lines[0]])
        self._pending = [] if lines[-1].endswith(b"\n") else [lines.pop()]
        return lines

    def rest(self) -> bytes:
        """What came after the last line end."""
        return b"".join([self._start, *self._pending])

    def _joined_ends(self, chunk: bytes) -> bytes:
        """``chunk`` with every line end as LF.  A CR ends its line at once: the LF that may follow
        it in the next chunk is part of the same end."""
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_cr = False
            if not chunk:
                return chunk
        if not chunk:
            return chunk
        self._after_cr = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def read_frames(
    chunks: Iterable[bytes], decoder: FrameDecoder, on_truncated: Callable[[Truncated], None]
) -> Iterator[Frame]:
    """Every frame of a stream, as its bytes arrive.

    Args:
        chunks: the bytes, cut anywhere.
        decoder: a fresh decoder.
        on_truncated: receives what the end of the stream cut off.
    """
    for chunk in chunks:
        yield from decoder.feed(chunk)
    frames, tail = decoder.close()
    yield from frames
    if tail is not None:
        on_truncated(tail)
