"""Runs contestants in turns, each in a process of its own, and sums up."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class Entry:
    """Who is measured: a contestant, and the environment that it runs in."""

    label: str
    contestant: str
    python: str = sys.executable


@dataclass(frozen=True)
class Cost:
    """Microseconds an event: the median of all repetitions, the lowest and the highest."""

    median: float
    lowest: float
    highest: float
    events: int
    version: str
    peak_bytes: int


OURS = Entry("msgfold", "msgfold")
OURS_FILE = Entry("msgfold, from a file", "msgfold_file")
VALIDATE = Entry("msgfold validate", "validate")
MSGSPEC = Entry("msgspec (the limit)", "msgspec")
MSGSPEC_SPLIT = Entry("msgspec, lines already cut", "msgspec_split")
ORJSON = Entry("orjson", "orjson")


def agentscope(release: str) -> Entry:
    """AgentScope in the environment that ``make oracle`` makes for a release.

    Raises:
        SystemExit: it is not there.
    """
    python = ROOT / ".oracles" / release / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"AgentScope {release} is not installed; run: make oracle-{release}")
    return Entry(f"agentscope {release}", "agentscope", str(python))


def measure(
    entries: Iterable[Entry], workload: str, size: int, *, rounds: int = 5, repeats: int = 3
) -> dict[str, Cost]:
    """The cost of each contestant by its label.

    Args:
        entries: who; they take turns.
        workload: a name of ``workloads.WORKLOADS``.
        size: its size.
        rounds: processes for each contestant.
        repeats: repetitions in each process.
    """
    entries = list(entries)
    runs: dict[str, list[dict[str, object]]] = {entry.label: [] for entry in entries}
    for turn in range(rounds):
        for entry in entries:
            _say(f"{workload} {size}: {entry.label}, round {turn + 1} of {rounds}")
            command = [entry.python, str(WORKER), entry.contestant, workload, str(size)]
            done = subprocess.run([*command, str(repeats)], capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{entry.label} failed:\n{done.stderr}")
            runs[entry.label].append(json.loads(done.stdout))
    return {label: _cost(found) for label, found in runs.items()}


def _cost(runs: list[dict[str, object]]) -> Cost:
    events = int(str(runs[0]["events"]))
    each = [seconds / events * 1e6 for run in runs for seconds in run["seconds"]]  # type: ignore[attr-defined]
    peak = max(int(str(run["peak_bytes"])) for run in runs)
    median = statistics.median(each)
    return Cost(median, min(each), max(each), events, str(runs[0]["version"]), peak)


def _say(said: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{said}", end="", file=sys.stderr, flush=True)
