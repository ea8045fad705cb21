"""Real AgentScope agents whose chat model plays a script: no network, no key.

Everything but the model is AgentScope's own: the agent, its loop, its tools and permissions.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from agentscope.agent import Agent
from agentscope.credential import CredentialBase
from agentscope.message import (
    Base64Source,
    DataBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    URLSource,
)
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage
from agentscope.permission import PermissionBehavior, PermissionDecision
from agentscope.tool import ToolBase, ToolChunk, Toolkit
from pydantic import BaseModel

SILENCE: list[Any] = []
"""A piece of a turn that never comes."""

ASK, ALLOW = PermissionBehavior.ASK, PermissionBehavior.ALLOW


def text(said: str) -> TextBlock:
    return TextBlock(text=said)


def thought(said: str, **extra: Any) -> ThinkingBlock:
    return ThinkingBlock(thinking=said, **extra)


def call(call_id: str, name: str, arguments: str) -> ToolCallBlock:
    return ToolCallBlock(id=call_id, name=name, input=arguments)


def data(raw: bytes, media_type: str = "image/png") -> DataBlock:
    source = Base64Source(data=base64.b64encode(raw).decode(), media_type=media_type)
    return DataBlock(source=source)


class _Credential(CredentialBase):
    @classmethod
    def get_chat_model_class(cls) -> type:
        return Script


class Script(ChatModelBase):
    """A chat model that says what it was told to.

    Args:
        turns: for each call of the model, what it streams: lists of blocks, piece by piece.
    """

    class Parameters(BaseModel):
        pass

    def __init__(self, turns: list[list[list[Any]]]) -> None:
        super().__init__(
            credential=_Credential(),
            model="script",
            stream=True,
            parameters=Script.Parameters(),
            context_size=100_000,
        )
        try:
            from agentscope.formatter import OpenAIChatFormatter
        except ImportError:
            return  # a release whose models need none
        self.formatter = OpenAIChatFormatter()
        self.turns = turns

    async def _call_api(self, *_: Any, **__: Any) -> Any:
        pieces = self.turns.pop(0)

        async def play() -> Any:
            for piece in pieces:
                await (asyncio.sleep(0) if piece is not SILENCE else asyncio.Event().wait())
                yield ChatResponse(content=_copies(piece), is_last=False)
            usage = ChatUsage(input_tokens=len(pieces), output_tokens=7, time=0.1)
            yield ChatResponse(content=_whole(pieces), is_last=True, usage=usage)

        return play()


def _copies(blocks: list[Any]) -> list[Any]:
    return [block.model_copy(deep=True) for block in blocks]


_GROWS = {"text": "text", "thinking": "thinking", "tool_call": "input"}
"""Kind of block to the member that its pieces add to."""


def _whole(pieces: list[list[Any]]) -> list[Any]:
    """What the pieces are together, as the last response of a model has it."""
    found: dict[tuple[str, str], Any] = {}
    for block in (each for piece in pieces for each in _copies(piece)):
        key = (block.type, block.id if block.type == "tool_call" else "")
        member = _GROWS[block.type]
        if key in found:
            setattr(found[key], member, getattr(found[key], member) + getattr(block, member))
        else:
            found[key] = block
    return list(found.values())


class _Tool(ToolBase):
    name = "search"
    description = "A tool."
    input_schema = {  # noqa: RUF012  (as AgentScope declares it)
        "type": "object",
        "properties": {"q": {"type": "string"}},
        "required": [],
    }
    is_concurrency_safe = True
    is_read_only = True
    is_external_tool = False
    is_mcp = False
    behavior = ALLOW

    async def check_permissions(self, tool_input: Any, context: Any) -> Any:
        return PermissionDecision(behavior=self.behavior, decision_reason="r", message="m")

    async def __call__(self, q: str = "", **_: Any) -> Any:
        parts = ["Found ", "2 for ", q]
        for position, part in enumerate(parts, 1):
            await asyncio.sleep(0)
            yield ToolChunk(content=[text(part)], is_last=position == len(parts))


class _Chart(_Tool):
    name = "chart"

    async def __call__(self, q: str = "", **_: Any) -> Any:
        picture = URLSource(url="https://example.com/q3.png", media_type="image/png")
        yield ToolChunk(content=[text("Chart: "), data(b"\x89PNG" + q.encode())], is_last=False)
        yield ToolChunk(content=[DataBlock(source=picture)], is_last=False)
        yield ToolChunk(content=[text("done")], is_last=True)


class _Endless(_Tool):
    name = "endless"

    async def __call__(self, q: str = "", **_: Any) -> Any:
        await asyncio.Event().wait()
        yield ToolChunk(content=[text("never")], is_last=True)


class _Delete(_Tool):
    name = "delete_file"
    is_read_only = False
    behavior = ASK


class _Click(_Tool):
    name = "click"
    is_external_tool = True


class Watched(Agent):
    """An agent that is watched: what goes in and comes out, and what AgentScope makes of it.

    Attributes:
        events: copies of all events of its replies, answers that it was given included.
        given: the very inputs.
        yielded: the very events, which it goes on changing, each with what it was.
    """

    events: list[Any]
    given: list[Any]
    yielded: list[tuple[Any, str]]

    async def reply_stream(self, inputs: Any = None, **more: Any) -> Any:
        self.given.append(inputs)
        if hasattr(inputs, "type"):
            self.events.append(inputs.model_copy(deep=True))
        async for event in super().reply_stream(inputs, **more):
            self.events.append(event.model_copy(deep=True))
            self.yielded.append((event, event.model_dump_json()))
            yield event


def agent(turns: list[list[list[Any]]]) -> Watched:
    """A real agent with every kind of tool, whose model plays ``turns``."""
    made = Watched(
        name="friday",
        system_prompt="You are a test agent.",
        model=Script(turns),
        toolkit=Toolkit(tools=[_Tool(), _Chart(), _Endless(), _Delete(), _Click()]),
    )
    made.events, made.given, made.yielded = [], [], []
    return made
