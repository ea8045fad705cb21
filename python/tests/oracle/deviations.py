"""Where this reducer differs from AgentScope on purpose: all of it, in one place.

The differential test folds random streams with both and wants the same Msg after every event.
Where a rule of the specification says otherwise than AgentScope does, an entry here says when that
is and what is compared instead, so that everything else in the stream is still compared.  Each
entry has an example that shows AgentScope really doing what the entry says, and us doing what the
rule says: when a release mends it, or when we lose the difference, the entry fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from differing import (
    VENDOR,
    breaks_role,
    folded,
    guesses_a_tag,
    has_bad_base64,
    has_bad_newer_member,
    has_bad_url,
    has_lax_number,
    is_url_delta,
    once_each,
    urls_as_whatwg,
    without_vendor,
)
from msgfold.revisions import RELEASES, comes_after
from msgfold.wire.decode import EVENT_TYPES
from reducers import Outcome

Json = dict[str, Any]

SKIPPED = ("block_not_found", "reply_id_mismatch")
"""An event for a block or a reply that is not there is skipped before its content is looked at."""


def never_applies(event: Json, msg: Json) -> bool:
    """No event is folded differently: the example is all there is to see."""
    return False


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """One rule on which we differ.

    Attributes:
        rule: its id in ``docs/spec/``.
        reason: why AgentScope is not followed.
        example: a Msg and events that show the difference.
        agentscope: whether an outcome of the example is what AgentScope makes of it.
        ours: whether it is what the rule says.
        applies: whether an event, given the Msg before it, is folded differently.  Without it the
            Msgs that come out differ only in how a value is written, which ``written`` or the
            renaming of ids takes care of.
        instead: what AgentScope is given in place of such an event; ``None``: nothing, and our
            fold must leave the Msg alone.
        reported: the codes one of which we then report; empty: we report nothing.
        written: applied to both Msgs before they are compared.
        needs_parsing: whether AgentScope must have read the event for the entry to apply.
        errors: how our fold of the example treats errors.
        since: the first release that does so.
        until: the last release that does so; ``None``: the newest still does.
    """

    rule: str
    reason: str
    example: tuple[Json, list[Json]]
    agentscope: Callable[[Outcome], bool]
    ours: Callable[[Outcome], bool]
    applies: Callable[[Json, Json], bool] = never_applies
    instead: Callable[[Json, Json], Json | None] = lambda event, msg: None
    reported: tuple[str, ...] = ()
    written: Callable[[Any], Any] = lambda msg: msg
    needs_parsing: bool = True
    errors: str = "raise"
    since: str = RELEASES[0]
    until: str | None = None

    def holds_for(self, release: str) -> bool:
        """Whether that release differs so."""
        last = self.until or release
        return not (comes_after(self.since, release) or comes_after(release, last))


# ---------------------------------------------------------------- examples
EMPTY: Json = {
    "name": "n",
    "content": [],
    "role": "assistant",
    "id": "r1",
    "metadata": {},
    "created_at": "t",
    "finished_at": None,
    "usage": None,
}
STAMP = {"id": "e", "created_at": "t", "reply_id": "r1"}
RESULT = {"type": "tool_result", "id": "t", "name": "n", "output": [], "state": "running"}
STRING_RESULT = {**RESULT, "output": "old", "metadata": {}}
PNG = {"media_type": "image/png"}
START_DATA = {"type": "DATA_BLOCK_START", **STAMP, "block_id": "d", **PNG}
DELTA_DATA = {"type": "DATA_BLOCK_DELTA", **STAMP, "block_id": "d", **PNG, "data": "QUJD"}
RESULT_DATA = {"type": "TOOL_RESULT_DATA_DELTA", **STAMP, "tool_call_id": "t", "block_id": "d"}
RESULT_TEXT = {"type": "TOOL_RESULT_TEXT_DELTA", **STAMP, "tool_call_id": "t", "delta": "x"}
END_REPLY = {"type": "REPLY_END", **STAMP, "session_id": "s"}
EXTERNAL = {"type": "EXTERNAL_EXECUTION_RESULT", **STAMP}
URL = {"type": "url", "url": "https://x.example", **PNG}
UNNAMED = [{"type": "text", "text": "x"}]


def holding(*blocks: Json, **members: Any) -> Json:
    return {**EMPTY, "content": list(blocks), **members}


def block(outcome: Outcome, n: int = 0) -> Json:
    assert outcome.msg is not None
    found: Json = outcome.msg["content"][n]
    return found


def has(found: Json, expected: Json) -> bool:
    """Whether ``found`` has these members; a later release may write more."""
    return {name: found.get(name) for name in expected} == expected


def refuses(*codes: str) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.refused == list(codes)


def untouched(start: Json, *, reports: str) -> Callable[[Outcome], bool]:
    return lambda outcome: (
        has(outcome.msg or {}, start) and (outcome.refused, outcome.reports) == ([], [reports])
    )


# ---------------------------------------------------------------- the table
DEVIATIONS = (
    Deviation(
        rule="fold.unknown-event",
        reason="A newer peer's events must not end a loop over events.",
        example=(EMPTY, [{"type": "AUDIO_CHUNK", **STAMP}]),
        agentscope=refuses("ValidationError"),
        ours=untouched(EMPTY, reports="unknown_event"),
        applies=lambda event, msg: (
            isinstance(event.get("type"), str) and event["type"] not in EVENT_TYPES
        ),
        reported=("unknown_event",),
        needs_parsing=False,
    ),
    Deviation(
        rule="fold.custom",
        reason="An application's own signal must not end a loop over events.",
        example=(EMPTY, [{"type": "CUSTOM", "id": "e", "created_at": "t", "name": "x"}]),
        agentscope=refuses("AttributeError"),
        ours=lambda o: has(o.msg, EMPTY) and (o.refused, o.reports) == ([], []),
        applies=lambda event, msg: event.get("type") == "CUSTOM",
        until="2.0.10",
    ),
    Deviation(
        rule="wire.json.type-required",
        reason="A guess hides a broken writer. One kind alone in its place is no guess.",
        example=(EMPTY, [{**STAMP, "block_id": "b"}]),
        agentscope=lambda o: (
            o.msg["content"] == [] or has(block(o), {"type": "text", "text": "", "id": "b"})
        ),
        ours=refuses("invalid_event"),
        applies=guesses_a_tag,
        reported=("invalid_event", *SKIPPED),
    ),
    Deviation(
        rule="fold.invalid-event",
        reason="A number in quotes is a broken writer. AgentScope refuses most, converts some.",
        example=(
            EMPTY,
            [{"type": "MODEL_CALL_END", **STAMP, "input_tokens": "7", "output_tokens": True}],
        ),
        agentscope=lambda o: has(o.msg["usage"], {"input_tokens": 7, "output_tokens": 1}),
        ours=refuses("invalid_event"),
        applies=has_lax_number,
        reported=("invalid_event", *SKIPPED),
    ),
    Deviation(
        rule="fold.unknown-enum",
        reason="The end of a reply must not get lost over a word that the fold does not read.",
        example=(EMPTY, [{**END_REPLY, "finished_reason": "oops"}]),
        agentscope=refuses("ValidationError"),
        ours=lambda o: (o.msg["finished_at"], o.reports) == ("t", ["unknown_enum_value"]),
        errors="skip",
    ),
    Deviation(
        rule="fold.role",
        reason="The Msg that AgentScope builds is refused by its own model.",
        example=(
            holding(role="user"),
            [{"type": "TOOL_CALL_START", **STAMP, "tool_call_id": "t", "tool_call_name": "n"}],
        ),
        agentscope=lambda o: block(o)["type"] == "tool_call",
        ours=lambda o: o.refused == ["role_violation"] and o.msg["content"] == [],
        applies=breaks_role,
        reported=("role_violation",),
    ),
    Deviation(
        rule="fold.data.url-source",
        reason="A stray delta is skipped and reported, as any other.",
        example=(holding({"type": "data", "id": "d", "name": None, "source": URL}), [DELTA_DATA]),
        agentscope=refuses("AttributeError"),
        ours=lambda o: (o.refused, o.reports) == ([], ["not_base64_source"]),
        applies=is_url_delta,
        reported=("not_base64_source",),
    ),
    Deviation(
        rule="fold.data.base64",
        reason="Lenient decoding loses bytes without a word.",
        example=(EMPTY, [START_DATA, {**DELTA_DATA, "data": "bm8=cGU="}]),
        agentscope=lambda o: block(o)["source"]["data"] == "bm8=",
        ours=lambda o: o.refused == ["invalid_base64"] and block(o)["source"]["data"] == "",
        applies=has_bad_base64,
        reported=("invalid_base64", *SKIPPED),
    ),
    Deviation(
        rule="wire.json.base64",
        reason="A Msg whose data cannot be told must not be gone on with.",
        example=(holding({"type": "data", "source": {"type": "base64", **PNG, "data": "!"}}), []),
        agentscope=lambda o: block(o)["source"]["data"] == "!",
        ours=refuses("invalid_base64"),
    ),
    Deviation(
        rule="wire.json.numbers",
        reason="NaN is no JSON; AgentScope reads it and writes null.",
        example=(
            holding(STRING_RESULT),
            [
                {"type": "TOOL_RESULT_END", **STAMP, "tool_call_id": "t", "state": "success"}
                | {"metadata": {"score": float("nan")}}
            ],
        ),
        agentscope=lambda o: block(o)["metadata"] == {"score": None},
        ours=refuses("invalid_json"),
    ),
    Deviation(
        rule="fold.depth",
        reason="A Msg that is nested more deeply than any reader goes is one that nobody can read.",
        example=(
            holding(STRING_RESULT),
            [
                {"type": "TOOL_RESULT_END", **STAMP, "tool_call_id": "t", "state": "success"}
                | {"metadata": json.loads('{"k":' * 126 + "1" + "}" * 126)}
            ],
        ),
        agentscope=lambda o: "k" in block(o)["metadata"],
        ours=refuses("too_deep"),
    ),
    Deviation(
        rule="fold.tool-result.data",
        reason="Of two contents, which was meant? AgentScope takes one; neither, it notices late.",
        example=(
            holding(STRING_RESULT),
            [{**RESULT_DATA, **PNG, "data": "QUJD", "url": "https://x.example"}],
        ),
        agentscope=lambda o: (
            block(o)["output"] != "old" and block(o)["output"][1]["source"]["type"] == "base64"
        ),
        ours=lambda o: o.refused == ["invalid_event"] and block(o)["output"] == "old",
        applies=lambda event, msg: (
            event.get("type") == "TOOL_RESULT_DATA_DELTA"
            and (event.get("data") is None) == (event.get("url") is None)
        ),
        reported=("invalid_event", *SKIPPED),
        until="2.0.6",
    ),
    Deviation(
        rule="fold.atomic",
        reason="What is refused changes nothing; AgentScope raises with half of it done.",
        example=(holding(STRING_RESULT), [{**RESULT_DATA, **PNG, "url": "a.png"}]),
        agentscope=lambda o: o.refused == ["ValidationError"] and block(o)["output"] != "old",
        ours=lambda o: o.refused == ["invalid_event"] and block(o)["output"] == "old",
        applies=has_bad_url,
        reported=("invalid_event", *SKIPPED),
    ),
    Deviation(
        rule="fold.external.duplicate",
        reason="Two results for one call leave a block that no later event can reach.",
        example=(EMPTY, [{**EXTERNAL, "execution_results": [RESULT, RESULT]}]),
        agentscope=lambda o: len(o.msg["content"]) == 2,
        ours=lambda o: len(o.msg["content"]) == 1 and o.reports == ["duplicate_result"],
        applies=lambda event, msg: (
            folded(event, msg, "EXTERNAL_EXECUTION_RESULT") and once_each(event, msg) != event
        ),
        instead=once_each,
        reported=("duplicate_result",),
    ),
    Deviation(
        rule="fold.missing-stamp",
        reason="A clock would give another Msg with every fold.",
        example=(EMPTY, [{k: v for k, v in END_REPLY.items() if k != "created_at"}]),
        agentscope=lambda o: o.msg["finished_at"] not in ("", "t", None),
        ours=lambda o: o.msg["finished_at"] == "",
        applies=lambda event, msg: "created_at" not in event,
        instead=lambda event, msg: {**event, "created_at": ""},
    ),
    Deviation(
        rule="fold.no-alias",
        reason="An event that is folded twice, or kept, must stay what it was.",
        example=(EMPTY, [{**EXTERNAL, "execution_results": [STRING_RESULT]}, RESULT_TEXT]),
        agentscope=lambda o: o.events[0]["execution_results"][0]["output"] != "old",
        ours=lambda o: o.events[0]["execution_results"][0]["output"] == "old" and o.msg == o.again,
    ),
    Deviation(
        rule="fold.tool-result.id",
        reason="Two folds of one stream must agree. Compared up to the ids AgentScope made up.",
        example=(holding({**RESULT, "metadata": {}}), [RESULT_TEXT]),
        agentscope=lambda o: o.msg != o.again,
        ours=lambda o: o.msg == o.again and block(o)["output"][0]["id"] == "e",
    ),
    Deviation(
        rule="fold.hint",
        reason="As fold.tool-result.id: a nested block without an id.",
        example=(EMPTY, [{"type": "HINT_BLOCK", **STAMP, "block_id": "h", "hint": UNNAMED}]),
        agentscope=lambda o: block(o)["hint"][0]["id"] != "h:0",
        ours=lambda o: o.msg == o.again and block(o)["hint"][0]["id"] == "h:0",
    ),
    Deviation(
        rule="fold.external.result",
        reason="As fold.tool-result.id: a nested block without an id.",
        example=(EMPTY, [{**EXTERNAL, "execution_results": [{**RESULT, "output": UNNAMED}]}]),
        agentscope=lambda o: block(o)["output"][0]["id"] != "t:0",
        ours=lambda o: o.msg == o.again and block(o)["output"][0]["id"] == "t:0",
    ),
    Deviation(
        rule="fold.block.created-at",
        reason="A clock would give another Msg with every fold. Compared but for its times.",
        example=(EMPTY, [START_DATA]),
        agentscope=lambda o: block(o).get("created_at", "t") != "t",
        ours=lambda o: block(o).get("created_at", "t") == "t",
        since="2.0.6",
    ),
    Deviation(
        rule="fold.revision.newer-member",
        reason="No release writes it so; a broken writer must not hide behind an old reader.",
        example=(EMPTY, [{"type": "TEXT_BLOCK_END", **STAMP, "block_id": "b", "text": 7}]),
        agentscope=lambda o: o.refused == [],
        ours=refuses("invalid_event"),
        applies=has_bad_newer_member,
        reported=("invalid_event", *SKIPPED),
        until="2.0.7",
    ),
    Deviation(
        rule="wire.revision.optional",
        reason="A time that nobody knows is not made up. Compared but for such times.",
        example=(holding(STRING_RESULT), []),
        agentscope=lambda o: "created_at" in block(o),
        ours=lambda o: "created_at" not in block(o),
        since="2.0.6",
    ),
    Deviation(
        rule="wire.json.data-or-url",
        reason="As fold.tool-result.data.",
        example=(holding(STRING_RESULT), [{**RESULT_DATA, **PNG}]),
        agentscope=lambda o: block(o)["output"] != "old",
        ours=refuses("invalid_event"),
        until="2.0.6",
    ),
    Deviation(
        rule="wire.json.url",
        reason="A URL is somebody's data. Compared by its WHATWG form.",
        example=(holding(STRING_RESULT), [{**RESULT_DATA, **PNG, "url": "https://x.example"}]),
        agentscope=lambda o: block(o)["output"][1]["source"]["url"] == "https://x.example/",
        ours=lambda o: block(o)["output"][1]["source"]["url"] == "https://x.example",
        written=urls_as_whatwg,
    ),
    Deviation(
        rule="wire.json.unknown-member",
        reason="A relay loses nothing. Compared without those members.",
        example=(EMPTY, [{**EXTERNAL, "execution_results": [{**RESULT, VENDOR: 1}]}]),
        agentscope=lambda o: VENDOR not in block(o),
        ours=lambda o: block(o)[VENDOR] == 1,
        written=without_vendor,
    ),
)


def deviations(release: str) -> list[Deviation]:
    """The entries that are true of a release."""
    return [deviation for deviation in DEVIATIONS if deviation.holds_for(release)]


def for_agentscope(
    event: Json, msg: Json, parsed: bool, release: str
) -> tuple[Json | None, list[Deviation]]:
    """What AgentScope is given in place of ``event``, ``None`` for nothing; the entries that apply.

    Args:
        event: the event.
        msg: the Msg before it, as AgentScope dumps it.
        parsed: whether AgentScope reads the event at all.
        release: which AgentScope it is.
    """
    given: Json | None = event
    applied = []
    for deviation in deviations(release):
        if (parsed or not deviation.needs_parsing) and deviation.applies(event, msg):
            applied.append(deviation)
            given = deviation.instead(given, msg) if given is not None else None
    return given, applied


def as_compared(msg: Json) -> Json:
    """A Msg in the form in which the two are compared."""
    compared: Any = json.loads(json.dumps(msg))
    for deviation in DEVIATIONS:
        compared = deviation.written(compared)
    return compared  # type: ignore[no-any-return]
