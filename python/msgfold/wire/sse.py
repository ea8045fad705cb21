"""Server-sent events, as the WHATWG event stream rules have it (``wire.sse.*``).

AgentScope's own streams are the simplest kind: ``data: {json}`` and a blank line, with a comment
now and then to keep the connection awake.  Others name their events, number them for resuming, and
cut their lines differently; all of it is read here.
"""

from __future__ import annotations

from collections.abc import Container

from msgfold.wire import json
from msgfold.wire.frames import Frame, LineSplitter, Truncated

DONE = b"[DONE]"
"""The end mark that some servers send as data (``wire.sse.done``)."""


class SseDecoder:
    """Cuts an event stream into frames.  See :class:`msgfold.wire.frames.FrameDecoder`.

    Attributes:
        last_event_id: what a client sends as ``Last-Event-ID`` to resume (``wire.sse.id``).
        retry_ms: the reconnection time in milliseconds, ``None`` until one came
        (``wire.sse.retry``).
    """

    def __init__(self) -> None:
        self.last_event_id = ""
        self.retry_ms: int | None = None
        self._lines = LineSplitter(LineSplitter.ANY)
        self._line = 0
        self._data_line = 0
        self._first_line = 0
        self._reset()

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes."""
        frames = []
        for ended in self._lines.feed(chunk):
            line = ended[:-1]
            self._line += 1
            if line.startswith(b":"):
                pass  # a comment: not kept, since a stream may be silent but for them for days
            elif line:
                self._first_line = self._first_line or self._line
                self._raw.append(line)
                self._field(line)
            elif (frame := self._dispatch()) is not None:
                frames.append(frame)
        return frames

    def close(self) -> tuple[list[Frame], Truncated | None]:
        """A frame without its blank line is discarded (``wire.sse.eof``)."""
        rest = self._lines.rest()
        if rest.startswith(b":"):
            rest = b""
        if not self._data and not rest:
            return [], None
        raw = [*self._raw, rest] if rest else self._raw
        line = self._data_line or self._first_line or self._line + 1
        return [], Truncated(line, b"\n".join(raw))

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
                self._data_line = self._data_line or self._line
            case b"event":
                self._event = value.decode("utf-8", "replace")
            case b"id" if b"\0" not in value:
                # Effective at the blank line, as the buffer of the standard.
                self._id = value.decode("utf-8", "replace")
            case b"retry" if value.isdigit():
                self.retry_ms = json.integer(value.decode())
            case _:
                pass  # another field: ignored (wire.sse.unknown-field)

    def _dispatch(self) -> Frame | None:
        self.last_event_id = self._id
        data = b"\n".join(self._data)
        data = b"" if data.isspace() else data  # as a blank line is nothing to NDJSON
        frame = Frame(data, self._data_line, self._event, self._id)
        self._reset()
        return None if not data or data.strip() == DONE else frame

    def _reset(self) -> None:
        self._data: list[bytes] = []
        self._data_line = 0
        self._first_line = 0
        self._event = ""
        self._id = self.last_event_id
        self._raw: list[bytes] = []


def is_foreign(frame: Frame, types: Container[str]) -> bool:
    """Whether a frame names an event type that is not ours (``wire.sse.foreign-event``).

    Args:
        frame: a frame of any framing.
        types: the event types of the contract.
    """
    return frame.event not in {"", "message"} and frame.event not in types
