"""NDJSON and whole documents, rule by rule of ``wire.ndjson.*`` and ``wire.document``."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.errors import InvalidInputError, InvalidJsonError, MsgfoldError, TooDeepError
from msgfold.wire import DocumentDecoder, NdjsonDecoder, decoder_for, read_frames, sniff


def decode(decoder, *chunks):
    frames = [frame for chunk in chunks for frame in decoder.feed(chunk)]
    more, tail = decoder.close()
    return [(frame.line, frame.data) for frame in [*frames, *more]], tail


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        pytest.param(b'{"a":1}\n{"b":2}\n', [(1, b'{"a":1}'), (2, b'{"b":2}')], id="line"),
        pytest.param(
            b'{"a":1}\r\n\r\n \t\n{"b":2}\n', [(1, b'{"a":1}\r'), (4, b'{"b":2}')], id="blank"
        ),
        pytest.param(b'\xef\xbb\xbf{"a":1}\n', [(1, b'{"a":1}')], id="bom"),
        pytest.param(b'{"a":1}\n{"b":2}', [(1, b'{"a":1}'), (2, b'{"b":2}')], id="last-line"),
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


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b'[{"a":1},]', InvalidJsonError),
        (b'[{"a":1}', InvalidJsonError),
        (b'[{"a":1}] x', InvalidJsonError),
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
