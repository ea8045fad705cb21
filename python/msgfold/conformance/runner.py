"""Judging: each case is asked of the implementation, and its answer held against ``expect``.

A case fails for one reason at a time, the first found: that is what the person has to mend first.
Of a fold, the event at which it departed is looked for, too (:mod:`.prefix`).
"""

from __future__ import annotations

import base64
import queue
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from msgfold.conformance import reference
from msgfold.conformance.blame import rule_of
from msgfold.conformance.compare import Difference, differences, same
from msgfold.conformance.corpus import Case
from msgfold.conformance.prefix import departure, silence
from msgfold.conformance.process import BrokenTesteeError, SlowTesteeError, TesteeError
from msgfold.conformance.process import Testee as Process

Testee = Callable[..., dict[str, Any]]
"""Answers ``(op, input, revision)`` with the members of ``expect``.  One with the feature ``steps``
is also asked with ``steps=True``."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case.

    Attributes:
        case: the case.
        outcome: ``passed``; ``failed``: another answer; ``errored``: no answer; ``untested``: the
            testee lacks what the case asks for, which is neither good nor bad; ``known``: it is
            AgentScope, and the case says that AgentScope does otherwise.
        what: for a failure, which part of the answer is wrong: ``msg``, ``diagnostics`` ...
        difference: for a failure, where it parts from what was expected.
        event: for a failure of a fold, the index of the event after which the Msg departs, or at
            which the testee crashes, if that is known.
        rule: with an event, the id of the rule that says what the event does.
        message: for an error, what happened.
        seconds: how long it took.
    """

    case: Case
    outcome: str
    what: str = ""
    difference: Difference | None = None
    event: int | None = None
    rule: str = ""
    message: str = ""
    seconds: float = 0.0

    @property
    def fails_run(self) -> bool:
        """A MUST that was tested and did not pass."""
        return self.outcome in {"failed", "errored"} and self.case.level == "must"


FEATURES = frozenset({"diagnostics", "pointers", "status", "numbers"})
"""What an answer may lack, parts of it and exact numbers; the Msg and the error it may not."""

NOT_ASKED = "not asked: the testee was given up"
"""What is said of a case once there is no testee left, but of the first, which says why."""

AGENTSCOPE = "agentscope"
"""The name of a testee that may differ where a case says so."""


def run(
    cases: Iterable[Case], revision: str, testee: Testee = reference.answer
) -> Iterator[Result]:
    """Judge every case, in order."""
    for case in cases:
        yield judge(case, revision, testee)


def run_processes(
    cases: list[Case],
    revision: str,
    command: list[str],
    *,
    timeout: float,
    processes: int,
    described: Callable[[dict[str, Any]], object] = lambda description: None,
) -> Iterator[Result]:
    """Judge every case with a testee that is a process, or several of the same.

    Args:
        cases: the cases; results come in their order.
        revision: the release to judge by.
        command: the testee's program and arguments.
        timeout: seconds for a case.
        processes: how many to run at the same time.
        described: told what the testee says of itself, before the first result.

    Raises:
        BrokenTesteeError: it cannot be started.  One that is given up later errs on each case left.
    """
    idle: queue.SimpleQueue[Process] = queue.SimpleQueue()
    started: list[Process] = []
    given_up: set[Process] = set()

    def ask(case: Case) -> Result:
        process = idle.get()
        try:
            why = process.supports(case, revision)
            if why is not None:
                return Result(case, "untested", message=why)
            result = judge(case, revision, process.answer, features=process.features)
            if process.description["name"] == AGENTSCOPE and case.agentscope:
                return _known(result)
            return result
        except BrokenTesteeError as error:
            message = NOT_ASKED if process in given_up else str(error)
            given_up.add(process)
            return Result(case, "errored", message=message)
        finally:
            if process not in given_up or len(given_up) == len(started):
                idle.put(process)

    try:
        for _ in range(processes):
            started.append(Process(command, timeout=timeout))
            idle.put(started[-1])
        described(started[0].description)
        with ThreadPoolExecutor(processes) as pool:
            yield from pool.map(ask, cases)
    finally:
        for process in started:
            process.close()


