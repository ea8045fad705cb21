"""What an event costs as the Msg grows: doubling streams, and the exponent of the cost.

An event should cost the same however long the Msg is.  A reducer that joins a whole text or decodes
a whole picture for every delta is right, and too slow one day: twice the stream takes four times
as long.

What is timed is the answer to one request, and most of that is JSON.  So for each stream another of
as many bytes is sent, all of events that change nothing (``fold.no-op``).  The difference is what
folding costs.  The two are sent in turn, and every time is the shortest of several.
"""

from __future__ import annotations

import base64
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msgfold.conformance.prefix import Ask
from msgfold.conformance.process import TesteeError
from msgfold.conformance.streams import EMPTY, event

Json = dict[str, Any]

SIZES = tuple(500 * 2**n for n in range(6))
"""Events in a stream: 500 to 16000."""

REPEATS = 3
"""How often each stream is sent at least; the shortest time counts."""

SPENT = 0.5
"""Seconds for which each stream is sent again and again.  A short one is over in milliseconds, in
which a busy machine may have looked elsewhere all along; it is given more tries for that."""

SECONDS = 3.0
"""A stream that takes longer is the last of its kind: it has shown what it has to show."""

GROWS = 0.5
"""From this exponent on, the cost of an event is said to grow; it is 0 when it does not, and 1
when every event looks at the whole Msg."""

_TOLD = 0.1
"""The part of the whole time that folding must take for its cost to be told from noise."""

_STAMPS = {"id": "e", "created_at": "2026-07-07T10:00:00"}

_CHUNK = base64.b64encode(bytes(range(96))).decode()


def _text(count: int) -> Iterator[Json]:
    yield event("TEXT_BLOCK_START", block_id="b")
    for _ in range(count - 1):
        yield event("TEXT_BLOCK_DELTA", block_id="b", delta="some words ")


def _data(count: int) -> Iterator[Json]:
    part = {"block_id": "b", "media_type": "image/png"}
    yield event("DATA_BLOCK_START", **part)
    for _ in range(count - 1):
        yield event("DATA_BLOCK_DELTA", **part, data=_CHUNK)


def _result(count: int) -> Iterator[Json]:
    yield event("TOOL_RESULT_START", tool_call_id="c", tool_call_name="n")
    for _ in range(count - 1):
        yield event("TOOL_RESULT_TEXT_DELTA", tool_call_id="c", delta="some words ")


def _blocks(count: int) -> Iterator[Json]:
    for number in range(count // 2):
        yield event("TEXT_BLOCK_START", block_id=f"b{number}")
        yield event("TEXT_BLOCK_DELTA", block_id=f"b{number}", delta="some words ")


SHAPES: dict[str, Callable[[int], Iterator[Json]]] = {
    "text": _text,
    "data": _data,
    "result": _result,
    "blocks": _blocks,
}
"""What the streams are made of: deltas of one text, of one picture, of one result; many blocks."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What an event of one shape costs.

    Attributes:
        shape: of :data:`SHAPES`.
        sizes: events in each stream.
        costs: microseconds an event, of folding alone, for each stream; 0 where that cannot be told
            from the cost of the protocol.
        whole: seconds that each stream took in all.
        exponent: the cost of an event grows as the length of the stream to this power.
        stopped: why there are no longer streams, if there might be.
    """

    shape: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]
    whole: tuple[float, ...]
    exponent: float
    stopped: str = ""

    @property
    def grows(self) -> bool:
        """Whether an event costs more, the longer the Msg is."""
        return self.exponent >= GROWS


def measure(
    testee: Ask,
    revision: str,
    shape: str,
    *,
    sizes: tuple[int, ...] = SIZES,
    repeats: int = REPEATS,
    seconds: float = SECONDS,
) -> Curve:
    """Time doubling streams of one shape.

    Args:
        testee: what answers.
        revision: the release to fold as.
        shape: of :data:`SHAPES`.
        sizes: events in each stream, rising.
        repeats: how often each is sent at least.
        seconds: a stream that takes longer is the last.

    Raises:
        BrokenTesteeError: there is no testee left to ask.
    """
    measured: list[tuple[int, float, float]] = []
    stopped = ""
    for size in sizes:
        try:
            folded, skipped = _shortest(testee, revision, _events(shape, size), repeats)
        except TesteeError as error:
            stopped = f"{size} events: {error}"
            break
        measured.append((size, folded, skipped))
        if folded > seconds:
            stopped = f"{size} events took {folded:.1f} seconds"
            break
    costs = tuple(_cost(*each) for each in measured)
    found = tuple(size for size, _, _ in measured)
    whole = tuple(folded for _, folded, _ in measured)
    return Curve(shape, found, costs, whole, exponent(found, costs), stopped)


def exponent(sizes: tuple[int, ...], costs: tuple[float, ...]) -> float:
    """The slope of the cost over the size, both as logarithms, by least squares.

    Only costs that can be told count; fewer than three say nothing, and neither does a fall: 0.
    """
    points = [(math.log(n), math.log(c)) for n, c in zip(sizes, costs, strict=True) if c > 0]
    if len(points) < 3:
        return 0.0
    middle = [sum(values) / len(points) for values in zip(*points, strict=True)]
    over = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    under = sum((x - middle[0]) ** 2 for x, _ in points)
    return float(max(0.0, over / under))


def _cost(size: int, folded: float, skipped: float) -> float:
    difference = folded - skipped
    return 1e6 * difference / size if difference > _TOLD * folded else 0.0


def _events(shape: str, size: int) -> list[Json]:
    return [{**_STAMPS, **each} for each in SHAPES[shape](size)]


def _idle(each: Json) -> Json:
    """An event of as many bytes that changes nothing."""
    idle = {**_STAMPS, **event("MODEL_CALL_START", model_name="")}
    missing = max(0, len(json.dumps(each)) - len(json.dumps(idle)))
    return {**idle, "model_name": "x" * missing}


def _shortest(testee: Ask, revision: str, events: list[Json], repeats: int) -> tuple[float, float]:
    """The seconds for these events, and for as many bytes that change nothing."""
    streams = (events, [_idle(each) for each in events])
    found = [math.inf, math.inf]
    began = time.perf_counter()
    tries = 0
    while tries < repeats or time.perf_counter() - began < SPENT:
        for which, stream in enumerate(streams):
            sent = time.perf_counter()
            testee("fold", {"msg": EMPTY, "events": stream}, revision)
            found[which] = min(found[which], time.perf_counter() - sent)
        tries += 1
    return found[0], found[1]
