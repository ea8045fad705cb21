"""Code written for AgentScope works when its import is changed: names, arguments, defaults."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
from enum import Enum
from pathlib import Path

import msgfold
import pytest
from msgfold import message
from msgfold.conformance.compare import differences
from pydantic import BaseModel

pytestmark = pytest.mark.oracle

MODULES = pytest.mark.parametrize("name", ["message", "event"])
FACTORIES = pytest.mark.parametrize("factory", ["UserMsg", "AssistantMsg", "SystemMsg"])


@MODULES
def test_our_modules_have_every_name_of_theirs(agentscope, name):
    ours = importlib.import_module(f"msgfold.{name}")
    assert set(getattr(agentscope, name).__all__) <= set(ours.__all__)


@MODULES
def test_enums_have_the_same_members(agentscope, name):
    ours = importlib.import_module(f"msgfold.{name}")
    for exported in getattr(agentscope, name).__all__:
        theirs = getattr(getattr(agentscope, name), exported)
        if isinstance(theirs, type) and issubclass(theirs, Enum):
            mine = getattr(ours, exported)
            assert {m.name: m.value for m in mine} == {m.name: m.value for m in theirs}, exported


def parameters(module, name):
    signature = inspect.signature(getattr(module, name))
    return [(p.name, p.default) for p in signature.parameters.values()]


@FACTORIES
def test_factories_take_the_same_arguments(agentscope, factory):
    assert parameters(message, factory) == parameters(agentscope.message, factory)


@FACTORIES
@pytest.mark.parametrize("given", [{"id": "i", "created_at": "t"}, {"created_at": "t"}, {}])
def test_factories_make_the_same_msg(agentscope, factory, given):
    theirs, ours = (
        json.loads(getattr(module, factory)("n", "Hi", **given).model_dump_json())
        for module in (agentscope.message, message)
    )
    assert differences(theirs, ours, "Msg", made_up(given)) == []
    assert list(ours) == list(theirs)
    # A user's and a system's message is finished when it is made; an agent's is not.
    assert (ours["finished_at"] == ours["created_at"]) == (factory != "AssistantMsg")


def made_up(given):
    left = {"id", "created_at"} - set(given)
    if "created_at" in left:
        left.add("finished_at")
    return ["/content/0/id", *(f"/{name}" for name in left)]


def classes(module):
    for name in module.__all__:
        found = getattr(module, name)
        if isinstance(found, type) and issubclass(found, BaseModel):
            yield name, found


MINIMAL = {
    "source": {"type": "base64", "data": "QUJD", "media_type": "image/png"},
    "data": "QUJD",
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
"""An argument for each required member that is no string."""

MINTED = ("id", "created_at", "block_id")


@MODULES
def test_every_class_has_the_same_members_and_defaults(agentscope, name):
    ours = importlib.import_module(f"msgfold.{name}")
    for class_name, theirs in classes(getattr(agentscope, name)):
        fields = theirs.model_fields
        given = {f: MINIMAL.get(f, "x") for f, info in fields.items() if info.is_required()}
        if class_name == "ToolResultDataDeltaEvent":  # needs one of two that are both optional
            given["url"] = MINIMAL["url"]
        minted = {f: "i" for f in MINTED if f in fields and not fields[f].is_required()}
        mine = getattr(ours, class_name)
        written = mine(**given, **minted).model_dump_json()
        assert written == theirs(**given, **minted).model_dump_json(), class_name
        bare = json.loads(mine(**given).model_dump_json())
        assert list(bare) == list(json.loads(theirs(**given).model_dump_json())), class_name
        assert all(bare[f] for f in minted), class_name


USERS_CODE = """
import asyncio

from PACKAGE.event import (
    EventType, ReplyEndEvent, ReplyStartEvent, RequireUserConfirmEvent, ToolCallDeltaEvent
)
from PACKAGE.message import AssistantMsg, Msg, TextBlock, ToolCallBlock, ToolCallState, UserMsg


async def main(reply_stream):
    question = UserMsg(name="user", content="How were the sales?")
    assert question.content[0].text == question.get_text_content()
    msg, seen = None, []
    async for event in reply_stream:
        if isinstance(event, ReplyStartEvent):
            msg = AssistantMsg(name=event.name, content=[], id=event.reply_id)
        elif isinstance(event, RequireUserConfirmEvent):
            seen.append([call.name for call in event.tool_calls])
        elif event.type == EventType.TOOL_CALL_DELTA:
            assert isinstance(event, ToolCallDeltaEvent)
            seen.append(event.delta)
        elif isinstance(event, ReplyEndEvent):
            seen.append(str(event.finished_reason))
        assert msg.append_event(event) is msg

    calls = msg.get_content_blocks("tool_call")
    assert all(isinstance(call, ToolCallBlock) for call in calls)
    assert all(call.state == ToolCallState.FINISHED for call in calls)
    assert isinstance(msg.content[-1], TextBlock) and not msg.has_content_blocks("hint")
    copy = Msg.model_validate(msg.model_dump())
    assert copy == msg
    blocks = [block.model_dump_json() for block in calls]
    return seen, msg.get_text_content(), msg.usage.model_dump(), blocks
"""


def test_a_users_code_runs_when_its_import_is_changed(agentscope):
    recordings = Path(__file__).parents[3] / "conformance" / "recordings" / "2.0.4"
    lines = (recordings / "hitl_confirm.ndjson").read_text("utf-8").splitlines()

    def run(package, parse):
        async def reply_stream():
            for line in lines:
                yield parse(json.loads(line))

        names = {}
        exec(USERS_CODE.replace("PACKAGE", package), names)
        return asyncio.run(names["main"](reply_stream()))

    assert run("msgfold", msgfold.parse_event) == run("agentscope", agentscope.parse)


def test_a_running_agents_own_event_objects_can_be_folded(agentscope):
    recordings = Path(__file__).parents[3] / "conformance" / "recordings" / "2.0.4"
    lines = (recordings / "hitl_confirm.ndjson").read_text("utf-8").splitlines()
    theirs = [agentscope.parse(json.loads(line)) for line in lines]
    assert msgfold.fold(theirs) == msgfold.fold([json.loads(line) for line in lines])
