"""Strict JSON, rule by rule of ``wire.json.*``."""

from __future__ import annotations

import json as stdlib
import sys
import threading
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.errors import InvalidJsonError, MsgfoldError, TooDeepError
from msgfold.fold import Folder
from msgfold.message import AssistantMsg
from msgfold.validate import validate_text
from msgfold.wire import json
from msgfold.wire.decode import parse_event

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


TOKENS = st.lists(
    st.sampled_from(
        [
            *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b'"a"', b'"a":', b'"\\ud800"'),
            *(b"NaN", b"-Infinity", b"1e400", b"9" * 4301, b"-0.0", b"tru", b"null", b" \n"),
            *(b"\xff", b"[" * 300),
        ]
    ),
    max_size=12,
)


@given(TOKENS)
def test_no_tokens_end_in_anything_but_a_typed_error(tokens):
    text = b"".join(tokens)
    value, found = json.faults(text)
    for fault in found:
        str(fault).encode()  # can be printed, whatever it quotes
    if found:
        with pytest.raises(type(found[0])):
            json.loads(text)
    else:
        assert json.loads(json.dumps(value)) == value


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
        ('{"\\ud800":1,"\\ud800":2}', "/\\ud800", "came twice"),
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


def test_long_integers_leave_the_process_as_it_was():
    """The limit of ``sys.set_int_max_str_digits`` belongs to all threads."""
    text, limit = "[" + ",".join(["-" + "9" * 4400] * 20) + "]", sys.get_int_max_str_digits()
    failed = []

    def read():
        for _ in range(20):
            try:
                assert json.dumps(json.loads(text)) == text.encode()
            except Exception as error:
                failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failed
    assert sys.get_int_max_str_digits() == limit


def test_many_members_with_one_twice_cost_no_more_than_their_number():
    def cost(count):
        text = "{" + ",".join(f'"k{n}":1' for n in range(count)) + ',"k0":2}'
        started = time.process_time()
        _, found = json.faults(text)
        assert [fault.place.pointer for fault in found] == ["/k0"]
        return time.process_time() - started

    assert min(cost(8000) for _ in range(3)) < 8 * min(cost(2000) for _ in range(3))


def test_a_fault_below_a_lone_surrogate_can_be_printed():
    _, found = json.faults('{"\\ud800":{"a":NaN}}')
    assert [fault.place.pointer for fault in found] == ["/\\ud800", "/\\ud800/a"]
    assert [str(fault).encode() for fault in found]


@given(VALUES)
def test_dumps_writes_as_a_model_does(value):
    msg = AssistantMsg(name="a", content=[], metadata={"v": value})
    assert b'"metadata":{"v":' + json.dumps(value) + b"}" in msg.model_dump_json().encode()


@pytest.mark.parametrize("value", [1e16, 1e-7, 1e22, -0.0, 5e-324, "\x7f\u2028\x1f/é", 10**40])
def test_dumps_keeps_what_it_is_given(value):
    back = json.loads(json.dumps(value))
    assert (type(back), repr(back)) == (type(value), repr(value))


def nested(depth, leaf="1"):
    return '{"k":' * (depth - 1) + f"[{leaf}]" + "}" * (depth - 1)


@pytest.mark.parametrize("read", [json.loads, lambda text: json.loads(text.encode())])
def test_depth_has_one_limit(read):
    assert read(nested(json.MAX_DEPTH))
    for depth in (json.MAX_DEPTH + 1, 3000, 100_000):
        with pytest.raises(TooDeepError):
            read(nested(depth))


def test_depth_of_short_text_and_scalars_is_fine():
    assert json.loads("1") == 1
    json.check_depth(b"[" * json.MAX_DEPTH)
    with pytest.raises(TooDeepError):
        json.check_depth(b"[" * (2 * json.MAX_DEPTH + 1))


def test_depth_is_checked_in_time_linear_in_the_text():
    def cost(size):
        text = b'{"a":"' + b"[\\n" * size + b'"}'
        started = time.process_time()
        json.check_depth(text)
        return time.process_time() - started

    assert min(cost(400_000) for _ in range(3)) < 8 * min(cost(100_000) for _ in range(3))


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
    for _ in range(5000):
        deep = (deep,)
    with pytest.raises(TooDeepError):
        json.dumps(deep)


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        (float("nan"), ""),
        (["\ud800"], "/0"),
        ({"a": float("inf")}, "/a"),
        ([(float("nan"),)], "/0/0"),
        ({"a": {"b": object()}}, "/a/b"),
        ([b"x"], "/0"),
        ([{1, 2}], "/0"),
        ({"a": {1: "x", "1": "y"}}, "/a"),
    ],
)
def test_dumps_refuses_what_is_not_json_and_says_where(wrong, pointer):
    with pytest.raises(InvalidJsonError) as caught:
        json.dumps(wrong)
    assert caught.value.place.pointer == pointer


@pytest.mark.parametrize("member", [b'"delta":', b'"delta":"x","metadata":'])
def test_a_very_long_integer_in_the_wrong_place_is_a_typed_error(member):
    head = b'{"type":"TEXT_BLOCK_DELTA","id":"e","created_at":"t","reply_id":"r","block_id":"b",'
    text = head + member + b"9" * 5000 + b"}"
    assert validate_text(text, "AgentEvent")
    for read in (parse_event, Folder().feed_text):
        with pytest.raises(MsgfoldError) as caught:
            read(text)
        assert str(caught.value)


def test_a_very_long_integer_for_a_type_is_a_fault():
    assert validate_text(b'{"type":' + b"9" * 5000 + b"}", "AgentEvent")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a":}', "Expecting value (column 6)"),
        (b'{"a":1,\n"b":}\n', "Expecting value (line 2, column 5)"),
        (b'{"a":"\x00"}', "Invalid control character (column 7)"),
        (b"{}\n{}", "Extra data (line 2, column 1)"),
    ],
)
def test_a_line_is_named_only_where_there_are_several(text, said):
    with pytest.raises(InvalidJsonError) as caught:
        json.loads(text)
    assert caught.value.reason == f"not JSON: {said}"


def test_what_came_is_quoted_once():
    with pytest.raises(InvalidJsonError) as caught:
        json.loads(b"{}\n{}")
    assert caught.value.got == repr("{}\n{}")
