"""The client: streams replies, and comes back by itself when its connection is lost.

A stream that is cut is resumed behind the last event that came, at the same server or at the next,
so every event is given once.  Who leaves the loop before the reply's state has come stops the
agent, at its question too: read to the end, then answer.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from typing import Any, NamedTuple, Self

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from msgfold._generated.models import EventBase
from msgfold.errors import MsgfoldError, OnDiagnostic
from msgfold.fold import Folder
from msgfold.message import Msg, UserMsg
from msgfold.replies.auth import check_token
from msgfold.replies.batch import event_of
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.limits import MAX_MESSAGE
from msgfold.replies.log import State
from msgfold.revisions import DEFAULT_REVISION
from msgfold.rpc.settings import SERVICE, ClientTls, Retry, channel_options
from msgfold.rpc.status import error_of, is_lost
from msgfold.v1 import reply_service_pb2 as pb
from msgfold.wire.decode import parse_msg
from msgfold.wire.proto import from_proto, to_proto

_LONGEST = 1e9
"""Seconds that may be asked for; a server allows fewer."""

_LEAVING = 2.0
"""Seconds that a client who leaves waits for its word to arrive."""


class Reply(NamedTuple):
    """A reply as it is now.

    Attributes:
        msg: its events so far, folded; ``None`` before its first event.
        state: where it stands.
        last_event_id: where :meth:`ReplyClient.resume` goes on.
        session_id: its session.
    """

    msg: Msg | None
    state: State
    last_event_id: str
    session_id: str


class ReplyClient:
    """A client of ``msgfold.v1.ReplyService``.

    Args:
        targets: the server, as in ``"localhost:50051"``, or several that share an event log; the
            next one is tried when one does not answer.
        token: sent as a bearer token; needs TLS or a server on this machine.
        tls: what to trust; ``None``: no TLS.
        retry: how to come back.
        max_message: bytes of one message, either way; the server's should be the same.
        keepalive: seconds of silence after which the server is asked whether it lives.
        revision: the AgentScope release to fold as.
        on_diagnostic: receives what folding skips; without it that is logged.

    Raises:
        ValueError: one of them cannot be used.

    Example:
        >>> from msgfold.rpc import ReplyClient, confirm
        >>> async def talk():
        ...     async with ReplyClient("localhost:50051") as client:
        ...         stream = client.reply_stream("tidy up", fold=True)
        ...         async for event in stream:
        ...             print(event.type)
        ...         answer = confirm(event, True)
        ...         async for event in client.reply_stream(answer, msg=stream.msg):
        ...             print(event.type)
    """

    def __init__(
        self,
        targets: str | Sequence[str],
        *,
        token: str | None = None,
        tls: ClientTls | None = None,
        retry: Retry | None = None,
        max_message: int = MAX_MESSAGE,
        keepalive: float = 20.0,
        revision: str = DEFAULT_REVISION,
        on_diagnostic: OnDiagnostic | None = None,
    ) -> None:
        self._on_diagnostic = on_diagnostic
        self._targets = [targets] if isinstance(targets, str) else list(targets)
        if not self._targets:
            raise ValueError("no target; expected the address of a server, or several")
        if token:
            check_token(token)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._tls = tls
        self.retry = retry or Retry()
        self._options = channel_options(max_message, keepalive)
        self._revision = revision
        self._channel: grpc.aio.Channel | None = None
        self._retired: list[grpc.aio.Channel] = []
        self._streams: set[ReplyStream] = set()
        self._farewells: set[asyncio.Task[None]] = set()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave the streams that are open, and close the connection."""
        self._closed = True
        await asyncio.gather(*(stream.leave() for stream in list(self._streams)))
        if self._farewells:
            await asyncio.wait(self._farewells)
        for channel in [*self._retired, self._channel]:
            if channel is not None:
                await channel.close()
        self._channel, self._retired = None, []

    def reply_stream(
        self,
        inputs: Any,
        *,
        session_id: str = "",
        msg: Msg | None = None,
        fold: bool = False,
        linger: float | None = None,
        timeout: float | None = None,
    ) -> ReplyStream:
        """The events of a reply, up to where it waits or is over, as AgentScope's ``Agent`` has it.

        Read it to its end.  Leaving the loop while :attr:`ReplyStream.state` is ``None`` cancels
        the reply, at a ``REQUIRE_USER_CONFIRM`` too, because the state comes behind the question.
        So keep the question, let the loop end, and give the answer to the next ``reply_stream``.

        Args:
            inputs: a text, a Msg or several; or the event that answers a waiting reply.
            session_id: the session; empty: a new one.
            msg: the Msg so far of a reply that goes on; it is folded into.
            fold: fold the events into :attr:`ReplyStream.msg`.
            linger: seconds that the agent goes on while this client is cut off; the server's own
                setting is half a second.
            timeout: seconds until an error ends the stream.

        Raises:
            ServiceError: ``inputs`` or ``linger`` is none.
        """
        request = pb.StreamReplyRequest(session_id=session_id, request_id=uuid.uuid4().hex)
        reply_id = ""
        if isinstance(inputs, EventBase):
            reply_id = getattr(inputs, "reply_id", "")
            request.answer.CopyFrom(_proto(inputs, "AgentEvent"))
        else:
            given = inputs if isinstance(inputs, list) else [inputs]
            request.messages.items.extend(_proto(_msg(each), "Msg") for each in given)
            request.messages.SetInParent()
        if linger is not None:
            request.linger.CopyFrom(_duration(linger))
        return ReplyStream(
            self, request, reply_id=reply_id, folder=self._folder(msg, fold), timeout=timeout
        )

    def resume(
        self,
        reply_id: str,
        after_event_id: str = "",
        *,
        follow: bool = False,
        msg: Msg | None = None,
        fold: bool = False,
        timeout: float | None = None,
    ) -> ReplyStream:
        """The events behind one that you have, then what comes.  Leaving it stops no agent that
        somebody else listens to.

        Args:
            reply_id: which reply.
            after_event_id: the last event that you have; empty: from the beginning.
            follow: stay while the reply waits for an answer.
            msg: the Msg of what you have; it is folded into.
            fold: fold the events into :attr:`ReplyStream.msg`.
            timeout: seconds until an error ends the stream.
        """
        stream = ReplyStream(
            self, None, reply_id=reply_id, folder=self._folder(msg, fold), timeout=timeout
        )
        stream.last_event_id, stream.follow = after_event_id, follow
        return stream

    async def get(self, reply_id: str, *, timeout: float | None = 30.0) -> Reply:
        """A reply as it is now.

        Raises:
            ServiceError: there is none, or no server answers.
        """
        found = await self._ask("GetReply", pb.GetReplyRequest(reply_id=reply_id), timeout)
        response = _parsed(pb.GetReplyResponse, found)
        msg = parse_msg(from_proto(response.msg)) if response.HasField("msg") else None
        return Reply(msg, _state(response), response.last_event_id, response.session_id)

    async def cancel(self, reply_id: str, *, timeout: float | None = 30.0) -> State:
        """Stop a reply.

        Returns:
            Where it stands.

        Raises:
            ServiceError: there is none, or no server answers.
        """
        found = await self._ask("CancelReply", pb.CancelReplyRequest(reply_id=reply_id), timeout)
        return _state(_parsed(pb.CancelReplyResponse, found))

    # ------------------------------------------------------------------ for streams
    @property
    def target(self) -> str:
        """The server in use."""
        return self._targets[0]

    def next_target(self) -> None:
        """This server does not answer: try the next one."""
        if len(self._targets) > 1:
            self._targets.append(self._targets.pop(0))
            if self._channel is not None:
                self._retired.append(self._channel)  # other streams may be on it
                self._channel = None

    def call(self, method: str, request: Any, timeout: float | None) -> Any:
        """Begin a streaming call; its messages are bytes."""
        start: Any = self._connected().unary_stream(f"/{SERVICE}/{method}", _bytes_of)
        return start(request, timeout=timeout, metadata=self._metadata)

    async def _ask(self, method: str, request: Any, timeout: float | None) -> bytes:
        back = Backoff(self.retry)
        while True:
            start: Any = self._connected().unary_unary(f"/{SERVICE}/{method}", _bytes_of)
            try:
                found: bytes = await start(request, timeout=timeout, metadata=self._metadata)
                return found
            except grpc.aio.AioRpcError as error:
                if not is_lost(error) or not await back.wait():
                    raise error_of(error, self.target, request.ByteSize()) from None
                self.next_target()

    def opened(self, stream: ReplyStream) -> None:
        """A stream is under way.

        Raises:
            ServiceError: the client is closed.
        """
        self._connected()
        self._streams.add(stream)

    def say_farewell(self, reply_id: str) -> asyncio.Task[None]:
        """Stop the agent of a reply; even when whoever leaves it is in a hurry."""

        async def say() -> None:
            with suppress(ServiceError, TimeoutError):
                await asyncio.wait_for(self.cancel(reply_id, timeout=_LEAVING), _LEAVING)

        task = asyncio.create_task(say())
        self._farewells.add(task)
        task.add_done_callback(self._farewells.discard)
        return task

    def ended(self, stream: ReplyStream) -> None:
        """A stream is over."""
        self._streams.discard(stream)

    def _connected(self) -> grpc.aio.Channel:
        if self._closed and self._channel is None:
            raise _is_closed()
        if self._channel is None:
            self._channel = (
                grpc.aio.secure_channel(self.target, self._tls.credentials(), self._options)
                if self._tls
                else grpc.aio.insecure_channel(self.target, self._options)
            )
        return self._channel

    def _folder(self, msg: Msg | None, fold: bool) -> Folder | None:
        if msg is None and not fold:
            return None
        return Folder(
            revision=self._revision,
            msg=msg,
            first_only=msg is None,
            on_diagnostic=self._on_diagnostic,
        )


