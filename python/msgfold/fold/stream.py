"""A stream of events to Msgs: which reply an event belongs to, and whether a reply is whole.

A stream may hold several replies, one after another or interleaved.  A :class:`Folder` keeps the
Msg of each, in order of first appearance, and knows at the end which of them are finished, which
wait for a person or an executor, and which broke off (``fold.stream.*``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import BaseModel

from msgfold._generated.models import EventBase
from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    InvalidEventError,
    MsgfoldError,
    OnDiagnostic,
    Place,
    log_diagnostic,
    shorten,
)
from msgfold.fold import reply as reply_events
from msgfold.fold.state import Context, FoldState
from msgfold.fold.table import Handler, handlers
from msgfold.revisions import DEFAULT_REVISION
from msgfold.wire.decode import UnknownEvent, convert_event, decode_event

if TYPE_CHECKING:
    from msgfold._generated.models import Msg

Errors = Literal["raise", "skip"]
_ERRORS = get_args(Errors)

_CLOSED_KEPT = 10_000
"""Replies handed on whose ids are remembered, so that a late event is told from an early one.  A
bound, because a stream of any length is read in bounded memory."""


class ReplyStatus(StrEnum):
    """Where a reply stands."""

    FINISHED = "finished"
    """It had its REPLY_END (``fold.stream.finished``)."""
    WAITING_CONFIRMATION = "waiting_confirmation"
    """A tool call asks a person (``fold.stream.waiting``)."""
    WAITING_EXECUTION = "waiting_execution"
    """A tool call is with an outside executor (``fold.stream.waiting``)."""
    OPEN = "open"
    """None of these: still streaming, or, at the end of a stream, broken off."""


def status(msg: Msg) -> ReplyStatus:
    """Where the reply that builds ``msg`` stands."""
    if msg.finished_at is not None:
        return ReplyStatus.FINISHED
    results: dict[str, Any] = {}
    for block in msg.content:
        if block.type == "tool_result":
            results.setdefault(block.id, block.state)
    for block in msg.content:
        if block.type == "tool_call":
            if block.state == "asking":
                return ReplyStatus.WAITING_CONFIRMATION
            if block.state == "submitted" and results.get(block.id, "running") == "running":
                return ReplyStatus.WAITING_EXECUTION
    return ReplyStatus.OPEN


class Folder:
    """Folds a stream, event by event.

    Args:
        revision: the AgentScope release to fold as.
        errors: ``"raise"`` stops at the first event that must not be applied; ``"skip"`` reports it
            as a diagnostic and goes on.
        on_diagnostic: receives diagnostics; without it they are logged.
        msg: a Msg to go on with; events of other replies are then skipped.
        first_only: fold the first reply of the stream; events of others are then skipped.
        numbered: whether events are counted, so that reports name the index; a single event is not.
        on_reply: given, a finished reply is handed over once another one starts, in order of first
            appearance, and forgotten (``fold.stream.closed``); :meth:`close` hands over the rest.

    Raises:
        UnknownRevisionError: no such revision.
        ValueError: no such way with errors.
    """

    def __init__(
        self,
        *,
        revision: str = DEFAULT_REVISION,
        errors: Errors = "raise",
        on_diagnostic: OnDiagnostic | None = None,
        msg: Msg | None = None,
        first_only: bool = False,
        numbered: bool = True,
        on_reply: Callable[[Msg], None] | None = None,
    ) -> None:
        if errors not in _ERRORS:
            raise ValueError(f"errors is one of {', '.join(_ERRORS)}, got {errors!r}")
        self._handlers: dict[type, Handler] = handlers(revision)
        self._skip = errors == "skip"
        self._on_diagnostic = on_diagnostic or log_diagnostic
        self._context = Context(revision, self._on_diagnostic, lenient=self._skip)
        self._single = first_only or msg is not None
        self._numbered = numbered
        self._on_reply = on_reply
        self._states: dict[str, FoldState] = {}
        self._closed: deque[str] = deque(maxlen=_CLOSED_KEPT)
        self.events = 0
        """Events seen so far, the skipped ones too; the next event's index."""
        if msg is not None:
            self._states[msg.id] = FoldState(msg, self._context)

    @property
    def msgs(self) -> list[Msg]:
        """The Msgs so far, in order of first appearance, without those handed over."""
        return [state.msg for state in self._states.values()]

    def msg(self, reply_id: str) -> Msg | None:
        """The Msg of a reply, ``None`` when it has not started or was handed over."""
        state = self._states.get(reply_id)
        return None if state is None else state.msg

    @property
    def _index(self) -> int | None:
        return self.events if self._numbered else None

    @property
    def _line(self) -> int | None:
        before = self._context.lines_before
        return None if before is None else self.events + before

    def _at(self, line: int | None) -> None:
        self._context.lines_before = None if line is None else line - self.events

    def feed(self, event: Any, *, line: int | None = None) -> None:
        """Apply one event: a model, a struct, or a JSON object.

        Raises:
            MsgfoldError: the event must not be applied (unless errors are skipped).
        """
        self._at(line)
        try:
            self._apply(event)
        except MsgfoldError as error:
            self._refused(error)
        finally:
            self.events += 1

    def feed_text(self, text: bytes, *, line: int | None = None) -> None:
        """Apply one event given as JSON text.  Errors as in :meth:`feed`, and of the JSON."""
        self._at(line)
        try:
            self._apply(
                decode_event(text, on_unknown_word=self._report_here if self._skip else None)
            )
        except MsgfoldError as error:
            self._refused(error)
        finally:
            self.events += 1

    def close(self) -> list[Msg]:
        """The stream is over: report replies that broke off; the Msgs not handed over yet."""
        for state in self._states.values():
            if status(state.msg) is ReplyStatus.OPEN:
                self._on_diagnostic(
                    Diagnostic(
                        DiagnosticCode.INCOMPLETE_REPLY,
                        f"reply {state.msg.id!r} is incomplete: the stream ended without its "
                        "REPLY_END, and it waits for nobody",
                        rule="fold.stream.incomplete",
                        place=Place(event_index=state.event_index),
                        reply_id=state.msg.id,
                    )
                )
        left = self.msgs
        if self._on_reply is not None:
            self._states.clear()
            for msg in left:
                self._on_reply(msg)
        return left

    def _apply(self, event: Any) -> None:
        handler = self._handlers.get(event.__class__)
        if handler is None:
            event, handler = self._resolve(event)
            if handler is None:
                return
        if handler is reply_events.custom:
            return
        state = self._states.get(event.reply_id)
        if state is None:
            state = self._begin(event)
            if state is None:
                return
        state.event_index = self._index
        handler(state, event)

    def _resolve(self, event: Any) -> tuple[Any, Handler | None]:
        """An event that is not of a known class: JSON, a subclass, or of an unknown type."""
        if not isinstance(event, EventBase | UnknownEvent):
            if isinstance(event, BaseModel):  # AgentScope's own event, of a running agent
                event = _written(event)
            if isinstance(event, str | bytes | bytearray):
                raise InvalidEventError(
                    "JSON text where an event is expected",
                    place=Place(pointer=""),
                    expected="a model, or a JSON object",
                    got=shorten(repr(event)),
                    hint="feed_text, fold_ndjson and parse_event read text",
                    rule="fold.invalid-event",
                )
            event = convert_event(event, on_unknown_word=self._report_here if self._skip else None)
        for base in type(event).__mro__:
            if base in self._handlers:
                return event, self._handlers[base]
        unknown = event.type if isinstance(event, UnknownEvent) else type(event).__name__
        self._report(
            DiagnosticCode.UNKNOWN_EVENT,
            f"unknown event type {unknown!r}; the event is skipped",
            "fold.unknown-event",
            getattr(event, "reply_id", None),
        )
        return event, None

    def _begin(self, event: Any) -> FoldState | None:
        """The state of a reply not seen yet, when this event begins it."""
        reply_id, kind = event.reply_id, type(event).__name__
        if self._single and self._states:
            mine = next(iter(self._states))
            code, rule = DiagnosticCode.REPLY_ID_MISMATCH, "fold.reply-id"
            why = f"{kind} is of reply {reply_id!r}, the Msg is {mine!r}"
        elif reply_id in self._closed:
            code, rule = DiagnosticCode.REPLY_CLOSED, "fold.stream.closed"
            why = f"{kind} came after reply {reply_id!r} had finished and another had started"
        elif kind != "ReplyStartEvent":
            code, rule = DiagnosticCode.REPLY_NOT_STARTED, "fold.stream.not-started"
            why = f"{kind} came before the REPLY_START of reply {reply_id!r}"
        else:
            if self._on_reply is not None:
                self._release()
            state = self._states[reply_id] = FoldState(reply_events.new_msg(event), self._context)
            return state
        self._report(code, f"{why}; the event is skipped", rule, reply_id)
        return None

    def _release(self) -> None:
        """Hand over finished replies from the front, so that their order is kept."""
        assert self._on_reply is not None
        for reply_id, state in list(self._states.items()):
            if state.msg.finished_at is None:
                return
            del self._states[reply_id]
            self._closed.append(reply_id)
            self._on_reply(state.msg)

    def _refused(self, error: MsgfoldError) -> None:
        error.at(line=self._line, event_index=self._index)
        if not self._skip:
            raise error
        self._on_diagnostic(
            Diagnostic(
                error.code,
                f"the event is skipped: {error.reason}",
                rule=error.rule or "fold.atomic",
                place=error.place,
                details={"expected": error.expected, "got": error.got},
            )
        )

    def _report_here(self, diagnostic: Diagnostic) -> None:
        """A diagnostic of the decoder, which knows the pointer but not the place in the stream."""
        place = Place(self._line, self._index, diagnostic.place.pointer)
        self._on_diagnostic(
            Diagnostic(
                diagnostic.code, diagnostic.message, diagnostic.rule, place, diagnostic.reply_id
            )
        )

    def _report(self, code: DiagnosticCode, message: str, rule: str, reply_id: str | None) -> None:
        place = Place(self._line, self._index)
        self._on_diagnostic(Diagnostic(code, message, rule, place, reply_id))


def _written(event: BaseModel) -> Any:
    """An event of another package as its JSON value."""
    try:
        return event.model_dump(mode="json")
    except (RecursionError, ValueError) as error:
        raise InvalidEventError(
            f"{type(event).__name__} cannot be written as JSON: {error}",
            place=Place(pointer=""),
            expected="a model that can",
            rule="fold.invalid-event",
        ) from None


def feed_all(folder: Folder, events: Iterable[Any]) -> Folder:
    """Feed every event; returns the folder."""
    if isinstance(events, str | bytes | bytearray | Mapping):
        raise TypeError(
            f"expected the events of a stream, got one {type(events).__name__}; "
            "fold_ndjson reads NDJSON, append_event takes one event"
        )
    for event in events:
        folder.feed(event)
    return folder
