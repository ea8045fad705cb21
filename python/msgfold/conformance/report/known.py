"""Failures that a team knows of: a file of lines ``PATTERN | REASON | LINK``.

A failure that the file names is ``known`` and does not fail the run.  The file may not rot: an
entry that fits no case fails the run, and so does one whose case passes now.  A second file of the
same lines names cases that are ``flaky``: they may pass or fail.  Blank lines, and lines that begin
with ``#``, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import translate

from msgfold.conformance.report.log import Record
from msgfold.errors import InvalidInputError, Place


@dataclass(frozen=True, slots=True)
class Entry:
    """One line.

    Attributes:
        pattern: over case ids, ``*`` also over slashes.
        reason: why the case fails.
        link: where the fault is followed up.
        line: its number in the file, from 1.
    """

    pattern: str
    reason: str
    link: str
    line: int

    def takes(self, case_id: str) -> bool:
        """Whether the entry is about that case."""
        return re.match(translate(self.pattern), case_id) is not None


def parse(text: str) -> list[Entry]:
    """The entries of a file.

    Raises:
        InvalidInputError: a line has not three parts, or its link is none.
    """
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 3 or not all(parts) or not re.match(r"https?://", parts[2]):
            raise InvalidInputError(
                f"expected PATTERN | REASON | LINK, got {line.strip()!r}",
                place=Place(line=number),
                hint="The link leads to the issue, and begins with https://",
            )
        pattern, reason, link = parts
        entries.append(Entry(pattern, reason, link, number))
    return entries


def marked(record: Record, known: Iterable[Entry], flaky: Iterable[Entry]) -> Record:
    """``record`` as known or flaky, if it did not pass and an entry is about it."""
    if record["outcome"] not in {"failed", "errored"}:
        return record
    for outcome, entries in (("known", known), ("flaky", flaky)):
        for entry in entries:
            if entry.takes(record["id"]):
                return {**record, "outcome": outcome, "reason": entry.reason, "link": entry.link}
    return record


def rotten(
    results: Collection[Record],
    every: Collection[str],
    known: Iterable[Entry],
    flaky: Iterable[Entry],
) -> list[str]:
    """What is wrong with the entries, a sentence each; empty when nothing is.

    Args:
        results: what came of the run, marked.
        every: ids of all cases of the revision, also of those that were not selected.
        known: entries that are stale when a case of theirs passes.
        flaky: entries whose cases may pass.
    """
    known = list(known)
    said = [
        f"line {entry.line}: {entry.pattern!r} fits no case; take the line out"
        for entry in (*known, *flaky)
        if not any(map(entry.takes, every))
    ]
    passed = [result["id"] for result in results if result["outcome"] == "passed"]
    for entry in known:
        now = [case_id for case_id in passed if entry.takes(case_id)]
        if now:
            more = f" and {len(now) - 1} more" if len(now) > 1 else ""
            said.append(
                f"line {entry.line}: {entry.pattern!r} is stale: {now[0]}{more} passes now; "
                "take the line out, or narrow the pattern"
            )
    return said


def line_for(record: Record) -> str:
    """The line that makes a failure known; the link is for the team to put in."""
    where = f"{record['what']} at {record['pointer'] or '/'}" if "what" in record else ""
    reason = " ".join((where or record.get("message", "")).replace("|", "/").split())
    return f"{record['id']} | {reason[:120]} | https://"
