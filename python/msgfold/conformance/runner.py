"""Judging: each case is asked of the implementation, and its answer held against ``expect``.

A case fails for one reason at a time, the first found: that is what the person has to mend first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from msgfold.conformance import reference
from msgfold.conformance.compare import Difference, differences
from msgfold.conformance.corpus import Case

Testee = Callable[[str, dict[str, Any], str], dict[str, Any]]
"""Answers ``(op, input, revision)`` with the members of ``expect``."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case.

    Attributes:
        case: the case.
        outcome: ``passed``; ``failed``: another answer; ``errored``: no answer.
        what: for a failure, which part of the answer is wrong: ``msg``, ``diagnostics`` ...
        difference: for a failure, where it parts from what was expected.
        message: for an error, what happened.
        seconds: how long it took.
    """

    case: Case
    outcome: str
    what: str = ""
    difference: Difference | None = None
    message: str = ""
    seconds: float = 0.0

    @property
    def fails_run(self) -> bool:
        """A MUST that did not pass."""
        return self.outcome != "passed" and self.case.level == "must"


def run(
    cases: Iterable[Case], revision: str, testee: Testee = reference.answer
) -> Iterator[Result]:
    """Judge every case, in order."""
    for case in cases:
        started = time.perf_counter()
        result = judge(case, revision, testee)
        yield replace(result, seconds=time.perf_counter() - started)


def judge(case: Case, revision: str, testee: Testee = reference.answer) -> Result:
    """Judge one case."""
    try:
        answer = testee(case.op, case.input, revision)
        parted = next(_compare(case, case.expected_of(revision), answer), None)
    except Exception as error:  # whatever an implementation throws is its answer to this case
        return Result(case, "errored", message=f"{type(error).__name__}: {error}")
    return Result(case, "passed") if parted is None else Result(case, "failed", *parted)


def _compare(
    case: Case, expect: dict[str, Any], answer: dict[str, Any]
) -> Iterator[tuple[str, Difference]]:
    yield from _each("error", _listed(expect), _listed(answer))
    for what, definition in (("msg", "Msg"), ("msgs", "Msg"), ("events", ""), ("value", "")):
        if what in expect:
            volatile = case.volatile if what == "msg" else ()
            for found in differences(expect[what], answer.get(what), definition, volatile):
                yield what, found
    if case.op == "validate":
        yield from _in_any_order("faults", expect["faults"], answer["faults"])
    else:
        yield from _each(
            "diagnostics", expect.get("diagnostics", []), answer.get("diagnostics", [])
        )
    for what in ("status", "last_event_id", "retry_ms", "hex"):
        if what in expect and expect[what] != answer.get(what):
            yield what, Difference("", expect[what], answer.get(what))


def _listed(either: dict[str, Any]) -> list[Any]:
    return [either["error"]] if "error" in either else []


def _each(what: str, expected: list[Any], got: list[Any]) -> Iterator[tuple[str, Difference]]:
    """Codes in order; of the place, only the parts that the case names."""
    for position in range(max(len(expected), len(got))):
        left = expected[position] if position < len(expected) else None
        right = got[position] if position < len(got) else None
        if left is None or right is None or not _meets(left, right):
            yield what, Difference(f"/{position}", left, right)


def _in_any_order(
    what: str, expected: list[Any], got: list[Any]
) -> Iterator[tuple[str, Difference]]:
    """Each expected code takes one that was given; what names more of its place chooses first."""
    left_over = list(got)
    for wanted in sorted(expected, key=len, reverse=True):
        found = next((given for given in left_over if _meets(wanted, given)), None)
        if found is None:
            yield what, Difference(f"/{expected.index(wanted)}", wanted, left_over or None)
        else:
            left_over.remove(found)
    for given in left_over:
        yield what, Difference(f"/{got.index(given)}", None, given)


def _meets(wanted: dict[str, Any], given: dict[str, Any]) -> bool:
    return all(given.get(part) == value for part, value in wanted.items())
