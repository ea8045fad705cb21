"""msgfold: the shared contract for AgentScope 2.x messages and events.

::

    import msgfold

    msg = msgfold.fold_ndjson(open("reply.ndjson", "rb"))
    print(msg.get_text_content())

Names are loaded when they are first used, so that ``import msgfold`` costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from msgfold.errors import (
        Diagnostic,
        DiagnosticCode,
        ErrorCode,
        InvalidBase64Error,
        InvalidCaseError,
        InvalidEventError,
        InvalidInputError,
        InvalidJsonError,
        InvalidMsgError,
        InvalidProtoError,
        MsgfoldError,
        NoReplyError,
        OutOfRangeError,
        Place,
        RoleViolationError,
        TooDeepError,
        UnknownReplyError,
        UnknownRevisionError,
        UnmappedFieldError,
    )
    from msgfold.fold import (
        Folder,
        NdjsonFolder,
        ReplyStatus,
        append_event,
        fold,
        fold_all,
        fold_ndjson,
        status,
    )
    from msgfold.wire.decode import parse_event, parse_msg
    from msgfold.wire.encode import dump
    from msgfold.wire.proto import decode_proto, from_proto, to_proto

_ERRORS = "msgfold.errors"
_FOLD = "msgfold.fold"
_DECODE = "msgfold.wire.decode"
_ENCODE = "msgfold.wire.encode"
_PROTO = "msgfold.wire.proto"

_HOME = {
    "Diagnostic": _ERRORS,
    "DiagnosticCode": _ERRORS,
    "ErrorCode": _ERRORS,
    "InvalidBase64Error": _ERRORS,
    "InvalidCaseError": _ERRORS,
    "InvalidEventError": _ERRORS,
    "InvalidInputError": _ERRORS,
    "InvalidJsonError": _ERRORS,
    "InvalidMsgError": _ERRORS,
    "InvalidProtoError": _ERRORS,
    "OutOfRangeError": _ERRORS,
    "UnmappedFieldError": _ERRORS,
    "MsgfoldError": _ERRORS,
    "NoReplyError": _ERRORS,
    "Place": _ERRORS,
    "RoleViolationError": _ERRORS,
    "TooDeepError": _ERRORS,
    "UnknownReplyError": _ERRORS,
    "UnknownRevisionError": _ERRORS,
    "Folder": _FOLD,
    "NdjsonFolder": _FOLD,
    "ReplyStatus": _FOLD,
    "append_event": _FOLD,
    "fold_all": _FOLD,
    "fold_ndjson": _FOLD,
    "status": _FOLD,
    "parse_event": _DECODE,
    "parse_msg": _DECODE,
    "dump": _ENCODE,
    "decode_proto": _PROTO,
    "from_proto": _PROTO,
    "to_proto": _PROTO,
}

__all__ = [
    "Diagnostic",
    "DiagnosticCode",
    "ErrorCode",
    "Folder",
    "InvalidBase64Error",
    "InvalidCaseError",
    "InvalidEventError",
    "InvalidInputError",
    "InvalidJsonError",
    "InvalidMsgError",
    "InvalidProtoError",
    "MsgfoldError",
    "NdjsonFolder",
    "NoReplyError",
    "OutOfRangeError",
    "Place",
    "ReplyStatus",
    "RoleViolationError",
    "TooDeepError",
    "UnknownReplyError",
    "UnknownRevisionError",
    "UnmappedFieldError",
    "append_event",
    "decode_proto",
    "dump",
    "fold",
    "fold_all",
    "fold_ndjson",
    "from_proto",
    "parse_event",
    "parse_msg",
    "status",
    "to_proto",
]


def __getattr__(name: str) -> Any:
    if name == "fold":
        # The package of that name, which is callable; see its last lines.
        return import_module(_FOLD)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'msgfold' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
