"""The quick way of NDJSON into the fold gives what feeding line by line gives, reports included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.errors import MsgfoldError
from msgfold.fold import Folder, NdjsonFolder
from msgfold.wire.decode import decode_plain
from msgfold.wire.ndjson import NdjsonDecoder
from streams import REVISION, STREAM

START = {"type": "REPLY_START", "id": "s", "created_at": "t", "session_id": "s", "name": "n"}
DEEP = b"[" * 200 + b"]" * 200
ODD = st.sampled_from(
    [
        b"\n",
        b" \t\r\n",
        b"{\n",
        b"[1,2]\n",
        b"\xff\n",
        b'{"type":"AUDIO_CHUNK","reply_id":"r1"}\n',
        b'{"type":"CUSTOM","id":"e","created_at":"t","name":"x"}\n',
        b'{"type":"TEXT_BLOCK_END","reply_id":"r1","block_id":"b","text":' + b"[" * 200 + b"\n",
        b'{"type":"USER_INTERRUPT","reply_id":"r1","metadata":{"a":'
        + b"[" * 200
        + b"]" * 200
        + b"}}\n",
        b'{"type":"TEXT_BLOCK_DELTA","reply_id":"r2","block_id":"a","delta":"x"}\n',
        b'{"type":"TEXT_BLOCK_DELTA","reply_id":"r1","block_id":"a","delta":"x"} {}\n',
        b'{"type":"TEXT_BLOCK_DELTA","reply_id":"r1","block_id":"a","delta":"y","x_vendor":[1]}\n',
        b'{"type":"TEXT_BLOCK_DELTA","reply_id":"r1","block_id":"a","delta":"z","metadata":{"k":1}}\n',
        b'{"type":"TEXT_BLOCK_DELTA","reply_id":"r1","block_id":"a","delta":7}\n',
    ]
)


@st.composite
def _text(draw: st.DrawFn) -> bytes:
    """A stream with runs of deltas, two replies, and every so often something odd."""
    replies = draw(st.sampled_from([["r1"], ["r1", "r2"]]))
    lines = [json.dumps({**START, "reply_id": reply}).encode() + b"\n" for reply in replies]
    for event in draw(STREAM):
        times = draw(st.integers(1, 3)) if "delta" in event else 1
        lines += [json.dumps(event, ensure_ascii=False).encode() + b"\n"] * times
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(ODD))
    return b"".join(lines) + draw(st.sampled_from([b"", b"{", b'{"type":"USER_INTERRUPT"}']))


def quick(text: bytes, cuts: list[int], **arguments: Any) -> Any:
    """By :class:`NdjsonFolder`, in chunks."""
    reports: list[Any] = []
    folder = NdjsonFolder(on_diagnostic=reports.append, **arguments)
    refused = tail = None
    try:
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            folder.feed_chunk(text[start:end])
        tail = folder.feed_end()
    except MsgfoldError as error:
        refused = error
    return seen(folder, reports, refused, tail)


def plain(text: bytes, **arguments: Any) -> Any:
    """Frame by frame."""
    reports: list[Any] = []
    folder = Folder(on_diagnostic=reports.append, **arguments)
    decoder = NdjsonDecoder()
    refused = tail = None
    try:
        for frame in decoder.feed(text):
            folder.feed_text(frame.data, line=frame.line)
        frames, tail = decoder.close()
        for frame in frames:
            folder.feed_text(frame.data, line=frame.line)
    except MsgfoldError as error:
        refused = error
    return seen(folder, reports, refused, tail)


def seen(folder: Folder, reports: list[Any], refused: Any, tail: Any) -> Any:
    folder.close()
    told = [(str(r.code), r.place, r.message, r.reply_id) for r in reports]
    error = refused and (str(refused.code), refused.place, refused.reason)
    return [msg.model_dump_json() for msg in folder.msgs], told, error, tail, folder.events


@given(_text(), REVISION, st.data())
def test_every_cut_gives_what_line_by_line_gives(text, revision, data):
    arguments = {
        "revision": revision,
        "errors": data.draw(st.sampled_from(["raise", "skip"])),
        "first_only": data.draw(st.booleans()),
    }
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
    assert quick(text, cuts, **arguments) == plain(text, **arguments)


@given(_text(), REVISION)
def test_replies_that_are_handed_on_are_the_same(text, revision):
    one: list[str] = []
    other: list[str] = []
    arguments = {"revision": revision, "errors": "skip"}
    quick(text, [], on_reply=lambda msg: one.append(msg.model_dump_json()), **arguments)
    plain(text, on_reply=lambda msg: other.append(msg.model_dump_json()), **arguments)
    assert one == other


def line(kind: str, **members: Any) -> bytes:
    event = {"type": kind, "id": "e", "created_at": "t", "reply_id": "r1", "block_id": "x"}
    return json.dumps({**event, **members}).encode() + b"\n"


def test_each_orphan_of_a_run_is_reported_with_its_line():
    orphan = line("TEXT_BLOCK_DELTA", delta="y")
    text = json.dumps({**START, "reply_id": "r1"}).encode() + b"\n" + orphan * 3
    _, told, _, _, _ = quick(text, [])
    assert [(code, place.line, place.event_index) for code, place, *_ in told[:3]] == [
        ("block_not_found", number, number - 1) for number in (2, 3, 4)
    ]


def test_a_run_is_counted_event_by_event():
    run = line("TEXT_BLOCK_START") + line("TEXT_BLOCK_DELTA", delta="y") * 50
    text = json.dumps({**START, "reply_id": "r1"}).encode() + b"\n" + run
    msgs, told, _, _, events = quick(text, [])
    assert json.loads(msgs[0])["content"][0]["text"] == "y" * 50
    assert events == 52
    assert told[-1][1].event_index == 51


REPLY = json.dumps({**START, "reply_id": "r1"}).encode() + b"\n"


@pytest.mark.parametrize("errors", ["raise", "skip"])
def test_an_event_that_is_refused_costs_no_other_event_of_its_chunk(errors):
    pieces = [
        line("DATA_BLOCK_DELTA", media_type="a/b", data=data) for data in ("YQ==", "!", "Yg==")
    ]
    start = line("DATA_BLOCK_START", media_type="a/b")
    text = REPLY + start + pieces[0] + pieces[1] * 2 + pieces[2] * 2
    found = quick(text, [], errors=errors)
    assert found == plain(text, errors=errors)
    msgs, told, refused, _, events = found
    data = json.loads(msgs[0])["content"][0]["source"]["data"]
    if errors == "raise":
        assert (data, refused[0], refused[1].line, events) == ("YQ==", "invalid_base64", 4, 4)
    else:
        assert (data, refused, events) == ("YWJi", None, 7)
        places = [(place.line, place.event_index) for code, place, *_ in told if "base64" in code]
        assert places == [(4, 3), (5, 4)]


CALL = {"type": "tool_call", "id": "c", "name": "n", "input": "{}"}
RESULT = {"type": "tool_result", "id": "c", "name": "n", "output": "", "state": "success"}
STAMP = {"id": "e", "created_at": "t"}


@pytest.mark.parametrize(
    "deep",
    [
        {"type": "TEXT_BLOCK_DELTA", "block_id": "x", "delta": "y", "metadata": {"a": 0}},
        {"type": "HINT_BLOCK", "block_id": "x", "hint": "h", "metadata": {"a": 0}},
        {"type": "REQUIRE_USER_CONFIRM", "tool_calls": [{**CALL, "a": 0}]},
        {"type": "EXTERNAL_EXECUTION_RESULT", "execution_results": [{**RESULT, "a": 0}]},
        {"type": "TOOL_RESULT_END", "tool_call_id": "c", "state": "success", "metadata": {"a": 0}},
        {"type": "CUSTOM", "name": "x", "value": {"a": 0}},
    ],
)
def test_what_is_nested_too_deeply_is_found_in_a_run_and_in_what_an_event_carries(deep):
    mine = {} if deep["type"] == "CUSTOM" else {"reply_id": "r1"}
    last = json.dumps({**deep, **STAMP, **mine}).encode().replace(b'"a": 0', b'"a": ' + DEEP)
    assert decode_plain(last)  # the quick reader takes it
    text = REPLY + line("TEXT_BLOCK_START") + line("TEXT_BLOCK_DELTA", delta="x") * 2 + last + b"\n"
    found = quick(text, [])
    assert found == plain(text)
    assert found[2][0] == "too_deep"


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_a_byte_order_mark_and_chunks_of_any_size(size):
    text = b"\xef\xbb\xbf" + json.dumps({**START, "reply_id": "r1"}).encode() + b"\r\n"
    assert quick(text, list(range(size, len(text), size))) == plain(text)
    assert len(plain(text)[0]) == 1
