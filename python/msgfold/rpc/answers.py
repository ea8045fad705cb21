"""Answers that a waiting reply takes, made from its question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgfold.event import (
    ConfirmResult,
    ExternalExecutionResultEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from msgfold.message import TextBlock, ToolResultBlock, ToolResultState


def confirm(
    question: RequireUserConfirmEvent, yes: bool | Mapping[str, bool] = True, *, rules: bool = False
) -> UserConfirmResultEvent:
    """A person's answer.

    Args:
        question: what the agent asked.
        yes: the answer about every call, or by call id; a call that it does not name is not
            answered yet.
        rules: adopt the rules that the agent suggested with a yes.

    Example:
        >>> from msgfold.message import ToolCallBlock
        >>> call = ToolCallBlock(id="call_1", name="delete_file", input="{}")
        >>> question = RequireUserConfirmEvent(reply_id="r1", tool_calls=[call])
        >>> confirm(question, False).confirm_results[0].confirmed
        False
    """
    answers = yes if isinstance(yes, Mapping) else {call.id: yes for call in question.tool_calls}
    return UserConfirmResultEvent(
        reply_id=question.reply_id,
        confirm_results=[
            ConfirmResult(
                confirmed=answers[call.id],
                tool_call=call,
                rules=call.suggested_rules if rules and answers[call.id] else None,
            )
            for call in question.tool_calls
            if call.id in answers
        ],
    )


def executed(
    question: RequireExternalExecutionEvent,
    output: Mapping[str, Any],
    *,
    state: ToolResultState = ToolResultState.SUCCESS,
) -> ExternalExecutionResultEvent:
    """What an outside executor did.

    Args:
        question: what the agent asked for.
        output: call id to its result: a text, or a list of blocks.
        state: how it went.

    Example:
        >>> from msgfold.message import ToolCallBlock
        >>> call = ToolCallBlock(id="call_1", name="browser_click", input="{}")
        >>> question = RequireExternalExecutionEvent(reply_id="r1", tool_calls=[call])
        >>> executed(question, {"call_1": "clicked"}).execution_results[0].output[0].text
        'clicked'
    """
    return ExternalExecutionResultEvent(
        reply_id=question.reply_id,
        execution_results=[
            ToolResultBlock(
                id=call.id,
                name=call.name,
                output=[TextBlock(text=found)] if isinstance(found, str) else found,
                state=state,
            )
            for call in question.tool_calls
            if (found := output.get(call.id)) is not None
        ],
    )


def interrupt(reply_id: str) -> UserInterruptEvent:
    """A person stops the reply."""
    return UserInterruptEvent(reply_id=reply_id, metadata={})
