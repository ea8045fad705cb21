"""Replies over gRPC: the server and the client of ``msgfold.v1.ReplyService``.

::

    from msgfold.rpc import ReplyClient

    async with ReplyClient("localhost:50051") as client:
        async for event in client.reply_stream("hello"):
            print(event.type)

Needs the extra ``msgfold[rpc]``.  The rules are in ``docs/spec/replies.md``.
"""

from __future__ import annotations

try:
    import grpc  # noqa: F401
except ImportError as error:  # pragma: no cover  (an installation without the extra)
    raise ImportError("msgfold.rpc needs gRPC: pip install 'msgfold[rpc]'") from error

from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import State
from msgfold.rpc.answers import confirm, executed, interrupt
from msgfold.rpc.client import Reply, ReplyClient
from msgfold.rpc.server import ReplyServer
from msgfold.rpc.settings import ClientTls, Retry, ServerTls
from msgfold.rpc.stream import ReplyStream
from msgfold.rpc.sync import SyncReplyClient

__all__ = [
    "ClientTls",
    "Reply",
    "ReplyClient",
    "ReplyServer",
    "ReplyStream",
    "Retry",
    "ServerTls",
    "ServiceCode",
    "ServiceError",
    "State",
    "SyncReplyClient",
    "confirm",
    "executed",
    "interrupt",
]
