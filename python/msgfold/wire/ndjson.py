"""NDJSON: one JSON value a line (``wire.ndjson.*``)."""

from __future__ import annotations

from msgfold.wire import json
from msgfold.wire.frames import Frame, LineSplitter, Truncated


def without_end(line: bytes) -> bytes:
    """A line without its LF, or CR LF."""
    return line.removesuffix(b"\n").removesuffix(b"\r")


class NdjsonDecoder:
    """Cuts NDJSON into frames.  See :class:`msgfold.wire.frames.FrameDecoder`."""

    def __init__(self) -> None:
        self._lines = LineSplitter(LineSplitter.LF)
        self._line = 0

    def lines(self, chunk: bytes) -> tuple[list[bytes], int]:
        """The lines that ``chunk`` completes, with their ends, and the number of the first one."""
        found = self._lines.feed(chunk)
        first = self._line + 1
        self._line += len(found)
        return found, first

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes; blank lines are none (``wire.ndjson.blank``)."""
        found, first = self.lines(chunk)
        return [
            Frame(without_end(text), line)
            for line, text in enumerate(found, first)
            if not text.isspace()
        ]

    def close(self) -> tuple[list[Frame], Truncated | None]:
        """The last line, when it is whole JSON without its line end (``wire.ndjson.last-line``)."""
        text = self._lines.rest()
        if not text or text.isspace():
            return [], None
        _, faults = json.faults(text)
        if faults and faults[0].place.pointer is None:  # what cannot even be read was cut off
            return [], Truncated(self._line + 1, text)
        return [Frame(text.removesuffix(b"\r"), self._line + 1)], None
