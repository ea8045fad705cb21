"""The built-in agent: no model and no key, and everything that a reply can do.

It thinks, speaks, wants to delete a file and asks first, has a click done by somebody else, shows a
picture, and ends.  It keeps nothing: where a reply stands, it reads off the events that are out, so
it can go on after a restart or on another server.
"""

from __future__ import annotations

import asyncio
import base64
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from msgfold import event as ev
from msgfold.message import Msg, ToolCallBlock
from msgfold.replies.source import Inputs
from msgfold.types import ReplyFinishedReason

NAME = "friday"

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
"""A picture of one pixel (PNG)."""

_INTERRUPTED = ReplyFinishedReason.INTERRUPTED
_DELETE = ("delete_file", '{"path": ', '"notes/old.txt"}')
_CLICK = ("browser_click", '{"selector": ', '"#publish"}')


class ScriptedAgent:
    """Plays its script, one event after another.

    Args:
        delay: seconds between two events.
    """

    def __init__(self, delay: float = 0.02) -> None:
        self._delay = delay
        self._reply_id = ""
        self._out = 0
        self._waiting = ""

    async def reply_stream(self, inputs: Inputs) -> AsyncIterator[Any]:
        """The script from its beginning, or from where a person's answer takes it."""
        if isinstance(inputs, Msg | list):
            if self._waiting:
                raise ValueError(f"waiting for a {self._waiting}, not for a message")
            self._reply_id, self._out = uuid.uuid4().hex, 0
            stage = _opening(inputs if isinstance(inputs, Msg) else inputs[-1])
        else:
            if inputs.type not in {self._waiting, ev.EventType.USER_INTERRUPT}:
                raise ValueError(f"waiting for a {self._waiting or 'message'}, not {inputs.type}")
            _about(inputs)
            self._out += 1  # the answer is an event of the reply, too
            stage = _after(inputs)
        async for event in self._play(stage):
            yield event

    async def resume_stream(self, messages: list[Msg], events: list[Any]) -> AsyncIterator[Any]:
        """What follows ``events``."""
        opening: Any = events[0]
        answers = [n for n, event in enumerate(events) if event.type in _AFTER]
        stage = _after(events[answers[-1]]) if answers else _opening(messages[-1])
        self._reply_id = opening.reply_id
        played = len(events) - (answers[-1] + 1 if answers else 0)
        self._out = len(events) - played
        async for event in self._play(stage, skip=played):
            yield event

    async def _play(self, stage: Iterator[Any], skip: int = 0) -> AsyncIterator[Any]:
        self._waiting = ""
        try:
            for position, (make, members) in enumerate(stage):
                self._out += 1
                number = f"{self._reply_id}:{self._out}"
                event = make(id=number, reply_id=self._reply_id, **members)
                self._waiting = _WANTED.get(event.type, "")
                if position >= skip:
                    yield event
                    await asyncio.sleep(self._delay)
        except asyncio.CancelledError:
            self._out += 1
            number = f"{self._reply_id}:{self._out}"
            yield ev.ReplyEndEvent(
                id=number, reply_id=self._reply_id, session_id="", finished_reason=_INTERRUPTED
            )


def scripted_agent(session_id: str) -> ScriptedAgent:
    """The built-in agent of a session."""
    return ScriptedAgent()


def _opening(msg: Msg) -> Iterator[Any]:
    said = msg.get_text_content() or "nothing"
    yield ev.ReplyStartEvent, {"session_id": "", "name": NAME}
    yield ev.ModelCallStartEvent, {"model_name": "script"}
    yield from _text("thinking", ev.ThinkingBlockStartEvent, "Clean up first, then publish.")
    yield from _text("hello", ev.TextBlockStartEvent, f"You said: {said}. I would tidy up first.")
    yield from _call("call_1", _DELETE)
    yield ev.ModelCallEndEvent, {"input_tokens": 21, "output_tokens": 34}
    yield ev.RequireUserConfirmEvent, {"tool_calls": [_block("call_1", _DELETE)]}


def _confirmed(event: Any) -> Iterator[Any]:
    yes = _about(event).confirmed
    said = "deleted" if yes else "The user said no."
    yield from _result("call_1", _DELETE, said, "success" if yes else "denied")
    yield from _call("call_2", _CLICK)
    yield ev.ToolResultStartEvent, {"tool_call_id": "call_2", "tool_call_name": _CLICK[0]}
    yield ev.RequireExternalExecutionEvent, {"tool_calls": [_block("call_2", _CLICK)]}


