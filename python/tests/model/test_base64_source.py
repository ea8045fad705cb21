"""A growing base64 source looks like any other, and costs the same however long it is."""

from __future__ import annotations

import base64
import copy
import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.message import Base64Source, DataBlock
from msgfold.model.base64_source import decode, encode


def source(data=""):
    return Base64Source(data=data, media_type="image/png")


@given(st.binary(max_size=20), st.lists(st.binary(max_size=9), max_size=8))
def test_appending_joins_bytes(start, chunks):
    grown = source(base64.b64encode(start).decode())
    for chunk in chunks:
        grown.append_base64(base64.b64encode(chunk).decode())
    assert base64.b64decode(grown.data) == start + b"".join(chunks)
    assert grown.data == base64.b64encode(start + b"".join(chunks)).decode()


@given(st.binary(max_size=40))
def test_decode_and_encode_are_the_standard_ones(raw):
    assert encode(raw) == base64.b64encode(raw).decode()
    assert decode(encode(raw)) == raw


@pytest.mark.parametrize(
    "wrong",
    [
        "Q",
        "QU",
        "QUI",
        "QR==",
        "QUJ=",
        "Q!U=",
        "bm8=cGU=",
        "_-8=",
        "QUI=\n",
        " QUI=",
        "====",
        "=QUI",
        "QUI==",
        "QQ=",
        "é",
    ],
)
def test_anything_else_is_refused_and_changes_nothing(wrong):
    grown = source("/wA=")
    with pytest.raises(ValueError, match=r"\w"):
        grown.append_base64(wrong)
    assert grown.data == "/wA="


@pytest.mark.parametrize(
    "look",
    [
        lambda s: s.data,
        lambda s: s.model_dump()["data"],
        lambda s: s.model_copy().data,
        lambda s: s.model_copy(deep=True).data,
        lambda s: copy.copy(s).data,
        lambda s: copy.deepcopy(s).data,
        lambda s: pickle.loads(pickle.dumps(s)).data,
        lambda s: dict(s)["data"],
        lambda s: Base64Source.model_validate_json(s.model_dump_json()).data,
        lambda s: DataBlock(source=s).model_dump()["source"]["data"],
        lambda s: repr(s).split("data='")[1].split("'")[0],
    ],
)
def test_whoever_looks_sees_the_whole_string_and_growth_goes_on(look):
    grown = source("/wA=")
    grown.append_base64("fw==")
    assert look(grown) == "/wB/"
    grown.append_base64("fw==")
    assert look(grown) == "/wB/fw=="
    assert grown == source("/wB/fw==")
    assert source("/wB/fw==") == grown


def test_members_keep_the_order_of_the_class():
    grown = source()
    grown.append_base64("QUJD")
    assert list(grown.model_dump()) == ["type", "data", "media_type"]


def test_data_set_from_outside_is_what_growth_goes_on_from():
    grown = source("/wA=")
    grown.append_base64("fw==")
    grown.data = "AA=="
    grown.append_base64("AA==")
    assert grown.data == "AAA="


def test_appending_costs_the_same_to_a_long_string():
    """Odd chunks, so that every one re-makes the last group."""

    def cost(start):
        grown = source(encode(b"x" * start))
        chunk = encode(b"y" * 1000)
        grown.append_base64(chunk)
        best = float("inf")
        for _ in range(5):
            started = time.process_time()
            for _ in range(300):
                grown.append_base64(chunk)
            best = min(best, time.process_time() - started)
        return best

    assert cost(30_000_000) < 6 * cost(1000)
