"""Recordings of real AgentScope agents fold to the Msg that AgentScope itself built."""

from __future__ import annotations

import json
from pathlib import Path

import msgfold
import pytest
from msgfold.conformance.compare import differences
from msgfold.message import AssistantMsg
from msgfold.validate import validate_stream, validate_text
from msgfold.wire import SseDecoder

FOLDER = Path(__file__).parents[3] / "conformance" / "recordings" / "2.0.4"
RECORDINGS = sorted(FOLDER.glob("*.ndjson"))

# The tool raised and the stream broke off.
INCOMPLETE = {"tool_error"}

pytestmark = pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)


def events(recording):
    return [json.loads(line) for line in recording.read_text("utf-8").splitlines()]


def expected(recording):
    return json.loads(recording.with_name(f"{recording.stem}.msg.json").read_text("utf-8"))


def minted(msg, text):
    """Pointers to ids in ``msg`` that came from no event."""
    return [
        f"/content/{n}/output/{k}/id"
        for n, block in enumerate(msg["content"])
        if isinstance(block.get("output"), list)
        for k, inner in enumerate(block["output"])
        if inner["id"] not in text
    ]


def by_ndjson(recording):
    return msgfold.fold_ndjson(recording.read_bytes())


def by_json(recording):
    return msgfold.fold(events(recording))


def by_models(recording):
    return msgfold.fold([msgfold.parse_event(event) for event in events(recording)])


def by_sse(recording):
    lines = recording.read_bytes().splitlines()
    frames = SseDecoder().feed(b"".join(b"data: " + line + b"\n\n" for line in lines))
    folder = msgfold.Folder()
    for frame in frames:
        folder.feed_text(frame.data)
    return folder.close()[0]


def by_append_event(recording):
    """As AgentScope's documentation shows it."""
    msg = None
    for event in map(msgfold.parse_event, events(recording)):
        if event.type == "REPLY_START" and msg is None:
            msg = AssistantMsg(
                name=event.name, content=[], id=event.reply_id, created_at=event.created_at
            )
        msg.append_event(event)
    return msg


@pytest.mark.parametrize("way", [by_ndjson, by_json, by_models, by_sse, by_append_event])
def test_folding_gives_agentscopes_msg(recording, way):
    want = expected(recording)
    got = json.loads(way(recording).model_dump_json())
    volatile = minted(want, recording.read_text("utf-8"))
    assert differences(want, got, "Msg", volatile) == []
    assert list(got) == list(want)
    assert [list(block) for block in got["content"]] == [list(b) for b in want["content"]]


def test_folding_twice_gives_the_same_bytes(recording):
    assert by_ndjson(recording).model_dump_json() == by_ndjson(recording).model_dump_json()


def test_it_is_valid_strictly(recording):
    found = list(validate_stream([recording.read_bytes()], "ndjson", strict=True))
    wanted = ["incomplete_reply"] if recording.stem in INCOMPLETE else []
    assert [str(fault.code) for fault in found] == wanted
    text = recording.with_name(f"{recording.stem}.msg.json").read_bytes()
    assert validate_text(text, "Msg", strict=True) == []
