"""``msgfold convert``: every form into every other, and what goes wrong on the way."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from msgfold.cli.app import app
from msgfold.cli.common import Failure
from typer.testing import CliRunner

RECORDINGS = sorted((Path(__file__).parents[3] / "conformance" / "recordings").glob("*/*.ndjson"))
FORMS = ("ndjson", "sse", "json", "proto")


def convert(data, *arguments):
    return CliRunner().invoke(app, ["convert", "-", *arguments], input=data)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_recording_comes_back_byte_for_byte_from_every_form(recording):
    text = recording.read_bytes()
    for form in FORMS:
        there = convert(text, "--to", form)
        assert there.exit_code == 0, there.output
        back = convert(there.stdout_bytes, "--from", form)
        assert back.stdout_bytes == text


@pytest.mark.parametrize(("one", "other"), itertools.product(FORMS, FORMS))
def test_every_form_turns_into_every_other(one, other):
    text = RECORDINGS[0].read_bytes()
    first = convert(text, "--to", one).stdout_bytes
    assert convert(first, "--from", one, "--to", other).stdout_bytes == (
        convert(text, "--to", other).stdout_bytes
    )


def test_a_msg_comes_back():
    msg = RECORDINGS[0].with_suffix("").with_suffix(".msg.json").read_bytes()
    there = convert(msg, "--type", "msg", "--to", "proto")
    back = convert(there.stdout_bytes, "--type", "msg", "--from", "proto", "--to", "json")
    assert json.loads(back.stdout) == json.loads(msg)


def test_what_is_as_deep_as_may_be_comes_back_from_every_form():
    deep = {"k": 1}
    for _ in range(126):
        deep = {"k": deep}
    event = json.dumps(EVENT | {"metadata": deep}, separators=(",", ":"))
    text = f"{event}\n{event}\n".encode()
    for form in FORMS:
        there = convert(text, "--to", form)
        assert there.exit_code == 0, there.output
        back = convert(there.stdout_bytes, "--from", form)
        assert [json.loads(line) for line in back.stdout.splitlines()] == [json.loads(event)] * 2


def test_a_frame_that_is_not_ours_is_left_out_and_said():
    done = convert(b"event: ping\ndata: {}\n\ndata: {}\n\n")
    assert done.stdout == "{}\n"
    assert "foreign_frame" in done.stderr


EVENT = {"type": "USER_INTERRUPT", "id": "e", "created_at": "t", "reply_id": "r"}


@pytest.mark.parametrize(
    ("data", "arguments", "said"),
    [
        ({**EVENT, "x": 1}, ["--to", "proto"], "line 1, event 0, at /x: protobuf has no field"),
        (b"[1]\n", ["--to", "proto", "--from", "ndjson"], "not a JSON object"),
        (b"{\n", ["--from", "ndjson"], "line 1, event 0"),
        (b'{"a"', ["--from", "ndjson"], "ends inside a frame"),
        (b"\x05ab", ["--from", "proto"], "event 0: not a row of messages"),
        (b"\x80", ["--from", "proto"], "the end inside it"),
        (b"\xff" * 9, ["--from", "proto"], "at most five bytes"),
        (b"\x02\x0a\x05", ["--from", "proto"], "event 0, at the root: no AgentEvent"),
        (b"\x00", ["--from", "proto"], "none of its union is set"),
    ],
)
def test_what_cannot_be_converted_is_told_with_its_place(data, arguments, said):
    text = data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
    failure = convert(text, *arguments).exception
    assert isinstance(failure, Failure)
    assert said in str(failure)


def test_what_was_good_until_then_is_written():
    text = json.dumps(EVENT).encode() + b"\n{\n"
    assert json.loads(convert(text, "--from", "ndjson").stdout) == EVENT


def test_unknown_members_are_dropped_when_that_is_asked_for():
    text = json.dumps({**EVENT, "x": 1}).encode()
    there = convert(text, "--to", "proto", "--ignore-unknown")
    assert json.loads(convert(there.stdout_bytes, "--from", "proto").stdout) == EVENT


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"name": "n", "role": "user", "content": []}, "say --type msg"),
        ({**EVENT, "mood": 1}, "--ignore-unknown drops"),
    ],
)
def test_what_has_no_field_is_told_in_the_words_of_the_command_line(value, said):
    failure = convert(json.dumps(value).encode(), "--to", "proto").exception
    assert said in str(failure)
    assert "ignore_unknown=" not in str(failure)
