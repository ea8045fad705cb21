"""Which reply is where: starting, answering, resuming, cancelling; what ``rpc`` and ``http`` call.

A reply that this server's agent is writing has a :class:`~msgfold.replies.run.Run` here.  All
others are in the log, where another server may be writing them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from msgfold._generated.models import Msg
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.heart import beats
from msgfold.replies.inputs import ANSWERS, INTERRUPT, answer_of, msg_of
from msgfold.replies.limits import Limits
from msgfold.replies.log import Batch, EventLog, Record, State
from msgfold.replies.past import Past
from msgfold.replies.reader import Reader
from msgfold.replies.run import FIRST_CONTACT, Run
from msgfold.replies.sessions import Session, Sessions
from msgfold.replies.source import AgentFactory, ResumableAgent, nobody
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire import json

logger = logging.getLogger("msgfold.replies")


class Snapshot(NamedTuple):
    """A reply as it is now."""

    record: Record
    msg: Msg | None


class Replies:
    """Every reply that this server serves.

    Args:
        factory: session id to agent.
        log: where events are kept.
        limits: what is allowed.
        revision: the AgentScope release whose rules fold a Msg.

    Attributes:
        limits: as given.
        log: as given.
    """

    def __init__(
        self,
        factory: AgentFactory,
        log: EventLog,
        *,
        limits: Limits | None = None,
        revision: str = DEFAULT_REVISION,
    ) -> None:
        self.limits = limits or Limits()
        self.log = log
        self.revision = revision
        self._past = Past(log, revision)
        self._owner = uuid.uuid4().hex
        self._sessions = Sessions(factory, self.limits)
        self._runs: dict[str, Run] = {}
        self._working: set[Run] = set()
        self._beginning: dict[tuple[str, ...], asyncio.Task[Run | None]] = {}
        self._streams: Counter[str] = Counter()
        self._taking: dict[str, asyncio.Task[None]] = {}
        self._draining = False

    async def open(self) -> None:
        """Open the log, and show that this server lives."""
        await self.log.open()
        await self._beat()
        self._heart = asyncio.create_task(beats(self._beat, self.log, self._sessions, self.limits))

    @property
    def draining(self) -> bool:
        """Whether nothing new is taken."""
        return self._draining

    async def drain(self, grace: float = 0.0) -> None:
        """Take no more; let replies finish for ``grace`` seconds, and hand the others over."""
        self._draining = True
        working = [asyncio.create_task(run.done()) for run in self._working]
        if working and grace > 0:
            await asyncio.wait(working, timeout=grace)
        for run in list(self._working):
            await run.hand_over()
        for task in working:
            task.cancel()

    async def close(self) -> None:
        """Stop: what is at work is handed over."""
        await self.drain()
        self._heart.cancel()
        with contextlib.suppress(Exception):
            await self.log.release(self._owner)
        await self.log.close()

    # ------------------------------------------------------------------ what callers ask for
    async def start(
        self,
        principal: str,
        messages: list[Any],
        *,
        session_id: str = "",
        request_id: str = "",
        linger: float | None = None,
    ) -> Reader:
        """Start a reply.

        Args:
            principal: who asks.
            messages: JSON values of Msgs, or models.
            session_id: the session; empty: a new one.
            request_id: what the caller calls this request; one that is sent again joins the first.
            linger: seconds that the agent goes on when nobody listens.

        Returns:
            A reader from the first event on; the reply's id is known.

        Raises:
            ServiceError: it does not start.
        """
        self.refuse_when_draining()
        inputs = [msg_of(value, position) for position, value in enumerate(messages)]
        if not inputs:
            raise ServiceError(
                ServiceCode.INVALID_REQUEST, "no message to reply to", pointer="/messages"
            )
        record = Record(
            reply_id="",
            session_id=session_id or uuid.uuid4().hex,
            principal=principal,
            request_id=request_id or uuid.uuid4().hex,
            messages=json.dumps([msg.model_dump(mode="json") for msg in inputs]),
            owner=self._owner,
        )
        key = (principal, record.request_id)
        if key not in self._beginning:
            known = await self.log.find_request(*key) if request_id else None
            if known is not None:
                return self._reader(principal, known.reply_id, 0)
        run = await self._once(key, lambda: self._begin(record, inputs, linger, bool(session_id)))
        assert run is not None
        await self._started(run)
        return self._reader(principal, run.record.reply_id, 0)

    async def answer(self, principal: str, value: Any, *, linger: float | None = None) -> Reader:
        """Give a reply the answer that it waits for, or interrupt it.

        Args:
            principal: who answers.
            value: the JSON value of the event, or a model.
            linger: as for :meth:`start`.

        Returns:
            A reader from the answer on.

        Raises:
            ServiceError: no such reply, or it does not wait for this.
        """
        self.refuse_when_draining()
        event = answer_of(value)
        soon = time.monotonic() + self.limits.cancel_grace
        while True:
            record = await self.find(principal, event.reply_id)
            given = await self._past.given(record, event)
            if given is not None:  # sent again, because its stream was cut off
                return self._reader(principal, record.reply_id, given - 1)
            key = ("an answer", record.reply_id, event.id)
            if key not in self._beginning:
                if event.type == INTERRUPT and await self._is_running(record):
                    await self._cancel(record)
                    return self._reader(principal, record.reply_id, record.last)
                wanted = ANSWERS.get(event.type)
                if (
                    record.state is State.RUNNING
                    and (patience := soon - time.monotonic()) > 0
                    and await self._past.state(record.reply_id) is wanted
                ):  # whoever reads along is quicker than the agent, which has asked and is to stop
                    await self.log.changed(record, patience)
                    continue
                if not record.state.waiting or wanted not in {None, record.state}:
                    raise ServiceError(
                        ServiceCode.NOT_WAITING,
                        f"reply {record.reply_id!r} is {record.state.name.lower()}, so it takes "
                        f"no {event.type}",
                    )
            run = await self._once(key, partial(self._go_on, record, event, linger))
            if run is not None:
                await self._started(run)
                return self._reader(principal, record.reply_id, run.before)
            # Another server has been given an answer, perhaps this one: it is about to say so.
            await self.log.changed(record, self.limits.lease / 2)

    async def resume(
        self, principal: str, reply_id: str, after_event_id: str = "", *, follow: bool = False
    ) -> Reader:
        """Read a reply from behind an event on.

        Raises:
            ServiceError: no such reply, or it has no such event.
        """
        record = await self.find(principal, reply_id)
        if not after_event_id:
            return self._reader(principal, reply_id, 0, follow=follow)
        if after_event_id == record.last_event_id:
            return self._reader(principal, reply_id, record.last, follow=follow)
        number, left = await self._past.behind(reply_id, after_event_id)
        last = number if left is None else left.last
        return self._reader(principal, reply_id, last, first=left, follow=follow)

    async def find(self, principal: str, reply_id: str) -> Record:
        """What is known of a reply of this principal; somebody else's does not exist.

        Raises:
            ServiceError: no such reply.
        """
        return await self._past.find(principal, reply_id)

    async def get(self, principal: str, reply_id: str) -> Snapshot:
        """The Msg so far, and what is known of the reply.

        Raises:
            ServiceError: no such reply.
        """
        record = await self.find(principal, reply_id)
        return Snapshot(record, await self._past.msg(reply_id))

    async def cancel(self, principal: str, reply_id: str) -> State:
        """Stop a reply.

        Returns:
            Where it stands: over, or still running, when another server has to stop it.

        Raises:
            ServiceError: no such reply.
        """
        record = await self.find(principal, reply_id)
        if await self._is_running(record):
            await self._cancel(record)
            # Its agent may have asked, and stopped, just before.
            record = await self.find(principal, reply_id)
        if record.state.waiting and not await self._is_running(record):
            await self._interrupt(record)
        return (await self.find(principal, reply_id)).state

    # ------------------------------------------------------------------ what readers ask for
    def run_of(self, reply_id: str) -> Run | None:
        """This server's agent at work on a reply."""
        return self._runs.get(reply_id)

    def is_mine(self, record: Record) -> bool:
        """Whether this server should be at work on a reply, and is not."""
        return record.owner == self._owner and self._at_work(record.reply_id) is None

    def closed(self, reader: Reader) -> None:
        """A reader has gone."""
        self._streams[reader.principal] -= 1

    def refuse_when_draining(self) -> None:
        """Take nothing new when the server is about to stop."""
        if self._draining:
            raise ServiceError(
                ServiceCode.DRAINING, "the server is about to stop; resume, here or at another"
            )

    async def take_over(self, record: Record) -> None:
        """Go on with a reply whose server has died, or say that it broke off."""
        task = self._taking.get(record.reply_id)
        if task is None:
            task = self._taking[record.reply_id] = asyncio.create_task(self._take(record))
            task.add_done_callback(lambda _: self._taking.pop(record.reply_id))
        await asyncio.shield(task)

    async def _take(self, record: Record) -> None:
        if not await self.log.claim(record.reply_id, self._owner, record.last):
            return  # somebody was quicker
        async with self._entered(record) as session:
            messages, history = await self._past.of(record)
            agent = session.agent
            begin = (
                partial(agent.resume_stream, messages, history)
                if isinstance(agent, ResumableAgent)
                else nobody
            )
            logger.warning("reply %s: its server has died; taken over", record.reply_id)
            self._run(replace(record, owner=self._owner), session, begin, None)

    # ------------------------------------------------------------------ runs
    async def _begin(
        self, record: Record, inputs: list[Msg], linger: float | None, named: bool
    ) -> Run:
        self._sessions.check_count(record.principal)
        if named:
            await self._check_session(record.principal, record.session_id)
        async with self._entered(record) as session:
            self._sessions.check_count(
                record.principal, counted=1
            )  # many may have come in together
            begin = partial(session.agent.reply_stream, inputs[0] if len(inputs) == 1 else inputs)
            return self._run(record, session, begin, linger)

    async def _go_on(self, record: Record, event: Any, linger: float | None) -> Run | None:
        """Set the agent of a waiting reply to work on an answer; ``None``: it is not ours to."""
        async with self._entered(record) as session:
            if not await self.log.claim(record.reply_id, self._owner, record.last):
                self._sessions.leave(session)
                self._sessions.forget(session)
                return None
            if session.fresh and isinstance(session.agent, ResumableAgent):
                messages, history = await self._past.of(record)
                history.append(event)
                begin = partial(session.agent.resume_stream, messages, history)
            else:
                begin = partial(session.agent.reply_stream, event)
            answer = event.model_dump(mode="json")
            return self._run(
                replace(record, owner=self._owner), session, begin, linger, answer=answer
            )

    @contextlib.asynccontextmanager
    async def _entered(self, record: Record) -> AsyncGenerator[Session, None]:
        """The session of a reply, entered for a run; left again when it comes to none."""
        session = await self._sessions.enter(
            record.principal, record.session_id, record.reply_id, record.last
        )
        try:
            yield session
        except BaseException:
            self._sessions.leave(session)
            self._sessions.forget(session)
            raise

    async def _once(
        self, key: tuple[str, ...], begin: Callable[[], Coroutine[Any, Any, Run | None]]
    ) -> Run | None:
        """Begin a run, or wait for whoever is beginning it; who leaves leaves nothing half done."""
        if key not in self._beginning:
            self._beginning[key] = asyncio.create_task(begin())
            self._beginning[key].add_done_callback(self._begun(key))
        return await asyncio.shield(self._beginning[key])

    def _begun(self, key: tuple[str, ...]) -> Callable[[asyncio.Task[Run | None]], None]:
        """Once it is in the log, or has come to nothing, it is found there."""

        def begun(task: asyncio.Task[Run | None]) -> None:
            if task.cancelled() or task.exception() is not None or (run := task.result()) is None:
                self._beginning.pop(key, None)
            else:
                run.started.add_done_callback(lambda _: self._beginning.pop(key, None))

        return begun

    async def _check_session(self, principal: str, session_id: str) -> None:
        """See that nothing of a session is unfinished, here or at another server."""
        record = await self.log.unfinished(principal, session_id)
        if record is not None and record.state is State.RUNNING and await self._is_orphan(record):
            await self.take_over(record)
            if (run := self._at_work(record.reply_id)) is not None:
                # Unless somebody comes to read it, it is stopped, as every agent is.
                alone = max(self.limits.linger, FIRST_CONTACT) + self.limits.cancel_grace
                await asyncio.wait([asyncio.ensure_future(run.done())], timeout=alone)
            record = await self.log.unfinished(principal, session_id)
        if record is None:
            await self._sessions.over(principal, session_id)  # it was answered elsewhere
            return
        what = "waits for an answer about" if record.state.waiting else "is at work on"
        raise ServiceError(
            ServiceCode.SESSION_BUSY,
            f"session {session_id!r} {what} reply {record.reply_id!r}; "
            f"{'answer' if record.state.waiting else 'wait for'} it, or cancel it",
        )

    def _run(
        self,
        record: Record,
        session: Session,
        begin: Callable[[], Any],
        linger: float | None,
        answer: dict[str, Any] | None = None,
    ) -> Run:
        asked = self.limits.linger if linger is None else min(linger, self.limits.max_linger)
        run = Run(record, self.log, self.limits, linger=asked, state_of=self._past.state)
        self._working.add(run)
        run.start(begin, answer=answer)
        if record.reply_id:
            self._runs[record.reply_id] = run
        session.run, session.task = run, asyncio.create_task(self._settle(run, session))
        return run

    async def _settle(self, run: Run, session: Session) -> None:
        """Put a run into the table once it has a name, and take it out when it is over."""
        with contextlib.suppress(ServiceError):
            await asyncio.shield(run.started)
            self._enlist(run)
        await run.done()
        if self._runs.get(run.record.reply_id) is run:
            del self._runs[run.record.reply_id]
        self._working.discard(run)
        # An agent that is at work still, or has read up on a reply and then refused an answer:
        # nobody knows what it knows.
        spoilt = run.forsaken or (run.refused and session.fresh)
        waiting = run.record.state.waiting and not run.lost and not spoilt
        if spoilt:
            self._sessions.forget(session)
        self._sessions.leave(session, run.record if waiting else None)

    async def _started(self, run: Run) -> None:
        """Wait for a run's first events; who leaves before stops it."""
        cursor = run.attach(run.record.last)
        try:
            await asyncio.shield(run.started)
        finally:
            # The reader that follows attaches before the countdown has run out.
            run.detach(cursor)
        self._enlist(run)

    def _enlist(self, run: Run) -> None:
        if not run.lost:
            self._runs.setdefault(run.record.reply_id, run)

    def _at_work(self, reply_id: str) -> Run | None:
        """The run of a reply, which the log may know before the table does."""
        return self._runs.get(reply_id) or next(
            (run for run in self._working if run.reply_id == reply_id), None
        )

    async def _is_orphan(self, record: Record) -> bool:
        """Whether no server is at work on a reply that should be worked on."""
        return self.is_mine(record) or not await self.log.lives(record.owner)

    async def _is_running(self, record: Record) -> bool:
        """Whether an agent is at work, or should be: also on an answer that is not yet in the log,
        while the reply looks as if it waited."""
        if not record.state.waiting:
            return record.state is State.RUNNING
        run = self._at_work(record.reply_id)
        if run is not None:
            return not run.ending
        return bool(record.owner) and not await self._is_orphan(record)

    async def _cancel(self, record: Record) -> None:
        if self._at_work(record.reply_id) is None and await self._is_orphan(record):
            await self.take_over(record)
        run = self._at_work(record.reply_id)
        if run is None:
            await self.log.ask_cancel(record.reply_id)
            return
        run.cancel()
        await run.done()

    async def _interrupt(self, record: Record) -> None:
        """Stop a waiting reply; one whose agent takes no interrupt would wait for ever."""
        try:
            event = {"type": INTERRUPT, "reply_id": record.reply_id}
            reader = await self.answer(record.principal, event)
        except ServiceError as error:
            if error.code not in {ServiceCode.AGENT_REFUSED, ServiceCode.AGENT_FAILED}:
                raise
            if await self.log.claim(record.reply_id, self._owner, record.last):
                nothing = Batch(record.last + 1, record.last, b"")
                await self.log.append(record.reply_id, self._owner, nothing, State.BROKEN_OFF)
                await self._sessions.over(record.principal, record.session_id)
            return
        async with contextlib.aclosing(reader.chunks()) as chunks:
            try:
                async for _ in chunks:
                    pass
            finally:
                await reader.close()

    # ------------------------------------------------------------------ the lease
    async def _beat(self) -> None:
        for reply_id in await self.log.beat(self._owner, self.limits.lease):
            if (run := self._at_work(reply_id)) is not None:
                run.cancel()

    # ------------------------------------------------------------------ limits
    def _reader(self, principal: str, reply_id: str, last: int, **more: Any) -> Reader:
        if self._streams[principal] >= self.limits.max_streams:
            raise ServiceError(
                ServiceCode.TOO_MANY_STREAMS,
                f"{self.limits.max_streams} streams are open, which is the server's max_streams; "
                "close one",
            )
        self._streams[principal] += 1
        return Reader(self, reply_id, last, principal=principal, **more)
