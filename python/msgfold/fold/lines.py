"""NDJSON straight into the fold, at a cost near that of decoding it.

What an event costs is mostly Python between two calls into C.  So the common case does little of
it.  Lines are decoded by a reader that takes known members only
(:func:`msgfold.wire.decode.decode_plain`), and text deltas of one block that come in a row are
joined before they are folded: where a text was cut means nothing.  Whatever is not so plain, an
unknown member, nested JSON, a fault, a blank line, goes the way of every other event
(:meth:`~msgfold.fold.stream.Folder.feed_text`).  The result is the same, reports and their places
included; a property test holds the two together.
"""

from __future__ import annotations

from typing import Any

from msgspec import MsgspecError

from msgfold.errors import MsgfoldError
from msgfold.fold import reply
from msgfold.fold.stream import Folder
from msgfold.wire import json
from msgfold.wire.decode import NESTED, TEXT_DELTAS, decode_plain
from msgfold.wire.frames import Truncated
from msgfold.wire.ndjson import NdjsonDecoder, without_end


class NdjsonFolder(Folder):
    """A :class:`Folder` that is fed NDJSON, cut anywhere (``wire.ndjson.*``).  Arguments as there.

    Example:
        >>> folder = NdjsonFolder()
        >>> folder.feed_chunk(b'{"type":"REPLY_START","id":"e1","created_at":"t","reply_id":"r1",')
        >>> folder.feed_chunk(b'"session_id":"s","name":"n"}\\n')
        >>> folder.msgs[0].id
        'r1'
        >>> folder.feed_end()
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._decoder = NdjsonDecoder()

    def feed_chunk(self, chunk: bytes) -> None:
        """Apply the events of the lines that ``chunk`` completes.

        Raises:
            MsgfoldError: an event that must not be applied (unless errors are skipped).
        """
        lines, first = self._decoder.lines(chunk)
        done = 0
        while done < len(lines):
            done += self._feed_plain(lines[done:] if done else lines, first + done)
            if done < len(lines):
                if not lines[done].isspace():
                    self.feed_text(without_end(lines[done]), line=first + done)
                done += 1

    def feed_end(self) -> Truncated | None:
        """The stream is over: apply a last line without its end; what was cut off, if anything.

        Raises:
            MsgfoldError: as :meth:`feed_chunk`.
        """
        frames, tail = self._decoder.close()
        for frame in frames:
            self.feed_text(frame.data, line=frame.line)
        return tail

    def _feed_plain(self, lines: list[bytes], first: int) -> int:
        """Apply lines up to one that is not plain; how many that were.

        Args:
            lines: whole lines.
            first: the number of the first one.
        """
        handlers, states, start = self._handlers, self._states, self.events
        self._at(first)
        fed = 0  # without the run
        run: list[Any] = []  # text deltas of one block, in a row ...
        kind = target = reply_id = None  # ... and what they have in common
        try:
            for event in map(decode_plain, lines):
                if (
                    event.__class__ is kind
                    and event.target == target
                    and event.reply_id == reply_id
                    and not event.metadata
                ):
                    run.append(event)
                    continue
                if run:
                    fed += self._feed_run(run, start + fed)
                    run, kind = [], None
                if (event.metadata or event.__class__ in NESTED) and json.is_deep(lines[fed]):
                    break
                handler = handlers[event.__class__]
                state = None if handler is reply.custom else states.get(event.reply_id)
                if state is None:  # the beginning of a reply, or of none that is known here
                    self.events = start + fed
                    self.feed(event, line=first + fed)
                elif event.__class__ in TEXT_DELTAS:
                    run.append(event)
                    kind, target, reply_id = event.__class__, event.target, event.reply_id
                    continue
                else:
                    state.event_index = start + fed
                    handler(state, event)
                fed += 1
        except MsgfoldError as error:
            self.events = start + fed
            fed += 1
            try:
                self._refused(error)
            finally:
                self.events += 1  # seen, whether or not it stops the fold
        except (MsgspecError, RecursionError, ValueError):
            pass  # of the reader: not plain
        if run:
            fed += self._feed_run(run, start + fed)
        self.events = start + fed
        return fed

    def _feed_run(self, run: list[Any], index: int) -> int:
        """Apply a run, joined; without its block each event is reported by itself."""
        first = run[0]
        state = self._states[first.reply_id]
        handler = self._handlers[first.__class__]
        if len(run) > 1 and state.find(TEXT_DELTAS[first.__class__], first.target) is not None:
            first.delta = "".join([event.delta for event in run])
            state.event_index = index + len(run) - 1
            handler(state, first)
        else:
            for state.event_index, event in enumerate(run, index):
                handler(state, event)
        return len(run)
