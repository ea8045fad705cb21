"""What another release makes of a recorded stream (``msgfold upgrade-check``).

The stream is folded as both releases, and as those between them, event by event.  Wherever the two
Msgs part for the first time, that is a finding: the event, the JSON Pointer into the Msg, both
values, and the release that brought the change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgfold.conformance.compare import ABSENT, differences
from msgfold.errors import Diagnostic, DiagnosticCode, ErrorCode
from msgfold.fold import Folder
from msgfold.fold.table import table
from msgfold.revisions import CHANGES, RELEASES, Change, known
from msgfold.validate import FaultCode, validate_value
from msgfold.wire import json
from msgfold.wire.encode import dump

_NAMES = ("block_id", "tool_call_id")
_CARRIED = ("tool_calls", "execution_results")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the other release does otherwise.

    Attributes:
        kind: ``changed``: a value of the Msg; ``refused``: an event, or the Msg, that the other
            release refuses; ``accepted``: one that only the other release takes; ``ignored``: a
            member that it drops; ``read``: one that only the other release does not drop;
            ``reported``: a diagnostic that one of the two gives.
        event_index: position of the event, from 0; ``None`` for the Msg as a whole, at the end.
        line: line of the event, from 1.
        type: the event's type.
        reply_id: the reply.
        pointer: JSON Pointer: into the Msg for ``changed``, into the event otherwise.
        before: the value as the one release has it, :data:`ABSENT` for none; or what it says.
        after: the same of the other release.
        since: the release that brought the change, when a value changed.
    """

    kind: str
    event_index: int | None
    line: int | None
    type: str
    reply_id: str | None
    pointer: str | None
    before: Any
    after: Any
    since: str | None = None

    @property
    def causes(self) -> tuple[Change, ...]:
        """The entries of the table of changes that explain it."""
        return tuple(c for c in CHANGES if c.since == self.since and self.type in c.events)

    def to_json(self) -> dict[str, Any]:
        """As written by ``msgfold upgrade-check --output json``; an absent value is left out."""
        found = {name: getattr(self, name) for name in self.__slots__}
        for side in ("before", "after"):
            if found[side] is ABSENT:
                del found[side]
        found["rules"] = [rule for change in self.causes for rule in change.rules]
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where findings are: the event and its reply."""

    event_index: int
    line: int | None
    type: str
    reply_id: str | None

    def finding(
        self, kind: str, pointer: str | None, before: Any, after: Any, since: str | None = None
    ) -> Finding:
        at = (self.event_index, self.line, self.type, self.reply_id)
        return Finding(kind, *at, pointer, before, after, since)


class _Places:
    """Where the blocks of an id stand that an event can touch: the first of each kind, and the last
    one, which the event may have made.  Blocks are only ever appended."""

    def __init__(self) -> None:
        self._seen = 0
        self._first: dict[str, dict[str, int]] = {}
        self._last: dict[str, int] = {}

    def note(self, content: list[Any]) -> None:
        """Look at the blocks that are new."""
        for position in range(self._seen, len(content)):
            block = content[position]
            self._first.setdefault(block.id, {}).setdefault(block.type, position)
            self._last[block.id] = position
        self._seen = len(content)

    def of(self, block_id: str) -> set[int]:
        """The places of an id."""
        found = set(self._first.get(block_id, {}).values())
        return found | ({self._last[block_id]} if found else set())


class UpgradeCheck:
    """Folds a stream as two releases, and tells where they part.

    Args:
        before: the release that it was folded as until now.
        after: the release to compare with; an earlier one is fine.

    Raises:
        UnknownRevisionError: no such release.
    """

    def __init__(self, before: str, after: str) -> None:
        self.before, self.after = known(before), known(after)
        low, high = sorted(map(RELEASES.index, (before, after)))
        # Releases that fold alike are folded once; the ends are always there.
        self._ladder = [
            release
            for place, release in enumerate(RELEASES[low : high + 1], low)
            if place in (low, high) or table(release) is not table(RELEASES[place - 1])
        ]
        self._said: dict[str, list[Diagnostic]] = {release: [] for release in self._ladder}
        self._folders = {
            release: Folder(revision=release, errors="skip", on_diagnostic=said.append)
            for release, said in self._said.items()
        }
        self._places: dict[tuple[str, str], _Places] = {}
        self._told: set[tuple[str | None, str]] = set()
        self.refused: list[Diagnostic] = []
        """What each release refuses: of such events nothing is known but that."""

    @property
    def replies(self) -> int:
        """Replies seen so far by the release that the stream was folded as."""
        return len(self._folders[self.before].msgs)

    @property
    def events(self) -> int:
        """Events seen so far."""
        return self._folders[self.before].events

    def feed(self, text: bytes, *, line: int | None = None) -> Iterator[Finding]:
        """One event's JSON text; what the two releases do otherwise with it."""
        index = self.events
        for folder in self._folders.values():
            folder.feed_text(text, line=line)
        value, _ = json.faults(text)
        event: dict[str, Any] = value if isinstance(value, dict) else {}
        kind, reply_id = str(event.get("type")), event.get("reply_id")
        place = _Place(index, line, kind, reply_id)
        said = {release: list(self._said[release]) for release in self._ladder}
        for reports in self._said.values():
            reports.clear()
        refusals = [_refusals(reports) for reports in said.values()]
        if all(refusals):
            self.refused += refusals[0][:1]
        yield from _told_apart(place, said[self.before], said[self.after])
        handlers = {id(table(release).get(kind)) for release in self._ladder}
        if isinstance(reply_id, str) and (len(handlers) > 1 or any(said.values())):
            yield from self._parted(place, reply_id, _ids(event))

    def close(self) -> Iterator[Finding]:
        """The stream is over: what the other release would refuse of the Msgs as stored."""
        for folder in self._folders.values():
            folder.close()
        for msg in self._folders[self.before].msgs:
            stored = dump(msg, revision=self.before)
            for fault in validate_value(stored, "Msg", revision=self.after):
                if fault.code != FaultCode.NEWER_MEMBER:
                    yield Finding(
                        "refused",
                        None,
                        None,
                        "Msg",
                        msg.id,
                        fault.place.pointer,
                        ABSENT,
                        str(fault),
                    )

    def _parted(self, place: _Place, reply_id: str, ids: set[str]) -> Iterator[Finding]:
        """Where the Msgs of the two releases part for the first time."""
        steps = {release: self._parts(release, reply_id, ids) for release in self._ladder}
        lowest = self._ladder[0]
        apart = {
            release: {found.pointer for found in differences(steps[lowest], parts, "")}
            for release, parts in steps.items()
        }
        for found in differences(steps[self.before], steps[self.after], ""):
            if (reply_id, found.pointer) in self._told:
                continue
            self._told.add((reply_id, found.pointer))
            since = next((r for r in self._ladder if found.pointer in apart[r]), self._ladder[-1])
            sides = found.expected, found.got
            yield place.finding("changed", found.pointer, *sides, since)

    def _parts(self, release: str, reply_id: str, ids: set[str]) -> dict[str, Any]:
        """The Msg as far as an event about ``ids`` can touch it; blocks by their position."""
        msg = self._folders[release].msg(reply_id)
        if msg is None:
            return {}
        places = self._places.setdefault((release, reply_id), _Places())
        places.note(msg.content)
        parts = dump(msg.model_copy(update={"content": []}), revision=release)
        parts["content"] = {
            str(position): dump(msg.content[position], revision=release)
            for position in sorted(set().union(*map(places.of, ids)))
        }
        return _without_nulls(parts)


