"""Events as the log and the wire have them: several in one protobuf message.

``StreamReplyResponse`` and ``ResumeReplyResponse`` are the same on the wire, and two of them behind
each other are one with the events of both.  So what is encoded once, when an event comes, is what
is stored and what every reader gets.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, cast

from pydantic import BaseModel

from msgfold._generated import models
from msgfold.errors import UnmappedFieldError
from msgfold.replies.log import Batch, State
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.v1.reply_service_pb2 import StreamReplyResponse
from msgfold.validate import validate_value
from msgfold.wire import text_events
from msgfold.wire.decode import parse_event
from msgfold.wire.proto import from_proto, to_proto

logger = logging.getLogger("msgfold.replies")

BATCH_EVENTS = 512
"""Events in a batch, at most."""

BATCH_BYTES = 64 << 10
"""Bytes of a batch, at most, unless a single event is larger."""

_FRAME = 6
"""Bytes around an event in a batch, at most: its tag and its length."""


class BatchWriter:
    """Encodes events as they come, until somebody takes them.

    Attributes:
        reply_id: of the first event that had one, ``""`` until then.
        ended: whether a REPLY_END of that reply was among them.
    """

    def __init__(self, reply_id: str = "") -> None:
        self.reply_id = reply_id
        self.ended = False
        self._dropped: set[str] = set()
        self._renew()

    def _renew(self) -> None:
        self._batch = StreamReplyResponse()
        self._events = self._batch.events
        self._size = 0
        self._count = 0
        self._last_id = ""

    def __bool__(self) -> bool:
        return self._count > 0

    @property
    def full(self) -> bool:
        """No more should be added before this is taken."""
        return self._count >= BATCH_EVENTS or self._size >= BATCH_BYTES

    def add(self, event: Any) -> None:
        """Encode an event: a model of ours or of AgentScope's, or a JSON object.

        What the contract has no place for is left out, and logged; an event that is none, too.
        """
        message = self._events.add()
        if not self._is_text(message, event):
            self._fill(message, event)
            if not message.HasField("event"):
                del self._events[-1]
                return
            if message.HasField("reply_end") and message.reply_id == self.reply_id:
                self.ended = True
        if not message.id:
            message.id = uuid.uuid4().hex  # without one there is no place to resume from
        self._size += message.ByteSize() + _FRAME
        self._count += 1
        self._last_id = message.id
        if not self.reply_id:
            self.reply_id = message.reply_id

    def take(self, first: int) -> Batch:
        """What has gathered, as the batch whose first event has this number."""
        batch = Batch(
            first, first + self._count - 1, self._batch.SerializeToString(), self._last_id
        )
        self._renew()
        return batch

    def _is_text(self, message: AgentEvent, event: Any) -> bool:
        if isinstance(event, BaseModel):
            # Where all members are text, what a model holds is what it dumps.
            return not event.__pydantic_extra__ and text_events.write(message, vars(event))
        return isinstance(event, dict) and text_events.write(message, event)

    def _fill(self, message: AgentEvent, event: Any) -> None:
        """The long way; the message stays empty when the event cannot be carried."""
        kind = str(getattr(event, "type", f"a {type(event).__name__}"))
        try:
            value = event.model_dump(mode="json") if isinstance(event, BaseModel) else event
            if not isinstance(value, dict):
                raise ValueError("it is no event")
            kind = str(value.get("type"))
            if "id" not in value or "created_at" not in value:
                value = parse_event(value).model_dump(mode="json")
            try:
                filled = to_proto(value, "AgentEvent")
            except UnmappedFieldError as error:
                filled = to_proto(value, "AgentEvent", ignore_unknown=True)
                self._drop(f"a member of {kind}", str(error))
            for fault in validate_value(value, "AgentEvent"):
                raise ValueError(f"{fault.message} (at {fault.place.pointer or 'the root'})")
            message.CopyFrom(cast("AgentEvent", filled))
        except ValueError as error:
            self._drop(kind, str(error))

    def _drop(self, what: str, why: str) -> None:
        if what not in self._dropped:
            self._dropped.add(what)
            logger.warning("reply %s: %s is left out: %s", self.reply_id or "?", what, why)


def event_of(message: AgentEvent) -> models.EventBase:
    """An event as a model.

    Raises:
        MsgfoldError: it is not one; the error leads to the fault.
    """
    value = from_proto(message)
    model: type[models.EventBase] = _MODELS[value["type"]]
    return model.model_validate(value)


_MODELS = {
    model.model_fields["type"].default: model
    for model in vars(models).values()
    if isinstance(model, type)
    and issubclass(model, models.EventBase)
    and "type" in model.model_fields
}


def events_of(batches: Iterable[Batch]) -> list[models.EventBase]:
    """The events of batches, in order."""
    return [
        event_of(message)
        for batch in batches
        for message in StreamReplyResponse.FromString(batch.data).events
    ]


def located(batches: list[Batch], event_id: str) -> tuple[Batch, int, Sequence[AgentEvent]] | None:
    """The last event of an id: its batch, its position in it, and all events of that."""
    for batch in reversed(batches):
        events = StreamReplyResponse.FromString(batch.data).events
        for position in range(len(events) - 1, -1, -1):
            if events[position].id == event_id:
                return batch, position, events
    return None


def after(batches: list[Batch], event_id: str) -> tuple[int, Batch | None] | None:
    """The place behind the last event of an id.

    Returns:
        Its number, and what is left of its batch; ``None`` when no batch has it.
    """
    found = located(batches, event_id)
    if found is None:
        return None
    batch, position, events = found
    number = batch.first + position
    rest = StreamReplyResponse(events=events[position + 1 :])
    left = Batch(number + 1, batch.last, rest.SerializeToString(), batch.last_event_id)
    return number, left if left.last >= left.first else None


def apart(batch: Batch) -> list[Batch]:
    """A batch as batches of one event."""
    events = StreamReplyResponse.FromString(batch.data).events
    return [
        Batch(number, number, StreamReplyResponse(events=[event]).SerializeToString(), event.id)
        for number, event in enumerate(events, batch.first)
    ]


def state_bytes(state: State) -> bytes:
    """A response that says where the reply stands, to stand behind one with events."""
    return StreamReplyResponse(state=cast("Any", int(state))).SerializeToString()
