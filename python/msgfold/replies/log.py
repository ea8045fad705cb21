"""The event log: every event of a reply, in order, before anybody sees it.

Because a reader is only ever given what the log has, a reader that comes back, to this server or
to another one with the same log, can be given exactly what it has missed.  :mod:`.sqlite_log` is
for one machine, :mod:`.redis_log` for several servers.

A reply is *owned* by the server whose agent writes it.  A server shows that it lives; one that does
not for the length of a lease has lost its replies to whoever claims them, and an append by a former
owner is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol


class State(IntEnum):
    """Where a reply stands, in the numbers of ``msgfold.v1.ReplyState``."""

    RUNNING = 1
    WAITING_CONFIRMATION = 2
    WAITING_EXECUTION = 3
    FINISHED = 4
    BROKEN_OFF = 5

    @property
    def waiting(self) -> bool:
        """It waits for an answer."""
        return self in {State.WAITING_CONFIRMATION, State.WAITING_EXECUTION}

    @property
    def over(self) -> bool:
        """Nothing will follow."""
        return self in {State.FINISHED, State.BROKEN_OFF}


@dataclass(frozen=True, slots=True)
class Batch:
    """Events that went into the log together.

    Attributes:
        first: the number of its first event in the reply, from 1.
        last: the number of its last event; ``first - 1`` when it has none.
        data: a ``msgfold.v1.StreamReplyResponse`` with these events.
        last_event_id: the id of its last event, or ``""``.
    """

    first: int
    last: int
    data: bytes
    last_event_id: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a reply besides its events.

    Attributes:
        reply_id: its id.
        session_id: its session.
        principal: who may see it.
        request_id: what the request that started it was called, or ``""``.
        messages: what it was started with, a JSON array of Msgs; it may be large, so a log only
            gives it when it is asked to.
        owner: the server that writes it, or wrote it last; ``""`` while it waits, until a server
            is at work on an answer.
        state: where it stands.
        last: the number of its last event.
        last_event_id: that event's id.
        size: bytes of all its batches.
    """

    reply_id: str
    session_id: str
    principal: str
    request_id: str
    messages: bytes
    owner: str
    state: State = State.RUNNING
    last: int = 0
    last_event_id: str = ""
    size: int = 0

    @property
    def stands(self) -> tuple[int, State, str]:
        """What changes while a reply is written."""
        return self.last, self.state, self.owner


class LogDownError(ConnectionError):
    """The log does not answer just now; whatever was asked may be asked again."""


class LostReplyError(Exception):
    """Another server has claimed the reply, or has appended to it: this one must stop writing."""


class DuplicateReplyError(Exception):
    """There is a reply with that id already."""


class EventLog(Protocol):
    """A log.  All of its methods may be called at the same time."""

    async def open(self) -> None:
        """Get ready.  Raises ``OSError`` or ``ConnectionError`` when it cannot."""

    async def close(self) -> None:
        """Let go of what it holds."""

    async def create(self, record: Record) -> None:
        """Begin a reply.

        Raises:
            DuplicateReplyError: there is one with that id.
        """

    async def append(self, reply_id: str, owner: str, batch: Batch, state: State) -> None:
        """Add events and set the state, both or neither.  A reply that waits is nobody's.

        Raises:
            LostReplyError: the reply is not this owner's, or the batch does not follow its last.
        """

    async def batches(self, reply_id: str, after: int, limit: int) -> list[Batch]:
        """Batches with events behind number ``after``, in order: one, and more up to ``limit``
        bytes."""

    async def find(self, reply_id: str) -> Record | None:
        """A reply that is kept."""

    async def messages(self, reply_id: str) -> bytes:
        """What a reply was started with."""

    async def find_request(self, principal: str, request_id: str) -> Record | None:
        """The reply that a request started."""

    async def unfinished(self, principal: str, session_id: str) -> Record | None:
        """The reply of a session that is not over; of several, any."""

    async def claim(self, reply_id: str, owner: str, last: int) -> bool:
        """Make a reply this server's, if it has ``last`` events, and nobody alive is writing it."""

    async def beat(self, owner: str, lease: float) -> list[str]:
        """Show that a server lives, for ``lease`` seconds.

        Returns:
            Those of its replies that somebody has asked to be cancelled, each told once.
        """

    async def lives(self, owner: str) -> bool:
        """Whether a server's lease still holds."""

    async def release(self, owner: str) -> None:
        """End a server's lease, so that others may claim its replies at once."""

    async def ask_cancel(self, reply_id: str) -> None:
        """Leave a note for the owner of a reply."""

    async def changed(self, record: Record, timeout: float) -> None:
        """Wait until a reply has other events, another state or another owner than it had, or for
        ``timeout`` seconds."""

    async def trim(self, retention: float) -> int:
        """Forget replies that ended longer than ``retention`` seconds ago; how many."""
