"""Tool calls: their arguments stream as raw text, and their state follows people and executors.

::

    pending ── REQUIRE_USER_CONFIRM ──> asking ── USER_CONFIRM_RESULT ──> allowed | finished
    pending ── REQUIRE_EXTERNAL_EXECUTION ──> submitted
    any ── TOOL_RESULT_END ──> finished
"""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import (
    ConfirmResult,
    ToolCallBlock,
    ToolCallState,
    ToolResultBlock,
)
from msgfold.errors import DiagnosticCode
from msgfold.fold.adopt import adopt_each, name_nested
from msgfold.fold.state import Blocks, FoldState, extend


def start(state: FoldState, event: Any) -> Blocks:
    """TOOL_CALL_START (``fold.tool-call.start``)."""
    state.check_role("tool_call")
    members = {"id": event.tool_call_id, "name": event.tool_call_name, "input": ""}
    return state.add(ToolCallBlock.trusted({**members, "suggested_rules": []}))


def delta(state: FoldState, event: Any) -> None:
    """TOOL_CALL_DELTA (``fold.tool-call.delta``)."""
    block = state.find_or_report("tool_call", event.tool_call_id, "fold.tool-call.delta")
    if block is not None:
        extend(block, "input", event.delta)


def require_confirm(state: FoldState, event: Any) -> None:
    """REQUIRE_USER_CONFIRM (``fold.confirm.require``)."""
    for asked in adopt_each(state, ToolCallBlock, event.tool_calls, "/tool_calls"):
        call = state.find("tool_call", asked.id)
        if call is not None:
            call.state = ToolCallState.ASKING.value
            call.suggested_rules = asked.suggested_rules


def confirm_result(state: FoldState, event: Any) -> None:
    """USER_CONFIRM_RESULT (``fold.confirm.result``, ``fold.confirm.stale``)."""
    for answer in adopt_each(state, ConfirmResult, event.confirm_results, "/confirm_results"):
        call = state.find("tool_call", answer.tool_call.id)
        if call is not None and call.state == ToolCallState.ASKING:
            state_after = ToolCallState.ALLOWED if answer.confirmed else ToolCallState.FINISHED
            call.state = state_after.value
            continue
        found = "is not there" if call is None else f"is {call.state}"
        state.report(
            DiagnosticCode.STALE_CONFIRMATION,
            f"tool call {answer.tool_call.id!r} {found}, not asking; this answer is skipped",
            "fold.confirm.stale",
            block_id=answer.tool_call.id,
            state=None if call is None else str(call.state),
        )


def require_external(state: FoldState, event: Any) -> None:
    """REQUIRE_EXTERNAL_EXECUTION (``fold.external.require``)."""
    for submitted in adopt_each(state, ToolCallBlock, event.tool_calls, "/tool_calls"):
        call = state.find("tool_call", submitted.id)
        if call is not None:
            call.state = ToolCallState.SUBMITTED.value


def external_result(state: FoldState, event: Any) -> Blocks:
    """EXTERNAL_EXECUTION_RESULT (``fold.external.result``, ``fold.external.duplicate``)."""
    state.check_role("tool_result")
    named = event.execution_results
    if isinstance(named, list):
        named = [_name_output(result) for result in named]
    added: list[Any] = []
    for result in adopt_each(state, ToolResultBlock, named, "/execution_results"):
        if state.find("tool_result", result.id) is None:
            added += state.add(result)
            continue
        state.report(
            DiagnosticCode.DUPLICATE_RESULT,
            f"tool call {result.id!r} has a result already; this one is skipped",
            "fold.external.duplicate",
            block_id=result.id,
        )
    return tuple(added)


def _name_output(result: Any) -> Any:
    if not isinstance(result, dict) or "output" not in result:
        return result
    return {**result, "output": name_nested(result["output"], str(result.get("id")))}
