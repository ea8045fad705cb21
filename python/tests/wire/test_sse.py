"""Event streams, rule by rule of ``wire.sse.*``, and whatever the cuts."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.wire import SseDecoder, is_foreign
from msgfold.wire.decode import EVENT_TYPES


def decode(*chunks):
    decoder = SseDecoder()
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    more, tail = decoder.close()
    return [*frames, *more], tail, decoder


def data(*chunks):
    return [frame.data for frame in decode(*chunks)[0]]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        pytest.param(b"data: a\n\ndata:b\n\ndata:  c\n\n", [b"a", b"b", b" c"], id="space"),
        pytest.param(b"data: a\r\n\r\ndata: b\r\rdata: c\n\n", [b"a", b"b", b"c"], id="line-end"),
        pytest.param(b"data: a\r\ndata: b\n\r\n", [b"a\nb"], id="multi-line, mixed ends"),
        pytest.param(b"\xef\xbb\xbfdata: a\n\n", [b"a"], id="bom"),
        pytest.param(
            b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\ndata: \xef\xbb\xbfb\n\n",
            [b"\xef\xbb\xbfb"],
            id="two boms",
        ),
        pytest.param(b": hb\n\n:\n\ndata: a\n\n", [b"a"], id="comment"),
        pytest.param(b"data: a\ndata\ndata: b\n\n", [b"a\n\nb"], id="data without a colon"),
        pytest.param(b"data: \n\ndata\n\nid: 7\n\n\n\n", [], id="empty-data"),
        pytest.param(b"data: [DONE]\n\ndata: a\n\n", [b"a"], id="done"),
        pytest.param(b"dat: x\nDATA: y\nfoo\ndata: a\n\n", [b"a"], id="unknown-field"),
        pytest.param(
            b'data: {"a":"\xf0\x9f\x98\x80"}\n\n', [b'{"a":"\xf0\x9f\x98\x80"}'], id="utf-8"
        ),
    ],
)
def test_frames(stream, expected):
    assert data(stream) == expected
    assert data(*(stream[n : n + 1] for n in range(len(stream)))) == expected


def test_ids_and_retry():
    seen = []
    decoder = SseDecoder()
    for chunk in (
        b"id: 7\nretry: 1500\ndata:\n\n",
        b"id: 8\n\n",
        b": ping\n\n",
        b"event: ping\ndata: {}\n\n",
        b"id: 9\ndata: {}\n\n",
        b"id\ndata: \n\n",
        b"id: a\0b\n\n",
    ):
        decoder.feed(chunk)
        seen.append(decoder.last_event_id)
    assert seen == ["7", "8", "8", "8", "9", "", ""]
    assert decoder.retry_ms == 1500


@pytest.mark.parametrize("value", [b"1e3", b"-1", b"", b"1500ms", b"\xef\xbc\x91"])
def test_a_retry_that_is_not_all_digits_is_ignored(value):
    assert decode(b"retry: " + value + b"\n\n")[2].retry_ms is None


def test_a_retry_may_have_any_number_of_digits():
    assert decode(b"retry: 1" + b"0" * 5000 + b"\n\n")[2].retry_ms == 10**5000


def test_an_id_that_is_not_utf8_is_mended():
    assert decode(b"id: a\xffb\ndata: x\n\n")[0][0].last_event_id == "a\ufffdb"


def test_data_that_is_not_utf8_is_left_to_the_reader_of_json():
    assert data(b'data: "\xff"\n\n') == [b'"\xff"']


def test_an_id_takes_effect_with_its_frame():
    frames, _, decoder = decode(b"id: 1\ndata: a\n\nid: 2\ndata: b\n")
    assert [frame.last_event_id for frame in frames] == ["1"]
    assert decoder.last_event_id == "1"


def test_a_frame_that_names_another_event_is_foreign():
    frames, _, _ = decode(
        b"event: ping\ndata: {}\n\nevent: message\ndata: {}\n\n"
        b"event: TEXT_BLOCK_DELTA\ndata: {}\n\ndata: {}\n\n"
    )
    assert [is_foreign(frame, EVENT_TYPES) for frame in frames] == [True, False, False, False]


@pytest.mark.parametrize(
    ("end", "pending"),
    [
        (b"data: {}\n", b"data: {}"),
        (b"data: {}", b"data: {}"),
        (b"data: {", b"data: {"),
        (b"id: 1\ndata: x\nda", b"id: 1\ndata: x\nda"),
        (b": c\ndata: x\n: d\n: e", b"data: x"),
    ],
)
def test_a_frame_without_its_blank_line_is_discarded_and_reported(end, pending):
    frames, tail, _ = decode(b"data: a\n\n" + end)
    assert [frame.data for frame in frames] == [b"a"]
    assert tail is not None
    assert (tail.pending, tail.line) == (pending, 3 + end.count(b"\n", 0, end.index(b"data")))


def test_a_cut_off_frame_without_data_stands_where_it_begins():
    _, tail, _ = decode(b"data: a\n\nid: 1\nevent: x\nda")
    assert tail is not None
    assert (tail.pending, tail.line) == (b"id: 1\nevent: x\nda", 3)


def test_a_stream_of_nothing_but_comments_does_not_fill_memory():
    decoder = SseDecoder()
    heartbeats = b": still here\n" * 1000
    decoder.feed(heartbeats)
    tracemalloc.start()
    try:
        for _ in range(100):
            assert decoder.feed(heartbeats) == []
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 3 * len(heartbeats)
    assert decoder.close() == ([], None)


@pytest.mark.parametrize("end", [b"", b": bye", b": bye\n", b"\n\n", b"id: 3\n", b"\r"])
def test_an_end_that_loses_no_data_is_not_reported(end):
    assert decode(b"data: a\n\n" + end)[1] is None


def test_lines_are_counted_whatever_ends_them():
    frames, _, _ = decode(b": c\r\n\r\ndata: a\r\rid: 1\ndata: b\ndata: c\n\n")
    assert [frame.line for frame in frames] == [3, 6]


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param(
            b'data: {"type":"TEXT_BLOCK_DELTA",\r\ndata: "reply_id":"r1","delta":"x"}\r\n\r\n',
            id="line-end: CR LF",
        ),
        pytest.param(
            b'data: {"type":"TEXT_BLOCK_DELTA",\rdata: "reply_id":"r1","delta":"x"}\r\r',
            id="line-end: CR",
        ),
        pytest.param(
            b'data: {"type":"TEXT_BLOCK_DELTA",\ndata: "reply_id":"r1","delta":"x"}\r\n\r',
            id="line-end: mixed",
        ),
        pytest.param(
            b'\xef\xbb\xbfdata: {"type":"TEXT_BLOCK_DELTA",\r'
            b'data: "reply_id":"r1","delta":"x"}\n\n',
            id="bom",
        ),
    ],
)
def test_one_event_wherever_its_bytes_are_cut_in_three(stream):
    expected = [b'{"type":"TEXT_BLOCK_DELTA",\n"reply_id":"r1","delta":"x"}']
    for first in range(len(stream) + 1):
        for second in range(first, len(stream) + 1):
            assert data(stream[:first], stream[first:second], stream[second:]) == expected


def test_two_events_and_part_of_the_end_mark_in_one_chunk():
    assert data(b': hb\n\ndata:{"a":1}\n\ndata:  {"b":2}\n\nda', b"ta: [DONE]\n\n") == [
        b'{"a":1}',
        b' {"b":2}',
    ]


LINE = st.sampled_from(
    [
        b"data: a",
        b"data:",
        b"data: \xc3\xa9",
        b"",
        b"",
        b": c",
        b"id: 1",
        b"id",
        b"event: x",
        b"retry: 5",
        b"x",
    ]
)


@given(st.lists(st.tuples(LINE, st.sampled_from([b"\n", b"\r", b"\r\n"]))), st.data())
def test_where_the_bytes_are_cut_changes_nothing(lines, data):
    stream = b"".join(part for line in lines for part in line)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)))))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    one, many = decode(stream), decode(*chunks)
    assert one[:2] == many[:2]
    assert (one[2].last_event_id, one[2].retry_ms) == (many[2].last_event_id, many[2].retry_ms)


@given(st.lists(st.binary(max_size=20)))
def test_no_bytes_break_the_decoder(chunks):
    decode(*chunks)


def test_a_long_line_in_small_chunks_costs_no_more_than_its_length():
    def cost(size):
        line = b"data: " + b"x" * size + b"\n\n"
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            decode(*(line[n : n + 64] for n in range(0, len(line), 64)))
            best = min(best, time.process_time() - started)
        return best

    assert cost(2 << 20) < 8 * cost(1 << 19)
