"""A badge: how many cases passed, in one line, as a picture or as data for shields.io."""

from __future__ import annotations

import json
from html import escape

from msgfold.conformance.report.log import Run, fails

_COLORS = {"red": "#b3261e", "yellow": "#7a4f00", "brightgreen": "#146c2e"}
"""The names that shields.io knows, and dark tones of them that white text stands out from."""

_LABEL = "msgfold"
_EM, _PAD, _HEIGHT = 7.0, 6, 20  # width of a letter, space beside the text, in pixels


def endpoint(run: Run) -> str:
    """The run as JSON for a shields.io endpoint badge."""
    said, color = _said(run)
    value = {"schemaVersion": 1, "label": _LABEL, "message": said, "color": color}
    return json.dumps(value, indent=2) + "\n"


def svg(run: Run) -> str:
    """The run as a picture, which needs no service: it loads nothing, and has a name for readers.

    The text is stretched to its box, so that it fits in any font.
    """
    said, color = _said(run)
    left, right = (len(text) * _EM + 2 * _PAD for text in (_LABEL, said))
    title = escape(f"{_LABEL}: {said}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:g}" height="{_HEIGHT}" '
        f'role="img" aria-label="{title}">\n<title>{title}</title>\n'
        f'<rect width="{left:g}" height="{_HEIGHT}" fill="#3c3c3c"/>\n'
        f'<rect x="{left:g}" width="{right:g}" height="{_HEIGHT}" fill="{_COLORS[color]}"/>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\n'
        f"{_text(_LABEL, _PAD)}\n{_text(said, left + _PAD)}\n</g>\n</svg>\n"
    )


def _said(run: Run) -> tuple[str, str]:
    """The words and the colour; what was cut off, or tested nothing, is not green."""
    tested = len(run.results) - run.counts["untested"]
    red = any(map(fails, run.results)) or not run.complete or not tested
    color = "red" if red else "yellow" if run.counts["passed"] < tested else "brightgreen"
    return f"{run.counts['passed']} of {tested} as {run.revision}", color


def _text(text: str, x: float) -> str:
    return f'<text x="{x:g}" y="14" textLength="{len(text) * _EM:g}">{escape(text)}</text>'
