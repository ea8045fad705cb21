"""The two reducers behind one face: AgentScope as it is on PyPI, in one of its releases, and ours.

Both take and give JSON values, so that a test can hand the same stream to each and compare.
"""

from __future__ import annotations

import importlib
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgfold
from msgfold.errors import MsgfoldError
from msgfold.revisions import RELEASES
from msgfold.validate import validate_value
from msgfold.wire.decode import EVENT_TYPES
from pydantic import BaseModel, TypeAdapter

Json = dict[str, Any]


@dataclass
class Outcome:
    """What one reducer made of a Msg and events.

    Attributes:
        msg: the Msg afterwards; ``None`` when the starting Msg was refused.
        refused: what each refused event raised: an error code of ours, or the exception's name.
        reports: the codes of our diagnostics; AgentScope reports nothing but log lines.
        events: the event objects, dumped after the fold.
        again: the Msg of a second fold of those same objects.
    """

    msg: Json | None = None
    refused: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    again: Json | None = None


def dump(model: BaseModel) -> Json:
    """What the model writes, read back."""
    written: Json = json.loads(model.model_dump_json())
    return written


class AgentScope:
    """AgentScope's own models and its ``Msg.append_event``."""

    def __init__(self) -> None:
        self.release = str(importlib.import_module("agentscope").__version__)
        if self.release not in RELEASES:
            raise AssertionError(
                f"the oracle is one of {', '.join(RELEASES)}, this is {self.release}; "
                "run: make oracle"
            )
        self.message = importlib.import_module("agentscope.message")
        self.event = importlib.import_module("agentscope.event")
        self.block_members = set(self.message.TextBlock.model_fields)
        self._event: TypeAdapter[Any] = TypeAdapter(self.event.AgentEvent)
        self._warnings = _Counter()
        logging.getLogger("as").addFilter(self._warnings)

    def load(self, msg: Json) -> Any:
        """A Msg, as AgentScope reads it."""
        return self.message.Msg.model_validate_json(json.dumps(msg))

    def parse(self, event: Json) -> Any:
        """An event, as AgentScope reads it."""
        return self._event.validate_json(json.dumps(event))

    def reads(self, event: Json) -> bool:
        """Whether AgentScope reads the event at all."""
        try:
            self.parse(event)
        except ValueError:
            return False
        return True

    def apply(self, msg: Any, event: Json) -> tuple[str | None, bool]:
        """Fold one event: the name of what was raised, and whether a warning was logged."""
        before = self._warnings.count
        raised = None
        try:
            msg.append_event(self.parse(event))
        except Exception as error:  # whatever AgentScope raises is what it does
            raised = type(error).__name__
        return raised, self._warnings.count > before

    def run(self, start: Json, events: list[Json]) -> Outcome:
        """Fold a whole stream, twice over the same event objects."""
        outcome = Outcome()
        objects = []
        for event in events:
            try:
                objects.append(self.parse(event))
            except ValueError as error:
                outcome.refused.append(type(error).__name__)
        for member in ("msg", "again"):
            msg = self.load(start)
            for event in objects:
                try:
                    msg.append_event(event)
                except Exception as error:
                    if member == "msg":
                        outcome.refused.append(type(error).__name__)
            setattr(outcome, member, dump(msg))
        outcome.events = [dump(event) for event in objects]
        return outcome


