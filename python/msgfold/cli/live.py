"""A reply on a terminal, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.markup import escape

from msgfold.cli import common


class Live:
    """Writes what an event brings; a piece of a text goes where the last one ended."""

    def __init__(self) -> None:
        self._open = ""

    def show(self, event: Any) -> None:
        """Show one event."""
        shown = _SHOWN.get(event.type)
        if shown is not None:
            place, text, style = shown(event)
            self._write(place, text, style)

    def end(self) -> None:
        """End the line."""
        if self._open:
            common.errors.print()
            self._open = ""

    def _write(self, place: str, text: str, style: str) -> None:
        if not text:
            return
        if self._open and self._open != place:
            common.errors.print()
        self._open = place
        text = common.visible(text)
        common.errors.print(f"[{style}]{escape(text)}[/]" if style else escape(text), end="")
        if not place:
            common.errors.print()


Shown = tuple[str, str, str]
"""Which line it belongs to (``""``: one of its own), the text, and its style."""


def _line(style: str, say: Callable[[Any], str]) -> Callable[[Any], Shown]:
    return lambda event: ("", say(event), style)


def _piece(kind: str, style: str) -> Callable[[Any], Shown]:
    return lambda event: (f"{kind}:{_id(event)}", event.delta, style)


def _id(event: Any) -> str:
    found: str = getattr(event, "block_id", None) or event.tool_call_id
    return found


_SHOWN: dict[str, Callable[[Any], Shown]] = {
    "REPLY_START": _line("bold", lambda e: f"{e.name} replies"),
    "THINKING_BLOCK_DELTA": _piece("thinking", "dim italic"),
    "TEXT_BLOCK_DELTA": _piece("text", ""),
    "TOOL_CALL_START": lambda e: (f"call:{e.tool_call_id}", f"→ {e.tool_call_name} ", "cyan"),
    "TOOL_CALL_DELTA": _piece("call", "cyan"),
    "TOOL_RESULT_TEXT_DELTA": lambda e: (f"result:{e.tool_call_id}", e.delta, "green"),
    "TOOL_RESULT_END": _line("green", lambda e: f"← {e.state}"),
    "DATA_BLOCK_START": _line("magenta", lambda e: f"[{e.media_type}]"),
    "USER_CONFIRM_RESULT": _line(
        "yellow",
        lambda e: ", ".join("allowed" if r.confirmed else "denied" for r in e.confirm_results),
    ),
    "REPLY_END": _line("bold", lambda e: f"{e.finished_reason}"),
}
"""Event type to how it is shown; the others are not."""
