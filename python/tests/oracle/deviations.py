"""Where this reducer differs from AgentScope 2.0.4 on purpose: all of it, in one place.

The differential test folds random streams with both and wants the same Msg.  Where a rule of the
specification says otherwise than AgentScope does, an entry here says when that is and what
AgentScope is given instead, so that everything else in the stream is still compared.  Each entry
has an example that shows AgentScope really doing what the entry says: when a release mends it, the
entry fails.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]

EMPTY: Event = {
    "name": "n",
    "content": [],
    "role": "assistant",
    "id": "r1",
    "metadata": {},
    "created_at": "t",
    "finished_at": None,
    "usage": None,
}


@dataclass(frozen=True)
class Deviation:
    """One rule on which we differ.

    Attributes:
        rule: its id in ``docs/spec/fold.md``.
        reason: why AgentScope is not followed.
        example: a Msg and events that show the difference.
        agentscope: what AgentScope makes of it: the name of the exception, or a part of the Msg.
        instead: what AgentScope is given in place of an event, given its Msg before that event;
            ``None`` leaves it out.  Returns the event itself where the entry does not apply.
    """

    rule: str
    reason: str
    example: tuple[Event, list[Event]]
    agentscope: str | Callable[[Event], bool]
    instead: Callable[[Event, Event], Event | None] = lambda event, msg: event


def _event(kind: str, **members: Any) -> Event:
    base = {"type": kind, "id": "e", "created_at": "t", "reply_id": "r1"}
    if kind == "CUSTOM":
        del base["reply_id"]
    return base | members


def _block(msg: Event, kind: str, block_id: str) -> Event | None:
    return next((b for b in msg["content"] if b["type"] == kind and b["id"] == block_id), None)


def _without_custom(event: Event, msg: Event) -> Event | None:
    return None if event["type"] == "CUSTOM" else event


def _without_url_delta(event: Event, msg: Event) -> Event | None:
    if event["type"] != "DATA_BLOCK_DELTA" or not event["data"]:
        return event
    block = _block(msg, "data", event["block_id"])
    return None if block is not None and block["source"]["type"] == "url" else event


def _without_second_result(event: Event, msg: Event) -> Event | None:
    if event["type"] != "EXTERNAL_EXECUTION_RESULT":
        return event
    seen: set[str] = set()
    kept = []
    for result in event["execution_results"]:
        if result["id"] not in seen:
            kept.append(result)
            seen.add(result["id"])
    return {**event, "execution_results": kept}


URL_BLOCK = {
    "type": "data",
    "id": "d",
    "name": None,
    "source": {"type": "url", "url": "https://example.com/a.png", "media_type": "image/png"},
}
RESULT = {"type": "tool_result", "id": "t", "name": "n", "output": "1", "state": "success"}
START = _event("DATA_BLOCK_START", block_id="d", media_type="image/png")
DELTA = _event("DATA_BLOCK_DELTA", block_id="d", media_type="image/png", data="bm8=cGU=")

DEVIATIONS = (
    Deviation(
        "fold.custom",
        "An application's own signal must not end a loop over events.",
        (EMPTY, [_event("CUSTOM", name="x")]),
        "AttributeError",
        _without_custom,
    ),
    Deviation(
        "fold.data.url-source",
        "A stray delta is skipped and reported, as any other.",
        ({**EMPTY, "content": [URL_BLOCK]}, [{**DELTA, "data": "QUJD"}]),
        "AttributeError",
        _without_url_delta,
    ),
    Deviation(
        "fold.external.duplicate",
        "Two results for one call leave a block that no later event can reach.",
        (EMPTY, [_event("EXTERNAL_EXECUTION_RESULT", execution_results=[RESULT, RESULT])]),
        lambda msg: len(msg["content"]) == 2,
        _without_second_result,
    ),
    Deviation(
        "fold.data.base64",
        "Lenient decoding loses bytes without a word.",
        (EMPTY, [START, DELTA]),
        lambda msg: msg["content"][0]["source"]["data"] == "bm8=",
    ),
    Deviation(
        "fold.role",
        "The Msg that AgentScope builds is refused by its own model.",
        (
            {**EMPTY, "role": "user"},
            [_event("TOOL_CALL_START", tool_call_id="t", tool_call_name="n")],
        ),
        lambda msg: msg["content"][0]["type"] == "tool_call",
    ),
    Deviation(
        "fold.unknown-event",
        "A newer peer's events must not end a loop over events.",
        (EMPTY, [_event("AUDIO_CHUNK")]),
        "ValidationError",
    ),
    Deviation(
        "wire.json.type-required",
        "A guess hides a broken writer.",
        (EMPTY, [{"reply_id": "r1", "block_id": "b"}]),
        lambda msg: msg["content"][0]["type"] == "text",  # guessed: TEXT_BLOCK_START
    ),
    Deviation(
        "fold.tool-result.data",
        "Which of two contents was meant cannot be known.",
        (
            {**EMPTY, "content": [{**RESULT, "output": [], "metadata": {}}]},
            [
                _event(
                    "TOOL_RESULT_DATA_DELTA",
                    tool_call_id="t",
                    block_id="d",
                    media_type="image/png",
                    data="QUJD",
                    url="https://example.com/a.png",
                )
            ],
        ),
        lambda msg: msg["content"][0]["output"][0]["source"]["type"] == "base64",
    ),
    Deviation(
        "wire.json.url",
        "A URL is somebody's data. Compared by its WHATWG form.",
        (
            {**EMPTY, "content": [{**RESULT, "output": [], "metadata": {}}]},
            [
                _event(
                    "TOOL_RESULT_DATA_DELTA",
                    tool_call_id="t",
                    block_id="d",
                    media_type="image/png",
                    url="https://x.example",
                )
            ],
        ),
        lambda msg: msg["content"][0]["output"][0]["source"]["url"] == "https://x.example/",
    ),
    Deviation(
        "fold.tool-result.id",
        "Two folds of one stream must agree. Compared up to the ids that AgentScope made up.",
        (
            {**EMPTY, "content": [{**RESULT, "output": [], "metadata": {}}]},
            [_event("TOOL_RESULT_TEXT_DELTA", tool_call_id="t", delta="x")],
        ),
        lambda msg: msg["content"][0]["output"][0]["id"] != "e",
    ),
)


def for_agentscope(event: Event, msg: Event) -> Event | None:
    """What AgentScope is given in place of ``event``; ``None``: nothing."""
    given: Event | None = copy.deepcopy(event)
    for deviation in DEVIATIONS:
        if given is not None:
            given = deviation.instead(given, msg)
    return given
