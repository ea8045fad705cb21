"""What an event costs does not depend on how long the Msg is, nor on who looks at it meanwhile.

Costs are compared within one run, the quickest of several; quadratic work would be tenfold here.
"""

from __future__ import annotations

import base64
import copy
import json
import time

import pytest
from msgfold.fold import NdjsonFolder

STAMPS = {"id": "e", "created_at": "t", "reply_id": "r1"}
BATCHES = 16
SLACK = 4


def line(kind, **members):
    return json.dumps({"type": kind, **STAMPS, **members}).encode() + b"\n"


START = line("REPLY_START", session_id="s", name="n")
DATA = {"block_id": "b", "media_type": "image/png"}
CALL = {"tool_call_id": "c", "tool_call_name": "n"}
CHUNK = base64.b64encode(bytes(4000)).decode()

STREAMS = {
    "text": (
        line("TEXT_BLOCK_START", block_id="b"),
        line("TEXT_BLOCK_DELTA", block_id="b", delta="some words ") * 5000,
    ),
    "late wide": (
        line("TEXT_BLOCK_START", block_id="b"),
        line("TEXT_BLOCK_DELTA", block_id="b", delta="some 字 words ") * 5000,
    ),
    "result": (
        line("TOOL_RESULT_START", **CALL),
        line("TOOL_RESULT_TEXT_DELTA", tool_call_id="c", delta="some words ") * 5000,
    ),
    "data": (
        line("DATA_BLOCK_START", **DATA),
        line("DATA_BLOCK_DELTA", **DATA, data=CHUNK) * 300,
    ),
}
LOOKS = {
    "dump": lambda msg: msg.model_dump(),
    "dump json": lambda msg: msg.model_dump_json(),
    "deepcopy": copy.deepcopy,
    "held": lambda msg: [vars(block).copy() for block in msg.content],
}


def seconds(opening, batch, look):
    """For each batch, the time of feeding it; the looks between them are not counted."""
    folder = NdjsonFolder()
    folder.feed_chunk(START + opening)
    found, held = [], None
    for _ in range(BATCHES):
        started = time.process_time()
        folder.feed_chunk(batch)
        found.append(time.process_time() - started)
        held = look(folder.msgs[0])
    assert held is not None
    return found


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("stream", STREAMS)
def test_looking_at_a_growing_msg_does_not_slow_its_fold(stream, look):
    runs = [seconds(*STREAMS[stream], LOOKS[look]) for _ in range(3)]
    quickest = [min(times) for times in zip(*runs, strict=True)]
    early, late = min(quickest[1:5]), min(quickest[-4:])
    assert late < SLACK * early, quickest
