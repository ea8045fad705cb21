"""The events of one reply, over as many connections as it takes.

A stream that is cut is resumed behind the last event that came, at the same server or at the next,
so every event is given once.  Who leaves the loop before the reply's state has come stops the
agent, at its question too: read to the end, then answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import grpc

from msgfold.fold import Folder
from msgfold.message import Msg
from msgfold.replies.batch import event_of
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import State
from msgfold.rpc.backoff import Backoff
from msgfold.rpc.messages import closed, parsed, state_of
from msgfold.rpc.status import error_of, is_lost
from msgfold.v1 import reply_service_pb2 as pb

if TYPE_CHECKING:
    from msgfold.rpc.client import ReplyClient

LEAVING = 2.0
"""Seconds that a client who leaves waits for its word to arrive."""


class ReplyStream:
    """The events of a reply, as models of :mod:`msgfold.event`.  Iterate over it, once.

    Attributes:
        reply_id: the reply; empty until its first event.
        last_event_id: the id of the event in hand, of the last one in a batch: where
            :meth:`ReplyClient.resume` goes on.
        state: where the reply stands; ``None`` while it streams.
        follow: stay while the reply waits for an answer.
        reconnects: how often the connection was lost.
    """

    def __init__(
        self,
        client: ReplyClient,
        request: pb.StreamReplyRequest | None,
        *,
        reply_id: str,
        folder: Folder | None,
        timeout: float | None,
        after: str = "",
        follow: bool = False,
    ) -> None:
        self._client = client
        self._request = request
        self._folder = folder
        self._until = None if timeout is None else time.monotonic() + timeout
        self.reply_id = reply_id
        self.last_event_id = self._received = after
        self.state: State | None = None
        self.follow = follow
        self.reconnects = 0
        self._heard = False
        self._leaving = True
        self._left_already = False
        self._call: Any = None

    @property
    def msg(self) -> Msg | None:
        """The Msg so far, when folding was asked for."""
        return next(iter(self._folder.msgs), None) if self._folder else None

    async def __aiter__(self) -> AsyncIterator[Any]:
        async with aclosing(self._left_properly()) as batches:
            async for batch in batches:
                for event in batch:
                    self._give(event)
                    yield event

    async def batches(self) -> AsyncGenerator[list[Any], None]:
        """The events in lists, as they came together: quicker than one by one.

        Raises:
            ServiceError: the reply broke off, was refused, or no server answers any more.
            MsgfoldError: the server sent what is no event.
        """
        async with aclosing(self._left_properly()) as batches:
            async for batch in batches:
                for event in batch:
                    self._give(event)
                yield batch

    async def _left_properly(self) -> AsyncGenerator[list[Any], None]:
        """The batches; whoever started the reply and leaves it stops its agent."""
        self._client.opened(self)
        try:
            async with aclosing(self._batches()) as batches:
                async for batch in batches:
                    yield batch
        except ServiceError:
            # Who was refused has started nothing: the reply waits for a better answer.
            self._leaving = self._heard
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._left_already and not (task and task.cancelling()):
                raise closed() from None  # the client was closed: the call, not the task
            raise
        finally:
            await self.leave()
            self._client.ended(self)

    async def _batches(self) -> AsyncGenerator[list[Any], None]:
        back = Backoff(self._client.retry)
        while True:
            method, request = self._next_call()
            self._call = call = self._client.call(method, request, self._left())
            try:
                async for data in call:
                    back.heard()
                    batch = self._taken(data)
                    if batch:
                        yield batch
                if self.state is not None:
                    break
                lost = None
            except grpc.aio.AioRpcError as error:
                lost = error
                if not is_lost(error):
                    raise error_of(error, self._client.target, request.ByteSize()) from None
            finally:
                call.cancel()
            self.reconnects += 1
            if not await back.wait():
                if lost is None:
                    raise ServiceError(ServiceCode.UNAVAILABLE, "the stream ends without a state")
                raise error_of(lost, self._client.target) from None
            self._client.next_target()
        if self.state is State.BROKEN_OFF:
            raise ServiceError(
                ServiceCode.BROKEN_OFF,
                f"reply {self.reply_id!r} broke off behind event {self._received!r}: no "
                "REPLY_END came, and nobody goes on with it",
            )

    def _next_call(self) -> tuple[str, Any]:
        """What to ask for: the whole at first, then what is missing."""
        if self._request is not None and not self._received:
            return "StreamReply", self._request
        return "ResumeReply", pb.ResumeReplyRequest(
            reply_id=self.reply_id, after_event_id=self._received, follow=self.follow
        )

    def _taken(self, data: bytes) -> list[Any]:
        self._heard = True
        response = parsed(pb.StreamReplyResponse, data)
        batch = [event_of(message) for message in response.events]
        if response.events:
            self._received = response.events[-1].id
            self.reply_id = self.reply_id or next(
                (message.reply_id for message in response.events if message.reply_id), ""
            )
        if response.state:
            self.state = state_of(response)
        return batch

    def _give(self, event: Any) -> None:
        """An event is given out: what came with it and was not is still to come."""
        self.last_event_id = event.id
        if self._folder is not None:
            self._folder.feed(event)

    def _left(self) -> float | None:
        if self._until is None:
            return None
        return max(0.001, self._until - time.monotonic())

    async def leave(self) -> None:
        """Read no more.  Whoever started the reply leaves it: nobody needs the agent any more."""
        if self._left_already:
            return
        self._left_already = True
        if self._call is not None:
            self._call.cancel()
        if self.state is not None or not self._leaving:
            return
        if self._request is None or not self.reply_id:
            return
        await asyncio.wait([self._client.say_farewell(self.reply_id)], timeout=LEAVING)
