"""JSON to protobuf and back is the identity; what only protobuf can say is refused."""

from __future__ import annotations

import json
from contextlib import suppress

import msgfold
import pytest
from contract_examples import EVENTS, VALID
from hypothesis import given, settings
from hypothesis import strategies as st
from msgfold.conformance.corpus import load
from msgfold.errors import MsgfoldError
from msgfold.fold import Folder
from msgfold.message import AssistantMsg
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.validate import validate_value
from msgfold.wire.proto import _fill, _read, decode_proto, from_proto, to_proto
from msgfold.wire.text_events import read, text_events, write
from streams import REVISION, STREAM

EXAMPLES = [
    ("Msg" if example.title == "Msg" else "AgentEvent", example)
    for example in VALID
    if example.title in {*EVENTS, "AgentEvent", "Msg"} - {"EventBase"}
]


def there_and_back(value, definition):
    data = to_proto(value, definition).SerializeToString()
    return decode_proto(data, definition)


@pytest.mark.parametrize(
    ("definition", "example"), [pytest.param(*pair, id=pair[1].id) for pair in EXAMPLES]
)
def test_every_valid_example_comes_back_byte_for_byte(definition, example):
    back = there_and_back(example.instance, definition)
    assert json.dumps(back, sort_keys=True) == json.dumps(example.instance, sort_keys=True)


def test_every_valid_value_of_the_corpus_comes_back():
    seen = 0
    for case in load():
        values = [("AgentEvent", event) for event in case.input.get("events", [])]
        values += [("Msg", msg) for msg in (case.input.get("msg"), case.expect.get("msg")) if msg]
        for definition, value in values:
            if not validate_value(value, definition, strict=True):
                try:
                    back = there_and_back(value, definition)
                except msgfold.OutOfRangeError:
                    continue  # JSON has no bound for integers, protobuf has
                assert json.dumps(back, sort_keys=True) == json.dumps(value, sort_keys=True)
                seen += 1
    assert seen > 1500


@given(STREAM, REVISION)
def test_random_events_and_msgs_come_back(events, revision):
    folder = Folder(revision=revision, msg=AssistantMsg("n", [], id="r1", created_at="t"))
    for event in events:
        folder.feed(event)
        try:
            assert there_and_back(event, "AgentEvent") == event
        except msgfold.OutOfRangeError:
            assert event["input_tokens"] >= 2**63
    written = msgfold.dump(folder.msgs[0], revision=revision)
    if written["usage"] is None or written["usage"]["input_tokens"] < 2**63:
        back = there_and_back(written, "Msg")
        assert back == written


def test_a_model_is_written_as_its_json():
    msg = AssistantMsg(name="n", content="Hi", id="r", metadata={"a": 1})
    assert to_proto(msg, "Msg") == to_proto(msg.model_dump(mode="json"), "Msg")


def test_members_come_back_in_the_order_of_the_contract():
    model = msgfold.parse_event(
        {"type": "REPLY_END", "reply_id": "r", "session_id": "s", "id": "e", "created_at": "t"}
    )
    written = model.model_dump(mode="json")
    assert list(there_and_back(dict(reversed(written.items())), "AgentEvent")) == list(written)


@settings(max_examples=300)
@given(st.binary(max_size=200), st.sampled_from(["Msg", "AgentEvent"]))
def test_any_bytes_give_a_value_or_a_typed_error(data, definition):
    with suppress(MsgfoldError):
        assert validate_value(decode_proto(data, definition), definition) == []


@settings(max_examples=300)
@given(st.sampled_from(EXAMPLES), st.data())
def test_changed_bytes_give_a_value_or_a_typed_error(pair, data):
    definition, example = pair
    raw = bytearray(to_proto(example.instance, definition).SerializeToString())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(raw) - 1)))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    with suppress(MsgfoldError):
        value = decode_proto(bytes(raw), definition)
        assert there_and_back(value, definition) == value


def test_an_unchecked_message_is_read_as_it_is():
    event = {"type": "TEXT_BLOCK_DELTA", "block_id": "b"}
    message = to_proto(event, "AgentEvent")
    assert from_proto(message, check=False) == event
    with pytest.raises(msgfold.InvalidEventError, match="is missing"):
        from_proto(message)


@given(STREAM)
def test_the_short_way_of_text_events_is_the_long_way(events):
    for event in events:
        short, long = AgentEvent(), AgentEvent()
        with suppress(msgfold.OutOfRangeError):
            _fill(long, event, (), ignore_unknown=False)
            if write(short, event):
                assert short.SerializeToString(deterministic=True) == long.SerializeToString(
                    deterministic=True
                )
            else:
                assert not short.ByteSize()
            found = read(long)
            assert found is None or (found == event == _read(long, ()))


@pytest.mark.parametrize("missing", ["id", "created_at", "reply_id", "delta", "metadata"])
def test_an_absent_member_is_not_an_empty_one(missing):
    event = {
        "id": "", "created_at": "", "metadata": {}, "type": "TEXT_BLOCK_DELTA",
        "reply_id": "", "block_id": "", "delta": "",
    }  # fmt: skip
    assert from_proto(to_proto(event, "AgentEvent")) == event
    del event[missing]
    assert from_proto(to_proto(event, "AgentEvent"), check=False) == event


@pytest.mark.parametrize("kind", [["TEXT_BLOCK_DELTA"], 1, None, "", "TEXT_BLOCK_DELTA "])
def test_no_type_is_short_cut(kind):
    event = {"id": "", "created_at": "", "metadata": {}, "type": kind, "reply_id": "", "delta": ""}
    with pytest.raises(msgfold.UnmappedFieldError, match="type"):
        to_proto(event, "AgentEvent")


def test_text_that_is_no_unicode_has_an_error():
    event = {
        "id": "e", "created_at": "", "metadata": {}, "type": "TEXT_BLOCK_DELTA",
        "reply_id": "", "block_id": "", "delta": "\ud800",
    }  # fmt: skip
    with pytest.raises(MsgfoldError):
        to_proto(event, "AgentEvent")


@pytest.mark.parametrize("kind", text_events())
def test_each_event_that_is_only_text_comes_back(kind):
    members = dict.fromkeys(text_events()[kind][1], "x")
    event = {"id": "e", "created_at": "t", "metadata": {}, "type": kind, "reply_id": "r", **members}
    message = AgentEvent()
    assert write(message, event)
    assert read(AgentEvent.FromString(message.SerializeToString())) == event
    assert _read(message, ()) == event