def judge(
    case: Case,
    revision: str,
    testee: Testee = reference.answer,
    *,
    features: frozenset[str] = FEATURES,
    locate: bool = True,
) -> Result:
    """Judge one case.

    Args:
        case: the case.
        revision: the release to judge by.
        testee: what answers.
        features: what it can beyond folding one reply, as its description would say.
        locate: look for the event at which a fold departs or crashes, which asks some more.  One
            that hangs is not asked again: each time would take as long.

    Raises:
        BrokenTesteeError: there is no testee left to judge.
    """
    began = time.perf_counter()
    parted = None
    try:
        for given in inputs(case):
            answer = testee(case.op, given, revision)
            expected = case.expected_of(revision)
            if "pointers" not in features:
                expected = _without_pointers(expected)
            found = _compare(case, expected, answer, "numbers" in features)
            parted = parted or next((f for f in found if f[0] not in FEATURES - features), None)
    except BrokenTesteeError:
        raise
    except Exception as error:  # whatever an implementation throws is its answer to this case
        said = str(error) if isinstance(error, TesteeError) else f"{type(error).__name__}: {error}"
        result = Result(case, "errored", message=said)
        located = not isinstance(error, SlowTesteeError)
    else:
        result = Result(case, "passed") if parted is None else Result(case, "failed", *parted)
        located = parted is not None
    if located and locate and case.op == "fold":
        event = None
        with suppress(BrokenTesteeError):  # there is a result; whoever asks next is told
            event = (
                silence(case, revision, testee)
                if parted is None
                else departure(case, revision, testee, *parted, features=features)
            )
        if event is not None:
            rule = rule_of(case.input, revision, event)
            result = replace(result, event=event, rule=rule)
    return replace(result, seconds=time.perf_counter() - began)


def _known(result: Result) -> Result:
    if result.outcome != "failed":
        return result
    return replace(result, outcome="known", message=result.case.agentscope["differs"])


def _without_pointers(expect: dict[str, Any]) -> dict[str, Any]:
    """The expectation with no more of an error's place than the event."""
    if "error" not in expect:
        return expect
    error = {k: v for k, v in expect["error"].items() if k not in {"pointer", "line"}}
    return {**expect, "error": error}


def inputs(case: Case) -> Iterator[dict[str, Any]]:
    """What is asked: the input, and the bytes of a stream also whole and one by one."""
    yield case.input
    if case.op == "decode":
        chunks = [
            base64.b64decode(c["base64"]) if "base64" in c else c["text"].encode()
            for c in case.input["chunks"]
        ]
        joined = b"".join(chunks)
        for cut in ([joined], [joined[n : n + 1] for n in range(len(joined))]):
            encoded = [{"base64": base64.b64encode(piece).decode()} for piece in cut]
            yield {**case.input, "chunks": encoded}


def _compare(
    case: Case, expect: dict[str, Any], answer: dict[str, Any], exact: bool
) -> Iterator[tuple[str, Difference]]:
    yield from _each("error", _listed(expect), _listed(answer))
    for what, definition in (("msg", "Msg"), ("msgs", "Msg"), ("events", ""), ("value", "")):
        if what in expect:
            volatile = case.volatile if what == "msg" else ()
            for found in differences(
                expect[what], answer.get(what), definition, volatile, exact=exact
            ):
                yield what, found
    if case.op == "validate":
        yield from _in_any_order("faults", expect["faults"], answer["faults"])
    else:
        yield from _each(
            "diagnostics", expect.get("diagnostics", []), answer.get("diagnostics", [])
        )
    for what in ("status", "last_event_id", "retry_ms", "hex"):
        if what in expect and not same(expect[what], answer.get(what), exact=exact):
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