def _without_nulls(value: dict[str, Any]) -> dict[str, Any]:
    """``value`` without members that are null: the nulls of a later release are no change."""
    return {name: _kept(member) for name, member in value.items() if member is not None}


def _kept(value: Any) -> Any:
    if isinstance(value, list):
        return [_kept(item) for item in value]
    return _without_nulls(value) if isinstance(value, dict) else value


def _ids(event: dict[str, Any]) -> set[str]:
    """The ids of the blocks that an event is about."""
    named = [event.get(name) for name in _NAMES]
    for name in _CARRIED:
        carried = event.get(name)
        named += [block.get("id") for block in carried or [] if isinstance(block, dict)]
    for answer in event.get("confirm_results") or []:
        if isinstance(answer, dict) and isinstance(answer.get("tool_call"), dict):
            named.append(answer["tool_call"].get("id"))
    return {name for name in named if isinstance(name, str)}


def _refusals(reports: list[Diagnostic]) -> list[Diagnostic]:
    return [report for report in reports if isinstance(report.code, ErrorCode)]


def _told_apart(
    place: _Place, before: list[Diagnostic], after: list[Diagnostic]
) -> Iterator[Finding]:
    """What only one of the two releases has to say about an event."""
    left = {(str(report.code), report.place.pointer): report for report in before}
    right = {(str(report.code), report.place.pointer): report for report in after}
    for key in [*right, *(key for key in left if key not in right)]:
        if key in left and key in right:
            continue
        report = right.get(key) or left[key]
        if report.code == DiagnosticCode.NEWER_MEMBER:
            kind = "ignored" if key in right else "read"
        elif isinstance(report.code, ErrorCode) or report.code == DiagnosticCode.UNKNOWN_ENUM_VALUE:
            kind = "refused" if key in right else "accepted"
        else:
            kind = "reported"
        sides = [ABSENT, report.message] if key in right else [report.message, ABSENT]
        yield place.finding(kind, report.place.pointer, *sides)