class Backoff:
    """Waits longer each time, until it is no use any more."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self.heard()
        self._patience = retry.first_contact

    def heard(self) -> None:
        """The server has said something."""
        self._patience = self._retry.give_up
        self._pause = self._retry.first
        self._since = time.monotonic()

    async def wait(self) -> bool:
        """Wait; false when it is time to give up."""
        if time.monotonic() - self._since > self._patience:
            return False
        # Not all clients of a server that has gone come back at the same moment.
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
        self._pause = min(self._pause * 2, self._retry.longest)
        return True


class ReplyStream:
    """The events of a reply, as models of :mod:`msgfold.event`.  Iterate over it, once.

    Attributes:
        reply_id: the reply; empty until its first event.
        last_event_id: the id of the last event that came.
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
    ) -> None:
        self._client = client
        self._request = request
        self._folder = folder
        self._until = None if timeout is None else time.monotonic() + timeout
        self.reply_id = reply_id
        self.last_event_id = ""
        self.state: State | None = None
        self.follow = False
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
        async with aclosing(self.batches()) as batches:
            async for batch in batches:
                for event in batch:
                    yield event

    async def batches(self) -> AsyncGenerator[list[Any], None]:
        """The events in lists, as they came together: quicker than one by one.

        Raises:
            ServiceError: the reply broke off, was refused, or no server answers any more.
            MsgfoldError: the server sent what is no event.
        """
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
                raise _is_closed() from None  # the client was closed: the call, not the task
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
                f"reply {self.reply_id!r} broke off behind event {self.last_event_id!r}: no "
                "REPLY_END came, and nobody goes on with it",
            )

    def _next_call(self) -> tuple[str, Any]:
        """What to ask for: the whole at first, then what is missing."""
        if self._request is not None and not self.last_event_id:
            return "StreamReply", self._request
        return "ResumeReply", pb.ResumeReplyRequest(
            reply_id=self.reply_id, after_event_id=self.last_event_id, follow=self.follow
        )

    def _taken(self, data: bytes) -> list[Any]:
        self._heard = True
        response = _parsed(pb.StreamReplyResponse, data)
        batch = [event_of(message) for message in response.events]
        if response.events:
            self.last_event_id = response.events[-1].id
            self.reply_id = self.reply_id or next(
                (message.reply_id for message in response.events if message.reply_id), ""
            )
        if self._folder is not None:
            for event in batch:
                self._folder.feed(event)
        if response.state:
            self.state = _state(response)
        return batch

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
        await asyncio.wait([self._client.say_farewell(self.reply_id)], timeout=_LEAVING)


