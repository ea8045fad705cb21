"""Judging: each case is asked of the implementation, and its answer held against ``expect``.

A case fails for one reason at a time, the first found: that is what the person has to mend first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
        yield Result(
            case,
            result.outcome,
            result.what,
            result.difference,
            result.message,
            time.perf_counter() - started,
        )


def judge(case: Case, revision: str, testee: Testee = reference.answer) -> Result:
    """Judge one case."""
    try:
        answer = testee(case.op, case.input, revision)
    except Exception as error:  # whatever an implementation throws is its answer to this case
        return Result(case, "errored", message=f"{type(error).__name__}: {error}")
    for what, found in _compare(case, answer):
        return Result(case, "failed", what, found)
    return Result(case, "passed")


def _compare(case: Case, answer: dict[str, Any]) -> Iterator[tuple[str, Difference]]:
    expect = case.expect
    yield from _each("error", [expect["error"]] if "error" in expect else [], _listed(answer))
    for what in ("msg", "msgs", "events"):
        if what in expect:
            volatile = case.volatile if what == "msg" else ()
            found = differences(
                expect[what], answer.get(what), "Msg" if what == "msg" else "", volatile
            )
            yield from ((what, difference) for difference in found)
    if case.op == "validate":
        given = sorted(answer["faults"], key=_order)
        yield from _each("faults", sorted(expect["faults"], key=_order), given)
    else:
        yield from _each(
            "diagnostics", expect.get("diagnostics", []), answer.get("diagnostics", [])
        )
    for what in ("status", "last_event_id", "retry_ms"):
        if what in expect and expect[what] != answer.get(what):
            yield what, Difference("", expect[what], answer.get(what))


def _listed(answer: dict[str, Any]) -> list[Any]:
    return [answer["error"]] if "error" in answer else []


def _each(what: str, expected: list[Any], got: list[Any]) -> Iterator[tuple[str, Difference]]:
    """Codes in order; of the place, only the parts that the case names."""
    for position in range(max(len(expected), len(got))):
        left = expected[position] if position < len(expected) else None
        right = got[position] if position < len(got) else None
        if left is None or right is None or any(left[k] != right.get(k) for k in left):
            yield what, Difference(f"/{position}", left, right)


def _order(fault: dict[str, Any]) -> tuple[int, str, str]:
    return (fault.get("event") or 0, fault.get("pointer") or "", fault["code"])
