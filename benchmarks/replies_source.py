"""What is served in the reply service's benchmark: an agent, and the bare gRPC stream beside it.

``msgfold serve replies_source.py:eager`` yields as fast as it can, ``:lone`` one event at a time.
``python replies_source.py`` serves the same events, each a message, with grpcio and nothing else,
and prints its port.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import grpc
from msgfold.event import ReplyEndEvent, ReplyStartEvent, TextBlockDeltaEvent, TextBlockStartEvent
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.wire.proto import to_proto

EVENTS = 100_000
LONE = 300
PAUSE = 0.005
"""Seconds between two lone events."""

_ENVELOPE = {"reply_id": "b" * 32, "created_at": "2026-07-20T10:00:00.123456", "metadata": {}}


def delta(number: int, text: str = "Hello, world") -> TextBlockDeltaEvent:
    """An event of about 180 bytes."""
    return TextBlockDeltaEvent(id=f"{number:032x}", block_id="c" * 32, delta=text, **_ENVELOPE)


@cache
def deltas() -> list[TextBlockDeltaEvent]:
    """All of them, made once."""
    return [delta(number) for number in range(EVENTS)]


class Agent:
    """Says what it was made for."""

    def __init__(self, lone: bool) -> None:
        self.lone = lone

    async def reply_stream(self, inputs: Any) -> AsyncIterator[Any]:
        """Events as AgentScope's agents yield them."""
        envelope = _ENVELOPE | {"reply_id": inputs.get_text_content()}
        yield ReplyStartEvent(id="start", session_id="s", name="friday", **envelope)
        yield TextBlockStartEvent(id="text", block_id="c" * 32, **envelope)
        if self.lone:
            for number in range(LONE):
                await asyncio.sleep(PAUSE)
                yield delta(number, str(time.monotonic_ns()))
        else:
            for event in deltas():
                yield event
        yield ReplyEndEvent(id="end", session_id="s", **envelope)


def eager(session_id: str) -> Agent:
    """Never waits."""
    deltas()
    return Agent(lone=False)


def lone(session_id: str) -> Agent:
    """Waits between any two events; each carries the time at which it was made."""
    return Agent(lone=True)


async def bare() -> None:
    """The limit: encoded beforehand, and nothing done but sent."""
    messages = [to_proto(event.model_dump(mode="json"), "AgentEvent") for event in deltas()]

    async def eager(request: bytes, context: Any) -> AsyncIterator[Any]:
        for message in messages:
            yield message

    async def lone(request: bytes, context: Any) -> AsyncIterator[Any]:
        for number in range(LONE):
            await asyncio.sleep(PAUSE)
            event = delta(number, str(time.monotonic_ns()))
            yield to_proto(event.model_dump(mode="json"), "AgentEvent")

    def method(handle: Any) -> Any:
        return grpc.unary_stream_rpc_method_handler(handle, None, AgentEvent.SerializeToString)

    server = grpc.aio.server()
    methods = {"eager": method(eager), "lone": method(lone)}
    handler = grpc.method_handlers_generic_handler("bare", methods)
    server.add_generic_rpc_handlers((handler,))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(bare())