def _is_closed() -> ServiceError:
    return ServiceError(ServiceCode.UNAVAILABLE, "the client is closed")


def _msg(given: Any) -> Msg:
    if isinstance(given, str):
        return UserMsg("user", given)
    if isinstance(given, Msg):
        return given
    raise ServiceError(
        ServiceCode.INVALID_REQUEST,
        f"a {type(given).__module__}.{type(given).__qualname__} is no input; expected a text, a "
        "msgfold Msg or a list of them, or the event that is an answer",
    )


def _duration(seconds: float) -> Duration:
    if not seconds >= 0:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, f"linger is {seconds}; expected seconds", pointer="/linger"
        )
    seconds = min(seconds, _LONGEST)
    return Duration(nanos=round(seconds % 1 * 1e9) % 10**9, seconds=int(seconds))


def _proto(model: Any, definition: str) -> Any:
    try:
        return to_proto(model.model_dump(mode="json"), definition)
    except MsgfoldError as error:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, error.reason, pointer=error.place.pointer
        ) from None


def _parsed(kind: Any, data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise _no_server(f"bytes that are no {kind.DESCRIPTOR.name}: {error}") from None


def _state(response: Any) -> State:
    try:
        return State(response.state)
    except ValueError:
        raise _no_server(f"a state that this version does not know, {response.state}") from None


def _no_server(what: str) -> ServiceError:
    return ServiceError(
        ServiceCode.INTERNAL, f"the server sent {what}; is it a msgfold server, and no newer one?"
    )


def _bytes_of(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data
