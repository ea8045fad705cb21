"""Messages and their blocks, under the names of AgentScope 2.0.4's ``agentscope.message``.

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
) -> Msg:
    """A user's message, finished when it is created.

    Args:
        name: the user's name.
        content: text, which becomes one text block, or text and data blocks.
        metadata: free-form facts; ``{}`` when left out.
        created_at: ISO 8601 text; the local time when left out.
        finished_at: ISO 8601 text; ``created_at`` when left out.
        id: the message's id; a fresh one when left out.

    Raises:
        ValueError: a block that a user message may not carry.
    """
    created_at = created_at or now()
    return _msg("user", name, content, metadata, created_at, finished_at or created_at, id)


def SystemMsg(  # noqa: N802
    name: str,
    content: str | list[TextBlock],
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    id: str | None = None,
) -> Msg:
    """A system message, finished when it is created.  Arguments as in :func:`UserMsg`.

    Raises:
        ValueError: a block that is not text.
    """
    created_at = created_at or now()
    return _msg("system", name, content, metadata, created_at, finished_at or created_at, id)


def AssistantMsg(  # noqa: N802
    name: str,
    content: str | list[ContentBlock],
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    id: str | None = None,
    usage: Usage | None = None,
) -> Msg:
    """An agent's message.  Arguments as in :func:`UserMsg`, except:

    Args:
        finished_at: stays ``None`` when left out; REPLY_END stamps it.
        id: for a message that events fold into, the ``reply_id`` of those events.
        usage: tokens spent.
    """
    return _msg("assistant", name, content, metadata, created_at or now(), finished_at, id, usage)


def _msg(
    role: str,
    name: str,
    content: Any,
    metadata: dict[str, Any] | None,
    created_at: str,
    finished_at: str | None,
    id: str | None,
    usage: Usage | None = None,
) -> Msg:
    blocks = [TextBlock(text=content)] if isinstance(content, str) else content
    return Msg.model_validate(
        {
            "name": name,
            "content": blocks,
            "role": role,
            "id": id or new_id(),
            "metadata": metadata or {},
            "created_at": created_at,
            "finished_at": finished_at,
            "usage": usage,
        }
    )
