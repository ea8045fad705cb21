"""The coverage map: event, rule and revision, and which of these cells no case has filled.

The rules of the specification say what there is to test, the logs what was tested.  A rule whose
sentence names events has a cell for each of them, any other rule has one for no event in
particular; each of them once in every revision that a run was judged by.  A result fills a cell
when its case names the rule and its input holds the event.  What stays empty is the to-do list.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgfold.conformance.report.log import Run
from msgfold.conformance.rules import Rule, rules
from msgfold.revisions import RELEASES, comes_after
from msgfold.wire.decode import EVENT_TYPES

ANY = ""
"""Stands for no event in particular."""

_NAME = re.compile(r"(?<!no )(?<!any )\b[A-Z]+(?:_[A-Z]+)*\b")  # "no REPLY_START" is its absence
_NOTE = re.compile(r"\*\(.*?\)\*")  # how AgentScope differs is not what the rule asks for
_SINCE = re.compile(r"From (2\.0\.\d+) on\b")
_EVENTS = frozenset(map(str, EVENT_TYPES))


@dataclass(frozen=True, slots=True)
class Row:
    """One rule and one event.

    Attributes:
        rule: the rule.
        event: the event's type, or :data:`ANY`.
        cells: revision to how many results have each outcome.  An empty count is a cell to fill; a
            revision in which the rule does not hold yet is left out.
    """

    rule: Rule
    event: str
    cells: dict[str, Counter[str]]

    @property
    def empty(self) -> list[str]:
        """The revisions in which nothing was tested."""
        return [revision for revision, counts in self.cells.items() if not counts]


def coverage(runs: Sequence[Run]) -> list[Row]:
    """The map over all runs together, rules in the order of the specification.

    A result that is ``untested`` fills nothing.  Rules that no case may name, such as those of the
    reply service, are left out.
    """
    counts = _counted(runs)
    revisions = revisions_of(runs)
    found = []
    for rule in rules().values():
        if not rule.id.startswith(("fold.", "wire.")):
            continue
        for event in _events_of(rule):
            cells = {
                revision: counts[rule.id, event, revision]
                for revision in revisions
                if _holds(rule, revision)
            }
            found.append(Row(rule, event, cells))
    return found


def revisions_of(runs: Iterable[Run]) -> list[str]:
    """The releases that were judged by, oldest first; one that this msgfold lacks is left out."""
    judged = {run.revision for run in runs}
    return [release for release in RELEASES if release in judged]


def _counted(runs: Iterable[Run]) -> dict[tuple[str, str, str], Counter[str]]:
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for run in runs:
        for result in run.results:
            if result["outcome"] == "untested":
                continue
            for rule in result["rules"]:
                for event in (ANY, *result.get("events", ())):
                    counts[rule, event, run.revision][result["outcome"]] += 1
    return counts


def _events_of(rule: Rule) -> list[str]:
    """The events that a rule's sentence names, in its order."""
    words = _NAME.findall(_NOTE.sub("", rule.text))
    return list(dict.fromkeys(word for word in words if word in _EVENTS)) or [ANY]


def _holds(rule: Rule, revision: str) -> bool:
    """Whether the rule is there yet: a sentence that begins with ``From 2.0.6 on`` says from when.

    A release named further on changes a part of the rule, not whether it holds.
    """
    since = _SINCE.match(rule.text)
    return since is None or not comes_after(since[1], revision)
