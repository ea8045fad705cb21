"""``make mutants``: does each case catch the wrong change that it says it catches?

    python conformance/mutants/run.py                           every mutant
    python conformance/mutants/run.py --filter 'fold/text/*'    those of some cases

Exit code 0: every mutant is caught, by every case that claims it; 1: something must be mended; 2:
the table itself is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from fnmatch import fnmatchcase

from judge import kills, outcome, workers
from msgfold.conformance.corpus import load
from table import TableError, check, read


def main(arguments: list[str] | None = None) -> int:
    """Judge, and say what came of it."""
    asked = _parser().parse_args(arguments)
    began = time.perf_counter()
    cases = load()
    try:
        mutants = read()
        check(mutants, kills(cases))
    except TableError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    wanted = kills(case for case in cases if fnmatchcase(case.id, asked.filter))
    if not wanted:
        print(
            f"error: no case fits {asked.filter!r}; see `msgfold conformance list`", file=sys.stderr
        )
        return 2
    with workers(asked.jobs) as ask:
        found = outcome(mutants, cases, wanted, ask, asked.jobs)
    faults = list(found.faults())
    for fault in faults:
        print(fault)
    live = sum(not verdict.caught for verdict in found.verdicts)
    judged = sum(case.kill in wanted for case in cases)
    seconds = time.perf_counter() - began
    print(
        f"{len(found.verdicts)} mutants, {live} of them live; {judged} cases, "
        f"{len(found.missed)} of them catch no mutant of theirs; {seconds:.0f} s"
    )
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Judge the corpus: apply the wrong change of each case to the reference.",
        epilog="example: python conformance/mutants/run.py --filter 'fold/data/*'",
    )
    parser.add_argument("--filter", default="*", help="only cases whose id fits this pattern")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    return parser


if __name__ == "__main__":
    sys.exit(main())
