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
from msgfold.errors import DiagnosticCode, InvalidEventError, Place, shorten
from msgfold.fold.data import check_base64
from msgfold.fold.state import FoldState, as_block_list, extend, given
from msgfold.model.block_list import BlockList


def start(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_START (``fold.tool-result.start``)."""
    state.check_role("tool_result")
    state.add(
        ToolResultBlock(
            id=event.tool_call_id,
            name=event.tool_call_name,
            output=[],
            state=ToolResultState.RUNNING,
        )
    )


def text_delta(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_TEXT_DELTA (``fold.tool-result.text``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.text")
    if result is None:
        return
    output = _output(result, event)
    if output and output[-1].type == "text":
        extend(output[-1], "text", event.delta)
    else:
        output.append(TextBlock(id=_new_id(event, output), text=event.delta))


def data_delta(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_DATA_DELTA (``fold.tool-result.data``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.data")
    if result is None:
        return
    source = _source(event)  # may refuse the event, so nothing has been changed yet
    output = _output(result, event)
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
    output.append(DataBlock(id=block_id, source=source))


def end(state: FoldState, event: Any) -> None:
    """TOOL_RESULT_END (``fold.tool-result.end``, ``fold.tool-result.end.call``)."""
    result = state.find_or_report("tool_result", event.tool_call_id, "fold.tool-result.end")
    if result is not None:
        result.state = ToolResultState(event.state).value
        result.metadata = deepcopy(given(event.metadata, {}))
    call = state.find("tool_call", event.tool_call_id)
    if call is not None:
        call.state = ToolCallState.FINISHED.value


def _output(result: Any, event: Any) -> BlockList[Any]:
    """The output as a list; a string becomes one text block (``fold.tool-result.string``)."""
    output = result.__dict__["output"]
    if isinstance(output, str):
        result.output = [TextBlock(id=_new_id(event, []), text=output)]
    return as_block_list(result, "output")


def _new_id(event: Any, output: list[Any]) -> str:
    """The id of a block that this event makes (``fold.tool-result.id``)."""
    return f"{event.tool_call_id}:{len(output)}" if event.id is UNSET else event.id


def _source(event: Any) -> Base64Source | URLSource:
    data, url = given(event.data), given(event.url)
    if (data is None) == (url is None):
        raise InvalidEventError(
            "exactly one of data and url must be given",
            place=Place(pointer=""),
            expected="data or url, the other null or absent",
            got="neither" if data is None else "both",
            rule="fold.tool-result.data",
        )
    if data is not None:
        check_base64(data)
        return Base64Source(data=data, media_type=event.media_type)
    try:
        return URLSource(url=url, media_type=event.media_type)
    except ValueError:
        raise InvalidEventError(
            "not an absolute URL",
            place=Place(pointer="/url"),
            expected="an absolute URL, such as https://example.com/a.png",
            got=shorten(url),
            rule="wire.json.url",
        ) from None
