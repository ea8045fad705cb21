"""Messages and their blocks, under the names of ``agentscope.message``.

Changing the import is all that a user's code needs::

    from msgfold.message import AssistantMsg, TextBlock, UserMsg

    msg = UserMsg(name="alice", content="Hello")
    assert msg.content[0].text == "Hello"
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgfold._generated.models import (
    Base64Source,
    DataBlock,
    HintBlock,
    Msg,
    PermissionBehavior,
    PermissionRule,
    ReplyFinishedReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolCallState,
    ToolResultBlock,
    ToolResultState,
    URLSource,
    Usage,
)
from msgfold.model.mint import new_id, now

__all__ = [
    "AssistantMsg",
    "Base64Source",
    "ContentBlock",
    "ContentBlockTypes",
    "DataBlock",
    "HintBlock",
    "Msg",
    "PermissionBehavior",
    "PermissionRule",
    "SystemMsg",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "ToolCallState",
    "ToolResultBlock",
    "ToolResultState",
    "URLSource",
    "Usage",
    "UserMsg",
]

ContentBlock: TypeAlias = (
    TextBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock | DataBlock
)
"""Any block of a Msg's content."""

ContentBlockTypes: TypeAlias = Literal[
    "text", "thinking", "hint", "tool_call", "tool_result", "data"
]
"""The ``type`` of a block."""


def UserMsg(  # noqa: N802  (a class to those who call it)
    name: str,
    content: str | list[TextBlock | DataBlock],
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    id: str | None = None,
    *,
    finished_reason: ReplyFinishedReason | None = None,
) -> Msg:
    """A user's message, finished when it is created.

    Args:
        name: the user's name.
        content: text, which becomes one text block, or text and data blocks.
        metadata: free-form facts; ``{}`` when left out.
        created_at: ISO 8601 text; the local time when left out.
        finished_at: ISO 8601 text; ``created_at`` when left out.
        id: the message's id; a fresh one when left out.
        finished_reason: why it ended (AgentScope 2.0.5 and later).

    Raises:
        ValueError: a block that a user message may not carry.
    """
    created_at = created_at or now()
    return _msg(
        role="user",
        name=name,
        content=content,
        metadata=metadata,
        created_at=created_at,
        finished_at=finished_at or created_at,
        id=id,
        finished_reason=finished_reason,
    )


def SystemMsg(  # noqa: N802
    name: str,
    content: str | list[TextBlock],
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    id: str | None = None,
    *,
    finished_reason: ReplyFinishedReason | None = None,
) -> Msg:
    """A system message, finished when it is created.  Arguments as in :func:`UserMsg`.

    Raises:
        ValueError: a block that is not text.
    """
    created_at = created_at or now()
    return _msg(
        role="system",
        name=name,
        content=content,
        metadata=metadata,
        created_at=created_at,
        finished_at=finished_at or created_at,
        id=id,
        finished_reason=finished_reason,
    )


def AssistantMsg(  # noqa: N802
    name: str,
    content: str | list[ContentBlock],
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    id: str | None = None,
    usage: Usage | None = None,
    *,
    finished_reason: ReplyFinishedReason | None = None,
    structured_output: dict[str, Any] | None = None,
) -> Msg:
    """An agent's message.  Arguments as in :func:`UserMsg`, except:

    Args:
        finished_at: stays ``None`` when left out; REPLY_END stamps it.
        id: for a message that events fold into, the ``reply_id`` of those events.
        usage: tokens spent.
        structured_output: the reply as an object (AgentScope 2.0.5 and later).
    """
    return _msg(
        role="assistant",
        name=name,
        content=content,
        metadata=metadata,
        created_at=created_at or now(),
        finished_at=finished_at,
        id=id,
        usage=usage,
        finished_reason=finished_reason,
        structured_output=structured_output,
    )


def _msg(*, content: Any, metadata: Any, id: str | None, **members: Any) -> Msg:
    blocks = [TextBlock(text=content)] if isinstance(content, str) else content
    return Msg.model_validate(
        {**members, "content": blocks, "metadata": metadata or {}, "id": id or new_id()}
    )
