"""The client: streams replies, and comes back by itself when its connection is lost."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

import grpc

from msgfold._generated.models import EventBase
from msgfold.errors import OnDiagnostic
from msgfold.fold import Folder
from msgfold.message import Msg
from msgfold.replies.auth import check_token
from msgfold.replies.errors import ServiceError
from msgfold.replies.limits import MAX_MESSAGE
from msgfold.replies.log import State
from msgfold.revisions import DEFAULT_REVISION
from msgfold.rpc.backoff import Backoff
from msgfold.rpc.messages import closed, duration_of, msg_of, parsed, proto_of, state_of
from msgfold.rpc.settings import SERVICE, ClientTls, Retry, channel_options
from msgfold.rpc.status import error_of, is_lost
from msgfold.rpc.stream import LEAVING, ReplyStream
from msgfold.v1 import reply_service_pb2 as pb
from msgfold.wire.decode import parse_msg
from msgfold.wire.proto import from_proto


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
            request.answer.CopyFrom(proto_of(inputs, "AgentEvent"))
        else:
            given = inputs if isinstance(inputs, list) else [inputs]
            request.messages.items.extend(proto_of(msg_of(each), "Msg") for each in given)
            request.messages.SetInParent()
        if linger is not None:
            request.linger.CopyFrom(duration_of(linger))
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
        return ReplyStream(
            self,
            None,
            reply_id=reply_id,
            after=after_event_id,
            follow=follow,
            folder=self._folder(msg, fold),
            timeout=timeout,
        )

    async def get(self, reply_id: str, *, timeout: float | None = 30.0) -> Reply:
        """A reply as it is now.

        Raises:
            ServiceError: there is none, or no server answers.
        """
        found = await self._ask("GetReply", pb.GetReplyRequest(reply_id=reply_id), timeout)
        response = parsed(pb.GetReplyResponse, found)
        msg = parse_msg(from_proto(response.msg)) if response.HasField("msg") else None
        return Reply(msg, state_of(response), response.last_event_id, response.session_id)

    async def cancel(self, reply_id: str, *, timeout: float | None = 30.0) -> State:
        """Stop a reply.

        Returns:
            Where it stands.

        Raises:
            ServiceError: there is none, or no server answers.
        """
        found = await self._ask("CancelReply", pb.CancelReplyRequest(reply_id=reply_id), timeout)
        return state_of(parsed(pb.CancelReplyResponse, found))

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
                await asyncio.wait_for(self.cancel(reply_id, timeout=LEAVING), LEAVING)

        task = asyncio.create_task(say())
        self._farewells.add(task)
        task.add_done_callback(self._farewells.discard)
        return task

    def ended(self, stream: ReplyStream) -> None:
        """A stream is over."""
        self._streams.discard(stream)

    def _connected(self) -> grpc.aio.Channel:
        if self._closed and self._channel is None:
            raise closed()
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


def _bytes_of(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data
