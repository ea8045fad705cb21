"""Streams to measure with: NDJSON as AgentScope writes it, some 180 to 240 bytes an event."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Events = Iterator[dict[str, Any]]

REPLY = "c0ffee00c0ffee00c0ffee00c0ffee00"
START = {"type": "REPLY_START", "session_id": "s" * 32, "name": "friday", "role": "assistant"}
END = {"type": "REPLY_END", "session_id": "s" * 32, "finished_reason": "completed"}
WORDS = "some words "


def lines(events: Events, reply: str = REPLY) -> Iterator[bytes]:
    """Events with their stamps, as lines of NDJSON."""
    for number, event in enumerate(events):
        stamps = {
            "id": f"{number:032x}",
            "created_at": "2026-07-07T10:00:00.000000",
            "metadata": {},
            "reply_id": reply,
        }
        written = json.dumps({**stamps, **event}, separators=(",", ":"), ensure_ascii=False)
        yield written.encode() + b"\n"


def mixed(size: int) -> Events:
    """Turns of thinking, text, a tool call, its result and usage: four blocks in 98 events."""
    yield START
    for turn in range(size // 98):
        block, call = {"block_id": f"{turn:032x}"}, {"tool_call_id": f"call_{turn:024x}"}
        yield {"type": "MODEL_CALL_START", "model_name": "model"}
        for kind, deltas in (("THINKING", 20), ("TEXT", 40)):
            yield {"type": f"{kind}_BLOCK_START", **block}
            for _ in range(deltas):
                yield {"type": f"{kind}_BLOCK_DELTA", **block, "delta": WORDS}
            yield {"type": f"{kind}_BLOCK_END", **block}
        yield {"type": "TOOL_CALL_START", **call, "tool_call_name": "search"}
        for _ in range(10):
            yield {"type": "TOOL_CALL_DELTA", **call, "delta": '{"query": "'}
        yield {"type": "TOOL_CALL_END", **call}
        yield {"type": "MODEL_CALL_END", "input_tokens": 42, "output_tokens": 7}
        yield {"type": "TOOL_RESULT_START", **call, "tool_call_name": "search"}
        for _ in range(19):
            yield {"type": "TOOL_RESULT_TEXT_DELTA", **call, "delta": WORDS}
        yield {"type": "TOOL_RESULT_END", **call, "state": "success"}
    yield END


def text(size: int) -> Events:
    """One text block."""
    yield from _deltas("TEXT_BLOCK", {"block_id": "b"}, size, WORDS)


def wide(size: int) -> Events:
    """One text block whose last tenth brings characters that ASCII does not have."""
    yield from _deltas("TEXT_BLOCK", {"block_id": "b"}, size - size // 10, WORDS)
    for _ in range(size // 10):
        yield {"type": "TEXT_BLOCK_DELTA", "block_id": "b", "delta": "字符 words"}


def interleaved(size: int) -> Events:
    """Two text blocks, a delta of each in turn."""
    yield START
    for block in "ab":
        yield {"type": "TEXT_BLOCK_START", "block_id": block}
    for number in range(size):
        yield {"type": "TEXT_BLOCK_DELTA", "block_id": "ab"[number % 2], "delta": WORDS}


def arguments(size: int) -> Events:
    """The arguments of one tool call."""
    call = {"tool_call_id": "c", "tool_call_name": "search"}
    yield from _deltas("TOOL_CALL", call, size, WORDS)


def result(size: int) -> Events:
    """The text of one tool result."""
    yield START
    yield {"type": "TOOL_RESULT_START", "tool_call_id": "c", "tool_call_name": "search"}
    for _ in range(size):
        yield {"type": "TOOL_RESULT_TEXT_DELTA", "tool_call_id": "c", "delta": WORDS}


def blocks(size: int) -> Events:
    """Many text blocks of one delta each."""
    yield START
    for number in range(size // 3):
        block = {"block_id": f"{number:032x}"}
        yield {"type": "TEXT_BLOCK_START", **block}
        yield {"type": "TEXT_BLOCK_DELTA", **block, "delta": WORDS}
        yield {"type": "TEXT_BLOCK_END", **block}


def data(size: int, chunk: int = 4096) -> Events:
    """One data block, in base64 deltas of ``chunk`` bytes."""
    block = {"block_id": "d", "media_type": "image/png"}
    encoded = base64.b64encode(random.Random(7).randbytes(chunk)).decode()
    yield START
    yield {"type": "DATA_BLOCK_START", **block}
    for _ in range(size):
        yield {"type": "DATA_BLOCK_DELTA", **block, "data": encoded}


def odd_data(size: int) -> Events:
    """The same in deltas of 1,000 bytes, which are no whole groups of three."""
    return data(size, 1000)


def _deltas(kind: str, members: dict[str, Any], size: int, delta: str) -> Events:
    yield START
    yield {"type": f"{kind}_START", **members}
    named = {name: value for name, value in members.items() if name != "tool_call_name"}
    for _ in range(size):
        yield {"type": f"{kind}_DELTA", **named, "delta": delta}


WORKLOADS: dict[str, Callable[[int], Events]] = {
    "mixed": mixed,
    "text": text,
    "wide": wide,
    "interleaved": interleaved,
    "arguments": arguments,
    "result": result,
    "blocks": blocks,
    "data": data,
    "odd_data": odd_data,
}
"""Name to what makes the events; the argument is the number of events that matter."""
