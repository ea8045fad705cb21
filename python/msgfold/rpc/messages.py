"""What a client sends as protobuf, and responses as what it gives out."""

from __future__ import annotations

from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from msgfold.errors import MsgfoldError
from msgfold.message import Msg, UserMsg
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import State
from msgfold.wire.proto import to_proto

_LONGEST = 1e9
"""Seconds that may be asked for; a server allows fewer."""


def msg_of(given: Any) -> Msg:
    """A Msg, or a user's words as one.

    Raises:
        ServiceError: it is neither.
    """
    if isinstance(given, str):
        return UserMsg("user", given)
    if isinstance(given, Msg):
        return given
    raise ServiceError(
        ServiceCode.INVALID_REQUEST,
        f"a {type(given).__module__}.{type(given).__qualname__} is no input; expected a text, a "
        "msgfold Msg or a list of them, or the event that is an answer",
    )


def duration_of(seconds: float) -> Duration:
    """Seconds.

    Raises:
        ServiceError: fewer than none.
    """
    if not seconds >= 0:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, f"linger is {seconds}; expected seconds", pointer="/linger"
        )
    seconds = min(seconds, _LONGEST)
    return Duration(nanos=round(seconds % 1 * 1e9) % 10**9, seconds=int(seconds))


def proto_of(model: Any, definition: str) -> Any:
    """A model as its message.

    Raises:
        ServiceError: it has something that protobuf has no place for.
    """
    try:
        return to_proto(model.model_dump(mode="json"), definition)
    except MsgfoldError as error:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST, error.reason, pointer=error.place.pointer
        ) from None


def parsed(kind: Any, data: bytes) -> Any:
    """A response.

    Raises:
        ServiceError: the bytes are none.
    """
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise _no_server(f"bytes that are no {kind.DESCRIPTOR.name}: {error}") from None


def state_of(response: Any) -> State:
    """Where the reply of a response stands.

    Raises:
        ServiceError: in a state that a later version has.
    """
    try:
        return State(response.state)
    except ValueError:
        raise _no_server(f"a state that this version does not know, {response.state}") from None


def _no_server(what: str) -> ServiceError:
    return ServiceError(
        ServiceCode.INTERNAL, f"the server sent {what}; is it a msgfold server, and no newer one?"
    )


def closed() -> ServiceError:
    """For whoever uses a client that was closed."""
    return ServiceError(ServiceCode.UNAVAILABLE, "the client is closed")
