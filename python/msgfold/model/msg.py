"""What a Msg can do beyond holding its members: keep its role's rule, be read, be folded into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, overload

from pydantic import model_validator

from msgfold.model.base import Model
from msgfold.model.block_list import BlockList
from msgfold.revisions import DEFAULT_REVISION

if TYPE_CHECKING:
    from msgfold._generated.models import (
        AgentEvent,
        DataBlock,
        HintBlock,
        TextBlock,
        ThinkingBlock,
        ToolCallBlock,
        ToolResultBlock,
    )

    AnyBlock: TypeAlias = (
        TextBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock | DataBlock
    )

ROLE_BLOCKS: dict[str, frozenset[str]] = {
    "user": frozenset({"text", "data"}),
    "system": frozenset({"text"}),
    "assistant": frozenset({"text", "thinking", "hint", "tool_call", "tool_result", "data"}),
}
"""Role to the kinds of block that it may carry (``fold.role``)."""


class MsgBehaviour(Model):
    """The role's rule, the reading helpers and ``append_event``."""

    if TYPE_CHECKING:
        content: list[Any]
        role: Any

    @model_validator(mode="after")
    def _check_role(self) -> Self:
        allowed = ROLE_BLOCKS[self.role]
        for position, block in enumerate(self.content):
            if block.type not in allowed:
                raise ValueError(
                    f"a {self.role} message may carry only {' and '.join(sorted(allowed))} blocks, "
                    f"got a {block.type} block at /content/{position}"
                )
        return self

    def model_post_init(self, context: Any, /) -> None:
        """After validation."""
        super().model_post_init(context)
        self.__dict__["content"] = BlockList(self.content)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "content" and type(value) is list:
            value = BlockList(value)
        super().__setattr__(name, value)

    def append_event(self, event: AgentEvent, *, revision: str = DEFAULT_REVISION) -> Self:
        """Apply one event, in place.

        Args:
            event: an event of this Msg's reply.
            revision: the AgentScope release to fold as.

        Returns:
            The Msg itself, so that calls can be chained.

        Raises:
            MsgfoldError: the event is one that must not be applied; the Msg is as it was.
        """
        from msgfold.fold import append_event

        append_event(self, event, revision=revision)  # type: ignore[arg-type]
        return self

    def get_text_content(self, separator: str = "\n") -> str | None:
        """The text of all text blocks, joined; ``None`` when there is no text block."""
        texts = [block.text for block in self.content if block.type == "text"]
        return separator.join(texts) if texts else None

    def has_content_blocks(self, block_type: str | Sequence[str] | None = None) -> bool:
        """Whether there is a block, or one of that type or of one of those types."""
        return any(True for _ in self._select(block_type))

    @overload
    def get_content_blocks(self, block_type: Literal["text"]) -> list[TextBlock]: ...
    @overload
    def get_content_blocks(self, block_type: Literal["thinking"]) -> list[ThinkingBlock]: ...
    @overload
    def get_content_blocks(self, block_type: Literal["hint"]) -> list[HintBlock]: ...
    @overload
    def get_content_blocks(self, block_type: Literal["tool_call"]) -> list[ToolCallBlock]: ...
    @overload
    def get_content_blocks(self, block_type: Literal["tool_result"]) -> list[ToolResultBlock]: ...
    @overload
    def get_content_blocks(self, block_type: Literal["data"]) -> list[DataBlock]: ...
    @overload
    def get_content_blocks(
        self, block_type: str | Sequence[str] | None = None
    ) -> list[AnyBlock]: ...
    def get_content_blocks(self, block_type: str | Sequence[str] | None = None) -> list[Any]:
        """The blocks of a type, or of several types, in order; all of them without a type."""
        return list(self._select(block_type))

    def _select(self, block_type: str | Sequence[str] | None) -> Any:
        if block_type is None:
            return iter(self.content)
        wanted = {block_type} if isinstance(block_type, str) else set(block_type)
        return (block for block in self.content if block.type in wanted)
