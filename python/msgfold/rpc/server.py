"""The gRPC server: ``msgfold.v1.ReplyService`` in front of a :class:`msgfold.replies.Replies`.

What it streams was encoded when it came from the agent, and goes out as it lies in the log.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from msgfold.errors import MsgfoldError
from msgfold.replies import Replies, ServiceCode, ServiceError
from msgfold.replies.auth import ANYBODY, Tokens, refuse_open_door
from msgfold.replies.errors import told
from msgfold.replies.reader import Reader
from msgfold.rpc.settings import SERVICE, ServerTls, channel_options
from msgfold.rpc.status import abort
from msgfold.v1 import reply_service_pb2 as pb
from msgfold.wire.encode import dump
from msgfold.wire.proto import from_proto, to_proto

logger = logging.getLogger("msgfold.rpc")


class ReplyServer:
    """Serves replies over gRPC, with health checks and, where nobody needs a token, reflection.

    Args:
        replies: what to serve; opened and closed by the caller.
        address: where to listen, as in ``"127.0.0.1:50051"``; port 0 takes a free one.
        tls: a certificate; without one, only loopback is listened on.
        tokens: who may come; ``None``: anybody.
        insecure: listen beyond loopback without TLS all the same.
        keepalive: seconds of silence after which a client is asked whether it lives.

    Raises:
        ValueError: the address is not of this machine only, and there is no TLS.
    """

    def __init__(
        self,
        replies: Replies,
        address: str = "127.0.0.1:50051",
        *,
        tls: ServerTls | None = None,
        tokens: Tokens | None = None,
        insecure: bool = False,
        keepalive: float = 20.0,
    ) -> None:
        refuse_open_door(address, tls is not None, insecure)
        self._replies = replies
        self._address = address
        self._tls = tls
        self._tokens = tokens
        self._options = channel_options(replies.limits.max_message, keepalive)

    async def start(self) -> int:
        """Listen.

        Returns:
            The port.

        Raises:
            OSError: it cannot be listened there.
        """
        # Made here, because they belong to the loop that runs.
        # Two servers would share a port, and each get some of the calls.
        alone = ("grpc.so_reuseport", 0)
        self._server = grpc.aio.server(options=[*self._options, alone])
        self._health = health.aio.HealthServicer()
        self._server.add_generic_rpc_handlers((self._handlers(),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if self._tokens is None:
            names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)
        try:
            port = (
                self._server.add_secure_port(self._address, self._tls.credentials())
                if self._tls
                else self._server.add_insecure_port(self._address)
            )
        except RuntimeError as error:
            await self._server.stop(None)
            raise OSError(f"{self._address}: cannot be listened on: {error}") from None
        await self._server.start()
        for name in ("", SERVICE):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return int(port)

    async def retire(self) -> None:
        """Say that the server is about to stop to whoever asks after its health."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float = 30.0) -> None:
        """Drain: take nothing new, let replies finish for ``grace`` seconds, hand over the rest."""
        await self.retire()
        await self._replies.drain(grace)
        await self._server.stop(1.0)

    def _handlers(self) -> grpc.GenericRpcHandler:
        def streamed(do: Callable[[Any, str], Awaitable[Reader]], request: Any) -> Any:
            async def handle(sent: bytes, context: Any) -> AsyncIterator[bytes]:
                async with aclosing(self._stream(do, request, sent, context)) as chunks:
                    async for data in chunks:
                        yield data

            return grpc.unary_stream_rpc_method_handler(handle, None, None)

        def single(do: Callable[[Any, str], Awaitable[Message]], request: Any) -> Any:
            async def handle(sent: bytes, context: Any) -> Message | None:
                try:
                    principal = self._principal(context)
                    return await do(_parsed(request, sent), principal)
                except Exception as error:
                    await abort(context, _typed(error))
                return None

            return grpc.unary_unary_rpc_method_handler(
                handle, None, lambda message: message.SerializeToString()
            )

        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "StreamReply": streamed(self._start, pb.StreamReplyRequest),
                "ResumeReply": streamed(self._resume, pb.ResumeReplyRequest),
                "GetReply": single(self._get, pb.GetReplyRequest),
                "CancelReply": single(self._cancel, pb.CancelReplyRequest),
            },
        )

    async def _stream(
        self, do: Callable[[Any, str], Awaitable[Reader]], request: Any, sent: bytes, context: Any
    ) -> AsyncGenerator[bytes, None]:
        reader = None
        try:
            principal = self._principal(context)
            reader = await do(_parsed(request, sent), principal)
            async with aclosing(reader.chunks()) as chunks:
                async for chunk in chunks:
                    yield chunk.data
        except Exception as error:
            await abort(context, _typed(error))
        finally:
            if reader is not None:
                await reader.close()

    def _principal(self, context: Any) -> str:
        if self._tokens is not None:
            sent = dict(context.invocation_metadata() or ())
            return self._tokens.principal_of(sent.get("authorization"))
        if self._tls is None or self._tls.client_ca is None:
            return ANYBODY
        names = (context.auth_context() or {}).get("x509_common_name", ())
        with suppress(UnicodeDecodeError):
            if names and names[0]:
                return str(names[0].decode())
        raise ServiceError(
            ServiceCode.UNAUTHENTICATED,
            "the certificate names nobody; expected a common name in its subject",
        )

    async def _start(self, request: pb.StreamReplyRequest, principal: str) -> Reader:
        asked = request.linger  # of up to 10**19 seconds, which no timedelta holds
        linger = asked.seconds + asked.nanos / 1e9 if request.HasField("linger") else None
        if linger is not None and linger < 0:
            raise ServiceError(ServiceCode.INVALID_REQUEST, "linger is negative", pointer="/linger")
        match request.WhichOneof("input"):
            case "messages":
                messages = [
                    _json(msg, f"/messages/{position}")
                    for position, msg in enumerate(request.messages.items)
                ]
                return await self._replies.start(
                    principal,
                    messages,
                    session_id=request.session_id,
                    request_id=request.request_id,
                    linger=linger,
                )
            case "answer":
                event = _json(request.answer, "/answer")
                return await self._replies.answer(principal, event, linger=linger)
            case _:
                raise ServiceError(
                    ServiceCode.INVALID_REQUEST, "no input; expected messages or an answer"
                )

    async def _resume(self, request: pb.ResumeReplyRequest, principal: str) -> Reader:
        return await self._replies.resume(
            principal, request.reply_id, request.after_event_id, follow=request.follow
        )

    async def _get(self, request: pb.GetReplyRequest, principal: str) -> Message:
        record, msg = await self._replies.get(principal, request.reply_id)
        response = pb.GetReplyResponse(
            state=int(record.state),  # type: ignore[arg-type]
            last_event_id=record.last_event_id,
            session_id=record.session_id,
        )
        if msg is not None:
            written = dump(msg, revision=self._replies.revision)
            response.msg.CopyFrom(to_proto(written, "Msg", ignore_unknown=True))  # type: ignore[arg-type]
        size, limit = response.ByteSize(), self._replies.limits.max_message
        if size > limit:
            raise ServiceError(
                ServiceCode.TOO_LARGE,
                f"the Msg is {size} bytes, and the server sends at most {limit}: its max_message "
                "must be larger, and the client's too; or read the events and fold them",
            )
        return response

    async def _cancel(self, request: pb.CancelReplyRequest, principal: str) -> Message:
        state = await self._replies.cancel(principal, request.reply_id)
        return pb.CancelReplyResponse(state=int(state))  # type: ignore[arg-type]


def _typed(error: Exception) -> ServiceError:
    """What a client is told; gRPC itself would tell it the words of any exception."""
    if (known := told(error)) is not None:
        return known
    logger.error("a call failed", exc_info=error)
    return ServiceError(ServiceCode.INTERNAL, "a fault of the server's; its log has more")


def _parsed(request: Any, sent: bytes) -> Any:
    """A request; gRPC itself would make of a wrong one an error of the server's."""
    try:
        return request.FromString(sent)
    except DecodeError as error:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, f"no {request.DESCRIPTOR.name}: {error}"
        ) from None


def _json(message: Message, pointer: str) -> dict[str, Any]:
    try:
        return from_proto(message)
    except MsgfoldError as error:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, error.reason, pointer=pointer + (error.place.pointer or "")
        ) from None
