"""What msgfold raises and what it reports.

Two words are kept apart everywhere:

* an **error** is a typed exception.  It stops the operation unless the caller asked for
  ``errors="skip"``, and it always says where it happened, what was expected, what came and what to
  do next;
* a **diagnostic** is something that was skipped or looked odd and did *not* stop anything.  It is
  handed to a callback, or logged to ``logging.getLogger("msgfold")``.

Both carry a code from a closed list, so that programs in any language can compare them.  The rule
ids (``fold.text.delta``, ``wire.sse.bom`` ...) are those of ``docs/spec/``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

logger = logging.getLogger("msgfold")


class ErrorCode(StrEnum):
    """Every error code there is.  A new one is a change of the contract."""

    INVALID_JSON = "invalid_json"
    """Not JSON, or not I-JSON (RFC 7493): bad UTF-8, lone surrogate, NaN, duplicate key."""
    TOO_DEEP = "too_deep"
    """JSON nested deeper than 128 levels."""
    INVALID_EVENT = "invalid_event"
    """An event that its schema refuses."""
    INVALID_MSG = "invalid_msg"
    """A Msg that its schema refuses."""
    INVALID_BASE64 = "invalid_base64"
    """Data that is not canonical, padded base64 (RFC 4648 section 4)."""
    ROLE_VIOLATION = "role_violation"
    """An event would add a block that the Msg's role may not carry."""
    NO_REPLY = "no_reply"
    """The stream holds no REPLY_START, so there is no Msg to build."""
    UNKNOWN_REPLY = "unknown_reply"
    """The reply asked for is not in the stream."""
    UNKNOWN_REVISION = "unknown_revision"
    """A revision (AgentScope release) that this version does not know."""
    UNMAPPED_FIELD = "unmapped_field"
    """JSON that protobuf has no field for (``wire.proto.unmapped``)."""
    OUT_OF_RANGE = "out_of_range"
    """An integer that 64 bits do not hold (``wire.proto.int64``)."""
    INVALID_PROTO = "invalid_proto"
    """Not the protobuf message that it is meant to be (``wire.proto.*``)."""
    INVALID_INPUT = "invalid_input"
    """A file that cannot be read, or whose format cannot be told."""
    INVALID_CASE = "invalid_case"
    """A conformance case file that its schema or the corpus rules refuse."""


class DiagnosticCode(StrEnum):
    """Every diagnostic code there is."""

    REPLY_ID_MISMATCH = "reply_id_mismatch"
    """The event belongs to another reply than the Msg."""
    REPLY_NOT_STARTED = "reply_not_started"
    """The event came before the REPLY_START of its reply."""
    REPLY_CLOSED = "reply_closed"
    """The event came after its reply had finished and been handed on."""
    UNKNOWN_EVENT = "unknown_event"
    """The event's type is not one of the contract's."""
    UNKNOWN_ENUM_VALUE = "unknown_enum_value"
    """A word outside a closed enum, in a member that the fold does not need (``errors="skip"``)."""
    BLOCK_NOT_FOUND = "block_not_found"
    """A delta or an end names a block that is not in the Msg."""
    NEWER_MEMBER = "newer_member"
    """A member that came after the revision being folded; it is ignored, and told once a stream."""
    DUPLICATE_BLOCK = "duplicate_block"
    """A second block of the same kind and id was appended; deltas go to the first."""
    NOT_BASE64_SOURCE = "not_base64_source"
    """A data delta names a block whose source is a URL."""
    STALE_CONFIRMATION = "stale_confirmation"
    """A confirmation for a tool call that is not asking."""
    DUPLICATE_RESULT = "duplicate_result"
    """An external result for a tool call that has a result already."""
    INCOMPLETE_REPLY = "incomplete_reply"
    """The stream ended, the reply has no REPLY_END and waits for nobody."""
    TRUNCATED_FRAME = "truncated_frame"
    """The stream ended inside a frame; the bytes of that frame were not used."""
    FOREIGN_FRAME = "foreign_frame"
    """An SSE frame whose event type says that it is not an AgentEvent."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something happened.  Every part is optional; what is unknown is ``None``."""

    line: int | None = None
    """Line in the text, counted from 1."""
    event_index: int | None = None
    """Position of the event in the stream, counted from 0."""
    pointer: str | None = None
    """JSON Pointer (RFC 6901) into the event or the Msg; ``""`` is the whole value."""

    def __str__(self) -> str:
        parts = []
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.event_index is not None:
            parts.append(f"event {self.event_index}")
        if self.pointer is not None:
            parts.append(f"at {self.pointer}" if self.pointer else "at the root")
        return ", ".join(parts)


NOWHERE = Place()


