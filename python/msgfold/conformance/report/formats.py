"""Every report of one run, by its name; the HTML page, which is of several, is in :mod:`.page`."""

from __future__ import annotations

from collections.abc import Callable

from msgfold.conformance.report import badge, render
from msgfold.conformance.report.log import Run

FORMATS: dict[str, Callable[[Run], str]] = {
    "json": render.as_json,
    "junit": render.junit,
    "markdown": render.markdown,
    "badge": badge.endpoint,
    "svg": badge.svg,
}
"""Name to what makes it."""
