"""Service errors as gRPC statuses, and back.

A status carries a ``google.rpc.ErrorInfo`` with the domain ``msgfold`` and our code as its reason,
as gRPC's richer error model has it, so that a client in any language can tell our errors apart.
"""

from __future__ import annotations

import re
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from msgfold.replies.errors import ON_THE_WIRE, ServiceCode, ServiceError

DOMAIN = "msgfold"
_DETAILS = "grpc-status-details-bin"
_LARGER = re.compile(r"(Sent|Received) message larger than max \((\d+) vs\. (\d+)\)")


async def abort(context: Any, error: ServiceError) -> None:
    """End a call with an error."""
    code = grpc.StatusCode[ON_THE_WIRE[error.code].grpc]
    info = error_details_pb2.ErrorInfo(reason=error.code, domain=DOMAIN)
    if error.pointer:
        info.metadata["pointer"] = error.pointer
    status = status_pb2.Status(code=code.value[0], message=error.reason)
    status.details.add().Pack(info)
    await context.abort(code, error.reason, ((_DETAILS, status.SerializeToString()),))


def error_of(error: grpc.aio.AioRpcError, target: str, sent: int = 0) -> ServiceError:
    """What a call that failed means to its caller.

    Args:
        error: as gRPC raised it.
        target: which server.
        sent: bytes of the request, to tell whose limit a message has passed.
    """
    code, said = error.code(), error.details() or ""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS:
            found = _ours(value, said)
            if found is not None:
                return found
    larger = _LARGER.search(said)
    if larger is not None:
        way, size, limit = larger[1], int(larger[2]), larger[3]
        whose = "the client's" if way == "Sent" or size != sent else "the server's"
        return ServiceError(
            ServiceCode.TOO_LARGE,
            f"a message of {size} bytes passes {whose} max_message of {limit}; make it larger "
            "there, and on the other side too",
        )
    match code:
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return ServiceError(ServiceCode.DEADLINE, "the timeout that was set is over")
        case grpc.StatusCode.UNAVAILABLE:
            return ServiceError(ServiceCode.UNAVAILABLE, f"no server answers at {target}: {said}")
        case _:
            return ServiceError(
                ServiceCode.INTERNAL, f"{target} ended the call with {code.name}: {said}"
            )


def is_lost(error: grpc.aio.AioRpcError) -> bool:
    """Whether the connection was lost, or the server has gone, so that coming back helps."""
    if any(key == _DETAILS for key, _ in error.trailing_metadata() or ()):
        return error.code() is grpc.StatusCode.UNAVAILABLE
    said = error.details() or ""
    return error.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED} or (
        error.code() in {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
        and any(word in said for word in ("RST_STREAM", "Stream removed", "GOAWAY"))
    )


def _ours(data: Any, said: str) -> ServiceError | None:
    status = status_pb2.Status.FromString(data)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
        if detail.Unpack(info) and info.domain == DOMAIN and info.reason in set(ServiceCode):
            pointer = info.metadata.get("pointer")
            return ServiceError(ServiceCode(info.reason), status.message or said, pointer=pointer)
    return None
