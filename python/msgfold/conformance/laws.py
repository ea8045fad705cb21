"""Laws of the fold, asked of any implementation.

A law holds two answers of the *same* implementation against each other: the stream as it is, and
the stream changed in a way that must not matter.  Nothing has to be known about the right Msg, so a
law holds for streams that nobody has written an expectation for.

Each law is a function from an input, a source of choices and a way to ask, to the first difference
between the two answers.  The streams are plain ones (:mod:`.streams`): where an event is refused,
the rest of the stream is another story.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from msgfold.conformance.compare import Difference, differences
from msgfold.conformance.streams import OTHER, Streams, event

Json = dict[str, Any]
Ask = Callable[[Json], Json]
"""The implementation's answer to the input of a fold."""

Check = Callable[[Json, Random, Ask], Difference | None]


@dataclass(frozen=True, slots=True)
class Law:
    """What must not matter.

    Attributes:
        name: its name on the command line.
        says: the law, in one sentence.
        check: where an implementation breaks it.
        feature: what a testee must be able to do to be asked.
    """

    name: str
    says: str
    check: Check
    feature: str | None = None


def _same(given: Json, other: Json, ask: Ask) -> Difference | None:
    """Where the answers to two inputs part, if they do."""
    return _difference(ask(given), ask(other))


def _difference(left: Json, right: Json) -> Difference | None:
    errors = [answer.get("error", {}).get("code") for answer in (left, right)]
    if errors[0] != errors[1]:
        return Difference("", *errors)
    return next(iter(differences(left.get("msg"), right.get("msg"), "Msg")), None)


# ---------------------------------------------------------------- cut
def _cut(given: Json, random: Random, ask: Ask) -> Difference | None:
    cut = [half for each in given["events"] for half in _halves(each, random)]
    return _same(given, {**given, "events": cut}, ask)


def _halves(each: Json, random: Random) -> list[Json]:
    """The event as two that mean the same, or itself."""
    if each["type"] == "DATA_BLOCK_DELTA" and each.get("data"):
        raw = base64.b64decode(each["data"])
        at = random.randint(0, len(raw))
        halves: list[Any] = [base64.b64encode(half).decode() for half in (raw[:at], raw[at:])]
        return [{**each, "data": half} for half in halves]
    if isinstance(each.get("delta"), str):
        at = random.randint(0, len(each["delta"]))
        return [{**each, "delta": each["delta"][:at]}, {**each, "delta": each["delta"][at:]}]
    return [each]


# ---------------------------------------------------------------- interleave
_FREE = ("_DELTA", "_BLOCK_END", "TOOL_CALL_END")
"""Endings of the types whose events touch one block, and make none at the top."""


def _interleave(given: Json, random: Random, ask: Ask) -> Difference | None:
    return _same(given, {**given, "events": _reordered(given["events"], random)}, ask)


def _reordered(events: list[Json], random: Random) -> list[Json]:
    """Another order in which each block's events, and all that make blocks, keep theirs."""
    left = list(events)
    found = []
    while left:
        ready = [n for n, each in enumerate(left) if not any(_bound(e, each) for e in left[:n])]
        found.append(left.pop(ready[random.randrange(len(ready))]))
    return found


def _bound(earlier: Json, later: Json) -> bool:
    """Whether the two must keep their order: one block, or one of them is about more than one."""
    keys = _block(earlier), _block(later)
    if None in keys:
        # An event that makes a block, or looks at several: bound to all but deltas of others.
        made = _made(earlier) if keys[0] is None else _made(later)
        other = keys[1] if keys[0] is None else keys[0]
        return other is None or made is None or other in made
    return keys[0] == keys[1]


def _block(each: Json) -> tuple[str, str] | None:
    """The block that an event touches; ``None`` when it may touch or make others."""
    if not each["type"].endswith(_FREE):
        return None
    if "tool_call_id" in each:
        return ("tool", each["tool_call_id"])
    return (each["type"].partition("_")[0], each["block_id"])


def _made(each: Json) -> set[tuple[str, str]] | None:
    """The blocks that an event makes or touches; ``None``: any."""
    kind = each["type"]
    if kind.endswith("_BLOCK_START"):
        return {(kind.partition("_")[0], each["block_id"])}
    if "tool_call_id" in each:
        return {("tool", each["tool_call_id"])}
    for member in ("tool_calls", "execution_results"):
        if member in each:
            return {("tool", item["id"]) for item in each[member]}
    if "confirm_results" in each:
        return {("tool", item["tool_call"]["id"]) for item in each["confirm_results"]}
    return None if kind == "REPLY_START" else set()


