"""A tool result whose ``output`` finds its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgfold.model.base import Model
from msgfold.model.block_list import BlockList


class ToolResultBehaviour(Model):
    """Keeps a list ``output`` as a :class:`BlockList`; a string stays a string."""

    if TYPE_CHECKING:
        output: Any

    def model_post_init(self, context: Any, /) -> None:
        """After validation."""
        super().model_post_init(context)
        if type(self.output) is list:
            self.__dict__["output"] = BlockList(self.output)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "output" and type(value) is list:
            value = BlockList(value)
        super().__setattr__(name, value)
