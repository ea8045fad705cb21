"""Mutants against the corpus: workers side by side, and what came of each mutant."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgfold.conformance.corpus import Case
from msgfold.revisions import RELEASES
from table import Mutant, TableError

WORKER = Path(__file__).with_name("worker.py")

Ask = Callable[..., dict[str, Any]]
"""``ask(files, cases, first=False, tests=())``: what comes of changed files."""

Asked = Mapping[str, list[str]]
"""Case ids, and the revisions to judge each in."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one mutant.

    Attributes:
        mutant: the mutant.
        caught: cases with its kill that caught it, and what they saw.
        others: for one that they did not, cases that would.
        broken: why it is no mutant at all.
    """

    mutant: Mutant
    caught: dict[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of all of them.

    Attributes:
        verdicts: of every mutant.
        missed: cases that no mutant of their kill fails.
    """

    verdicts: tuple[Verdict, ...]
    missed: tuple[Case, ...]

    def faults(self) -> Iterator[str]:
        """What must be mended, each in words."""
        for verdict in self.verdicts:
            if verdict.broken:
                yield f"{verdict.mutant.home}: is no mutant: {verdict.broken}"
            elif not verdict.caught:
                seen = ", ".join(verdict.others[:3]) or "no case at all"
                yield (
                    f"{verdict.mutant.home}: survives: no case with its kill fails; "
                    f"caught by {seen}"
                )
        for case in self.missed:
            yield f"{case.id}: no mutant of its kill fails it: {case.kill!r}"


def revisions_of(case: Case) -> list[str]:
    """Every release that the case holds for."""
    return [release for release in RELEASES if case.holds_for(release)]


def outcome(
    mutants: Iterable[Mutant], cases: list[Case], wanted: Set[str], ask: Ask, jobs: int
) -> Outcome:
    """Judge every mutant by the cases that claim to catch it.

    Args:
        mutants: the mutants.
        cases: the corpus.
        wanted: the kills to judge; mutants and cases of others are left out.
        ask: a worker's answer.
        jobs: how many to ask at a time.
    """
    by_kill: dict[str, list[Case]] = {}
    for case in cases:
        by_kill.setdefault(case.kill, []).append(case)
    everything = {case.id: revisions_of(case) for case in cases}

    def verdict(mutant: Mutant) -> Verdict:
        own = {c.id: everything[c.id] for kill in mutant.kills for c in by_kill.get(kill, [])}
        try:
            files = mutant.applied()
        except TableError as error:
            return Verdict(mutant, broken=str(error))
        said = ask(files, own)
        if "caught" not in said:
            return Verdict(mutant, broken=said.get("broken", "it hangs"))
        if said["caught"]:
            return Verdict(mutant, said["caught"])
        others = ask(files, everything).get("caught", {})
        return Verdict(mutant, others=tuple(others))

    with ThreadPoolExecutor(jobs) as pool:
        verdicts = tuple(pool.map(verdict, (m for m in mutants if wanted & {*m.kills})))
    caught = {case_id for found in verdicts for case_id in found.caught}
    missed = tuple(case for case in cases if case.kill in wanted and case.id not in caught)
    return Outcome(verdicts, missed)


@contextmanager
def workers(jobs: int) -> Iterator[Ask]:
    """So many workers, each with a copy of its own; gives what asks the next idle one."""
    idle: queue.SimpleQueue[subprocess.Popen[str]] = queue.SimpleQueue()
    started: list[subprocess.Popen[str]] = []

    def ask(
        files: dict[str, str], cases: Asked, first: bool = False, tests: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        worker = idle.get()
        try:
            request = {"files": files, "cases": cases, "first": first, "tests": tests}
            return _say(worker, json.dumps(request))
        finally:
            idle.put(worker)

    with tempfile.TemporaryDirectory(prefix="msgfold-mutants-") as folder:
        try:
            for number in range(jobs):
                copy = Path(folder, str(number))
                command = [sys.executable, "-Wignore", str(WORKER), str(copy)]
                started.append(
                    subprocess.Popen(
                        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                    )
                )
            for worker in started:
                _read(worker)
                idle.put(worker)
            yield ask
        finally:
            for worker in started:
                worker.communicate()


def _say(worker: subprocess.Popen[str], line: str) -> dict[str, Any]:
    assert worker.stdin is not None
    worker.stdin.write(line + "\n")
    worker.stdin.flush()
    return _read(worker)


def _read(worker: subprocess.Popen[str]) -> dict[str, Any]:
    assert worker.stdout is not None
    line = worker.stdout.readline()
    if not line:
        raise RuntimeError(f"a worker ended with {worker.wait()}; its error is above")
    return json.loads(line)  # type: ignore[no-any-return]


def kills(cases: Iterable[Case]) -> set[str]:
    """The sentences of the corpus."""
    return {case.kill for case in cases}
