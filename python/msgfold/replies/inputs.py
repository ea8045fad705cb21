"""What callers send, checked before an agent sees it: Msgs, and answers (``replies.input``)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from msgfold._generated.models import Msg
from msgfold.errors import InvalidMsgError, MsgfoldError
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import State
from msgfold.wire.decode import parse_event, parse_msg

ANSWERS = {
    "USER_CONFIRM_RESULT": State.WAITING_CONFIRMATION,
    "EXTERNAL_EXECUTION_RESULT": State.WAITING_EXECUTION,
}
"""Type of an answer to the state of a reply that it fits."""

INTERRUPT = "USER_INTERRUPT"
"""What fits every state that is not the end."""


def msg_of(value: Any, position: int) -> Msg:
    """A Msg of a request.

    Raises:
        ServiceError: it is none.
    """
    try:
        plain = _plain(value)
        if isinstance(plain, str | bytes):  # which would be read as JSON text
            raise InvalidMsgError("a text is no Msg", expected="an object with role and content")
        return parse_msg(plain)
    except MsgfoldError as error:
        raise invalid(error, f"/messages/{position}") from None


def answer_of(value: Any) -> Any:
    """The event that answers a reply.

    Raises:
        ServiceError: it is none, or no event at all.
    """
    try:
        event: Any = parse_event(_plain(value))
    except MsgfoldError as error:
        raise invalid(error, "/answer") from None
    if event.type not in {*ANSWERS, INTERRUPT}:
        raise ServiceError(
            ServiceCode.INVALID_REQUEST,
            f"{event.type} is no answer; expected {', '.join(ANSWERS)} or {INTERRUPT}",
            pointer="/answer/type",
        )
    return event


def _plain(value: Any) -> Any:
    """A model as its JSON value; everything else as it is."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def invalid(error: MsgfoldError, prefix: str = "") -> ServiceError:
    """A fault of a request's, with its place."""
    where = error.place.pointer
    pointer = prefix + (where or "") if prefix or where is not None else None
    said = error.reason + (f"; expected {error.expected}" if error.expected else "")
    return ServiceError(
        ServiceCode.INVALID_REQUEST,
        said + (f"; got {error.got}" if error.got else ""),
        pointer=pointer,
    )
