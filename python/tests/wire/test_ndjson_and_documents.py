"""NDJSON and whole documents, rule by rule of ``wire.ndjson.*`` and ``wire.document``."""

from __future__ import annotations

import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.errors import InvalidInputError, InvalidJsonError, MsgfoldError, TooDeepError
from msgfold.wire import DocumentDecoder, NdjsonDecoder, decoder_for, read_frames, sniff
from msgfold.wire import json as strict


def decode(decoder, *chunks):
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    more, tail = decoder.close()
    return [(frame.line, frame.data) for frame in [*frames, *more]], tail


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        pytest.param(b'{"a":1}\n{"b":2}\n', [(1, b'{"a":1}'), (2, b'{"b":2}')], id="line"),
        pytest.param(
            b'{"a":1}\r\n\r\n \t\n{"b":2}\n', [(1, b'{"a":1}'), (4, b'{"b":2}')], id="blank"
        ),
        pytest.param(b'\xef\xbb\xbf{"a":1}\n', [(1, b'{"a":1}')], id="bom"),
        pytest.param(b'{"a":1}\n{"b":2}', [(1, b'{"a":1}'), (2, b'{"b":2}')], id="last-line"),
        pytest.param(b'{"a":1}\r\n{"b":2}\r', [(1, b'{"a":1}'), (2, b'{"b":2}')], id="cr at end"),
        pytest.param(b'{"a":NaN}', [(1, b'{"a":NaN}')], id="a fault inside is no cut"),
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"\xef\xbb", [], id="half a bom"),
    ],
)
def test_ndjson(stream, expected):
    whole = decode(NdjsonDecoder(), stream)
    assert whole[0] == expected
    assert decode(NdjsonDecoder(), *(stream[n : n + 1] for n in range(len(stream)))) == whole


@pytest.mark.parametrize("rest", [b'{"a":', b'{"a":"\xf0\x9f', b"{", b'{"a":1'])
def test_a_last_line_that_is_cut_off_is_reported(rest):
    frames, tail = decode(NdjsonDecoder(), b'{"x":0}\n' + rest)
    assert frames == [(1, b'{"x":0}')]
    assert tail is not None
    assert (tail.line, tail.pending) == (2, rest)


@given(st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2)), st.data())
def test_ndjson_comes_back_whatever_the_cuts(values, data):
    stream = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)))))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    frames = read_frames(chunks, NdjsonDecoder(), pytest.fail)
    assert [json.loads(frame.data) for frame in frames] == values


NDJSON_PIECE = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b'{"a":1}', b'{"a":"\xc3\xa9"}', b" ", b"\xef\xbb\xbf", b'{"a', b"\xff"]
)


@given(st.lists(NDJSON_PIECE, max_size=12), st.sampled_from(["ndjson", "json"]), st.data())
def test_where_the_bytes_are_cut_changes_nothing(pieces, format, data):
    stream = b"".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)))))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    def outcome(*chunks):
        try:
            return decode(decoder_for(format), *chunks)
        except MsgfoldError as error:
            return str(error)

    assert outcome(*chunks) == outcome(stream)


@pytest.mark.parametrize("format", ["ndjson", "json"])
def test_a_long_line_in_small_chunks_costs_no_more_than_its_length(format):
    def cost(size):
        line = b'{"a":"' + b"x" * size + b'"}\n'
        started = time.process_time()
        frames, _ = decode(
            decoder_for(format), *(line[n : n + 64] for n in range(0, len(line), 64))
        )
        assert len(frames) == 1
        return time.process_time() - started

    # Of its own time, and the best of many: other programs take caches and turns away.
    assert min(cost(2 << 20) for _ in range(9)) < 10 * min(cost(1 << 19) for _ in range(9))


def test_a_document_gives_its_elements_in_their_own_spelling():
    text = b'\xef\xbb\xbf[\n  {"a": 1.0, "b": 12345678901234567890123},\n\n  {"c": "]"}\n, {}]\n'
    assert decode(DocumentDecoder(), text[:9], text[9:])[0] == [
        (2, b'{"a": 1.0, "b": 12345678901234567890123}'),
        (4, b'{"c": "]"}'),
        (5, b"{}"),
    ]
    assert decode(DocumentDecoder(), b' {"a":\n1} ')[0] == [(1, b'{"a":\n1}')]
    assert decode(DocumentDecoder(), b"[]")[0] == []
    assert decode(DocumentDecoder(), b" \n")[0] == []
    huge = b"9" * 5000
    assert decode(DocumentDecoder(), b"[" + huge + b"]")[0] == [(1, huge)]


def test_what_is_wrong_inside_an_event_is_left_to_its_reader():
    text = b'[{"a":1},\n{"b":1,"b":2},\n"\\ud800", NaN]'
    assert decode(DocumentDecoder(), text)[0] == [
        (1, b'{"a":1}'),
        (2, b'{"b":1,"b":2}'),
        (3, b'"\\ud800"'),
        (3, b"NaN"),
    ]


