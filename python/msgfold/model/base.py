"""The base of every generated model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from msgfold.model import block_list
from msgfold.model.absent import AbsentCount, AbsentText


class Model(BaseModel):
    """A JSON object of the contract.

    Unknown members are kept, so that a relay loses nothing (``wire.json.unknown-member``).  States
    are stored as plain words, as AgentScope stores them, so that they compare equal to strings.
    """

    model_config = ConfigDict(extra="allow", use_enum_values=True, defer_build=True)

    def __repr_args__(self) -> Any:
        # A member of a later release that nobody has set is not shown, as it is not written.
        shown = super().__repr_args__()
        return [pair for pair in shown if not isinstance(pair[1], AbsentText | AbsentCount)]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "id":
            block_list.forget_ids()
        super().__setattr__(name, value)
