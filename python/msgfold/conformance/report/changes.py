"""Two runs held against each other: what got worse, what better, what came and went."""

from __future__ import annotations

from dataclasses import dataclass

from msgfold.conformance.report.log import Run

_RANK = {"passed": 0, "untested": 1, "known": 1, "flaky": 1, "failed": 2, "errored": 3}
"""How bad an outcome is; only a change of rank is better or worse."""


@dataclass(frozen=True, slots=True)
class Change:
    """One case whose outcome is not what it was.

    Attributes:
        id: the case.
        kind: ``worse``, ``better``, ``other``, ``new`` or ``gone``.
        before: its outcome in the first run; empty when it was not there.
        after: its outcome in the second; empty when it is not there any more.
    """

    id: str
    kind: str
    before: str
    after: str


def changes(before: Run, after: Run) -> list[Change]:
    """Every case whose outcome differs, the worse first, then by id."""
    old = {result["id"]: result["outcome"] for result in before.results}
    new = {result["id"]: result["outcome"] for result in after.results}
    found = [
        Change(case, _kind(old.get(case, ""), new.get(case, "")), old.get(case, ""), new[case])
        if case in new
        else Change(case, "gone", old[case], "")
        for case in sorted(old.keys() | new.keys())
        if old.get(case) != new.get(case)
    ]
    order = ("worse", "new", "gone", "other", "better")
    return sorted(found, key=lambda change: order.index(change.kind))


def _kind(before: str, after: str) -> str:
    if not before:
        return "worse" if _RANK[after] > 1 else "new"
    if _RANK[before] == _RANK[after]:
        return "other"
    return "worse" if _RANK[after] > _RANK[before] else "better"
