"""A reader: what came, then what comes, each event once, from wherever the reply is at work."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgfold.replies.batch import apart, state_bytes
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import Batch, State
from msgfold.replies.run import Cursor, Run

if TYPE_CHECKING:
    from msgfold.replies.hub import Replies


class Chunk(NamedTuple):
    """Events that were ready together.

    Attributes:
        data: a ``StreamReplyResponse``; the last one of a stream says where the reply stands.
        last_event_id: the id of the last event in it, ``""`` when there is none.
        state: where the reply stands, in the last one; else ``None``.
    """

    data: bytes
    last_event_id: str
    state: State | None = None


class Reader:
    """Reads a reply from a number on.  Close it, or its agent is kept at work.

    Args:
        replies: the hub.
        reply_id: which reply.
        after: the number of the last event that the reader has.
        first: events that stand before what comes after that number.
        follow: stay while the reply waits for an answer.
    """

    def __init__(
        self,
        replies: Replies,
        reply_id: str,
        after: int,
        *,
        first: Batch | None = None,
        follow: bool = False,
        principal: str = "",
    ) -> None:
        self.reply_id = reply_id
        self.principal = principal
        self._replies = replies
        self._last = after
        self._first = first
        self._follow = follow
        self._run: Run | None = None
        self._cursor: Cursor | None = None
        self._trouble: ServiceError | None = None
        self._attach()

    async def close(self) -> None:
        """Let go of the reply."""
        self._detach()
        self._replies.closed(self)

    async def chunks(self) -> AsyncGenerator[Chunk, None]:
        """Everything up to where the reply waits or is over.

        Raises:
            ServiceError: it broke off for a reason that is known, or the server is about to stop.
        """
        limit = self._replies.limits.max_message
        if self._first is not None:
            for group in _within([self._first], limit):
                yield self._given(group)
            self._first = None
        while True:
            self._attach()
            run = self._run
            news = run.news if run is not None else None  # before looking, so that none is missed
            batches = run.ready(self._last) if run is not None else None
            if batches is None:
                room = min(limit, self._replies.limits.window)
                batches = await self._replies.log.batches(self.reply_id, self._last, room)
            if batches:
                for group in _within(batches, limit):
                    yield self._given(group)
                continue
            if run is not None and run.active and not run.record.state.over:
                assert news is not None
                await news.wait()
                continue
            state = await self._stands()
            if state is None:
                continue
            yield Chunk(state_bytes(state), "", state)
            trouble = self._trouble if run is None else run.trouble
            if state is not State.FINISHED and trouble is not None:
                raise trouble
            return

    async def _stands(self) -> State | None:
        """Where the reply stands, if nothing is to be waited for."""
        record = await self._replies.log.find(self.reply_id)
        if record is None:
            raise ServiceError(ServiceCode.UNKNOWN_REPLY, f"reply {self.reply_id!r} is not kept")
        if record.last > self._last:
            return None
        if record.state.over or (record.state.waiting and not self._follow):
            return record.state
        self._replies.refuse_when_draining()
        if self._trouble is not None:
            raise self._trouble
        if record.state is State.RUNNING and (
            self._replies.is_mine(record) or not await self._replies.log.lives(record.owner)
        ):
            await self._replies.take_over(record)
            return None
        wait = self._replies.limits.lease / 2
        await self._replies.log.changed(record, wait)
        return None

    def _given(self, batches: list[Batch]) -> Chunk:
        last = batches[-1]
        self._last = last.last
        if self._run is not None and self._cursor is not None:
            self._run.move(self._cursor, last.last)
        return Chunk(b"".join(batch.data for batch in batches), last.last_event_id)

    def _attach(self) -> None:
        """Read from this server's agent, when it is at work on the reply."""
        run = self._replies.run_of(self.reply_id)
        if run is not self._run:
            self._detach()
            if run is not None:
                self._run, self._cursor = run, run.attach(self._last)

    def _detach(self) -> None:
        if self._run is not None and self._cursor is not None:
            self._run.detach(self._cursor)
            self._trouble = self._run.trouble
        self._run = self._cursor = None


def _within(batches: list[Batch], limit: int) -> Iterator[list[Batch]]:
    """Batches in groups that fit into a message.

    Raises:
        ServiceError: one event alone does not.
    """
    group: list[Batch] = []
    size = 0
    for batch in _small(batches, limit):
        if size + len(batch.data) > limit and group:
            yield group
            group, size = [], 0
        if len(batch.data) > limit:
            raise ServiceError(
                ServiceCode.TOO_LARGE,
                f"event {batch.last_event_id!r} makes a message of {len(batch.data)} bytes, and "
                f"the server sends at most {limit}: its max_message must be larger, and the "
                "client's too",
            )
        group.append(batch)
        size += len(batch.data)
    yield group


def _small(batches: list[Batch], limit: int) -> Iterator[Batch]:
    """Batches, and the events one by one of those that are larger than a message may be."""
    for batch in batches:
        if len(batch.data) > limit:
            yield from apart(batch)
        else:
            yield batch
