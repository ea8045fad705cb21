"""Tool results: text and data that a tool gives back, piece by piece."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from msgspec import UNSET

from msgfold._generated.models import (
    Base64Source,
    DataBlock,
    TextBlock,
    ToolCallState,
    ToolResultBlock,
    ToolResultState,
    URLSource,
)
from msgfold.errors import DiagnosticCode
from msgfold.fold.adopt import check_depth
from msgfold.fold.data import check_base64, exactly_one, url_source
from msgfold.fold.state import Blocks, FoldState, as_block_list, extend, given, stamp
from msgfold.model.block_list import BlockList


def start(state: FoldState, event: Any) -> Blocks:
    """TOOL_RESULT_START (``fold.tool-result.start``)."""
    state.check_role("tool_result")
    members = {"id": event.tool_call_id, "name": event.tool_call_name, "output": BlockList()}
    return state.add(ToolResultBlock.trusted({**members, "metadata": {}}))


def text_delta(state: FoldState, event: Any) -> Blocks:
    """TOOL_RESULT_TEXT_DELTA (``fold.tool-result.text``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.text")
    if result is None:
        return ()
    output, made = _output(result, event)
    if output and output[-1].type == "text":
        extend(output[-1], "text", event.delta)
        return made
    block = TextBlock.trusted({"id": _new_id(event, output), "text": event.delta})
    output.append(block)
    return (*made, block)


def data_delta(state: FoldState, event: Any) -> Blocks:
    """TOOL_RESULT_DATA_DELTA up to 2.0.10 (``fold.tool-result.data``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.data")
    if result is None:
        return ()
    source = _source(event)  # may refuse the event, so nothing has been changed yet
    output, made = _output(result, event)
    return (*made, _add_data(state, event, result, output, source))


def data_delta_merged(state: FoldState, event: Any) -> Blocks:
    """TOOL_RESULT_DATA_DELTA from 2.0.11 on (``fold.tool-result.data.merge``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.data")
    if result is None:
        return ()
    source = _source(event)
    output, made = _output(result, event)
    into = _inline(output, event.block_id) if source.type == "base64" else None
    if into is None:
        return (*made, _add_data(state, event, result, output, source))
    if event.data:
        into.source.append_base64(event.data)
    into.source.media_type = event.media_type or into.source.media_type
    return made


def _inline(output: BlockList[Any], block_id: Any) -> Any:
    """The first data block of that id that holds bytes, or ``None``; one with a URL is passed."""
    first = output.find("data", block_id)
    if first is None or first.source.type == "base64":
        return first
    fits = (b for b in output if b.type == "data" and b.id == block_id)
    return next((block for block in fits if block.source.type == "base64"), None)


def _add_data(
    state: FoldState, event: Any, result: Any, output: BlockList[Any], source: Any
) -> DataBlock:
    block_id = event.block_id
    if block_id is UNSET:
        block_id = _new_id(event, output)
    if output.find("data", block_id) is not None:
        state.report(
            DiagnosticCode.DUPLICATE_BLOCK,
            f"a second data block {block_id!r} in the output of {result.id!r}",
            "fold.tool-result.data.duplicate",
            kind="data",
            block_id=block_id,
        )
    block = DataBlock(id=block_id, source=source)
    output.append(block)
    return block


def end(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_END up to 2.0.5 (``fold.tool-result.end``, ``fold.tool-result.end.call``)."""
    _end_result(state, event)
    _finish_call(state, event)


def end_stamped(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_END from 2.0.6 on (``fold.tool-result.end``, ``fold.tool-result.end.call``)."""
    result = _end_result(state, event)
    if result is not None:
        result.finished_at = stamp(event)
        _finish_call(state, event)


def _end_result(state: FoldState, event: Any) -> Any:
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.end")
    if result is not None:
        metadata = given(event.metadata)
        check_depth(metadata, "metadata")
        result.__dict__["state"] = ToolResultState(event.state).value
        result.__dict__["metadata"] = deepcopy(metadata) if metadata else {}
    return result


def _finish_call(state: FoldState, event: Any) -> None:
    call = state.find("tool_call", event.tool_call_id)
    if call is not None:
        call.__dict__["state"] = ToolCallState.FINISHED.value


def _output(result: Any, event: Any) -> tuple[BlockList[Any], Blocks]:
    """The output as a list, and what was made for it.

    A string becomes one text block (``fold.tool-result.string``).
    """
    output = result.__dict__["output"]
    made: Blocks = ()
    if isinstance(output, str):
        made = (TextBlock(id=_new_id(event, []), text=output),)
        result.output = list(made)
    return as_block_list(result, "output"), made


def _new_id(event: Any, output: list[Any]) -> str:
    """The id of a block that this event makes (``fold.tool-result.id``)."""
    return f"{event.tool_call_id}:{len(output)}" if event.id is UNSET else event.id


def _source(event: Any) -> Base64Source | URLSource:
    exactly_one(event, "fold.tool-result.data")
    if given(event.data) is None:
        return url_source(event)
    check_base64(event.data)
    return Base64Source(data=event.data, media_type=event.media_type)