# ---------------------------------------------------------------- resume
def _resume(given: Json, random: Random, ask: Ask) -> Difference | None:
    events = given["events"]
    if not events:
        return None
    at = random.randint(1, len(events))
    whole = ask(given)
    half = ask({**given, "events": events[:at]})
    if half.get("msg") is None:
        return None
    return _difference(whole, ask({**given, "msg": half["msg"], "events": events[at:]}))


# ---------------------------------------------------------------- repeat
def _repeat(given: Json, random: Random, ask: Ask) -> Difference | None:
    return _same(given, {**given, "repeat": 2}, ask)


# ---------------------------------------------------------------- twice
_IDEMPOTENT = ("_END", "REQUIRE_USER_CONFIRM", "REQUIRE_EXTERNAL_EXECUTION")
_NOT_IDEMPOTENT = "MODEL_CALL_END"
_ANSWERS = ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT")


def _twice(given: Json, random: Random, ask: Ask) -> Difference | None:
    events = []
    for each in given["events"]:
        kind = each["type"]
        again = kind.endswith(_IDEMPOTENT + _ANSWERS) and kind != _NOT_IDEMPOTENT
        events += [each, copy.deepcopy(each)] if again and random.random() < 0.5 else [each]
    return _same(given, {**given, "events": events}, ask)


# ---------------------------------------------------------------- foreign
def _foreign(given: Json, random: Random, ask: Ask) -> Difference | None:
    events = list(given["events"])
    drawn = Streams(random)
    first = 1 if given["msg"] is None else 0  # before it there is no Msg that they could not be of
    for number in range(random.randint(1, 4)):
        stranger = drawn.pick(
            (
                event("REPLY_START", session_id="s", name="x", role="assistant"),
                event("TEXT_BLOCK_START", block_id=drawn.id()),
                event("TEXT_BLOCK_DELTA", block_id=drawn.id(), delta="x"),
                event("TOOL_CALL_DELTA", tool_call_id=drawn.id(), delta="x"),
                event("MODEL_CALL_END", input_tokens=1, output_tokens=1),
                event("REPLY_END", session_id="s"),
            )
        )
        stamps = {"id": f"x{number}", "created_at": "2026-07-07T11:00:00"}
        events.insert(random.randint(first, len(events)), {**stamps, **stranger, "reply_id": OTHER})
    return _same(given, {**given, "events": events}, ask)


# ---------------------------------------------------------------- order
def _order(given: Json, random: Random, ask: Ask) -> Difference | None:
    """The blocks stand in the order of the events that made them."""
    msg, reply = given["msg"], given["msg"] and given["msg"]["id"]
    expected = [(block["type"], block["id"]) for block in msg["content"]] if msg else []
    for each in given["events"]:
        if reply is None and each["type"] == "REPLY_START":
            reply = each["reply_id"]
        elif each.get("reply_id") == reply:
            expected += _new(each, expected)
    content = (ask(given).get("msg") or {}).get("content") or []
    got = [(block.get("type"), block.get("id")) for block in content]
    for position, (left, right) in enumerate(zip(expected, got, strict=False)):
        if left != right:
            return Difference(f"/content/{position}", list(left), list(right))
    if len(expected) != len(got):
        return Difference("/content", len(expected), len(got))
    return None


def _new(each: Json, there: list[tuple[str, str]]) -> list[tuple[str, str]]:
    kind = each["type"]
    if kind.endswith("_BLOCK_START"):
        return [(kind.partition("_")[0].lower(), each["block_id"])]
    if kind == "HINT_BLOCK":
        return [("hint", each["block_id"])]
    if kind in {"TOOL_CALL_START", "TOOL_RESULT_START"}:
        return [(kind.removesuffix("_START").lower(), each["tool_call_id"])]
    made: list[tuple[str, str]] = []
    for result in each.get("execution_results", []):
        if ("tool_result", result["id"]) not in [*there, *made]:
            made.append(("tool_result", result["id"]))
    return made


LAWS = (
    Law("cut", "cutting deltas elsewhere gives the same Msg", _cut),
    Law("interleave", "events of independent blocks interleave freely", _interleave),
    Law("resume", "a dumped Msg can be gone on with at any event", _resume),
    Law("repeat", "the same event objects fold to the same Msg again", _repeat, feature="repeat"),
    Law("twice", "an END, a request or an answer that comes twice changes nothing", _twice),
    Law("foreign", "events of another reply change nothing", _foreign),
    Law("order", "blocks stand in the order of the events that made them", _order),
)
"""Every law, in the order of the command line's help."""
