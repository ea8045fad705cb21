"""What validation finds: a fault, with a code from a closed list and a place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from msgfold.errors import ErrorCode, MsgfoldError, Place


class FaultCode(StrEnum):
    """Every kind of fault there is.  A new one is a change of the contract."""

    INVALID_JSON = "invalid_json"
    """Not JSON, or not I-JSON (``wire.json.utf8``, ``.numbers``, ``.duplicate-key``)."""
    TOO_DEEP = "too_deep"
    """Nested deeper than 128 levels (``wire.json.depth``)."""
    MISSING_MEMBER = "missing_member"
    """A required member is not there (``wire.json.type-required``, ``wire.json.mint``)."""
    WRONG_TYPE = "wrong_type"
    """Another JSON type than the schema's; null where null is not allowed (``wire.json.null``)."""
    UNKNOWN_TYPE = "unknown_type"
    """A ``type`` that no event, block or source has (``wire.json.type-required``)."""
    UNKNOWN_WORD = "unknown_word"
    """A word outside a closed enum (``wire.json.enum``)."""
    INVALID_BASE64 = "invalid_base64"
    """Not canonical, padded base64 (``wire.json.base64``)."""
    NOT_ABSOLUTE_URL = "not_absolute_url"
    """Not an absolute URL (``wire.json.url``)."""
    DATA_OR_URL = "data_or_url"
    """Neither or both of ``data`` and ``url`` (``wire.json.data-or-url``)."""
    ROLE_VIOLATION = "role_violation"
    """A block that the Msg's role may not carry (``wire.json.role``)."""
    CAMEL_CASE_MEMBER = "camel_case_member"
    """A member that is another one's name in camelCase (``wire.json.camel-case``)."""
    NEWER_MEMBER = "newer_member"
    """A member that came after the revision that has to read it (``wire.revision.since``)."""
    UNKNOWN_MEMBER = "unknown_member"
    """A member that the schema does not name; strict only (``wire.json.unknown-member``)."""
    INCOMPLETE_REPLY = "incomplete_reply"
    """The stream ends, and a reply is neither finished nor waiting (``fold.stream.incomplete``)."""
    REPLY_NOT_STARTED = "reply_not_started"
    """An event of a reply that has had no REPLY_START (``fold.stream.not-started``)."""
    TRUNCATED_FRAME = "truncated_frame"
    """The stream ends inside a frame (``wire.ndjson.last-line``, ``wire.sse.eof``)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a value.

    Attributes:
        code: what kind of fault.
        place: line, event index and JSON pointer, as far as they are known.
        message: one sentence for a person.
        expected: what should have come.
        got: what came, shortened.
        keyword: the JSON Schema keyword that failed, ``""`` when no schema was involved.
    """

    code: FaultCode
    place: Place
    message: str
    expected: str
    got: str
    keyword: str = ""

    def within(self, *, line: int | None, event_index: int | None) -> Fault:
        """The same fault, placed in a stream."""
        place = Place(line, event_index, self.place.pointer)
        return replace(self, place=place)

    def __str__(self) -> str:
        where = str(self.place)
        said = f"{self.message}; expected {self.expected}; got {self.got} [{self.code}]"
        return f"{where}: {said}" if where else said

    def to_json(self) -> dict[str, Any]:
        """As written by ``msgfold validate --output json``."""
        return {
            "code": str(self.code),
            "line": self.place.line,
            "event_index": self.place.event_index,
            "pointer": self.place.pointer,
            "message": self.message,
            "expected": self.expected,
            "got": self.got,
            "keyword": self.keyword or None,
        }


def of_error(error: MsgfoldError) -> Fault:
    """An error of the JSON layer as a fault."""
    deep = error.code == ErrorCode.TOO_DEEP
    return Fault(
        FaultCode.TOO_DEEP if deep else FaultCode.INVALID_JSON,
        error.place,
        error.reason,
        error.expected or "I-JSON (RFC 7493)",
        error.got or "something else",
    )
