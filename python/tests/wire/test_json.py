"""Strict JSON, rule by rule of ``wire.json.*``."""

from __future__ import annotations

import json as stdlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.errors import InvalidJsonError, MsgfoldError, TooDeepError
from msgfold.wire import json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_dumps_and_loads_are_inverse(value):
    text = json.dumps(value)
    assert json.loads(text) == value
    assert json.dumps(json.loads(text)) == text


@given(st.binary(max_size=50))
def test_no_bytes_end_in_anything_but_a_typed_error(text):
    with suppress(MsgfoldError):
        json.loads(text)


@given(VALUES)
def test_what_the_standard_library_reads_reads_the_same(value):
    text = stdlib.dumps(value)
    assert json.loads(text) == stdlib.loads(text)


@pytest.mark.parametrize(
    ("text", "pointer", "reason"),
    [
        ('{"a":{"b":1,"b":2}}', "/a/b", "came twice"),
        ('[{"x/y~":1,"x/y~":1}]', "/0/x~1y~0", "came twice"),
        ('{"a":"\\ud800"}', "/a", "lone surrogate"),
        ('{"a":["x","\\udc00\\ud800"]}', "/a/1", "lone surrogate"),
        ('{"\\ud800":1}', "/\\ud800", "lone surrogate"),
        ('{"a":NaN}', "/a", "not finite"),
        ("[1,-Infinity]", "/1", "not finite"),
        ('{"a":{"e":1e400}}', "/a/e", "not finite"),
    ],
)
def test_a_fault_of_the_value_has_a_pointer(text, pointer, reason):
    with pytest.raises(InvalidJsonError, match=reason) as caught:
        json.loads(text)
    assert caught.value.place.pointer == pointer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a":\n  oops}', "line 2, column 3"),
        (b"", "not JSON"),
        (b"{} {}", "Extra data"),
        (b'{"a":"\xff"}', "not UTF-8: byte 0xff at offset 6"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":01}', "not JSON"),
        (b'"\n"', "not JSON"),
    ],
)
def test_text_that_cannot_be_read_says_where(text, reason):
    with pytest.raises(InvalidJsonError, match=reason):
        json.loads(text)


def test_every_fault_is_found():
    value, found = json.faults('{"a":NaN,"a":"\\ud800","b":[1e999]}')
    assert [str(fault.place.pointer) for fault in found] == ["/a", "/a", "/b/0"]
    assert value["b"] == [float("inf")]


def test_numbers_keep_their_spelling():
    huge = "9" * 5000
    assert json.dumps(json.loads(f"[1,1.0,-0.0,9007199254740993,{huge}]")) == (
        f"[1,1.0,-0.0,9007199254740993,{huge}]".encode()
    )


def nested(depth, leaf="1"):
    return '{"k":' * (depth - 1) + f"[{leaf}]" + "}" * (depth - 1)


@pytest.mark.parametrize("read", [json.loads, lambda text: json.loads(text.encode())])
def test_depth_has_one_limit(read):
    assert read(nested(json.MAX_DEPTH))
    for depth in (json.MAX_DEPTH + 1, 3000, 100_000):
        with pytest.raises(TooDeepError):
            read(nested(depth))


def test_brackets_in_strings_are_not_nesting():
    text = nested(json.MAX_DEPTH, leaf=stdlib.dumps('[{"\\' * 300))
    json.check_depth(text.encode())
    assert json.loads(text)


def test_dumps_refuses_what_text_cannot_hold():
    deep: object = 1
    for _ in range(json.MAX_DEPTH + 1):
        deep = [deep]
    with pytest.raises(TooDeepError):
        json.dumps(deep)
    for wrong in (float("nan"), ["\ud800"], {"a": float("inf")}):
        with pytest.raises(InvalidJsonError):
            json.dumps(wrong)
