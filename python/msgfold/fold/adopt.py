"""What an event carries whole becomes part of a Msg here, and is a copy from then on.

An event may hold blocks and rules: as models, when a program made the event, or as plain JSON, when
it came over the wire.  Either way the Msg gets objects of its own (``fold.no-alias``), unknown
members included, and a block that came without an id gets one that every reader would give it
(``fold.deterministic``).
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from msgfold.errors import InvalidEventError, Place, shorten
from msgfold.fold.newer import forget_newer
from msgfold.fold.state import FoldState
from msgfold.wire import json
from msgfold.wire.decode import explain, refuse

M = TypeVar("M", bound=BaseModel)


def adopt(state: FoldState, model: type[M], value: Any, member: str) -> M:
    """``value`` as a model that shares nothing with the event, as the revision knows it.

    Args:
        state: the state, for the revision and for reports.
        model: the class to become.
        value: an instance of it, or the JSON value.
        member: JSON pointer to the event's member that holds it, for the error.

    Raises:
        InvalidEventError: the value is not one; nothing has been changed.
    """
    adopted = _copied(model, value, member)
    forget_newer(state, adopted, member)
    return adopted


def _copied(model: type[M], value: Any, member: str) -> M:
    if isinstance(value, model):
        return value.model_copy(deep=True)
    tag = model.model_fields.get("type")
    if tag is not None and isinstance(tag.default, str) and isinstance(value, dict):
        # Only one kind can stand here, so a missing tag is no guess (wire.json.type-required).  The
        # model fills it in by itself; it is here so that a refusal is not explained by its absence.
        value = {"type": tag.default, **value}
    try:
        # Through a copy, because validation keeps free JSON such as metadata as it is.
        return model.model_validate(value).model_copy(deep=True)
    except ValidationError as error:
        refusal = refuse(
            InvalidEventError, explain(value, model.__name__), error, "fold.invalid-event"
        )
        refusal.place = Place(pointer=f"{member}{refusal.place.pointer or ''}")
        raise refusal from None


def adopt_each(state: FoldState, model: type[M], values: Any, member: str) -> list[M]:
    """A list of values as models; arguments and errors as in :func:`adopt`."""
    if not isinstance(values, list):
        raise InvalidEventError(
            f"{member[1:]} is not a list",
            place=Place(pointer=member),
            expected=f"a list of {model.__name__}",
            got=shorten(values),
            rule="fold.invalid-event",
        )
    return [adopt(state, model, value, f"{member}/{n}") for n, value in enumerate(values)]


def check_depth(value: Any, member: str) -> None:
    """Refuse what would be nested too deeply in the Msg, where it stands deeper (``fold.depth``).

    Args:
        value: an event's member that becomes one of a block's.
        member: its name.

    Raises:
        TooDeepError: nobody could read such a Msg.
    """
    if isinstance(value, list):
        value = [v.model_dump() if isinstance(v, BaseModel) else v for v in value]
    if isinstance(value, dict | list):
        json.check_value(value, member=member, above=3)  # the Msg, its content, the block


def name_nested(blocks: Any, owner: str) -> Any:
    """Nested blocks in JSON with the ids that are missing: ``<owner>:<position>``."""
    if not isinstance(blocks, list):
        return blocks
    return [
        {**block, "id": f"{owner}:{position}"}
        if isinstance(block, dict) and "id" not in block
        else block
        for position, block in enumerate(blocks)
    ]
