"""Events that a program made are held to what JSON text can hold, as those from the wire are.

A model takes what Python has: NaN, half a surrogate pair, nesting without end.  Folded, it would be
part of a Msg that nobody can write, or that comes out of its own JSON as another one
(``wire.json.depth``, ``wire.json.numbers``, ``wire.json.utf8``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from msgfold.fold.state import FoldState
from msgfold.wire import json


def checked(handler: Callable[[FoldState, Any], Any]) -> Callable[[FoldState, Any], Any]:
    """``handler``, after a look at the event, which is a model."""

    def apply(state: FoldState, event: BaseModel) -> Any:
        check(event)
        return handler(state, event)

    return apply


def check(event: BaseModel) -> None:
    """Refuse an event that JSON text could not hold.

    Raises:
        InvalidJsonError, TooDeepError: the first fault.
    """
    for value in event.__dict__.values():
        # Nearly every event is plain text throughout, and looking at that costs next to nothing.
        if value and not (value.isascii() if value.__class__ is str else isinstance(value, int)):
            break
    else:
        if not event.__pydantic_extra__:
            return
    try:
        dumped = event.model_dump()
    except (RecursionError, ValueError):  # of so many levels that Pydantic gives up
        raise json.too_deep() from None
    json.check_value(dumped)
