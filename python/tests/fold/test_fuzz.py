"""Whatever comes over the wire ends in a typed error or in a Msg that can be read back."""

from __future__ import annotations

import json
from contextlib import suppress

import msgfold
from hypothesis import given, settings
from hypothesis import strategies as st
from msgfold.errors import MsgfoldError
from msgfold.validate import validate_stream
from streams import STREAM

ODD = st.sampled_from(
    [
        *(None, True, 1, 1.5, 10**30, "", "x", [], {}, [None], [{}], [[]], {"type": 1}),
        *([{"type": "text"}], [{"type": "data", "source": {}}], [{"id": "a"}], {"type": "base64"}),
    ]
)
START = {"type": "REPLY_START", "id": "e", "created_at": "t", "session_id": "s", "reply_id": "r1"}


@st.composite
def broken_streams(draw):
    """Lines of events of which some members were replaced and some bytes were changed."""
    lines = [json.dumps({**START, "name": "n"}).encode()]
    for event in draw(STREAM):
        if draw(st.booleans()):
            event = {**event, draw(st.sampled_from(sorted(event))): draw(ODD)}
        line = bytearray(json.dumps(event).encode())
        if draw(st.integers(0, 3)) == 0:
            at = draw(st.integers(0, len(line)))
            line[at : at + draw(st.integers(0, 9))] = draw(st.binary(max_size=4))
        lines.append(bytes(line).replace(b"\n", b" "))
    return lines


@settings(max_examples=300)
@given(broken_streams(), st.sampled_from(["raise", "skip"]))
def test_nothing_but_typed_errors_and_readable_msgs(lines, errors):
    folder = msgfold.Folder(errors=errors, on_diagnostic=str)
    for number, line in enumerate(lines, 1):
        with suppress(MsgfoldError):
            folder.feed_text(line, line=number)
    for msg in folder.close():
        text = msg.model_dump_json()
        assert msgfold.parse_msg(text).model_dump_json() == text


@settings(max_examples=150)
@given(broken_streams())
def test_validation_tells_faults_and_never_fails(lines):
    for fault in validate_stream([b"\n".join(lines)], "ndjson", strict=True):
        assert fault.to_json()["code"]
        assert str(fault)


@given(broken_streams())
def test_what_the_fold_refuses_validation_reports(lines):
    refused = []
    folder = msgfold.Folder(
        errors="skip",
        on_diagnostic=lambda d: refused.append(d) if d.code in set(msgfold.ErrorCode) else None,
    )
    for number, line in enumerate(lines, 1):
        folder.feed_text(line, line=number)
    faulty = {fault.place.line for fault in validate_stream([b"\n".join(lines)], "ndjson")}
    assert {report.place.line for report in refused} <= faulty | {len(lines)}
