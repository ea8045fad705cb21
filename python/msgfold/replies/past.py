"""What the log says of a reply: its events, where one of them stands, and what they fold to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from msgfold._generated.models import Msg
from msgfold.fold import Folder, ReplyStatus, status
from msgfold.replies.batch import after, events_of, located
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import Batch, EventLog, Record, State
from msgfold.wire import json
from msgfold.wire.decode import parse_msg

_EVERYTHING = 1 << 62
_STATES = {
    ReplyStatus.FINISHED: State.FINISHED,
    ReplyStatus.WAITING_CONFIRMATION: State.WAITING_CONFIRMATION,
    ReplyStatus.WAITING_EXECUTION: State.WAITING_EXECUTION,
    ReplyStatus.OPEN: State.BROKEN_OFF,
}


class Past:
    """The past of every reply.

    Args:
        log: where it is kept.
        revision: the AgentScope release whose rules fold a Msg.
    """

    def __init__(self, log: EventLog, revision: str) -> None:
        self._log = log
        self._revision = revision

    async def find(self, principal: str, reply_id: str) -> Record:
        """What is known of a reply of this principal; somebody else's does not exist.

        Raises:
            ServiceError: no such reply.
        """
        record = await self._log.find(reply_id)
        if record is None or record.principal != principal:
            raise ServiceError(
                ServiceCode.UNKNOWN_REPLY,
                f"no reply {reply_id!r}: there was none, or it ended longer ago than it is kept",
            )
        return record

    async def behind(self, reply_id: str, event_id: str) -> tuple[int, Batch | None]:
        """The number of an event, and what is left of its batch behind it.

        Raises:
            ServiceError: the reply has no such event.
        """
        place = after(await self._batches(reply_id), event_id)
        if place is None:
            raise ServiceError(
                ServiceCode.UNKNOWN_EVENT,
                f"reply {reply_id!r} has no event {event_id!r}; resume without one to read it "
                "from the beginning",
            )
        return place

    async def given(self, record: Record, answer: Any) -> int | None:
        """The number of an answer that has been given already.

        Raises:
            ServiceError: another event of the reply has its id.
        """
        found = located(await self._batches(record.reply_id), answer.id)
        if found is None:
            return None
        batch, position, events = found
        kind = str(events[position].WhichOneof("event")).upper()
        if kind != answer.type:
            raise ServiceError(
                ServiceCode.INVALID_REQUEST,
                f"event {answer.id!r} of the reply is a {kind}; an answer needs an id of its own",
                pointer="/answer/id",
            )
        return batch.first + position

    async def of(self, record: Record) -> tuple[list[Msg], list[Any]]:
        """What a reply was started with, and its events so far."""
        started = json.loads(await self._log.messages(record.reply_id))
        return [parse_msg(value) for value in started], events_of(
            await self._batches(record.reply_id)
        )

    async def msg(self, reply_id: str) -> Msg | None:
        """Its events so far, folded; ``None`` before the first."""
        batches = await self._batches(reply_id)
        return await asyncio.to_thread(_folded, batches, reply_id, self._revision)

    async def state(self, reply_id: str) -> State:
        """Where it stands when its agent has stopped (``replies.state``)."""
        msg = await self.msg(reply_id)
        return State.BROKEN_OFF if msg is None else _STATES[status(msg)]

    async def _batches(self, reply_id: str) -> list[Batch]:
        return await self._log.batches(reply_id, 0, _EVERYTHING)


def _folded(batches: Iterable[Batch], reply_id: str, revision: str) -> Msg | None:
    folder = Folder(revision=revision, errors="skip", on_diagnostic=lambda _: None)
    for event in events_of(batches):
        folder.feed(event)
    return folder.msg(reply_id)
