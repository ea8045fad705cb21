"""The base of every generated model."""

from __future__ import annotations

from enum import Enum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from msgfold.model import block_list
from msgfold.model.absent import AbsentCount, AbsentText

# What Pydantic keeps beside the members, set without its own `__setattr__`.
_set_fields = vars(BaseModel)["__pydantic_fields_set__"].__set__
_set_extra = vars(BaseModel)["__pydantic_extra__"].__set__
_set_private = vars(BaseModel)["__pydantic_private__"].__set__


_DEFAULTS: dict[type[BaseModel], dict[str, Any]] = {}


def _defaults(cls: type[BaseModel]) -> dict[str, Any]:
    """Every member in order, with its default: an enum's word, as it is stored."""
    cls.model_rebuild()  # deferred until an instance is made; that is now
    found = {name: field.default for name, field in cls.model_fields.items()}
    _DEFAULTS[cls] = {n: d.value if isinstance(d, Enum) else d for n, d in found.items()}
    return _DEFAULTS[cls]


class Model(BaseModel):
    """A JSON object of the contract.

    Unknown members are kept, so that a relay loses nothing (``wire.json.unknown-member``).  States
    are stored as plain words, as AgentScope stores them, so that they compare equal to strings.
    """

    model_config = ConfigDict(extra="allow", use_enum_values=True, defer_build=True)

    @classmethod
    def trusted(cls, members: dict[str, Any]) -> Self:
        """An instance of members that are known to be right; the others have their defaults.

        Nothing is checked and nothing is made up, which takes half the time.

        Args:
            members: every member without a default, and each list, which then is the instance's.
        """
        made = cls.__new__(cls)
        inside = made.__dict__
        inside.update(_DEFAULTS.get(cls) or _defaults(cls))
        inside.update(members)
        _set_fields(made, set(members))
        _set_extra(made, {})
        _set_private(made, None)
        return made

    def __repr_args__(self) -> Any:
        # A member of a later release that nobody has set is not shown, as it is not written.
        shown = super().__repr_args__()
        return [pair for pair in shown if not isinstance(pair[1], AbsentText | AbsentCount)]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "id":
            block_list.forget_ids()
        super().__setattr__(name, value)
