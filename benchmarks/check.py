"""``make bench-check``: the ratios that must hold, with room for a noisy machine.

Each limit is the target with headroom; a real regression is a multiple of it.  The best of the
repetitions is compared: whatever else the machine does only ever adds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from measure import MSGSPEC, OURS, OURS_FILE, VALIDATE, agentscope, measure
from replies import measure_replies

HEADROOM = 1.3


@dataclass(frozen=True)
class Check:
    """A ratio, the target for it, and whether it must stay below or above."""

    what: str
    found: float
    target: float
    at_most: bool = True

    @property
    def holds(self) -> bool:
        """Whether the ratio is on the right side, headroom granted."""
        if self.at_most:
            return self.found <= self.target * HEADROOM
        return self.found >= self.target / HEADROOM

    def __str__(self) -> str:
        word, side = "ok  " if self.holds else "FAIL", "at most" if self.at_most else "at least"
        return f"{word} {self.what}: {self.found:.2f} ({side} {self.target:g})"


def mixed() -> Iterator[Check]:
    """Against the limit, against AgentScope, validation against the fold."""
    cost = measure([OURS, MSGSPEC, VALIDATE], "mixed", 20_000)
    ours = cost[OURS.label].lowest
    yield Check("fold against msgspec's typed decode", ours / cost[MSGSPEC.label].lowest, 1.8)
    yield Check("validate against fold", cost[VALIDATE.label].lowest / ours, 10)
    for release in ("2.0.4", "2.0.11"):
        entry = agentscope(release)
        theirs = measure([entry], "mixed", 20_000, rounds=1, repeats=1)[entry.label]
        yield Check(f"AgentScope {release} against fold", theirs.lowest / ours, 50, at_most=False)


def flat(workload: str, small: int, large: int) -> Callable[[], Iterator[Check]]:
    """The cost of an event in a long stream against that in a short one."""

    def run() -> Iterator[Check]:
        short = measure([OURS], workload, small, rounds=3, repeats=7)[OURS.label]
        long = measure([OURS], workload, large, rounds=1, repeats=3)[OURS.label]
        what = f"{workload}: an event of {large:,} against one of {small:,}"
        yield Check(what, long.lowest / short.lowest, 1.3)

    return run


def memory() -> Iterator[Check]:
    """Peak memory of 32 MiB in data deltas against the data's size as text."""
    cost = measure([OURS_FILE], "data", 8192, rounds=1, repeats=1)[OURS_FILE.label]
    yield Check("peak memory against the Msg's data", cost.peak_bytes / (8192 * 4096 * 4 / 3), 3)


def service() -> Iterator[Check]:
    """The reply service against a bare gRPC stream."""
    found = measure_replies(best=True)
    yield Check("events a second against a bare gRPC stream", found.times, 8, at_most=False)
    yield Check(
        "a lone event's delay against a bare stream's", found.latency / found.bare_latency, 4
    )


CHECKS: tuple[Callable[[], Iterator[Check]], ...] = (
    mixed,
    flat("text", 10_000, 1_000_000),
    flat("wide", 10_000, 1_000_000),
    flat("arguments", 10_000, 1_000_000),
    flat("result", 10_000, 1_000_000),
    flat("blocks", 300, 30_000),
    flat("data", 256, 25_600),
    memory,
    service,
)


def main() -> int:
    """Run every check; how many failed."""
    failed = 0
    for check in CHECKS:
        for found in check():
            print(f"\r{found}", flush=True)
            failed += not found.holds
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
