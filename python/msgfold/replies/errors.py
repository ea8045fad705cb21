"""What can go wrong between a client and a reply, and what it is called on each wire."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgfold.replies.log import LogDownError


class ServiceCode(StrEnum):
    """Every code of the service.  A code is the reason in gRPC and ``error.code`` in HTTP."""

    INVALID_REQUEST = "invalid_request"
    """The request is not one; the message leads to the fault."""
    UNAUTHENTICATED = "unauthenticated"
    """No token, or one that nobody has."""
    UNKNOWN_REPLY = "unknown_reply"
    """No such reply, it is no longer kept, or it is somebody else's."""
    UNKNOWN_EVENT = "unknown_event"
    """The reply has no event with the id to go on after."""
    NOT_WAITING = "not_waiting"
    """An answer to a reply that does not wait for it."""
    SESSION_BUSY = "session_busy"
    """The session's agent is at work on another reply, or waits for an answer about it."""
    TOO_MANY_REPLIES = "too_many_replies"
    """The caller has as many unfinished replies as one may have."""
    TOO_MANY_STREAMS = "too_many_streams"
    """The caller has as many open streams as one may have."""
    TOO_LARGE = "too_large"
    """A message, or a reply, is larger than a limit; which, and whose, is in the message."""
    AGENT_REFUSED = "agent_refused"
    """The agent would not take the input."""
    AGENT_FAILED = "agent_failed"
    """The agent raised, or could not be made."""
    BROKEN_OFF = "broken_off"
    """The reply ended without its REPLY_END, and nobody goes on with it."""
    DRAINING = "draining"
    """The server is about to stop: resume, here or at another."""
    UNAVAILABLE = "unavailable"
    """No server answers, or its event log does not: ask again."""
    DEADLINE = "deadline"
    """The time that the caller has set is over."""
    INTERNAL = "internal"
    """A fault of the server's own; its log has more."""


class OnTheWire(NamedTuple):
    """A code's status in gRPC (its name) and in HTTP."""

    grpc: str
    http: int


ON_THE_WIRE = {
    ServiceCode.INVALID_REQUEST: OnTheWire("INVALID_ARGUMENT", 400),
    ServiceCode.UNAUTHENTICATED: OnTheWire("UNAUTHENTICATED", 401),
    ServiceCode.UNKNOWN_REPLY: OnTheWire("NOT_FOUND", 404),
    ServiceCode.UNKNOWN_EVENT: OnTheWire("OUT_OF_RANGE", 410),
    ServiceCode.NOT_WAITING: OnTheWire("FAILED_PRECONDITION", 409),
    ServiceCode.SESSION_BUSY: OnTheWire("FAILED_PRECONDITION", 409),
    ServiceCode.TOO_MANY_REPLIES: OnTheWire("RESOURCE_EXHAUSTED", 429),
    ServiceCode.TOO_MANY_STREAMS: OnTheWire("RESOURCE_EXHAUSTED", 429),
    ServiceCode.TOO_LARGE: OnTheWire("RESOURCE_EXHAUSTED", 413),
    ServiceCode.AGENT_REFUSED: OnTheWire("FAILED_PRECONDITION", 409),
    ServiceCode.AGENT_FAILED: OnTheWire("INTERNAL", 502),
    ServiceCode.BROKEN_OFF: OnTheWire("DATA_LOSS", 410),
    ServiceCode.DRAINING: OnTheWire("UNAVAILABLE", 503),
    ServiceCode.UNAVAILABLE: OnTheWire("UNAVAILABLE", 503),
    ServiceCode.DEADLINE: OnTheWire("DEADLINE_EXCEEDED", 504),
    ServiceCode.INTERNAL: OnTheWire("INTERNAL", 500),
}
"""Every code's status on each wire."""


_LONGEST = 1000
"""Bytes of an error's words, and of its pointer.  gRPC sends them twice, encoded, in a header of
8 KiB; what does not fit would arrive as another error."""


class ServiceError(Exception):
    """A request to the service, or a reply, came to nothing.

    Attributes:
        code: what went wrong.
        reason: one sentence or two: what, what was expected, what to do next.
        pointer: JSON Pointer into the request, where the fault is in one place of it.
    """

    def __init__(self, code: ServiceCode, reason: str, *, pointer: str | None = None) -> None:
        self.code = code
        self.reason = _carried(reason)
        self.pointer = None if pointer is None else _carried(pointer)
        super().__init__(self.reason)

    def __str__(self) -> str:
        where = f"at {self.pointer}: " if self.pointer else ""
        return f"{where}{self.reason} [{self.code}]"


def told(error: Exception) -> ServiceError | None:
    """What a client is told of an error that its server met; ``None``: nothing but that it did."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, LogDownError):
        return ServiceError(ServiceCode.UNAVAILABLE, "the event log does not answer; try again")
    return None


def _carried(text: str) -> str:
    """A text that every wire can carry: others' words may be long, or no Unicode."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= _LONGEST:
        return data.decode()
    return data[: _LONGEST - 8].decode("utf-8", "ignore") + " ..."
