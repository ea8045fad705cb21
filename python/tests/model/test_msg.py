"""Msg and its factories behave as AgentScope's, under its names."""

from __future__ import annotations

import pytest
from msgfold.event import ExceedMaxItersEvent, ReplyEndEvent, ReplyEndReason, UserInterruptEvent
from msgfold.message import (
    AssistantMsg,
    Base64Source,
    DataBlock,
    Msg,
    SystemMsg,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolCallState,
    UserMsg,
)

CALL = ToolCallBlock(id="t", name="n", input="")
PICTURE = DataBlock(source=Base64Source(data="QUJD", media_type="image/png"))


@pytest.mark.parametrize(
    ("make", "role", "finished"),
    [(UserMsg, "user", True), (SystemMsg, "system", True), (AssistantMsg, "assistant", False)],
)
def test_factories_wrap_a_string_and_finish_what_does_not_stream(make, role, finished):
    msg = make("n", "Hello")
    assert (msg.role, msg.content[0].type, msg.get_text_content()) == (role, "text", "Hello")
    assert (msg.finished_at == msg.created_at) is finished
    assert make("n", "x", {"k": 1}, "t1", "t2", "id").model_dump(
        include={"metadata", "created_at", "finished_at", "id"}
    ) == {"metadata": {"k": 1}, "created_at": "t1", "finished_at": "t2", "id": "id"}


@pytest.mark.parametrize(
    ("make", "block"), [(UserMsg, CALL), (SystemMsg, PICTURE), (SystemMsg, CALL)]
)
def test_a_block_that_the_role_may_not_carry_raises_and_is_named(make, block):
    with pytest.raises(
        ValueError, match=f"may carry only .* got a {block.type} block at /content/0"
    ):
        make("n", [block])


def test_the_reading_helpers():
    msg = AssistantMsg(
        "n", [TextBlock(text="a"), ThinkingBlock(thinking="?"), TextBlock(text="b"), CALL]
    )
    assert msg.get_text_content() == "a\nb"
    assert msg.get_text_content(separator="") == "ab"
    assert AssistantMsg("n", []).get_text_content() is None
    assert [b.type for b in msg.get_content_blocks(["text", "tool_call"])] == [
        "text",
        "text",
        "tool_call",
    ]
    assert msg.get_content_blocks("tool_call") == [CALL]
    assert len(msg.get_content_blocks()) == 4
    assert msg.has_content_blocks()
    assert msg.has_content_blocks(["data", "thinking"])
    assert not msg.has_content_blocks("data")
    assert not AssistantMsg("n", []).has_content_blocks()


def test_states_are_words_and_equal_their_enum():
    call = ToolCallBlock(id="t", name="n", input="", state=ToolCallState.ASKING)
    assert call.state == "asking" == ToolCallState.ASKING
    assert type(call.state) is str


def test_unknown_members_survive():
    text = '{"type":"text","text":"a","id":"b","annotations":[1,{"x":null}]}'
    assert TextBlock.model_validate_json(text).model_dump_json() == text


def test_a_user_may_set_another_list_of_blocks():
    msg = AssistantMsg("n", [])
    msg.content = [TextBlock(id="b", text="x")]
    assert msg.content.find("text", "b") is msg.content[0]
    assert Msg.model_validate_json(msg.model_dump_json()) == msg


def test_what_the_events_can_tell_beyond_their_members():
    assert ReplyEndEvent(session_id="s", reply_id="r").reason == ReplyEndReason.COMPLETED
    done = ExceedMaxItersEvent(reply_id="r", name="n", metadata={"iterations": 5, "max_iters": 5})
    assert (done.iterations, done.max_iters) == (5, 5)
    assert ExceedMaxItersEvent(reply_id="r", name="n").iterations is None
    stop = UserInterruptEvent(reply_id="r", metadata={"interrupt": {"source": "user"}})
    assert stop.context == {"source": "user"}
    assert UserInterruptEvent(reply_id="r").context == {}
