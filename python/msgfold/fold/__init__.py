"""Events to Msg: the reference reducer.

The rules are in ``docs/spec/fold.md``.  :mod:`msgfold.fold.table` says which handler an event goes
to; the handlers stand in one module for each kind of block.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO

from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    NoReplyError,
    OnDiagnostic,
    Place,
    log_diagnostic,
)
from msgfold.fold.lines import NdjsonFolder
from msgfold.fold.stream import Errors, Folder, ReplyStatus, feed_all, status
from msgfold.fold.table import REVISIONS
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire.frames import Truncated

if TYPE_CHECKING:
    from msgfold._generated.models import Msg

__all__ = [
    "DEFAULT_REVISION",
    "REVISIONS",
    "Folder",
    "NdjsonFolder",
    "ReplyStatus",
    "append_event",
    "fold",
    "fold_all",
    "fold_ndjson",
    "status",
]

_READ_SIZE = 1 << 18
"""Bytes read from a file at a time: enough to amortise the call, little beside any real Msg."""


def append_event(
    msg: Msg,
    event: Any,
    *,
    revision: str = DEFAULT_REVISION,
    on_diagnostic: OnDiagnostic | None = None,
) -> Msg:
    """Apply one event to a Msg, in place, at a cost that does not depend on the Msg's size.

    Args:
        msg: the Msg of the event's reply: ``msg.id == event.reply_id``.
        event: an event: a model of :mod:`msgfold.event`, or its JSON object.
        revision: the AgentScope release to fold as.
        on_diagnostic: receives diagnostics; without it they are logged as warnings.

    Returns:
        ``msg`` itself.

    Raises:
        InvalidEventError, InvalidBase64Error, RoleViolationError: the event must not be applied;
            the Msg is as it was (``fold.atomic``).
        UnknownRevisionError: no such revision.

    Example:
        >>> from msgfold import append_event
        >>> from msgfold.message import AssistantMsg
        >>> from msgfold.event import TextBlockDeltaEvent, TextBlockStartEvent
        >>> msg = AssistantMsg(name="friday", content=[], id="r1")
        >>> msg = append_event(msg, TextBlockStartEvent(reply_id="r1", block_id="b1"))
        >>> msg = append_event(msg, TextBlockDeltaEvent(reply_id="r1", block_id="b1", delta="Hi"))
        >>> msg.get_text_content()
        'Hi'
    """
    Folder(revision=revision, on_diagnostic=on_diagnostic, msg=msg, numbered=False).feed(event)
    return msg


def fold(
    events: Iterable[Any],
    *,
    revision: str = DEFAULT_REVISION,
    errors: Errors = "raise",
    on_diagnostic: OnDiagnostic | None = None,
    msg: Msg | None = None,
) -> Msg:
    """Build the Msg of the first reply in a stream (``fold.stream.first``).

    Args:
        events: events in order: models, or JSON objects.
        revision: the AgentScope release to fold as.
        errors: ``"raise"``, or ``"skip"`` to report a refused event as a diagnostic and go on.
        on_diagnostic: receives diagnostics; without it they are logged as warnings.
        msg: a Msg to go on with, changed in place; without it the first REPLY_START makes one.

    Raises:
        NoReplyError: no REPLY_START, and no ``msg``.
        MsgfoldError: an event that must not be applied, with its index in ``place``.
    """
    folder = Folder(
        revision=revision,
        errors=errors,
        on_diagnostic=on_diagnostic,
        msg=msg,
        first_only=True,
    )
    return _only(feed_all(folder, events))


def fold_all(
    events: Iterable[Any],
    *,
    revision: str = DEFAULT_REVISION,
    errors: Errors = "raise",
    on_diagnostic: OnDiagnostic | None = None,
) -> list[Msg]:
    """Build the Msg of every reply in a stream, in order of first appearance.

    Arguments and errors as in :func:`fold`; a stream without a reply gives an empty list.
    """
    folder = Folder(revision=revision, errors=errors, on_diagnostic=on_diagnostic)
    return feed_all(folder, events).close()


def fold_ndjson(
    source: bytes | BinaryIO,
    *,
    revision: str = DEFAULT_REVISION,
    errors: Errors = "raise",
    on_diagnostic: OnDiagnostic | None = None,
) -> Msg:
    """Build the Msg of the first reply straight from NDJSON: the fast path.

    Args:
        source: the bytes, or a binary file, read to its end.

    Other arguments and errors as in :func:`fold`, with the line in ``place``.
    """
    folder = NdjsonFolder(
        revision=revision, errors=errors, on_diagnostic=on_diagnostic, first_only=True
    )
    for chunk in _chunks(source):
        folder.feed_chunk(chunk)
    tail = folder.feed_end()
    if tail is not None:
        (on_diagnostic or log_diagnostic)(truncation(tail, "wire.ndjson.last-line"))
    return _only(folder)


def truncation(tail: Truncated, rule: str) -> Diagnostic:
    """The report of a stream that ends inside a frame."""
    return Diagnostic(
        DiagnosticCode.TRUNCATED_FRAME,
        f"the stream ends inside a frame; its {len(tail.pending)} bytes are not used",
        rule=rule,
        place=Place(line=tail.line),
        details={"pending_bytes": len(tail.pending)},
    )


def _chunks(source: bytes | BinaryIO) -> Iterator[bytes]:
    if isinstance(source, bytes | bytearray | memoryview):
        source = BytesIO(source)
    if not hasattr(source, "read"):
        raise TypeError(
            f"expected bytes or a binary file, got {type(source).__name__}; "
            'a file is opened with open(path, "rb")'
        )
    while chunk := source.read(_READ_SIZE):
        if isinstance(chunk, str):
            raise TypeError('expected a binary file, got one of text; open it with mode "rb"')
        yield chunk


def _only(folder: Folder) -> Msg:
    msgs = folder.close()
    if not msgs:
        raise NoReplyError(
            f"no reply in the stream: {folder.events} events, none of them a REPLY_START",
            expected="a REPLY_START, or a Msg to go on with",
            rule="fold.stream.no-reply",
        )
    return msgs[0]


class _CallablePackage(ModuleType):
    """``msgfold.fold`` names this package and the function that people call.

    Importing a package binds it in its parent, whatever the parent says; so the package itself can
    be called.
    """

    __call__ = staticmethod(fold)


sys.modules[__name__].__class__ = _CallablePackage
