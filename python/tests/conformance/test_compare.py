"""What counts as equal, and what does not."""

from __future__ import annotations

import pytest
from msgfold.conformance.compare import ABSENT, Difference, differences

TEXT = {"type": "text", "text": "a", "id": "b"}
DATA = {
    "type": "data",
    "id": "d",
    "source": {"type": "url", "url": "https://x.example", "media_type": "image/png"},
    "name": None,
}


def msg(*blocks, **members):
    return {
        "name": "n",
        "content": list(blocks),
        "role": "assistant",
        "id": "r",
        "metadata": {},
    } | members


def paths(expected, got, volatile=()):
    return [d.pointer for d in differences(expected, got, "Msg", volatile)]


def test_null_and_absent_are_equal_where_the_schema_allows_null_and_only_there():
    without_name = {k: v for k, v in DATA.items() if k != "name"}
    assert paths(msg(DATA), msg(without_name)) == []
    assert paths(msg(finished_at=None), msg()) == []
    assert paths(msg(metadata={"k": None}), msg(metadata={})) == ["/metadata/k"]
    assert differences(msg(created_at="t"), msg(), "Msg") == [
        Difference("/created_at", "t", ABSENT)
    ]


@pytest.mark.parametrize(
    ("expected", "got"),
    [(1, 1.0), (1.0, 1), (0.0, -0.0), (True, 1), (2**53, float(2**53)), (None, 0)],
)
def test_numbers_that_are_written_differently_are_different(expected, got):
    assert paths(msg(metadata={"k": expected}), msg(metadata={"k": got})) == ["/metadata/k"]


def test_urls_are_equal_when_their_whatwg_forms_are():
    slash = {**DATA, "source": {**DATA["source"], "url": "https://x.example/"}}
    other = {**DATA, "source": {**DATA["source"], "url": "https://x.example/a"}}
    assert paths(msg(DATA), msg(slash)) == []
    assert paths(msg(DATA), msg(other)) == ["/content/0/source/url"]
    # Only where the schema says that it is a URL.
    assert paths(
        msg(metadata={"u": "https://x.example"}), msg(metadata={"u": "https://x.example/"})
    ) == ["/metadata/u"]


def test_chosen_ids_may_be_any_but_different_from_each_other_and_from_given_ones():
    two = msg(TEXT, {**TEXT, "id": "c"}, {**TEXT, "id": "given"})
    chosen = ("/content/0/id", "/content/1/id")
    assert (
        paths(two, msg({**TEXT, "id": "x"}, {**TEXT, "id": "y"}, {**TEXT, "id": "given"}), chosen)
        == []
    )
    assert paths(
        two, msg({**TEXT, "id": "x"}, {**TEXT, "id": "x"}, {**TEXT, "id": "given"}), chosen
    ) == ["/content/1/id"]
    assert paths(
        two, msg({**TEXT, "id": "given"}, {**TEXT, "id": "y"}, {**TEXT, "id": "given"}), chosen
    ) == ["/content/0/id"]
    assert paths(
        two, msg({**TEXT, "id": 7}, {**TEXT, "id": "y"}, {**TEXT, "id": "given"}), chosen
    ) == ["/content/0/id"]


def test_lists_of_other_lengths_and_extra_members_are_differences():
    assert paths(msg(TEXT), msg()) == ["/content/0"]
    assert paths(msg(), msg(TEXT)) == ["/content/0"]
    assert paths(msg(TEXT), msg({**TEXT, "more": 1})) == ["/content/0/more"]


@pytest.mark.parametrize(
    ("expected", "got"),
    [(1.0, 1), (2**53 + 1, 2.0**53), (-0.0, -0.0), (10**400, 10**400), ([1.0], [1])],
)
def test_numbers_are_compared_as_doubles_for_one_that_has_no_others(expected, got):
    assert differences({"a": expected}, {"a": got}, "", exact=False) == []


@pytest.mark.parametrize(("expected", "got"), [(1, 2), (1, True), (1, "1"), (0.0, -0.0)])
def test_as_doubles_too_what_is_different_is(expected, got):
    assert differences({"a": expected}, {"a": got}, "", exact=False) != []
