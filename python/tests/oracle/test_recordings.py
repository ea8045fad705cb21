"""Recordings of real AgentScope agents fold to the Msg that AgentScope itself built."""

from __future__ import annotations

import json
from pathlib import Path

import msgfold
import pytest
from msgfold.conformance.compare import differences
from msgfold.message import AssistantMsg
from msgfold.validate import validate_stream, validate_text
from msgfold.wire import SseDecoder, read_frames

FOLDER = Path(__file__).parents[3] / "conformance" / "recordings" / "2.0.4"
RECORDINGS = sorted(FOLDER.glob("*.ndjson"))

FAULTS = {
    # The tool raised, and the stream broke off before its REPLY_END.
    "tool_error": ["incomplete_reply"],
}
"""Recording to the faults that validation rightly finds in it."""

each_recording = pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)


def events(recording):
    return [json.loads(line) for line in recording.read_text("utf-8").splitlines()]


def expected_path(recording):
    return recording.with_name(f"{recording.stem}.msg.json")


def minted(msg, given):
    """Pointers to the ids of blocks that AgentScope made up: the strings that came in no event."""
    return [
        f"/content/{n}/output/{k}/id"
        for n, block in enumerate(msg["content"])
        if isinstance(block.get("output"), list)
        for k, inner in enumerate(block["output"])
        if json.dumps(inner["id"]) not in given
    ]


def by_ndjson(recording):
    return msgfold.fold_ndjson(recording.read_bytes())


def by_ndjson_file(recording):
    with recording.open("rb") as file:
        return msgfold.fold_ndjson(file)


def by_json(recording):
    return msgfold.fold(events(recording))


def by_models(recording):
    return msgfold.fold([msgfold.parse_event(event) for event in events(recording)])


def by_sse(recording):
    """As AgentScope's service sends it, with heartbeats, in chunks cut anywhere."""
    lines = recording.read_bytes().splitlines()
    stream = b"".join(b": heartbeat\n\ndata: " + line + b"\n\n" for line in lines)
    chunks = (stream[at : at + 7] for at in range(0, len(stream), 7))
    truncated = []
    frames = read_frames(chunks, SseDecoder(), truncated.append)
    msg = msgfold.fold(json.loads(frame.data) for frame in frames)
    assert not truncated
    return msg


def by_append_event(recording):
    """As AgentScope's documentation shows it: an empty Msg, then event by event."""
    first, *_ = parsed = [msgfold.parse_event(event) for event in events(recording)]
    assert first.type == "REPLY_START"
    msg = AssistantMsg(first.name, content=[], id=first.reply_id)
    for event in parsed:
        assert msg.append_event(event) is msg
    return msg


WAYS = [by_ndjson, by_ndjson_file, by_json, by_models, by_sse, by_append_event]


def in_order(value):
    """The value with its members as pairs, so that their order counts."""
    if isinstance(value, dict):
        return [(name, in_order(member)) for name, member in value.items()]
    return [in_order(item) for item in value] if isinstance(value, list) else None


def test_there_are_recordings_each_with_its_msg():
    assert RECORDINGS
    assert {path.name for path in FOLDER.iterdir()} == {
        path.name for recording in RECORDINGS for path in (recording, expected_path(recording))
    }
    assert set(FAULTS) <= {recording.stem for recording in RECORDINGS}


@each_recording
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_folding_gives_agentscopes_msg(recording, way):
    want = json.loads(expected_path(recording).read_text("utf-8"))
    got = json.loads(way(recording).model_dump_json())
    volatile = minted(want, json.dumps(events(recording)))
    if way is by_append_event:  # whoever makes the Msg chooses its time
        volatile.append("/created_at")
    assert differences(want, got, "Msg", volatile) == []
    assert in_order(got) == in_order(want)


@each_recording
def test_folding_twice_gives_the_same_bytes(recording):
    assert by_ndjson(recording).model_dump_json() == by_ndjson(recording).model_dump_json()
    held = [msgfold.parse_event(event) for event in events(recording)]
    before = [event.model_dump_json() for event in held]
    assert msgfold.fold(held).model_dump_json() == msgfold.fold(held).model_dump_json()
    assert [event.model_dump_json() for event in held] == before


@each_recording
def test_every_way_gives_the_same_bytes(recording):
    # by_append_event stands apart: its Msg takes the time from the caller's clock
    written = {way(recording).model_dump_json() for way in WAYS if way is not by_append_event}
    assert len(written) == 1


@each_recording
@pytest.mark.parametrize("strict", [False, True])
def test_it_is_valid(recording, strict):
    found = list(validate_stream([recording.read_bytes()], "ndjson", strict=strict))
    assert [str(fault.code) for fault in found] == FAULTS.get(recording.stem, [])
    text = expected_path(recording).read_bytes()
    assert validate_text(text, "Msg", strict=strict) == []
