"""Recordings of real AgentScope agents fold to the Msg that AgentScope itself built."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgfold
import pytest
from minting import MINTED, kinds, minted
from msgfold.cli.app import app
from msgfold.conformance.compare import differences
from msgfold.message import AssistantMsg
from msgfold.validate import validate_stream, validate_text
from msgfold.wire import SseDecoder, read_frames
from typer.testing import CliRunner

FOLDER = Path(__file__).parents[3] / "conformance" / "recordings"
RECORDINGS = sorted(FOLDER.glob("*/*.ndjson"))

FAULTS = {
    # The tool raised, and the stream broke off before its REPLY_END.
    "2.0.4/tool_error": ["incomplete_reply"],
}
"""Recording to the faults that validation rightly finds in it."""


def name(recording):
    return f"{recording.parent.name}/{recording.stem}"


each_recording = pytest.mark.parametrize("recording", RECORDINGS, ids=name)


def release(recording):
    return recording.parent.name


def events(recording):
    return [json.loads(line) for line in recording.read_text("utf-8").splitlines()]


def expected_path(recording):
    return recording.with_name(f"{recording.stem}.msg.json")


def by_ndjson(recording):
    return msgfold.fold_ndjson(recording.read_bytes(), revision=release(recording))


def by_ndjson_file(recording):
    with recording.open("rb") as file:
        return msgfold.fold_ndjson(file, revision=release(recording))


def by_json(recording):
    return msgfold.fold(events(recording), revision=release(recording))


def by_models(recording):
    parsed = [msgfold.parse_event(event) for event in events(recording)]
    return msgfold.fold(parsed, revision=release(recording))


def by_sse(recording):
    """As AgentScope's service sends it, with heartbeats, in chunks cut anywhere."""
    lines = recording.read_bytes().splitlines()
    stream = b"".join(b": heartbeat\n\ndata: " + line + b"\n\n" for line in lines)
    chunks = (stream[at : at + 7] for at in range(0, len(stream), 7))
    truncated = []
    frames = read_frames(chunks, SseDecoder(), truncated.append)
    msg = msgfold.fold((json.loads(f.data) for f in frames), revision=release(recording))
    assert not truncated
    return msg


def by_append_event(recording):
    """As AgentScope's documentation shows it: an empty Msg, then event by event."""
    first, *_ = parsed = [msgfold.parse_event(event) for event in events(recording)]
    assert first.type == "REPLY_START"
    msg = AssistantMsg(first.name, content=[], id=first.reply_id)
    for event in parsed:
        assert msgfold.append_event(msg, event, revision=release(recording)) is msg
    return msg


def by_command_line(recording):
    """What ``msgfold fold`` prints."""
    result = CliRunner().invoke(app, ["fold", "--revision", release(recording), str(recording)])
    assert result.exit_code == 0, result.output
    return msgfold.parse_msg(result.stdout)


WAYS = [by_ndjson, by_ndjson_file, by_json, by_models, by_sse, by_append_event, by_command_line]


def in_order(value):
    """The value with its members as pairs, so that their order counts."""
    if isinstance(value, dict):
        return [(name, in_order(member)) for name, member in value.items()]
    return [in_order(item) for item in value] if isinstance(value, list) else None


def test_there_are_recordings_each_with_its_msg():
    assert RECORDINGS
    assert set(FOLDER.glob("*/*")) == {
        path for recording in RECORDINGS for path in (recording, expected_path(recording))
    }
    assert {release(recording) for recording in RECORDINGS} == set(MINTED)
    assert set(FAULTS) <= {name(recording) for recording in RECORDINGS}


@each_recording
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_folding_gives_agentscopes_msg(recording, way):
    want = json.loads(expected_path(recording).read_text("utf-8"))
    got = msgfold.dump(way(recording), revision=release(recording))
    volatile = list(minted(want, json.dumps(events(recording))))
    assert kinds(volatile) <= MINTED[release(recording)]
    if way is by_append_event:  # whoever makes the Msg chooses its time
        volatile.append("/created_at")
    assert differences(want, got, "Msg", volatile) == []
    assert in_order(got) == in_order(want)


@each_recording
def test_the_command_line_prints_what_the_release_writes(recording):
    want = json.loads(expected_path(recording).read_text("utf-8"))
    result = CliRunner().invoke(app, ["fold", "--revision", release(recording), str(recording)])
    got = json.loads(result.stdout)
    assert in_order(got) == in_order(want)
    assert got == msgfold.dump(by_json(recording), revision=release(recording))


@each_recording
def test_folding_twice_gives_the_same_bytes(recording):
    assert by_ndjson(recording).model_dump_json() == by_ndjson(recording).model_dump_json()
    held = [msgfold.parse_event(event) for event in events(recording)]
    before = [event.model_dump_json() for event in held]
    first, second = (msgfold.fold(held, revision=release(recording)) for _ in range(2))
    assert first.model_dump_json() == second.model_dump_json()
    assert [event.model_dump_json() for event in held] == before


@each_recording
def test_every_way_gives_the_same_bytes(recording):
    # by_append_event stands apart: its Msg takes the time from the caller's clock
    ways = [way for way in WAYS if way is not by_append_event]
    written = {json.dumps(msgfold.dump(way(recording), revision="2.0.11")) for way in ways}
    assert len(written) == 1


@each_recording
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("revision", [None, "own"])
def test_it_is_valid(recording, strict, revision):
    asked = {"strict": strict, "revision": revision and release(recording)}
    found = list(validate_stream([recording.read_bytes()], "ndjson", **asked))
    assert [str(fault.code) for fault in found] == FAULTS.get(name(recording), [])
    text = expected_path(recording).read_bytes()
    assert validate_text(text, "Msg", **asked) == []


def newer(recording):
    """What 2.0.4 would drop of a recording, and of its Msg: the members, by definition."""
    stream = validate_stream([recording.read_bytes()], "ndjson", revision="2.0.4")
    msg = validate_text(expected_path(recording).read_bytes(), "Msg", revision="2.0.4")
    for fault in (*stream, *msg):
        assert fault.code in {"newer_member", "incomplete_reply"}, fault
        yield from re.findall(r"[a-z_]+$", fault.place.pointer or "")


def test_2_0_4_would_drop_members_of_a_2_0_11_stream_and_says_which():
    assert not any(list(newer(r)) for r in RECORDINGS if release(r) == "2.0.4")
    assert {member for r in RECORDINGS if release(r) == "2.0.11" for member in newer(r)} == {
        *("error", "finished_reason", "structured_output"),
        *("cache_input_tokens", "cache_creation_input_tokens"),
        *("created_at", "finished_at", "text"),
    }
