"""Random streams, folded by the real AgentScope 2.0.4 and by us: the same Msg after every event.

Needs the dependency group ``oracle``.  ``make oracle`` installs it and makes a missing package a
failure; elsewhere the tests are skipped, and say why.
"""

from __future__ import annotations

import importlib
import json
import logging
import os

import msgfold
import pytest
from deviations import DEVIATIONS, EMPTY, URL_BLOCK, for_agentscope
from hypothesis import given, settings
from hypothesis import strategies as st
from msgfold.conformance.compare import differences
from msgfold.errors import MsgfoldError
from streams import EVENT, IDS, STREAM, TEXT

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def agentscope():
    try:
        message = importlib.import_module("agentscope.message")
    except ImportError as error:
        why = f"the real AgentScope is not installed ({error}); run: make oracle"
        if os.environ.get("MSGFOLD_ORACLE") == "required":
            pytest.fail(why)
        pytest.skip(why)
    version = importlib.import_module("agentscope").__version__
    assert version == "2.0.4", f"the oracle is AgentScope 2.0.4, this is {version}"
    logging.disable(logging.CRITICAL)
    return AgentScope(message, importlib.import_module("agentscope.event"))


class AgentScope:
    """AgentScope's own Msg and append_event, in terms of JSON."""

    def __init__(self, message, event):
        from pydantic import TypeAdapter

        self.message, self.event = message, event
        self._event = TypeAdapter(event.AgentEvent)

    def load(self, msg):
        return self.message.Msg.model_validate_json(json.dumps(msg))

    def append(self, msg, event):
        msg.append_event(self._event.validate_json(json.dumps(event)))

    @staticmethod
    def dump(msg):
        return json.loads(msg.model_dump_json())


BLOCKS = st.lists(
    st.sampled_from(
        [
            {**URL_BLOCK, "id": "a"},
            {"type": "thinking", "thinking": "?", "id": "a", "signature": "s"},
            {"type": "text", "text": "old", "id": "b"},
            {
                "type": "tool_result",
                "id": "a",
                "name": "n",
                "output": "text",
                "state": "running",
                "metadata": {"old": 1},
            },
            {
                "type": "tool_call",
                "id": "b",
                "name": "n",
                "input": "{",
                "state": "asking",
                "suggested_rules": [],
            },
        ]
    ),
    max_size=4,
)

ODD = st.one_of(
    EVENT,
    st.fixed_dictionaries({"type": st.just("CUSTOM"), "name": TEXT, "value": st.just({"a": [1]})}),
    st.fixed_dictionaries(
        {
            "type": st.just("TEXT_BLOCK_DELTA"),
            "reply_id": st.just("other"),
            "block_id": IDS,
            "delta": TEXT,
        }
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("MODEL_CALL_START"),
            "reply_id": st.just("r1"),
            "model_name": TEXT,
        }
    ),
    st.fixed_dictionaries({"type": st.just("USER_INTERRUPT"), "reply_id": st.just("r1")}),
    st.fixed_dictionaries(
        {"type": st.just("EXCEED_MAX_ITERS"), "reply_id": st.just("r1"), "name": TEXT}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("REPLY_START"),
            "reply_id": st.just("r1"),
            "session_id": TEXT,
            "name": TEXT,
        }
    ),
)


def numbered(events):
    return [
        {"id": f"e{n}", "created_at": f"2026-07-07T10:00:{n:02}", **event}
        for n, event in enumerate(events)
    ]


def minted(msg, given):
    """Pointers to ids that AgentScope made up: they stand in nothing that it was given."""
    return [
        f"/content/{n}/output/{k}/id"
        for n, block in enumerate(msg["content"])
        if isinstance(block.get("output"), list)
        for k, inner in enumerate(block["output"])
        if json.dumps(inner["id"]) not in given
    ]


@settings(max_examples=1500)
@given(blocks=BLOCKS, events=st.lists(ODD, max_size=25).map(numbered))
def test_the_same_msg_after_every_event(agentscope, blocks, events):
    start = {**EMPTY, "content": blocks}
    theirs, ours = agentscope.load(start), msgfold.parse_msg(json.dumps(start))
    folder = msgfold.Folder(msg=ours, on_diagnostic=lambda diagnostic: None)
    given = json.dumps([start, events])
    for position, event in enumerate(events):
        instead = for_agentscope(event, agentscope.dump(theirs))
        if instead is not None:
            agentscope.append(theirs, instead)
        folder.feed(event)
        want, got = agentscope.dump(theirs), agentscope.dump(ours)
        assert differences(want, got, "Msg", minted(want, given)) == [], (position, event)


