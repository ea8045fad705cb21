"""Random Msgs and streams for the differential test: legal ones, and all that goes wrong.

Events drawn one by one hardly ever meet: most deltas would find no block.  So a stream is a few
*stories*, each about one block or one tool call from its START on, interleaved at random; with
single odd events strewn in, and some events broken.  Ids come from a small pool, so that stories
collide, and orphans, duplicates and late answers are common.
"""

from __future__ import annotations

from typing import Any

from differing import VENDOR
from hypothesis import strategies as st
from msgfold.message import ToolCallState
from streams import DATA, MEDIA, STATES, TEXT

Json = dict[str, Any]
Events = st.SearchStrategy[Json]


def rarely(odd: st.SearchStrategy[Any], usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """``odd`` one time in ten."""
    return st.sampled_from([usual] * 9 + [odd]).flatmap(lambda chosen: chosen)


def record(**members: Any) -> Events:
    """A JSON object; a member is a strategy, or the value itself."""
    return st.fixed_dictionaries(
        {k: v if isinstance(v, st.SearchStrategy) else st.just(v) for k, v in members.items()}
    )


def without(strategy: Events, *names: str) -> Events:
    """Now and then without one of the members."""
    return rarely(
        st.tuples(strategy, st.sampled_from(names)).map(
            lambda drawn: {k: v for k, v in drawn[0].items() if k != drawn[1]}
        ),
        strategy,
    )


def event(kind: str, **members: Any) -> Events:
    return record(type=kind, reply_id="r1", **members)


# ---------------------------------------------------------------- values
IDS = st.sampled_from(["a", "a", "a", "a", "b", "", "__proto__"])
URLS = st.sampled_from(
    [
        "https://example.com/a.png",
        "https://x.example",
        "HTTP://EXAMPLE.com:80/../a b",
        "oss://bucket/k?q=1#f",
        "data:image/png;base64,QUJD",
    ]
)
NO_URL = st.sampled_from(["", "a.png", "//x", "http://"])
URL = rarely(NO_URL, URLS)
BASE64 = rarely(st.sampled_from(["!", "QUI", "QUI=QUI=", "QUJD\n", "QR==", "-_-_"]), DATA)
METADATA = st.sampled_from([{}, {"k": [1, 1.0, None, {"": "é"}]}, {"__proto__": {"n": 10**20}}])
TOKENS = rarely(st.sampled_from(["7", 7.0, True]), st.sampled_from([0, 1, -1, 2**70]))
CONFIRMED = rarely(st.sampled_from(["yes", 1, 0.0]), st.booleans())
RULES = st.lists(
    record(
        tool_name="t",
        rule_content=st.none() | TEXT,
        behavior=st.sampled_from(["allow", "deny", "ask"]),
        source="s",
    ),
    max_size=2,
)

# ---------------------------------------------------------------- blocks
TIMES = {"created_at": st.sampled_from(["09:00", ""]), "finished_at": st.none() | st.just("09:01")}
"""What blocks carry from 2.0.6 on; earlier releases drop it."""
EXTRA = ("signature", "redacted_thinking_data", VENDOR)


def maybe_timed(block: Events) -> Events:
    """Some blocks as a later release writes them: the times before the provider's extra members."""

    def with_times(drawn: tuple[Json, Json | None]) -> Json:
        written, times = drawn
        extra = {name: written.pop(name) for name in EXTRA if name in written}
        if written.get("type") == "thinking" and times:
            # To an early release these are extra members, of which null is not as good as absent.
            times = {"created_at": times["created_at"], "finished_at": "09:01"}
        return written | (times or {}) | extra

    return st.tuples(block.map(dict), st.none() | record(**TIMES)).map(with_times)


TEXT_BLOCK = maybe_timed(record(type="text", text=TEXT, id=IDS))
SOURCE = record(type="base64", data=BASE64, media_type=MEDIA) | record(
    type="url", url=URL, media_type=MEDIA
)
NESTED = TEXT | st.lists(
    without(TEXT_BLOCK, "id", "id", "type")
    | without(
        record(type="data", id=IDS, source=without(SOURCE, "type"), name=st.none() | TEXT),
        "id",
        "name",
    ),
    max_size=3,
)


def call(call_id: Any) -> Events:
    whole = record(
        type="tool_call", id=call_id, name="n", input=TEXT, suggested_rules=RULES, **{VENDOR: 1}
    )
    return maybe_timed(without(whole, "type", "suggested_rules", VENDOR))


def result(call_id: Any) -> Events:
    whole = record(
        type="tool_result",
        id=call_id,
        name="n",
        output=NESTED,
        state=STATES,
        metadata=METADATA,
        **{VENDOR: [1]},
    )
    return maybe_timed(without(whole, "type", "state", "metadata", VENDOR))


def several(item: Any, call_id: Any) -> st.SearchStrategy[list[Json]]:
    """The call itself, and others beside it, the same one again too."""
    return st.tuples(item(call_id), st.lists(item(IDS), max_size=1), st.booleans()).map(
        lambda drawn: [*drawn[1], drawn[0]] if drawn[2] else [drawn[0], *drawn[1]]
    )


def answer(call_id: Any) -> Events:
    return without(
        record(confirmed=CONFIRMED, tool_call=call(call_id), rules=st.none() | RULES), "rules"
    )


# ---------------------------------------------------------------- stories
def streamed(kind: str, of: str) -> tuple[Events, Events]:
    """The opening and what may follow, of a text or thinking block."""
    whole: Any = {"text": st.none() | TEXT} if kind == "TEXT" else {}
    end = event(f"{kind}_BLOCK_END", block_id=of)
    return (
        event(f"{kind}_BLOCK_START", block_id=of),
        rarely(
            end | event(f"{kind}_BLOCK_END", block_id=of, **whole),
            event(f"{kind}_BLOCK_DELTA", block_id=of, delta=TEXT),
        ),
    )


def data(of: str) -> tuple[Events, Events]:
    part: Any = {"block_id": of, "media_type": MEDIA}
    more = event("DATA_BLOCK_DELTA", **part, data=BASE64)
    there = event("DATA_BLOCK_DELTA", **part, url=URL)
    odd = event("DATA_BLOCK_DELTA", **part, data=st.none() | BASE64, url=st.none() | URLS)
    return (
        event("DATA_BLOCK_START", **part)
        | event("DATA_BLOCK_START", **part, name=st.none() | TEXT),
        rarely(st.one_of(event("DATA_BLOCK_END", block_id=of), there, odd), more),
    )


def asked(of: str) -> tuple[Events, Events]:
    """A call that streams in, is asked about, is answered, is sent out."""
    return (
        event("TOOL_CALL_START", tool_call_id=of, tool_call_name="n"),
        st.one_of(
            event("TOOL_CALL_DELTA", tool_call_id=of, delta=TEXT),
            event("TOOL_CALL_END", tool_call_id=of),
            *[event("REQUIRE_USER_CONFIRM", tool_calls=several(call, of))] * 2,
            event("USER_CONFIRM_RESULT", confirm_results=several(answer, of)),
            event("REQUIRE_EXTERNAL_EXECUTION", tool_calls=several(call, of)),
            event("TOOL_RESULT_END", tool_call_id=of, state=STATES),
        ),
    )


def answered(of: str) -> tuple[Events, Events]:
    """A result that streams in, or comes whole from outside and goes on."""
    start = event("TOOL_RESULT_START", tool_call_id=of, tool_call_name="n")
    outside = event("EXTERNAL_EXECUTION_RESULT", execution_results=several(result, of))
    part: Any = {"tool_call_id": of, "block_id": IDS, "media_type": MEDIA}
    return (
        start | outside,
        st.one_of(
            event("TOOL_RESULT_TEXT_DELTA", tool_call_id=of, delta=TEXT),
            without(event("TOOL_RESULT_DATA_DELTA", **part, data=BASE64), "block_id", "data"),
            event("TOOL_RESULT_DATA_DELTA", **part, url=URLS | NO_URL, data=st.none()),
            rarely(outside, event("TOOL_RESULT_DATA_DELTA", **part, url=URL, data=BASE64)),
            event("TOOL_RESULT_END", tool_call_id=of, state=STATES, metadata=METADATA),
        ),
    )


ERRORS = st.sampled_from(["unknown", "rate_limit", "setup", "oops"])
SINGLE = st.one_of(
    event("REPLY_START", session_id="s", name=TEXT, role="assistant"),
    event("REPLY_END", session_id="s", finished_reason=st.sampled_from(["completed", "oops"])),
    event(
        "REPLY_END",
        session_id="s",
        finished_reason=st.sampled_from(["interrupted", "error"]),
        error=st.none() | without(record(type=ERRORS, message=TEXT), "type", "message"),
    ),
    event("MODEL_CALL_START", model_name=TEXT),
    event("MODEL_CALL_END", input_tokens=TOKENS, output_tokens=2, finished_reason="completed"),
    event("MODEL_CALL_END", input_tokens=1, output_tokens=TOKENS),
    event(
        "MODEL_CALL_END",
        input_tokens=1,
        output_tokens=2,
        cache_input_tokens=TOKENS,
        cache_creation_input_tokens=3,
    ),
    event("HINT_BLOCK", block_id=IDS, hint=NESTED, source=st.none() | TEXT),
    event("EXCEED_MAX_ITERS", name=TEXT, metadata=st.just({"iterations": 3})),
    event("USER_INTERRUPT"),
    record(type="CUSTOM", name=TEXT, value=METADATA),
    event("CUSTOM", name=TEXT),
    event("AUDIO_CHUNK", data=DATA),
)
STORIES = (
    lambda of: streamed("TEXT", of),
    lambda of: streamed("THINKING", of),
    data,
    asked,
    answered,
)


@st.composite
def _story(draw: st.DrawFn) -> list[Json]:
    opening, following = draw(st.sampled_from(STORIES))(draw(IDS))
    # One in four has no opening: orphans, or events for a block that the Msg came with.
    begin = [draw(opening)] if draw(st.integers(0, 3)) else []
    return [*begin, *draw(st.lists(following, max_size=6))]


@st.composite
def _broken(draw: st.DrawFn, value: Json) -> Json:
    """The event with a member that is missing, or of another JSON type."""
    name = draw(st.sampled_from(sorted(value)))
    if draw(st.booleans()):
        return {k: v for k, v in value.items() if k != name}
    return {**value, name: draw(st.sampled_from([None, 7, True, "x", [], {}, [7], {"a": 1}]))}


@st.composite
def _stream(draw: st.DrawFn) -> list[Json]:
    stories = draw(st.lists(_story(), min_size=1, max_size=5))
    stories += [[single] for single in draw(st.lists(SINGLE, max_size=4))]
    turns = draw(st.permutations([n for n, story in enumerate(stories) for _ in story]))
    left = [iter(story) for story in stories]
    events = []
    for n, turn in enumerate(turns):
        value = next(left[turn])
        oddity = draw(st.integers(0, 39))
        if oddity == 1:
            value = draw(_broken(value))
        if oddity == 2 and "reply_id" in value:
            value = {**value, "reply_id": "r2"}
        stamps = {"id": f"e{n}", "created_at": f"2026-07-07T10:00:{n:02}"}
        if oddity in (3, 4):
            del stamps["id"]
        if oddity in (4, 5, 6):
            del stamps["created_at"]
        events.append({**stamps, **value})
    return events


ODD_STREAM = _stream()
"""Events of the reply ``r1``, with everything that may go wrong."""

# ---------------------------------------------------------------- Msgs to start from
DATA_BLOCK = record(
    type="data",
    id=IDS,
    source=record(type="url", url=URLS, media_type=MEDIA)
    | record(type="base64", data=DATA, media_type=MEDIA),
    name=st.none() | TEXT,
)
THINKING = record(
    type="thinking", thinking=TEXT, id=IDS, signature="s", redacted_thinking_data=st.just([1, {}])
)
BLOCKS = {
    "system": TEXT_BLOCK,
    "user": TEXT_BLOCK | DATA_BLOCK,
    "assistant": st.one_of(
        TEXT_BLOCK,
        *[DATA_BLOCK] * 2,
        without(THINKING, "signature"),
        record(type="hint", hint=TEXT | st.lists(TEXT_BLOCK, max_size=1), id=IDS, source=st.none()),
        record(
            type="tool_call",
            id=IDS,
            name="n",
            input=TEXT,
            state=st.sampled_from(ToolCallState).map(str),
            suggested_rules=RULES,
        ),
        record(
            type="tool_result",
            id=IDS,
            name="n",
            output=TEXT | st.lists(TEXT_BLOCK | DATA_BLOCK, max_size=2),
            state=STATES,
            metadata=METADATA,
        ),
    ),
}


CACHE = "cache_input_tokens"


def _msg(role: str) -> Events:
    whole = record(
        name=TEXT,
        content=st.lists(maybe_timed(BLOCKS[role]), max_size=5),
        role=role,
        id="r1",
        metadata=METADATA,
        created_at="t",
        finished_at=st.none() | st.just("t"),
        usage=st.none()
        | without(record(input_tokens=1, output_tokens=2, cache_input_tokens=3), CACHE),
        **{VENDOR: 1},
    )
    later = record(
        finished_reason=st.none() | st.just("interrupted"),
        structured_output=st.none() | METADATA,
        error=st.none() | record(type="internal", message=TEXT),
    )
    return st.tuples(without(whole, VENDOR), st.none() | later).map(
        lambda drawn: drawn[0] | (drawn[1] or {})
    )


START = st.sampled_from(["assistant"] * 8 + ["user", "system"]).flatmap(_msg)
"""A Msg to go on with, of any role."""