def _executed(event: Any) -> Iterator[Any]:
    result = _about(event)
    state, said = result.state, result.output
    if not isinstance(said, str):
        said = " ".join(block.text for block in said if block.type == "text")
    yield ev.ToolResultTextDeltaEvent, {"tool_call_id": "call_2", "delta": said}
    yield ev.ToolResultEndEvent, {"tool_call_id": "call_2", "state": state}
    half = len(_PIXEL) // 2
    yield ev.DataBlockStartEvent, {"block_id": "picture", "media_type": "image/png"}
    for part in (_PIXEL[:half], _PIXEL[half:]):
        data = base64.b64encode(part).decode()
        delta = {"block_id": "picture", "media_type": "image/png", "data": data}
        yield ev.DataBlockDeltaEvent, delta
    yield ev.DataBlockEndEvent, {"block_id": "picture"}
    yield from _text("bye", ev.TextBlockStartEvent, "All done.")
    yield ev.ModelCallEndEvent, {"input_tokens": 55, "output_tokens": 13}
    yield ev.ReplyEndEvent, {"session_id": ""}


def _interrupted(event: Any) -> Iterator[Any]:
    yield ev.ReplyEndEvent, {"session_id": "", "finished_reason": _INTERRUPTED}


_AFTER: dict[str, Callable[[Any], Iterator[Any]]] = {
    "USER_CONFIRM_RESULT": _confirmed,
    "EXTERNAL_EXECUTION_RESULT": _executed,
    "USER_INTERRUPT": _interrupted,
}
"""Type of an answer to what follows it."""

_WANTED = {
    "REQUIRE_USER_CONFIRM": "USER_CONFIRM_RESULT",
    "REQUIRE_EXTERNAL_EXECUTION": "EXTERNAL_EXECUTION_RESULT",
}
"""Type of a question to that of its answer."""


def _about(answer: Any) -> Any:
    """What an answer says about the call that waits; silence is no yes.

    Raises:
        ValueError: nothing.
    """
    if answer.type == "USER_CONFIRM_RESULT":
        call_id, said = "call_1", {each.tool_call.id: each for each in answer.confirm_results}
    elif answer.type == "EXTERNAL_EXECUTION_RESULT":
        call_id, said = "call_2", {each.id: each for each in answer.execution_results}
    else:
        return None
    if call_id not in said:
        raise ValueError(f"waiting for a result of {call_id}, which is not in {answer.type}")
    return said[call_id]


def _after(answer: Any) -> Iterator[Any]:
    return _AFTER[answer.type](answer)


def _text(block_id: str, start: Any, text: str) -> Iterator[Any]:
    kind = {
        ev.TextBlockStartEvent: (ev.TextBlockDeltaEvent, ev.TextBlockEndEvent),
        ev.ThinkingBlockStartEvent: (ev.ThinkingBlockDeltaEvent, ev.ThinkingBlockEndEvent),
    }[start]
    yield start, {"block_id": block_id}
    for word in text.split(" "):
        gap = "" if text.startswith(word) else " "
        yield kind[0], {"block_id": block_id, "delta": gap + word}
    yield kind[1], {"block_id": block_id}


def _call(call_id: str, tool: tuple[str, str, str]) -> Iterator[Any]:
    name, *parts = tool
    yield ev.ToolCallStartEvent, {"tool_call_id": call_id, "tool_call_name": name}
    for part in parts:
        yield ev.ToolCallDeltaEvent, {"tool_call_id": call_id, "delta": part}
    yield ev.ToolCallEndEvent, {"tool_call_id": call_id}


def _result(call_id: str, tool: tuple[str, str, str], text: str, state: str) -> Iterator[Any]:
    yield ev.ToolResultStartEvent, {"tool_call_id": call_id, "tool_call_name": tool[0]}
    yield ev.ToolResultTextDeltaEvent, {"tool_call_id": call_id, "delta": text}
    yield ev.ToolResultEndEvent, {"tool_call_id": call_id, "state": state}


def _block(call_id: str, tool: tuple[str, str, str]) -> ToolCallBlock:
    return ToolCallBlock(id=call_id, name=tool[0], input=tool[1] + tool[2])
