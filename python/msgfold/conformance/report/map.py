"""The coverage map as HTML: a table of rules, events and revisions, and a list of what is to do.

A cell says how many results filled it.  An empty one reads "to do" and has a dashed border, so it
is told apart without colour; a revision in which a rule does not hold yet has a dash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any

from msgfold.conformance.report.rows import Row


def coverage_map(rows: Sequence[Row], revisions: Sequence[str]) -> Iterator[str]:
    """The section about coverage.

    Args:
        rows: the map, rules in order.
        revisions: the releases that were judged by, a column each.
    """
    cells = sum(len(row.cells) for row in rows)
    empty = sum(len(row.empty) for row in rows)
    yield '<section aria-labelledby="coverage"><h2 id="coverage">Coverage map</h2>'
    yield (
        f"<p>{cells - empty} of {cells} cells are filled. A cell is a rule, an event that its "
        "sentence names, and a release; its number says how many results fill it.</p>"
    )
    yield '<div class="wide" tabindex="0" role="region" aria-label="Coverage map">'
    yield '<table class="map"><caption>Results for each rule, event and release.</caption>'
    heads = "".join(f'<th scope="col">{escaped(revision)}</th>' for revision in revisions)
    yield f'<thead><tr><th scope="col">Rule</th><th scope="col">Event</th>{heads}</tr></thead>'
    for rule, of_rule in groupby(rows, key=lambda row: row.rule):
        yield from _group(rule.id, list(of_rule), revisions)
    yield "</table></div>"
    yield from _to_do(rows)
    yield "</section>"


def _group(rule: str, rows: list[Row], revisions: Sequence[str]) -> Iterator[str]:
    head = f'<th scope="rowgroup" rowspan="{len(rows)}"><code>{escaped(rule)}</code></th>'
    yield "<tbody>"
    for row in rows:
        cells = "".join(_cell(row.cells.get(revision)) for revision in revisions)
        yield f'<tr>{head}<th scope="row">{escaped(row.event or "any")}</th>{cells}</tr>'
        head = ""  # one header cell for all events of a rule
    yield "</tbody>"


def _cell(counts: Counter[str] | None) -> str:
    if counts is None:
        return '<td class="never"><span aria-label="does not hold yet" role="img">–</span></td>'
    if not counts:
        return '<td class="n todo">to do</td>'
    bad = counts["failed"] + counts["errored"]
    style = "bad" if bad else "good" if counts["passed"] == counts.total() else "odd"
    said = f", {bad} failing" if bad else ""
    return f'<td class="n {style}">{counts.total()}{said}</td>'


def _to_do(rows: Sequence[Row]) -> Iterator[str]:
    yield '<h3 id="to-do">To do</h3>'
    found = [row for row in rows if row.empty]
    if not found:
        yield "<p>Nothing: every cell is filled.</p>"
        return
    yield f"<details open><summary>{len(found)} rules and events without a result</summary><ul>"
    for row in found:
        event = f" with {row.event}" if row.event else ""
        said = f"{event} in {', '.join(row.empty)}: {row.rule.text}"
        yield f"<li><code>{escaped(row.rule.id)}</code>{escaped(said)}</li>"
    yield "</ul></details>"


def escaped(value: Any) -> str:
    """``value`` as text of the page, in an attribute, too."""
    return escape(str(value), quote=True)
