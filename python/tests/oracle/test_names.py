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
from msgfold import message, types
from msgfold.conformance.compare import differences
from msgfold.contract import SINCE_WORDS, navigator
from msgfold.revisions import RELEASES, comes_after
from pydantic import BaseModel
from reducers import dump

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
            newer = navigator(None).defs.get(mine.__name__, {}).get(SINCE_WORDS, {})
            known = {
                m.name: m.value
                for m in mine
                if not comes_after(newer.get(m.value, RELEASES[0]), agentscope.release)
            }
            if exported == "ReplyEndReason" and agentscope.release != RELEASES[0]:
                del known["ERROR"]  # the name is deprecated there, and its list no longer grows
            assert known == {m.name: m.value for m in theirs}, exported


def test_types_have_the_names_and_words_of_theirs(agentscope):
    if agentscope.release == RELEASES[0]:
        return  # there was no such module
    theirs = importlib.import_module("agentscope.types")
    for name in types.__all__:
        assert hasattr(theirs, name), name
    known = navigator(agentscope.release).defs["ErrorType"]["enum"]
    assert known == [word.value for word in theirs.ErrorType]
    assert list(types.ReplyFinishedReason) == [w.value for w in theirs.ReplyFinishedReason]


def parameters(module, name):
    signature = inspect.signature(getattr(module, name))
    return [(p.name, p.default) for p in signature.parameters.values()]


@FACTORIES
def test_factories_take_the_same_arguments(agentscope, factory):
    ours, theirs = parameters(message, factory), parameters(agentscope.message, factory)
    if agentscope.release == RELEASES[0]:  # by position, too; what came later goes by name
        assert ours[: len(theirs)] == theirs
    assert set(theirs) <= set(ours)


@FACTORIES
@pytest.mark.parametrize("given", [{"id": "i", "created_at": "t"}, {"created_at": "t"}, {}])
def test_factories_make_the_same_msg(agentscope, factory, given):
    theirs, ours = (
        module(getattr(found, factory)("n", "Hi", **given))
        for module, found in ((dump, agentscope.message), (written(agentscope), message))
    )
    theirs["content"][0].pop("created_at", None)  # from its clock (fold.block.created-at)
    assert differences(theirs, ours, "Msg", made_up(given)) == []
    assert list(ours) == list(theirs)
    # A user's and a system's message is finished when it is made; an agent's is not.
    assert (ours["finished_at"] == ours["created_at"]) == (factory != "AssistantMsg")


def written(agentscope):
    return lambda model: msgfold.dump(model, revision=agentscope.release)


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

EITHER = {"DataBlockDeltaEvent", "ToolResultDataDeltaEvent"}
"""Of data and url, each optional, one must be given."""


@MODULES
def test_every_class_has_the_same_members_and_defaults(agentscope, name):
    ours = importlib.import_module(f"msgfold.{name}")
    for class_name, theirs in classes(getattr(agentscope, name)):
        fields = theirs.model_fields
        given = {f: MINIMAL.get(f, "x") for f, info in fields.items() if info.is_required()}
        if class_name in EITHER and "url" in fields and "data" not in given:
            given["url"] = MINIMAL["url"]
        minted = {f: "i" for f in MINTED if f in fields and not fields[f].is_required()}
        if class_name == "ConfirmResult" and "created_at" in agentscope.block_members:
            given["tool_call"] = {**MINIMAL["tool_call"], "created_at": "09:00"}
        mine = getattr(ours, class_name)
        ours_dumped = written(agentscope)(mine(**given, **minted))
        theirs_dumped = dump(theirs(**given, **minted))
        if class_name == "HintBlock" and "finished_at" in fields:  # by its own clock (fold.hint)
            theirs_dumped["finished_at"] = ours_dumped["finished_at"]
        assert json.dumps(ours_dumped) == json.dumps(theirs_dumped), class_name
        if agentscope.release == RELEASES[0]:  # what nobody asked about looks like the baseline
            assert mine(**given, **minted).model_dump_json() == json.dumps(
                theirs_dumped, separators=(",", ":"), ensure_ascii=False
            )
        bare = written(agentscope)(mine(**given))
        unknown = {"created_at"} if class_name.endswith("Block") else set()
        assert set(bare) == set(dump(theirs(**given))) - unknown, class_name
        assert all(bare[f] for f in set(minted) - unknown), class_name


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
    blocks = [block.model_dump_json(exclude={"created_at", "finished_at"}) for block in calls]
    return seen, msg.get_text_content(), msg.usage.input_tokens, blocks
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