def test_depth_is_that_of_the_event_whatever_the_framing():
    for depth, fits in ((128, True), (129, False)):
        event = b'{"k":' * depth + b"1" + b"}" * depth
        for framing, text in (
            ("ndjson", event + b"\n"),
            ("json", event),
            ("json", b"[%b]" % event),
        ):
            try:
                frames, _ = decode(decoder_for(framing), text)
                strict.loads(frames[0][1])
            except TooDeepError:
                assert not fits, (framing, depth)
            else:
                assert fits, (framing, depth)


@given(st.lists(st.dictionaries(st.text(max_size=3), st.floats() | st.integers(), max_size=2)))
def test_a_list_comes_back_element_by_element(values):
    texts = [json.dumps(value).encode() for value in values]
    frames, tail = decode(DocumentDecoder(), b" [ " + b" ,\n".join(texts) + b"\r\n]\t")
    assert frames == list(enumerate(texts, 1))
    assert tail is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b'[{"a":1},\n{"b":}]', 2),
        (b'[{"a":1}\n\n{"b":1}]', 3),
        (b"[{}\n]\n x", 3),
        (b'{}\n{"a":1}', 2),
        (b"[{},\n", 2),
        (b'[{"a":\n"\xff"}]', 2),
    ],
)
def test_a_broken_document_says_on_which_line(text, line):
    with pytest.raises(InvalidJsonError) as caught:
        decode(DocumentDecoder(), text)
    assert caught.value.place.line == line


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b'[{"a":1},]', InvalidJsonError),
        (b'[{"a":1}', InvalidJsonError),
        (b'[{"a":1}] x', InvalidJsonError),
        (b"[,]", InvalidJsonError),
        (b"[] ]", InvalidJsonError),
        (b"{} {}", InvalidJsonError),
        (b"[", InvalidJsonError),
        (b"\xef\xbb\xbf\xef\xbb\xbf[]", InvalidJsonError),
        (b"[" * 100_000, TooDeepError),
        (b"[" * 200 + b"]" * 200, TooDeepError),
        (b'[{"a":"\xff"}]', InvalidJsonError),
    ],
)
def test_a_broken_document_is_a_typed_error(text, error):
    with pytest.raises(error):
        decode(DocumentDecoder(), text)


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b'{"a":1}\n{"b"', None, "ndjson"),
        (b'{"a":1}', "x.json", "ndjson"),
        (b'\xef\xbb\xbf\n {"a":1}\n', None, "ndjson"),
        (b"{oops}\n{}\n", None, "ndjson"),
        (b'{\n "a": 1\n}', None, "json"),
        (b'{"a": [\n1]}', "x.ndjson", "json"),
        (b'{"a":{"b":1}\n,"c":2}', None, "json"),
        (b'{"a":[{"b":1}\n]}', "x.ndjson", "json"),
        (b'{"a":"}"}\n{}\n', "x.json", "ndjson"),
        (b'[\n{"a":1}', None, "json"),
        (b"data: {}\n\n", None, "sse"),
        (b": hb\n\ndata: {}", "x.ndjson", "sse"),
        (b"event: x\r\ndata", None, "sse"),
        (b"retry:1\r", None, "sse"),
        (b"id\n", None, "sse"),
        (b"", "x.sse", "sse"),
        (b"", None, "ndjson"),
        (b'{"type":"TEXT', "x.json", "json"),
        (b'{"type":"TEXT', None, "ndjson"),
    ],
)
def test_sniff(head, name, expected):
    assert sniff(head, name) == expected
    assert decoder_for(expected) is not decoder_for(expected)


@pytest.mark.parametrize("head", [b"hello\n", b"<html>", b"\x89PNG\r\n", b"dat: x\n"])
def test_what_cannot_be_told_is_said(head):
    with pytest.raises(InvalidInputError, match="--format"):
        sniff(head, None)


@given(st.binary(max_size=60), st.sampled_from(["ndjson", "sse", "json"]))
def test_no_bytes_end_in_anything_but_a_typed_error(stream, format):
    decoder = decoder_for(format)
    try:
        decoder.feed(stream)
        decoder.close()
        sniff(stream)
    except MsgfoldError:
        pass


@pytest.mark.parametrize(
    ("head", "hint"),
    [
        (gzip.compress(b"{}"), "gzip"),
        ('{"type":"CUSTOM"}'.encode("utf-16"), "UTF-16"),
        ('{"type":"CUSTOM"}'.encode("utf-16-le"), "no UTF-8"),
        ('{"type":"CUSTOM"}'.encode("utf-32-be"), "no UTF-8"),
        (b"hello", "--format"),
    ],
)
def test_sniff_says_what_to_do_with_what_is_no_text(head, hint):
    with pytest.raises(InvalidInputError, match=hint):
        sniff(head)
