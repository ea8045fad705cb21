"""Events that are plainly valid, told in the time of decoding them.

Nearly every event of a stream is right, and to hold it against a schema only to hear so takes a
hundred times as long as to decode it.  So an event is first read by the closed reader of the fold
(:func:`msgfold.wire.decode.decode_plain`), which refuses unknown members, wrong JSON types and
unknown words.  What that reader leaves open is looked at here.  Whatever is not plainly valid is
for :func:`msgfold.validate.schema.check`, which says what is wrong, or that nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import UNSET, MsgspecError
from msgspec.structs import fields as struct_fields

from msgfold._generated import since, structs
from msgfold.model.base64_source import decode
from msgfold.revisions import comes_after
from msgfold.wire import json
from msgfold.wire.decode import CLOSED, NESTED, decode_plain

_SPACED = (b'" ', b'"\t', b'"\n', b'"\r')
_WITH_DATA = {CLOSED[structs.DataBlockDeltaEvent], CLOSED[structs.ToolResultDataDeltaEvent]}


def plainly_valid(text: bytes, revision: str | None) -> Any:
    """The event, when it is plainly valid; ``None`` says nothing.

    Args:
        text: JSON text.
        revision: the AgentScope release that has to read it, or ``None``.
    """
    try:
        event = decode_plain(text)
    except (MsgspecError, RecursionError, ValueError):
        return None
    kind = event.__class__
    if kind in NESTED or (event.metadata and json.is_deep(text)):
        return None
    if event.id is UNSET or event.created_at is UNSET:  # optional to a reader, required on the wire
        return None
    if kind in _WITH_DATA and not _has_data_only(event):
        return None
    if any(getattr(event, name) is not UNSET for name in _later(kind, revision)):
        return None
    # A name ends in `":`, unless there is space between, and no known name in `\\":`.  More of them
    # than there are members: one came twice (wire.json.duplicate-key), or a string holds one.
    if b'" ' in text or b'"\t' in text or b'"\n' in text or b'"\r' in text:
        return None
    values = _values_of(kind)(event)
    names = 1 + len(values) - values.count(UNSET)  # the type, too
    if event.metadata:
        names += _names_inside(event.metadata)
    found = text.count(b'":')
    if found != names and found - text.count(b'\\":') != names:
        return None
    return event


@cache
def _values_of(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What reads all members of an event."""
    return attrgetter(*(field.name for field in struct_fields(kind)))


@cache
def _later(kind: type, revision: str | None) -> tuple[str, ...]:
    """An event's members that came after the revision."""
    if revision is None:
        return ()
    later = since.MEMBERS.get(kind.__name__, {})
    return tuple(name for name, release in later.items() if comes_after(release, revision))


def _has_data_only(event: Any) -> bool:
    """Whether there are bytes, right ones, and no URL."""
    if event.block_id is UNSET or not isinstance(event.data, str) or isinstance(event.url, str):
        return False
    try:
        decode(event.data)
    except ValueError:
        return False
    return True


def _names_inside(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_names_inside, value.values()))
    return sum(map(_names_inside, value)) if isinstance(value, list) else 0