class MsgfoldError(ValueError):
    """Base of every error.  A ``ValueError``, because each one is about a value that is wrong.

    Attributes:
        code: the error's code, from :class:`ErrorCode`.
        reason: one sentence that says what is wrong, without the place.
        place: where it happened.
        expected: what should have come, or ``None``.
        got: what came, shortened, or ``None``.
        hint: what to do next, or ``None``.
        rule: the id of the rule in ``docs/spec/`` that says so, or ``None``.
    """

    code: ClassVar[ErrorCode]

    def __init__(
        self,
        reason: str,
        *,
        place: Place = NOWHERE,
        expected: str | None = None,
        got: str | None = None,
        hint: str | None = None,
        rule: str | None = None,
    ) -> None:
        self.reason = reason
        self.place = place
        self.expected = expected
        self.got = got
        self.hint = hint
        self.rule = rule
        super().__init__(reason)

    def __str__(self) -> str:
        where = str(self.place)
        text = f"{where}: {self.reason}" if where else self.reason
        if self.expected is not None:
            text += f"; expected {self.expected}"
        if self.got is not None:
            text += f"; got {self.got}"
        if self.hint is not None:
            text += f". {self.hint}"
        return f"{text} [{self.code}]"

    def at(self, *, line: int | None = None, event_index: int | None = None) -> MsgfoldError:
        """Fill in the parts of the place that only an outer layer knows; returns ``self``."""
        self.place = Place(
            line if self.place.line is None else self.place.line,
            event_index if self.place.event_index is None else self.place.event_index,
            self.place.pointer,
        )
        return self


class InvalidJsonError(MsgfoldError):
    """The text is not JSON, or not I-JSON (``wire.json.*``)."""

    code = ErrorCode.INVALID_JSON


class TooDeepError(MsgfoldError):
    """The JSON is nested deeper than :data:`msgfold.wire.json.MAX_DEPTH` (``wire.json.depth``)."""

    code = ErrorCode.TOO_DEEP


class InvalidEventError(MsgfoldError):
    """The event does not follow its schema."""

    code = ErrorCode.INVALID_EVENT


class InvalidMsgError(MsgfoldError):
    """The Msg does not follow its schema."""

    code = ErrorCode.INVALID_MSG


class InvalidBase64Error(MsgfoldError):
    """Data that is not canonical, padded base64 (``fold.data.base64``)."""

    code = ErrorCode.INVALID_BASE64


class RoleViolationError(MsgfoldError):
    """The event would add a block that the Msg's role may not carry (``fold.role``)."""

    code = ErrorCode.ROLE_VIOLATION


class NoReplyError(MsgfoldError):
    """There is no REPLY_START in the stream (``fold.stream.no-reply``)."""

    code = ErrorCode.NO_REPLY


class UnknownReplyError(MsgfoldError):
    """The stream has no reply with the id that was asked for."""

    code = ErrorCode.UNKNOWN_REPLY


class UnknownRevisionError(MsgfoldError):
    """No such revision; the message lists those there are."""

    code = ErrorCode.UNKNOWN_REVISION


class UnmappedFieldError(MsgfoldError):
    """A JSON member, or its kind of value, has no place in protobuf."""

    code = ErrorCode.UNMAPPED_FIELD


class OutOfRangeError(MsgfoldError):
    """An integer does not fit its protobuf field."""

    code = ErrorCode.OUT_OF_RANGE


class InvalidProtoError(MsgfoldError):
    """The bytes or the message are not what the proto files say."""

    code = ErrorCode.INVALID_PROTO


class InvalidInputError(MsgfoldError):
    """The input cannot be read, or its format cannot be told."""

    code = ErrorCode.INVALID_INPUT


class InvalidCaseError(MsgfoldError):
    """A conformance case file is not one."""

    code = ErrorCode.INVALID_CASE


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that was skipped, or that looked odd, and did not stop the work.

    With ``errors="skip"`` an error becomes a diagnostic that keeps the error's code.
    """

    code: DiagnosticCode | ErrorCode
    message: str
    rule: str
    """The id of the rule in ``docs/spec/`` that asks for this diagnostic."""
    place: Place = NOWHERE
    reply_id: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """Facts that a program may want: ``block_id``, ``kind``, ``state`` ..."""

    def __str__(self) -> str:
        where = str(self.place)
        return (
            f"{where}: {self.message} [{self.code}]" if where else f"{self.message} [{self.code}]"
        )


OnDiagnostic = Callable[[Diagnostic], None]
"""What receives diagnostics."""


def log_diagnostic(diagnostic: Diagnostic) -> None:
    """Where diagnostics go when nobody asked for them: a warning, as AgentScope logs its own."""
    logger.warning("%s", diagnostic)


def shorten(value: object, limit: int = 80) -> str:
    """``value`` as text for a message: one line, at most ``limit`` characters."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):  # of so many digits, or levels, that Python does not write
        text = f"{type(value).__name__}, too long to show"
    text = text.replace("\n", "\\n").replace("\r", "\\r")
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
