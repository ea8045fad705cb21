"""The run log: NDJSON, first a line about the run, then a line for each result.

Each line is written as soon as its result is there.  The last one counts them; a log without it is
of a run that was cut off, as ``--fail-fast`` does, and every report says so.  No line holds a date
or a host: two runs of one implementation can be compared line by line, but for ``seconds``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TextIO

from jsonschema import Draft202012Validator

from msgfold.conformance.compare import ABSENT
from msgfold.conformance.corpus import Case
from msgfold.conformance.prefix import events_of
from msgfold.conformance.runner import Result
from msgfold.errors import InvalidInputError, Place, shorten
from msgfold.resources import SCHEMAS
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.json import pointer

FORMAT = 1
"""The version of the log."""

OUTCOMES = ("passed", "failed", "errored", "known", "flaky", "untested")
"""Every outcome, in the order of reports."""

Record = dict[str, Any]
"""One result, as ``$defs/Result`` of the schema has it."""


@dataclass(frozen=True, slots=True)
class Run:
    """A log that was read.

    Attributes:
        implementation: who was judged: ``name``, ``version`` and ``language``.
        revision: the AgentScope release that it was judged by.
        results: the results, in order.
        complete: whether the run came to its end.
    """

    implementation: dict[str, str]
    revision: str
    results: tuple[Record, ...]
    complete: bool = True

    @property
    def name(self) -> str:
        """The implementation, for a heading."""
        return f"{self.implementation['name']} {self.implementation['version']}"

    @property
    def counts(self) -> dict[str, int]:
        """How many results have each outcome."""
        found = Counter(result["outcome"] for result in self.results)
        return {outcome: found[outcome] for outcome in OUTCOMES}

    @property
    def failures(self) -> list[Record]:
        """Results that did not pass and that nobody knew of, of any level."""
        return [result for result in self.results if result["outcome"] in {"failed", "errored"}]


def fails(record: Record) -> bool:
    """Whether a result makes its run fail: a MUST that was tested and did not pass."""
    return record["outcome"] in {"failed", "errored"} and record["level"] == "must"


def record(result: Result) -> Record:
    """A result as a line of the log.  A side of a difference that is absent is left out."""
    case = result.case
    found: Record = {
        "record": "result",
        "id": case.id,
        "title": case.title,
        "level": case.level,
        "op": case.op,
        "area": case.area,
        "rules": list(case.rules),
        "outcome": result.outcome,
    }
    if events := _types(case):
        found["events"] = events
    if result.difference is not None:
        found |= {"what": result.what, "pointer": result.difference.pointer}
        sides = (("expected", result.difference.expected), ("got", result.difference.got))
        found |= {side: value for side, value in sides if value != ABSENT}
    if result.event is not None:
        found["event"] = result.event
        found["event_text"] = shorten(_text(events_of(case.input)[result.event]), 200)
    if result.rule and result.rule != case.rules[0]:
        found["event_rule"] = result.rule
    if result.message:
        found["message"] = result.message
    found["seconds"] = round(result.seconds, 6)
    return found


def _types(case: Case) -> list[str]:
    """The known types of the events that a case gives, in alphabetical order, each once."""
    given: list[Any] = []
    if case.op == "fold":
        given = events_of(case.input)
    elif case.input.get("definition") == "AgentEvent":
        given = [case.input.get("value")]
    types = (_type(event) for event in given)
    return sorted({kind for kind in types if kind in EVENT_TYPES})


def _type(event: Any) -> str:
    """The type of an event, which may be a line of text; empty when it has none."""
    if isinstance(event, str):
        with suppress(ValueError):
            event = json.loads(event)
    kind = event.get("type") if isinstance(event, dict) else None
    return kind if isinstance(kind, str) else ""


def _text(event: Any) -> str:
    return event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)


class Writer:
    """Writes a log while its run goes on, so that one that is cut off leaves what it found.

    Args:
        file: where to; ``None`` writes nothing.
        implementation: who is judged, as :class:`Run` has it; looked at when the first result is
            there.
        revision: the AgentScope release that it is judged by.
    """

    def __init__(self, file: TextIO | None, implementation: dict[str, str], revision: str) -> None:
        self._file = file
        self._head = {
            "record": "run",
            "format": FORMAT,
            "implementation": implementation,
            "revision": revision,
        }
        self._begun = False

    def add(self, result: Record) -> None:
        """Write a result."""
        self._begin()
        self._write(result)

    def end(self, run: Run) -> None:
        """Write the end of a run that came to it."""
        self._begin()
        if run.complete:
            self._write({"record": "end", "total": len(run.results), **run.counts})

    def _begin(self) -> None:
        if not self._begun:
            self._write(self._head)
            self._begun = True

    def _write(self, found: Record) -> None:
        if self._file is not None:
            # ASCII: a lone surrogate, which a case may be about, stays an escape
            print(json.dumps(found), file=self._file, flush=True)


def read(text: Iterable[str]) -> Run:
    """A log, checked.

    Args:
        text: its lines.

    Raises:
        InvalidInputError: it is no log; the message names the line.
    """
    found: list[Record] = []
    for number, line in enumerate(text, 1):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise _wrong(number, f"expected a JSON object, got no JSON: {error}") from None
        for fault in _validator().iter_errors(value):
            where = pointer(fault.absolute_path) or "/"
            raise _wrong(number, f"no record of a run log: {fault.message[:200]} at {where}")
        kind = value["record"]
        if (kind == "run") != (number == 1) or (found and found[-1]["record"] == "end"):
            raise _wrong(number, f"expected run, results, end in that order; got {kind!r} here")
        found.append(value)
    if not found:
        raise _wrong(1, "expected a record of the run, got an empty file")
    head, *rest = found
    complete = bool(rest) and rest[-1]["record"] == "end"
    results = tuple(rest[:-1] if complete else rest)
    if complete and rest[-1]["total"] != len(results):
        raise _wrong(len(found), f"expected {rest[-1]['total']} results, got {len(results)}")
    return Run(head["implementation"], head["revision"], results, complete)


def _wrong(line: int, reason: str) -> InvalidInputError:
    hint = "A run log is written by `msgfold conformance run --log FILE`"
    return InvalidInputError(reason, place=Place(line=line), hint=hint)


@cache
def _validator() -> Draft202012Validator:
    path = SCHEMAS / "conformance" / "runlog.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))
