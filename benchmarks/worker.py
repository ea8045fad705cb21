"""Times one contestant on one workload: ``python worker.py CONTESTANT WORKLOAD SIZE REPEATS``.

Prints JSON: seconds of each repetition, the number of events, the version, and how much more memory
the process held at its peak than before.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from contestants import CONTESTANTS, version
from workloads import WORKLOADS, lines


def main(contestant: str, workload: str, size: int, repeats: int) -> dict[str, Any]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        small, _ = _given(contestant, workload, min(size, 100), folder)
        given, events = _given(contestant, workload, size, folder)
        run = CONTESTANTS[contestant]
        run(small)  # imports, classes that are built when first used
        before = _peak()
        seconds = []
        for _ in range(repeats):
            gc.collect()
            started = time.perf_counter()
            made = run(given)
            seconds.append(time.perf_counter() - started)
            del made
    return {
        "seconds": seconds,
        "events": events,
        "version": version(contestant),
        "peak_bytes": _peak() - before,
    }


def _given(contestant: str, workload: str, size: int, folder: str) -> tuple[Any, int]:
    """The stream in the form that a contestant takes, and its number of events."""
    made = lines(WORKLOADS[workload](size))
    if contestant.endswith("_file"):
        place = Path(folder, f"{size}.ndjson")
        events = 0
        with place.open("wb") as file:  # never all of it in memory
            for line in made:
                file.write(line)
                events += 1
        return place, events
    held = list(made)
    return (held if contestant.endswith("_split") else b"".join(held)), len(held)


def _peak() -> int:
    """Bytes that this process held at most, so far."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss also counts what the process that started this one had held
        found = re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        return int(found[1]) * 1024 if found else 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    who, what, how_many, times = sys.argv[1:]
    print(json.dumps(main(who, what, int(how_many), int(times))))
