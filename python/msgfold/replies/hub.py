"""Which reply is where: starting, answering, resuming, cancelling; what ``rpc`` and ``http`` call.

A reply that this server's agent is writing has a :class:`~msgfold.replies.run.Run` here.  All
others are in the log, where another server may be writing them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel

from msgfold._generated.models import Msg
from msgfold.errors import InvalidMsgError, MsgfoldError
from msgfold.fold import Folder, ReplyStatus, status
from msgfold.replies.batch import after, events_of
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.limits import Limits
from msgfold.replies.log import EventLog, Record, State
from msgfold.replies.reader import Reader
from msgfold.replies.run import Run
from msgfold.replies.sessions import Session, Sessions
from msgfold.replies.source import AgentFactory, ResumableAgent
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire import json
from msgfold.wire.decode import parse_event, parse_msg

logger = logging.getLogger("msgfold.replies")

_EVERYTHING = 1 << 62
_STATES = {
    ReplyStatus.FINISHED: State.FINISHED,
    ReplyStatus.WAITING_CONFIRMATION: State.WAITING_CONFIRMATION,
    ReplyStatus.WAITING_EXECUTION: State.WAITING_EXECUTION,
    ReplyStatus.OPEN: State.BROKEN_OFF,
}
_ANSWERS = {
    "USER_CONFIRM_RESULT": State.WAITING_CONFIRMATION,
    "EXTERNAL_EXECUTION_RESULT": State.WAITING_EXECUTION,
}
INTERRUPT = "USER_INTERRUPT"


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
        self._owner = uuid.uuid4().hex
        self._sessions = Sessions(factory, self.limits)
        self._runs: dict[str, Run] = {}
        self._working: set[Run] = set()
        self._requests: dict[tuple[str, str], asyncio.Task[Run]] = {}
        self._streams: Counter[str] = Counter()
        self._taking: dict[str, asyncio.Task[None]] = {}
        self._draining = False

    async def open(self) -> None:
        """Open the log, and show that this server lives."""
        await self.log.open()
        await self._beat()
        self._heart = asyncio.create_task(self._beats())

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
        inputs = [_msg(value, position) for position, value in enumerate(messages)]
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
        if key not in self._requests:
            known = await self.log.find_request(*key) if request_id else None
            if known is not None:
                return self._reader(principal, known.reply_id, 0)
        if key not in self._requests:
            self._requests[key] = asyncio.create_task(self._begin(record, inputs, linger))
            self._requests[key].add_done_callback(self._forget_request(key))
        run = await asyncio.shield(self._requests[key])
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
        try:
            event: Any = parse_event(_plain(value))
        except MsgfoldError as error:
            raise _invalid(error, "/answer") from None
        if event.type not in {*_ANSWERS, INTERRUPT}:
            raise ServiceError(
                ServiceCode.INVALID_REQUEST,
                f"{event.type} is no answer; expected {', '.join(_ANSWERS)} or {INTERRUPT}",
                pointer="/answer/type",
            )
        record = await self.find(principal, event.reply_id)
        given = await self._place(record, event.id)
        if given is not None:  # sent again, because its stream was cut off
            return self._reader(principal, record.reply_id, given - 1)
        if event.type == INTERRUPT and record.state is State.RUNNING:
            await self._cancel(record)
            return self._reader(principal, record.reply_id, record.last)
        wanted = _ANSWERS.get(event.type)
        if not record.state.waiting or wanted not in {None, record.state}:
            raise ServiceError(
                ServiceCode.NOT_WAITING,
                f"reply {record.reply_id!r} is {record.state.name.lower()}, so it takes no "
                f"{event.type}",
            )
        session = await self._sessions.enter(principal, record.session_id, record.reply_id)
        if not await self.log.claim(record.reply_id, self._owner, record.last):
            self._sessions.leave(session)
            raise ServiceError(ServiceCode.NOT_WAITING, "somebody else has answered")
        if session.fresh and isinstance(session.agent, ResumableAgent):
            history = [*await self._history(record), event]
            begin = partial(session.agent.resume_stream, _messages(record), history)
        else:
            begin = partial(session.agent.reply_stream, event)
        record = replace(record, owner=self._owner)
        run = self._run(record, session, begin, linger, answer=event.model_dump(mode="json"))
        await self._started(run)
        return self._reader(principal, record.reply_id, record.last)

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
        place = after(await self.log.batches(reply_id, 0, _EVERYTHING), after_event_id)
        if place is None:
            raise ServiceError(
                ServiceCode.UNKNOWN_EVENT,
                f"reply {reply_id!r} has no event {after_event_id!r}; resume without one to read "
                "it from the beginning",
            )
        number, left = place
        last = number if left is None else left.last
        return self._reader(principal, reply_id, last, first=left, follow=follow)

    async def find(self, principal: str, reply_id: str) -> Record:
        """What is known of a reply of this principal; somebody else's does not exist.

        Raises:
            ServiceError: no such reply.
        """
        record = await self.log.find(reply_id)
        if record is None or record.principal != principal:
            raise ServiceError(
                ServiceCode.UNKNOWN_REPLY,
                f"no reply {reply_id!r}: there was none, or it ended longer ago than it is kept",
            )
        return record

    async def get(self, principal: str, reply_id: str) -> Snapshot:
        """The Msg so far, and what is known of the reply.

        Raises:
            ServiceError: no such reply.
        """
        record = await self.find(principal, reply_id)
        return Snapshot(record, await self._fold(reply_id))

    async def cancel(self, principal: str, reply_id: str) -> State:
        """Stop a reply.

        Returns:
            Where it stands: over, or still running, when another server has to stop it.

        Raises:
            ServiceError: no such reply.
        """
        record = await self.find(principal, reply_id)
        if record.state.waiting:
            event = {"type": INTERRUPT, "reply_id": reply_id}
            reader = await self.answer(principal, event)
            try:
                async for _ in reader.chunks():
                    pass
            finally:
                await reader.close()
        elif not record.state.over:
            await self._cancel(record)
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
        session = await self._sessions.enter(record.principal, record.session_id, record.reply_id)
        history = await self._history(record)
        agent = session.agent
        begin = (
            partial(agent.resume_stream, _messages(record), history)
            if isinstance(agent, ResumableAgent)
            else _nothing
        )
        logger.warning("reply %s: its server has died; taken over", record.reply_id)
        self._run(replace(record, owner=self._owner), session, begin, None)

    # ------------------------------------------------------------------ runs
    async def _begin(self, record: Record, inputs: list[Msg], linger: float | None) -> Run:
        self._check_replies(record.principal)
        session = await self._sessions.enter(record.principal, record.session_id)
        begin = partial(session.agent.reply_stream, inputs[0] if len(inputs) == 1 else inputs)
        return self._run(record, session, begin, linger)

    def _forget_request(self, key: tuple[str, str]) -> Callable[[asyncio.Task[Run]], None]:
        """Once its reply is in the log, or has come to nothing, a request is found there."""

        def begun(task: asyncio.Task[Run]) -> None:
            if task.cancelled() or task.exception() is not None:
                self._requests.pop(key, None)
            else:
                task.result().started.add_done_callback(lambda _: self._requests.pop(key, None))

        return begun

    def _run(
        self,
        record: Record,
        session: Session,
        begin: Callable[[], Any],
        linger: float | None,
        answer: dict[str, Any] | None = None,
    ) -> Run:
        asked = self.limits.linger if linger is None else min(linger, self.limits.max_linger)
        run = Run(record, self.log, self.limits, linger=asked, state_of=self._state_of)
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
        waiting = run.record.state.waiting and not run.lost and not run.forsaken
        if run.forsaken:
            self._sessions.forget(session)  # its agent is at work still
        self._sessions.leave(session, run.record.reply_id if waiting else None)

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

    async def _cancel(self, record: Record) -> None:
        run = self._at_work(record.reply_id)
        if run is None:
            await self.log.ask_cancel(record.reply_id)
            return
        run.cancel()
        await run.done()

    async def _state_of(self, reply_id: str) -> State:
        msg = await self._fold(reply_id)
        return State.BROKEN_OFF if msg is None else _STATES[status(msg)]

    # ------------------------------------------------------------------ the log
    async def _place(self, record: Record, event_id: str) -> int | None:
        place = after(await self.log.batches(record.reply_id, 0, _EVERYTHING), event_id)
        return place[0] if place is not None else None

    async def _history(self, record: Record) -> list[Any]:
        return events_of(await self.log.batches(record.reply_id, 0, _EVERYTHING))

    async def _fold(self, reply_id: str) -> Msg | None:
        batches = await self.log.batches(reply_id, 0, _EVERYTHING)
        return await asyncio.to_thread(_folded, batches, reply_id, self.revision)

    async def _beats(self) -> None:
        passed = 0.0
        while True:
            await asyncio.sleep(self.limits.lease / 3)
            passed += self.limits.lease / 3
            try:
                await self._beat()
                if passed > min(self.limits.retention, 60.0) / 2:
                    passed = 0.0
                    await self.log.trim(self.limits.retention)
                    self._sessions.forget_idle()
            except Exception:
                logger.exception("the event log does not answer")

    async def _beat(self) -> None:
        for reply_id in await self.log.beat(self._owner, self.limits.lease):
            if (run := self._runs.get(reply_id)) is not None:
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

    def _check_replies(self, principal: str) -> None:
        if self._sessions.busy(principal) >= self.limits.max_replies:
            raise ServiceError(
                ServiceCode.TOO_MANY_REPLIES,
                f"{self.limits.max_replies} replies are unfinished, which is the server's "
                "max_replies; answer or cancel one",
            )


def _folded(batches: Iterable[Any], reply_id: str, revision: str) -> Msg | None:
    folder = Folder(revision=revision, errors="skip", on_diagnostic=lambda _: None)
    for event in events_of(batches):
        folder.feed(event)
    return next((msg for msg in folder.msgs if msg.id == reply_id), None)


def _plain(value: Any) -> Any:
    """A model as its JSON value; everything else as it is."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _msg(value: Any, position: int) -> Msg:
    try:
        plain = _plain(value)
        if isinstance(plain, str | bytes):  # which would be read as JSON text
            raise InvalidMsgError("a text is no Msg", expected="an object with role and content")
        return parse_msg(plain)
    except MsgfoldError as error:
        raise _invalid(error, f"/messages/{position}") from None


def _invalid(error: MsgfoldError, prefix: str) -> ServiceError:
    pointer = prefix + (error.place.pointer or "")
    said = error.reason + (f"; expected {error.expected}" if error.expected else "")
    return ServiceError(
        ServiceCode.INVALID_REQUEST,
        said + (f"; got {error.got}" if error.got else ""),
        pointer=pointer,
    )


def _messages(record: Record) -> list[Msg]:
    return [parse_msg(value) for value in json.loads(record.messages)]


async def _nothing() -> Any:
    """The events of an agent that cannot go on."""
    for event in list[Any]():
        yield event