class Ours:
    """Our reducer on one Msg, fed in one of the ways a program may feed it."""

    WAYS = ("dicts", "bytes", "models")

    def __init__(self, start: Json, revision: str, errors: Any = "raise") -> None:
        self.revision = revision
        self.msg = msgfold.parse_msg(json.dumps(start))
        self.reports: list[str] = []
        self._fed: list[tuple[Any, str]] = []
        self._folder = msgfold.Folder(
            msg=self.msg,
            revision=revision,
            errors=errors,
            on_diagnostic=lambda d: self.reports.append(str(d.code)),
        )

    def dump(self) -> Json:
        """The Msg as the release writes it."""
        return msgfold.dump(self.msg, revision=self.revision)

    def apply(self, event: Json, way: str) -> tuple[str | None, list[str]]:
        """Fold one event: the code of the error, and those of the diagnostics."""
        self.reports.clear()
        feed: dict[str, Callable[[], object]] = {
            "dicts": lambda: self._folder.feed(self._kept(event)),
            "bytes": lambda: self._folder.feed_text(json.dumps(event).encode()),
            "models": lambda: self._folder.feed(self._model(event)),
        }
        try:
            feed[way]()
        except MsgfoldError as error:
            return str(error.code), list(self.reports)
        return None, list(self.reports)

    def _model(self, event: Json) -> Any:
        # There is no model for an unknown type.  And models are of the newest release, which may
        # refuse a member that the release which is folded as does not look at.
        try:
            return self._kept(event if _is_unknown(event) else msgfold.parse_event(event))
        except MsgfoldError:
            if self.has_newer(event):
                return self._kept(event)
            raise

    def has_newer(self, event: Json) -> bool:
        """Whether the event has a member or a word that came after the release."""
        then = validate_value(event, "AgentEvent", revision=self.revision)
        return not set(then) <= set(validate_value(event, "AgentEvent"))

    def _kept(self, event: Any) -> Any:
        self._fed.append((event, _text(event)))
        return event

    def assert_events_unchanged(self) -> None:
        """Fail when an event changed, or changes with the Msg; ends the Msg (``fold.no-alias``)."""
        _spoil(self.msg)
        for event, before in self._fed:
            assert _text(event) == before, "the fold shares a part of an event with the Msg"

    @classmethod
    def run(cls, start: Json, events: list[Json], revision: str, errors: Any = "raise") -> Outcome:
        """Fold a whole stream, twice over the same event objects."""
        outcome = Outcome()
        objects: list[Any] = [_model_or_value(event) for event in events]
        for member in ("msg", "again"):
            try:
                folding = cls(start, revision, errors)
            except MsgfoldError as error:
                outcome.refused.append(str(error.code))
                return outcome
            for event in objects:
                try:
                    folding._folder.feed(event)
                except MsgfoldError as error:
                    if member == "msg":
                        outcome.refused.append(str(error.code))
            if member == "msg":
                outcome.reports = list(folding.reports)
            setattr(outcome, member, folding.dump())
        outcome.events = [dump(e) if isinstance(e, BaseModel) else e for e in objects]
        return outcome


def _is_unknown(event: Json) -> bool:
    return isinstance(event.get("type"), str) and event["type"] not in EVENT_TYPES


def _model_or_value(event: Json) -> Any:
    """The event as a model, which can share objects with a Msg.

    As its JSON value where a model would make up a member, or cannot be had.
    """
    with suppress(MsgfoldError):
        model = msgfold.parse_event(event)
        if all(name in event for name in ("id", "created_at")) and not _unnamed(event):
            return model
    return event


def _unnamed(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_unnamed, value))
    if not isinstance(value, dict):
        return False
    return (value.get("type") in ("text", "data") and "id" not in value) or _unnamed(
        list(value.values())
    )


class _Counter(logging.Filter):
    """Counts what AgentScope logs, and lets none of it through: it would bury a failure."""

    count = 0

    def filter(self, record: logging.LogRecord) -> bool:
        self.count += record.levelno >= logging.WARNING
        return False


def _text(event: Any) -> str:
    return event.model_dump_json() if isinstance(event, BaseModel) else json.dumps(event)


def _spoil(value: Any) -> None:
    """Change everything inside that can be changed."""
    if isinstance(value, BaseModel):
        for member in list(value.__dict__.values()):
            _spoil(member)
        value.__dict__.clear()
    elif isinstance(value, dict):
        for member in value.values():
            _spoil(member)
        value["spoilt"] = True
    elif isinstance(value, list):
        for member in value:
            _spoil(member)
        value.clear()
