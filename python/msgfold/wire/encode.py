"""A model as a certain AgentScope release writes it (``wire.revision.dump``).

``model_dump_json`` writes what is set, whichever release it came with.  That is what a store or a
relay wants.  A peer of a known release is written to from here: it gets every member that its
release has, in that release's order, and none that came later.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, cast

from msgfold.contract import OPEN, Navigator, Schema, navigator
from msgfold.model.base import Model
from msgfold.revisions import DEFAULT_REVISION


def dump(model: Model, *, revision: str = DEFAULT_REVISION) -> dict[str, Any]:
    """A Msg, block or event as the JSON value that AgentScope ``revision`` writes.

    Nothing is made up: a block whose ``created_at`` nobody knows has none.

    Args:
        model: what to write.
        revision: the AgentScope release that will read it.

    Raises:
        UnknownRevisionError: no such revision.

    Example:
        >>> import msgfold
        >>> from msgfold.message import TextBlock
        >>> msgfold.dump(TextBlock(text="Hi", id="b1", created_at="10:00"), revision="2.0.4")
        {'type': 'text', 'text': 'Hi', 'id': 'b1'}
        >>> msgfold.dump(TextBlock(text="Hi", id="b1", created_at="10:00"), revision="2.0.6")
        {'type': 'text', 'text': 'Hi', 'id': 'b1', 'created_at': '10:00', 'finished_at': None}
    """
    value = model.model_dump(mode="json")
    title = next(base.__name__ for base in type(model).__mro__ if base.__name__ in _now().defs)
    return cast("dict[str, Any]", as_of(value, title, revision))


def as_of(value: Any, definition: str, revision: str) -> Any:
    """A JSON value of the contract as ``revision`` writes it; unknown members stay.

    Raises:
        UnknownRevisionError: no such revision.
    """
    then = navigator(revision)
    return _walk(value, _now().defs[definition], then.defs[definition], then)


def _now() -> Navigator:
    return navigator(None)


def _walk(value: Any, now: Schema, then: Schema, old: Navigator) -> Any:
    now, then = _now().select(value, now), old.select(value, then)
    if isinstance(value, list):
        items = now.get("items", {}), then.get("items", {})
        return [_walk(item, *items, old) for item in value]
    if not isinstance(value, dict) or "properties" not in now:
        return value
    names_now, names_then = _now().members(now), old.members(then)
    out = {}
    for name, member in names_then.items():
        if name in value:
            out[name] = _walk(value[name], names_now[name], member, old)
        elif "default" in member:
            out[name] = deepcopy(member["default"])
    # To an open object of an earlier release, a later member is one more extra member.
    known = names_then if OPEN in now else names_now
    return out | {name: extra for name, extra in value.items() if name not in known}
