"""``make bench``: every workload, every contestant, in one run; the table and the plot.

Writes ``results.json``, ``table.md``, and the plot ``cost.png`` and ``cost.svg``, in ``results/``.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from measure import (
    MSGSPEC,
    MSGSPEC_SPLIT,
    ORJSON,
    OURS,
    OURS_FILE,
    VALIDATE,
    Cost,
    Entry,
    agentscope,
    measure,
)
from replies import Service, measure_replies

RESULTS = Path(__file__).with_name("results")
RELEASES = ("2.0.4", "2.0.11")

TABLE = (
    ("mixed", 20_000),
    ("text", 10_000),
    ("text", 1_000_000),
    ("wide", 1_000_000),
    ("interleaved", 20_000),
    ("arguments", 1_000_000),
    ("result", 1_000_000),
    ("blocks", 300),
    ("blocks", 30_000),
    ("data", 256),
    ("data", 25_600),
    ("odd_data", 25_600),
)
"""Workload and size of each row."""

SMALL = 20_000
"""Up to so many events AgentScope takes part: beyond, it takes minutes."""

PLOT = {
    "text": (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    "data": (10, 30, 100, 300, 1_000, 3_000, 10_000),
    "blocks": (100, 300, 1_000, 3_000, 10_000, 30_000),
}
"""Workload to the sizes that are plotted."""

REACH = {"text": 100_000, "data": 600, "blocks": 10_000}
"""The size to which AgentScope is plotted."""


def table() -> list[dict[str, Any]]:
    """Every row, as JSON values."""
    rows = []
    for workload, size in TABLE:
        entries = [OURS, MSGSPEC, ORJSON, *([VALIDATE] if workload == "mixed" else [])]
        if workload == "mixed":
            entries.append(MSGSPEC_SPLIT)
        if workload in {"data", "odd_data"}:
            entries.append(OURS_FILE)
        large = size > 100_000 or "data" in workload
        costs = measure(entries, workload, size, rounds=3, repeats=2 if large else 5)
        for release in RELEASES:
            if size <= SMALL:
                entry = agentscope(release)
                costs |= measure([entry], workload, size, rounds=2, repeats=1)
        rows.append({"workload": workload, "size": size, "costs": _json(costs)})
    return rows


def curves() -> dict[str, dict[str, list[tuple[int, float]]]]:
    """For each plotted workload, the cost by size of each contestant."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for workload, sizes in PLOT.items():
        entries: list[Entry] = [OURS, MSGSPEC, *map(agentscope, RELEASES)]
        found[workload] = {entry.label: [] for entry in entries}
        for size in sizes:
            for entry in entries:
                if entry.contestant == "agentscope" and size > REACH[workload]:
                    continue
                repeats = 1 if entry.contestant == "agentscope" or size > 100_000 else 5
                cost = measure([entry], workload, size, rounds=1, repeats=repeats)[entry.label]
                found[workload][entry.label].append((size, cost.median))
    return found


def machine() -> dict[str, Any]:
    """What it ran on."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [x for x in cpuinfo.read_text().splitlines() if x.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def markdown(report: dict[str, Any]) -> str:
    """The table as a page."""
    on = report["machine"]
    lines = [
        "# Results",
        "",
        f"{on['cpu']}, {on['cores']} cores, {on['system']}, Python {on['python']}. Microseconds an "
        "event: the median, and the lowest and highest of all repetitions. Made by `make bench`.",
        "",
        "| workload | events | contestant | version | µs an event | to msgfold | extra memory |",
        "| --- | ---: | --- | --- | ---: | ---: | ---: |",
    ]
    for row in report["rows"]:
        ours = row["costs"][OURS.label]["median"]
        for label, cost in row["costs"].items():
            spread = f"{cost['lowest']:.3g} to {cost['highest']:.3g}"
            lines.append(
                f"| {row['workload']} | {cost['events']:,} | {label} | {cost['version']} "
                f"| {cost['median']:.3g} ({spread}) | {cost['median'] / ours:.2g} "
                f"| {cost['peak_bytes'] / 2**20:.0f} MiB |"
            )
    lines += of_service(Service(**report["service"]))
    return "\n".join(lines) + "\n"


def of_service(service: Service) -> list[str]:
    """The reply service's part of the page."""
    rows = (
        ("a bare gRPC stream, a message an event", service.bare, service.bare_latency),
        ("msgfold, one by one", service.each, service.latency),
        ("msgfold, in batches", service.batches, service.latency),
    )
    return [
        "",
        "The reply service over loopback, server and client a process each, events of 180 bytes: "
        f"{service.times:.1f} times the events a second of a bare grpcio stream, and "
        f"{service.added * 1e3:.2f} ms added to a lone event.",
        "",
        "| stream | events a second | a lone event arrives after |",
        "| --- | ---: | ---: |",
        *(f"| {name} | {rate:,.0f} | {late * 1e3:.2f} ms |" for name, rate, late in rows),
    ]


def plot(found: dict[str, dict[str, list[tuple[int, float]]]]) -> None:
    """Cost of an event against the length of the stream, both logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "msgfold"
    from matplotlib import pyplot

    titles = {"text": "text deltas", "data": "4 KiB data deltas", "blocks": "events in many blocks"}
    figure, panels = pyplot.subplots(1, len(found), figsize=(12, 4), sharey=True)
    for panel, (workload, lines) in zip(panels, found.items(), strict=True):
        for label, points in lines.items():
            style = "--" if "msgspec" in label else "-"
            panel.plot(*zip(*points, strict=True), style, marker="o", markersize=4, label=label)
        panel.set(xscale="log", yscale="log", xlabel=titles[workload])
        panel.grid(True, which="major", alpha=0.3)
    panels[0].set_ylabel("µs an event, decoded and folded")
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(RESULTS / "cost.png", dpi=130)
    figure.savefig(RESULTS / "cost.svg", metadata={"Date": None})


def _json(costs: dict[str, Cost]) -> dict[str, Any]:
    return {label: asdict(cost) for label, cost in costs.items()}


def main() -> int:
    """Run everything."""
    RESULTS.mkdir(exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    report = {"machine": machine(), "commit": commit.stdout.strip(), "rows": table()}
    report["service"] = asdict(measure_replies())
    report["curves"] = curves()
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    (RESULTS / "results.json").write_text(text, "utf-8")
    (RESULTS / "table.md").write_text(markdown(report), "utf-8")
    plot(report["curves"])
    print(f"\r{RESULTS / 'table.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
