"""Random streams of one reply, legal and odd, for the laws of the fold."""

from __future__ import annotations

import base64
from typing import Any

from hypothesis import strategies as st
from msgfold.revisions import RELEASES

TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs"]),
    max_size=6,
)
IDS = st.sampled_from(["a", "b", "", "__proto__"])
DATA = st.binary(max_size=7).map(lambda raw: base64.b64encode(raw).decode())
MEDIA = st.sampled_from(["image/png", "audio/pcm"])
STATES = st.sampled_from(["success", "error", "interrupted", "denied", "running"])

TEXT_BLOCK = st.fixed_dictionaries({"type": st.just("text"), "text": TEXT, "id": IDS})
OUTPUT = TEXT | st.lists(TEXT_BLOCK, max_size=2)
CALL = st.fixed_dictionaries(
    {
        "type": st.just("tool_call"),
        "id": IDS,
        "name": st.just("tool"),
        "input": TEXT,
        "suggested_rules": st.just(
            [{"tool_name": "t", "rule_content": None, "behavior": "allow", "source": "s"}]
        ),
    }
)
RESULT = st.fixed_dictionaries(
    {
        "type": st.just("tool_result"),
        "id": IDS,
        "name": st.just("tool"),
        "output": OUTPUT,
        "state": STATES,
        "metadata": st.just({"k": [1]}),
    }
)
ANSWER = st.fixed_dictionaries({"confirmed": st.booleans(), "tool_call": CALL})


def _event(kind: str, **members: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "type": st.just(kind),
            "reply_id": st.just("r1"),
            **{
                k: v if isinstance(v, st.SearchStrategy) else st.just(v) for k, v in members.items()
            },
        }
    )


EVENT = st.one_of(
    *(_event(f"{kind}_BLOCK_START", block_id=IDS) for kind in ("TEXT", "THINKING")),
    *(_event(f"{kind}_BLOCK_DELTA", block_id=IDS, delta=TEXT) for kind in ("TEXT", "THINKING")),
    _event("TEXT_BLOCK_END", block_id=IDS),
    _event("TEXT_BLOCK_END", block_id=IDS, text=st.none() | TEXT),
    _event("THINKING_BLOCK_END", block_id=IDS),
    _event("TOOL_CALL_END", tool_call_id=IDS),
    _event("DATA_BLOCK_START", block_id=IDS, media_type=MEDIA),
    _event("DATA_BLOCK_START", block_id=IDS, media_type=MEDIA, name=st.none() | TEXT),
    _event("DATA_BLOCK_DELTA", block_id=IDS, media_type=MEDIA, data=DATA),
    _event("HINT_BLOCK", block_id=IDS, hint=OUTPUT, source=st.none() | TEXT),
    _event("TOOL_CALL_START", tool_call_id=IDS, tool_call_name="tool"),
    _event("TOOL_CALL_DELTA", tool_call_id=IDS, delta=TEXT),
    _event("TOOL_RESULT_START", tool_call_id=IDS, tool_call_name="tool"),
    _event("TOOL_RESULT_TEXT_DELTA", tool_call_id=IDS, delta=TEXT),
    _event("TOOL_RESULT_DATA_DELTA", tool_call_id=IDS, block_id=IDS, media_type=MEDIA, data=DATA),
    _event(
        "TOOL_RESULT_DATA_DELTA",
        tool_call_id=IDS,
        block_id=IDS,
        media_type=MEDIA,
        url="https://example.com/a.png",
    ),
    _event("TOOL_RESULT_END", tool_call_id=IDS, state=STATES, metadata=st.just({"rows": [1, {}]})),
    _event("REQUIRE_USER_CONFIRM", tool_calls=st.lists(CALL, max_size=2)),
    _event("USER_CONFIRM_RESULT", confirm_results=st.lists(ANSWER, max_size=2)),
    _event("REQUIRE_EXTERNAL_EXECUTION", tool_calls=st.lists(CALL, max_size=2)),
    _event("EXTERNAL_EXECUTION_RESULT", execution_results=st.lists(RESULT, max_size=2)),
    _event("MODEL_CALL_END", input_tokens=st.integers(0, 2**70), output_tokens=st.integers(0, 9)),
    _event("MODEL_CALL_END", input_tokens=1, output_tokens=2, cache_input_tokens=st.integers(0, 9)),
    _event("REPLY_END", session_id="s1"),
    _event(
        "REPLY_END", session_id="s1", error=st.none() | st.just({"type": "unknown", "message": ""})
    ),
)


def _numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"id": f"e{n}", "created_at": f"2026-07-07T10:00:{n:02}", **event}
        for n, event in enumerate(events)
    ]


REVISION = st.sampled_from(RELEASES)

STREAM = st.lists(EVENT, max_size=25).map(_numbered)
"""Events of the reply ``r1``, in order, with ids and times."""