@settings(max_examples=100)
@given(events=STREAM)
def test_each_reads_what_the_other_writes(agentscope, events):
    ours = msgfold.fold(
        events, msg=msgfold.parse_msg(json.dumps(EMPTY)), on_diagnostic=lambda d: None
    )
    written = ours.model_dump_json()
    theirs = agentscope.message.Msg.model_validate_json(written)
    assert json.loads(theirs.model_dump_json()) == json.loads(written)
    assert msgfold.parse_msg(theirs.model_dump_json()).model_dump_json() == written


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda deviation: deviation.rule)
def test_agentscope_really_differs(agentscope, deviation):
    start, events = deviation.example
    msg = agentscope.load(start)
    if isinstance(deviation.agentscope, str):
        with pytest.raises((AttributeError, ValueError)) as caught:  # noqa: PT012
            for event in events:
                agentscope.append(msg, event)
        assert type(caught.value).__name__ == deviation.agentscope
    else:
        for event in events:
            agentscope.append(msg, event)
        assert deviation.agentscope(agentscope.dump(msg)), agentscope.dump(msg)


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda deviation: deviation.rule)
def test_we_really_differ(agentscope, deviation):
    start, events = deviation.example
    ours = msgfold.parse_msg(json.dumps(start))
    folder = msgfold.Folder(msg=ours, on_diagnostic=lambda d: None)
    try:
        for event in events:
            folder.feed(event)
    except MsgfoldError:
        return
    if not isinstance(deviation.agentscope, str):
        assert not deviation.agentscope(agentscope.dump(ours))


@pytest.mark.parametrize("name", ["message", "event"])
def test_our_modules_have_every_name_of_theirs(agentscope, name):
    theirs = getattr(agentscope, name)
    ours = importlib.import_module(f"msgfold.{name}")
    assert set(theirs.__all__) <= set(ours.__all__)


def defaults_of(module, name):
    signature = importlib.import_module("inspect").signature(getattr(module, name))
    return [(p.name, p.default) for p in signature.parameters.values()]


@pytest.mark.parametrize("name", ["UserMsg", "AssistantMsg", "SystemMsg"])
def test_factories_take_the_same_arguments(agentscope, name):
    from msgfold import message

    assert defaults_of(message, name) == defaults_of(agentscope.message, name)
    made = [
        getattr(m, name)("n", "Hi", id="i", created_at="t") for m in (message, agentscope.message)
    ]
    ours, theirs = (json.loads(msg.model_dump_json()) for msg in made)
    assert differences(theirs, ours, "Msg", ["/content/0/id"]) == []


def classes(module):
    from pydantic import BaseModel

    for name in module.__all__:
        found = getattr(module, name)
        if isinstance(found, type) and issubclass(found, BaseModel):
            yield name, found


MINIMAL = {
    "source": {"type": "base64", "data": "QUJD", "media_type": "image/png"},
    "confirmed": True,
    "tool_call": {"type": "tool_call", "id": "t", "name": "n", "input": ""},
    "tool_calls": [],
    "confirm_results": [],
    "execution_results": [],
    "content": [],
    "role": "assistant",
    "input_tokens": 1,
    "output_tokens": 2,
    "state": "success",
    "url": "https://example.com/a",
}


@pytest.mark.parametrize("module", ["message", "event"])
def test_every_class_has_the_same_members_and_defaults(agentscope, module):
    ours = importlib.import_module(f"msgfold.{module}")
    for name, theirs in classes(getattr(agentscope, module)):
        fields = theirs.model_fields
        given = {f: MINIMAL.get(f, "x") for f, info in fields.items() if info.is_required()}
        if name == "Base64Source":
            given["data"] = "QUJD"
        if name == "DataBlockDeltaEvent":
            given["data"] = "QUJD"
        if name == "ToolResultDataDeltaEvent":
            given["url"] = MINIMAL["url"]
        fixed = {f: "i" for f in ("id", "block_id") if f in fields and not fields[f].is_required()}
        fixed |= {"created_at": "t"} if "created_at" in fields else {}
        theirs_dumped = theirs(**given, **fixed).model_dump_json()
        ours_dumped = getattr(ours, name)(**given, **fixed).model_dump_json()
        assert ours_dumped == theirs_dumped, name
