"""Fuzzing: random streams, until the implementation breaks a law or differs from the reference.

Each law has a sequence of streams of its own, made from the seed, the law's name and the number of
the stream: any one of them can be drawn again by itself.

A law is broken by two answers, and the reference obeys every law; so at least one of the answers
differs from the reference's.  The input behind that answer is shrunk (:mod:`.shrink`), and a made
case is found: the law says what is wrong in general, the case shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from msgfold.conformance import blame, made, shrink
from msgfold.conformance.compare import Difference
from msgfold.conformance.laws import LAWS, Law
from msgfold.conformance.prefix import Ask, events_of
from msgfold.conformance.process import BrokenTesteeError
from msgfold.conformance.runner import Result, judge
from msgfold.conformance.streams import Streams
from msgfold.errors import MsgfoldError

Json = dict[str, Any]

REFERENCE = "reference"
"""The name of what is no law: the comparison with the reference."""

NAMES = (REFERENCE, *(law.name for law in LAWS))
"""What can be asked for."""

MOST = 10
"""After so many different findings there is enough to do."""


@dataclass(slots=True)
class Finding:
    """One fault, found by one stream or by many.

    Attributes:
        law: what was checked: a law's name, or ``reference``.
        number: the number of the stream, among those of that law.
        result: the smallest case that shows it, judged; ``None`` when the implementation answered
            the same input once so and once so.
        difference: of a broken law, where the two answers parted.
        streams: how many streams showed it.
    """

    law: str
    number: int
    result: Result | None
    difference: Difference | None = None
    streams: int = 1


@dataclass(slots=True)
class Fuzzing:
    """One run.

    Args:
        testee: what answers.
        revision: the release to judge by.
        features: what the testee can beyond folding one reply.
        seed: where all choices come from.
        names: of :data:`NAMES`, what is checked; those that the testee cannot do are left out.
        odd: whether the comparison with the reference takes odd streams, too.
    """

    testee: Ask
    revision: str
    features: frozenset[str]
    seed: int
    names: Sequence[str] = NAMES
    odd: bool = True
    streams: int = 0
    """How many streams were checked so far."""
    findings: list[Finding] = field(default_factory=list)
    _seen: dict[Any, Finding] = field(default_factory=dict)

    def checked(self) -> list[str]:
        """The names of what is checked."""
        able = {law.name for law in LAWS if law.feature is None or law.feature in self.features}
        return [name for name in self.names if name == REFERENCE or name in able]

    def run(self, *, count: int, seconds: float | None = None, first: int = 0) -> Iterator[Finding]:
        """Draw streams and check them; each different finding once, as soon as it is shrunk.

        Args:
            count: how many streams, for all laws together.
            seconds: stop after that time, whatever the count.
            first: the number of the first stream of each law.

        Raises:
            BrokenTesteeError: there is no testee left to ask.
        """
        names = self.checked()
        until = None if seconds is None else time.monotonic() + seconds
        for turn in range(count if names else 0):
            if len(self.findings) >= MOST or (until is not None and time.monotonic() >= until):
                return
            finding = self.check(names[turn % len(names)], first + turn // len(names))
            self.streams += 1
            if finding is not None:
                yield finding

    def check(self, name: str, number: int) -> Finding | None:
        """Check one stream; a finding that is new.

        Raises:
            BrokenTesteeError: there is no testee left to ask.
        """
        random = Random(f"{self.seed}:{name}:{number}")
        if name == REFERENCE:
            given = Streams(random, odd=self.odd and number % 2 == 1).given()
            wrong = self._first_wrong([given])
            return None if wrong is None else self._told(name, number, wrong, None)
        law = next(law for law in LAWS if law.name == name)
        asked: list[Json] = []
        difference = self._broken(law, random, asked)
        if difference is None:
            return None
        wrong = self._first_wrong(asked)
        if wrong is not None:
            return self._told(name, number, wrong, difference)
        return self._new((name, "unsteady"), lambda: Finding(name, number, None, difference))

    def _broken(self, law: Law, random: Random, asked: list[Json]) -> Difference | None:
        """Where the law is broken; every input that was asked is noted."""

        def ask(given: Json) -> Json:
            asked.append(given)
            return self.testee("fold", given, self.revision)

        try:
            return law.check(Streams(random).given(), random, ask)
        except BrokenTesteeError:
            raise
        except Exception as error:  # whatever an implementation throws, or a misshapen Msg
            return Difference("", "an answer", f"{type(error).__name__}: {error}")

    def _first_wrong(self, asked: list[Json]) -> Result | None:
        """The first input whose answer is not the reference's."""
        for given in asked:
            try:
                case = made.case(given, self.revision)
            except MsgfoldError:
                continue  # it begins with a Msg of the implementation's own that is none
            result = judge(case, self.revision, self.testee, features=self.features, locate=False)
            if result.outcome != "passed":
                return result
        return None

    def _told(
        self, name: str, number: int, wrong: Result, difference: Difference | None
    ) -> Finding | None:
        way = shrink.way_of(wrong)
        return self._new(way, lambda: Finding(name, number, self._smallest(wrong), difference))

    def _new(self, key: Any, make: Callable[[], Finding]) -> Finding | None:
        """The finding, unless one like it was made before; that one has one stream more then."""
        if key in self._seen:
            self._seen[key].streams += 1
            return None
        finding = make()
        # Two faults that look different in long streams may be one when they are short.
        case = finding.result and finding.result.case.id
        same = next((f for f in self.findings if f.result and f.result.case.id == case), None)
        self._seen[key] = same or finding
        if same is not None:
            same.streams += 1
            return None
        self.findings.append(finding)
        return finding

    def _smallest(self, wrong: Result) -> Result:
        """The smallest input that fails so, as a case with a name, a rule and a title."""
        asked = self.revision, self.testee, self.features
        given = shrink.shrink(wrong.case.input, *asked)
        result = shrink.judged(given, *asked)
        if result.outcome == "passed":  # it does not fail each time: then as it was found
            given, result = wrong.case.input, wrong
        return named(result, self.revision)


def named(result: Result, revision: str) -> Result:
    """The result, with a case that says what went wrong."""
    case, event = result.case, result.event
    given = case.input
    if event is None and events_of(given):
        event = len(events_of(given)) - 1
    rule = blame.rule_of(given, revision, event)
    kind = "" if event is None else blame.type_of(given, event)
    kind = kind if kind in blame.RULES else "fold"  # it is to stand in the name of a file
    if result.difference is None:
        title, kill = f"{kind}: there is an answer at all", f"give no answer: {result.message}"
    else:
        place = f"{result.what} {result.difference.pointer}".strip()
        title = f"{kind}: {place} is as {rule} says"
        kill = f"at {place}, give {result.difference.got!r} for {result.difference.expected!r}"
    told = made.told(case, name=kind, rule=rule, title=title, kill=kill)
    return replace(result, case=told)
