"""A reply that this server's agent is writing.

Two tasks work on it.  One asks the agent for events and encodes them; the other puts whatever has
gathered into the log, and then shows it to the readers.  So a lone event goes out at once, and many
go together, and nobody sees what the log does not have.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from msgfold.replies.batch import BatchWriter
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.limits import Limits
from msgfold.replies.log import (
    Batch,
    DuplicateReplyError,
    EventLog,
    LogDownError,
    LostReplyError,
    Record,
    State,
)

logger = logging.getLogger("msgfold.replies")

_TRIES = 64
"""Events that an agent may yield without waiting once, before it is closed instead of cancelled."""

_DEAF = 1.0
"""Seconds that an agent has to let go once it is closed; then it is left to itself."""

FIRST_CONTACT = 1.0
"""Seconds that a run waits for its first reader, at least."""


class Cursor:
    """How far a reader has come: what holds the agent back, and keeps it at work."""

    def __init__(self, last: int) -> None:
        self.last = last


class Run:
    """A reply at work.

    Args:
        record: what is known of it; without a ``reply_id`` it is a new one, and its first event
            brings the id.
        log: where its events go.
        limits: what it may use.
        linger: seconds that the agent goes on without a reader.
        state_of: where a reply stands that ended without a REPLY_END.

    Attributes:
        record: as given, with the ``reply_id`` and the numbers of now.
        before: how many events there were when it was set to work.
        failure: why it broke off or did not start, if that is known.
        lost: another server has it.
        refused: its agent did not take the answer, so it waits as before.
        forsaken: its agent would not stop, and may be at work still.
        started: done when the first events are in the log; raises :class:`ServiceError`.
    """

    def __init__(
        self,
        record: Record,
        log: EventLog,
        limits: Limits,
        *,
        linger: float,
        state_of: Callable[[str], Awaitable[State]],
    ) -> None:
        self.record = record
        self.before = record.last
        self.failure: ServiceError | None = None
        self.lost = self.refused = self.forsaken = False
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.started.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.linger = linger
        self._log = log
        self._limits = limits
        self._state_of = state_of
        self._writer = BatchWriter(record.reply_id)
        self._ring: deque[Batch] = deque()
        self._ring_bytes = 0
        self._cursors: set[Cursor] = set()
        self._lonely: asyncio.TimerHandle | None = None
        self._met = False
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._silent = asyncio.Event()
        self._news = asyncio.Event()
        self._idle = True
        self._inside = False
        self._cancelled = False
        self._heard = False
        self._killed = False
        self._tries = 0
        self._yielded = False
        self._drained = False

    def start(
        self, begin: Callable[[], AsyncIterator[Any]], *, answer: dict[str, Any] | None = None
    ) -> None:
        """Set the agent to work.

        Args:
            begin: gives its events; what it raises is the agent's failure.
            answer: what it is answering, which goes into the log before its first event.
        """
        self._answers = answer is not None
        self._agent = asyncio.create_task(self._produce(begin, answer))
        self._agent.add_done_callback(lambda _: self._hush())
        self._task = asyncio.create_task(self._write())
        self._watch()

    # ------------------------------------------------------------------ for readers
    @property
    def reply_id(self) -> str:
        """Which reply; empty until its first event."""
        return self._writer.reply_id

    @property
    def trouble(self) -> ServiceError | None:
        """What its readers are told when it does not finish."""
        return None if self.lost or self.refused else self.failure

    @property
    def ending(self) -> bool:
        """Whether the agent has said all of it."""
        return self._silent.is_set() or self.record.state.over

    @property
    def active(self) -> bool:
        """Whether more may come from here."""
        return not self._task.done()

    def attach(self, last: int) -> Cursor:
        """A new reader, who has the events up to a number."""
        cursor = Cursor(last)
        self._cursors.add(cursor)
        self._met = True
        self._watch()
        return cursor

    def detach(self, cursor: Cursor) -> None:
        """A reader leaves."""
        self._cursors.discard(cursor)
        self._room.set()
        self._watch()

    def move(self, cursor: Cursor, last: int) -> None:
        """A reader has been given the events up to a number."""
        cursor.last = last
        self._evict()
        self._room.set()

    def ready(self, last: int) -> list[Batch] | None:
        """What is there behind a number; ``None``: look into the log."""
        if last == self.record.last:
            return []
        if not self._ring or self._ring[0].first > last + 1:
            return None
        return [batch for batch in self._ring if batch.last > last]

    @property
    def news(self) -> asyncio.Event:
        """Set when something has come, or it is over."""
        return self._news

    # ------------------------------------------------------------------ stopping
    def cancel(self) -> None:
        """Stop the agent; it may end its reply in its own words."""
        if self._cancelled or self._agent.done():
            return
        self._cancelled = True
        if self._inside:
            self._heard = True
            self._agent.cancel()
        self._room.set()
        asyncio.get_running_loop().call_later(self._limits.cancel_grace, self._kill)

    def _kill(self) -> None:
        """It has had its time."""
        self._killed = True
        self._agent.cancel()
        asyncio.get_running_loop().call_later(_DEAF, self._forsake)

    def _forsake(self) -> None:
        """Nothing can stop it: whatever it does from now on, nobody waits for it."""
        if self._agent.done() or self.forsaken:
            return
        logger.warning("reply %s: its agent will not stop; left to itself", self.reply_id or "?")
        self.forsaken = True
        self._hush()

    def _hush(self) -> None:
        """Nothing more comes from the agent."""
        self._silent.set()
        self._wake.set()

    async def hand_over(self) -> None:
        """Stop without a trace: what follows is for another server to write."""
        self._drained = True
        self._kill()
        await self.done()

    async def done(self) -> None:
        """Wait until nothing more is written."""
        await asyncio.wait([self._task])
        await self._silent.wait()

    def _watch(self) -> None:
        """Count down while nobody listens."""
        if self._lonely is not None:
            self._lonely.cancel()
            self._lonely = None
        if not self._cursors:
            # Whoever started it has yet to hear that it runs, even one who wants no lingering.
            linger = self.linger if self._met else max(self.linger, FIRST_CONTACT)
            self._lonely = asyncio.get_running_loop().call_later(linger, self.cancel)

    # ------------------------------------------------------------------ the agent's task
    async def _produce(
        self, begin: Callable[[], AsyncIterator[Any]], answer: dict[str, Any] | None
    ) -> None:
        iterator: Any = None
        add = self._writer.add
        try:
            iterator = aiter(begin())
            while True:
                if self._cancelled and not self._heard:
                    self._cancel_inside()
                self._inside = True
                event = await anext(iterator)
                self._inside = False
                if self._killed:
                    raise asyncio.CancelledError
                self._yielded = True
                if answer is not None:  # only now: the agent has not refused it
                    add(answer)
                    answer = None
                add(event)
                self._wake.set()
                if self._cancelled and not self._heard:
                    await self._was_heard()
                elif self._idle:
                    await asyncio.sleep(0)  # the first event of many does not wait for the others
                elif self._writer.full:
                    await self._wait_for_room()
        except StopAsyncIteration:
            if answer is not None:
                add(answer)
        except asyncio.CancelledError as error:
            if not _uncancel():  # it was not we who cancelled
                self._failed(error)
        except (Exception, SystemExit) as error:  # an agent that exits does not take us along
            self._failed(error)
        finally:
            self._inside = False
            with suppress(Exception, SystemExit):
                await _closed(iterator)
            self._wake.set()

    def _cancel_inside(self) -> None:
        """The agent was not waiting when it was cancelled: it hears of it at its next ``await``."""
        self._tries += 1
        if self._tries > _TRIES:
            raise asyncio.CancelledError  # it never waits: it is closed at its yield
        self._agent.cancel()

    async def _was_heard(self) -> None:
        """A cancellation that the agent has not met, because it did not wait, meets us here."""
        try:
            await asyncio.sleep(0)
            self._heard = True
        except asyncio.CancelledError:
            if self._killed:
                raise
            _uncancel()

    async def _wait_for_room(self) -> None:
        """Until the batch is taken, and the furthest reader is not too far behind."""
        while (self._writer.full or self._behind()) and not self._cancelled:
            self._room.clear()
            await self._room.wait()

    def _behind(self) -> bool:
        return (
            self._ring_bytes > self._limits.window
            and bool(self._cursors)
            and max(cursor.last for cursor in self._cursors) < self._ring[0].last
        )

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, ValueError) and not self._yielded:
            # AgentScope says so when it waits for something else, or cannot read the input.
            self.failure = ServiceError(ServiceCode.AGENT_REFUSED, f"the agent refused: {error}")
            return
        logger.error("reply %s: the agent raised", self._writer.reply_id or "?", exc_info=error)
        self.failure = ServiceError(
            ServiceCode.AGENT_FAILED,
            f"the agent raised {type(error).__name__}; the server's log has the whole of it",
        )

    # ------------------------------------------------------------------ the log's task
    async def _write(self) -> None:
        try:
            while not self._silent.is_set() or self._writer:
                if self._writer and self._writer.reply_id:
                    self._idle = False
                    await self._append()
                elif self._silent.is_set():
                    break
                else:
                    self._idle = True
                    await self._wake.wait()
                    self._wake.clear()
            await self._end()
        except LostReplyError:
            self.lost = True
            self._abandon(ServiceCode.NOT_WAITING, "another server is at work on the reply")
        except DuplicateReplyError:
            await self._join()
        except LogDownError as error:
            logger.warning("reply %s: %s", self._writer.reply_id or "?", error)
            self._abandon(ServiceCode.UNAVAILABLE, "the event log does not answer; try again")
        except Exception:
            logger.exception("reply %s: the event log failed", self._writer.reply_id or "?")
            self._abandon(ServiceCode.INTERNAL, "the event log cannot be written")
        finally:
            if self._lonely is not None:
                self._lonely.cancel()
            self._tell()
            if not self.started.done():
                self.started.set_exception(self.failure or self._nothing())

    def _nothing(self) -> ServiceError:
        """Why it ends before its first event."""
        if self._drained:
            return ServiceError(
                ServiceCode.DRAINING, "the server is about to stop; try again, at another"
            )
        return ServiceError(ServiceCode.AGENT_FAILED, "the agent yielded no event")

    async def _join(self) -> None:
        """There is a reply of this name already.  It may be that of the very request, which was
        sent again here, while what its first server had put into the log was still on the way."""
        reply_id = self._writer.reply_id
        known = await self._log.find(reply_id)
        mine = (self.record.principal, self.record.request_id)
        if known is None or mine != (known.principal, known.request_id):
            self._abandon(
                ServiceCode.AGENT_FAILED,
                f"the agent called its reply {reply_id!r}, and there is one already",
            )
            return
        self.lost = True
        self.record = known
        self._kill()
        self.started.set_result(None)

    def _abandon(self, code: ServiceCode, reason: str) -> None:
        self.failure = ServiceError(code, reason)
        self._kill()

    async def _append(self) -> None:
        if self._drained:
            self._writer.take(0)
            return
        batch = self._writer.take(self.record.last + 1)
        # Of this batch: while it goes into the log, the agent may come to its end.
        state = State.FINISHED if self._writer.ended else State.RUNNING
        self._room.set()
        if not self.record.reply_id:
            record = replace(self.record, reply_id=self._writer.reply_id)
            await self._log.create(record)
            self.record = record
        if self.record.size + len(batch.data) > self._limits.max_reply:
            self.failure = ServiceError(
                ServiceCode.TOO_LARGE,
                f"the reply has more than {self._limits.max_reply} bytes of events, "
                "which is the server's max_reply",
            )
            self._drained = True
            self._kill()
            await self._set(State.BROKEN_OFF)
            return
        await self._log.append(self.record.reply_id, self.record.owner, batch, state)
        self.record = replace(
            self.record,
            state=state,
            last=batch.last,
            last_event_id=batch.last_event_id,
            size=self.record.size + len(batch.data),
        )
        self._ring.append(batch)
        self._ring_bytes += len(batch.data)
        self._evict()
        if not self.started.done():
            self.started.set_result(None)
        self._tell()

    async def _end(self) -> None:
        """Nothing more comes from the agent: the state without a REPLY_END."""
        if self._drained or not self.record.reply_id or self.record.state.over:
            return
        if self.failure is not None and self._answers and not self._yielded:
            self.refused = True  # it would not take the answer: the reply waits as before
            await self._say(self.record.state)
            return
        state = await self._state_of(self.record.reply_id)
        if self.failure is not None and not state.waiting:
            state = State.BROKEN_OFF
        await self._set(state)

    async def _set(self, state: State) -> None:
        await self._say(state)
        if not self.started.done():
            self.started.set_result(None)

    async def _say(self, state: State) -> None:
        last = self.record.last
        nothing = Batch(last + 1, last, b"")
        await self._log.append(self.record.reply_id, self.record.owner, nothing, state)
        self.record = replace(self.record, state=state)

    def _evict(self) -> None:
        """Forget what every reader has; who comes later is given it from the log."""
        seen = min((cursor.last for cursor in self._cursors), default=self.record.last)
        furthest = max((cursor.last for cursor in self._cursors), default=self.record.last)
        while self._ring and (
            self._ring[0].last <= seen
            or (self._ring_bytes > self._limits.window and self._ring[0].last <= furthest)
        ):
            self._ring_bytes -= len(self._ring.popleft().data)

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


def _uncancel() -> bool:
    """A cancellation of the agent's task is dealt with; whether there was one."""
    task = asyncio.current_task()
    if task is None or not task.cancelling():
        return False
    task.uncancel()
    return True


async def _closed(iterator: Any) -> None:
    close = getattr(iterator, "aclose", None)
    if close is not None:
        await close()
