"""What the corpus covers by state, as a section of the HTML page: a table for each axis.

An empty cell says so in words, not by its colour alone, and a cell that does not apply gives its
reason: nothing has to be hovered over or guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape

from msgfold.conformance.coverage import AXES, EVENTS, Coverage, reason


def sections(covered: Coverage) -> Iterator[str]:
    """The lines of HTML, from their heading on."""
    total = sum(reason(*cell) is None for cell in covered.every)
    yield '<section aria-labelledby="states"><h2 id="states">States that events meet</h2>'
    yield f"<p>{total - len(covered.empty)} of {total} cells of the corpus have a case.</p>"
    for axis in AXES:
        yield from _axis(covered, axis)
    yield "</section>"


def _axis(covered: Coverage, axis: str) -> Iterator[str]:
    states = [f"{axis}: {state}" for state in AXES[axis]]
    caption = f"Cases for each event type, by the state of the {axis} just before the event."
    yield from _open(f"Events by state of the {axis}", caption, ["Event", *AXES[axis]])
    without: dict[str, list[str]] = defaultdict(list)
    for event in EVENTS:
        reasons = {reason(event, state) for state in states}
        if None not in reasons:
            without[", ".join(filter(None, reasons))].append(event)
            continue
        cells = "".join(_cell(covered, event, state) for state in states)
        yield f'<tr><th scope="row">{event}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    for why, events in without.items():
        yield f"<p>Not applicable to {', '.join(events)}: {escape(why)}.</p>"


def _cell(covered: Coverage, event: str, state: str) -> str:
    why = reason(event, state)
    if why is not None:
        return f"<td>not applicable: {escape(why)}</td>"
    count = len(covered.cells[event, state])
    return f'<td class="n">{count}</td>' if count else '<td class="n todo">empty</td>'


def _open(label: str, caption: str, heads: Sequence[str]) -> Iterator[str]:
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table>'
    yield f"<caption>{caption}</caption>"
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield f"<thead><tr>{cells}</tr></thead><tbody>"
