"""BlockList is a list in everything but the cost of finding a block."""

from __future__ import annotations

import copy
import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgfold.message import TextBlock, ThinkingBlock
from msgfold.model.block_list import BlockList


def blocks(ids):
    return [TextBlock(id=block_id, text="") for block_id in ids]


def naive(blocks, kind, block_id):
    return next((b for b in blocks if b.type == kind and b.id == block_id), None)


def test_the_first_of_two_is_found_and_kinds_are_apart():
    first, second = blocks(["a", "a"])
    thinking = ThinkingBlock(id="a", thinking="")
    found = BlockList([thinking, first, second])
    assert found.find("text", "a") is first
    assert found.find("thinking", "a") is thinking
    assert found.find("text", "b") is None


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.data())
def test_every_way_to_change_the_list_is_noticed(ids, data):
    found = BlockList(blocks(ids))
    for _ in range(6):
        found.find("text", "a")  # makes the index
        if not found:
            found.append(TextBlock(id="a", text=""))
        one = TextBlock(id=data.draw(st.sampled_from("abc")), text="")
        at = data.draw(st.integers(0, len(found) - 1))
        change = data.draw(st.sampled_from(sorted(CHANGES)))
        changed = CHANGES[change](found, at, one)
        if changed is not None:
            found = changed
        for block_id in "abc":
            assert found.find("text", block_id) is naive(found, "text", block_id), change


def _set_slice(found, at, one):
    found[at:] = [one]


def _delete(found, at, one):
    del found[at]


def _set(found, at, one):
    found[at] = one


def _iadd(found, at, one):
    found += [one]
    return found


def _imul(found, at, one):
    found *= 2
    return found


def _rename(found, at, one):
    found[at].id = one.id


CHANGES = {
    "append": lambda found, at, one: found.append(one),
    "insert": lambda found, at, one: found.insert(at, one),
    "pop": lambda found, at, one: found.pop(at) and None,
    "remove": lambda found, at, one: found.remove(found[at]),
    "clear": lambda found, at, one: found.clear(),
    "extend": lambda found, at, one: found.extend([one]),
    "reverse": lambda found, at, one: found.reverse(),
    "sort": lambda found, at, one: found.sort(key=lambda b: b.id),
    "set": _set,
    "set slice": _set_slice,
    "delete": _delete,
    "iadd": _iadd,
    "imul": _imul,
    "rename": _rename,
}


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_is_a_block_list_of_its_own(copied):
    found = BlockList(blocks("ab"))
    found.find("text", "a")
    other = copied(found)
    assert type(other) is BlockList
    assert other == found
    other.pop(0)
    assert found.find("text", "a") is found[0]
    assert other.find("text", "a") is None


def test_finding_costs_the_same_in_a_long_list():
    def cost(length):
        found = BlockList(blocks(str(n) for n in range(length)))
        found.find("text", "0")
        wanted = str(length - 1)
        best = float("inf")
        for _ in range(5):
            started = time.process_time()
            for _ in range(2000):
                found.find("text", wanted)
            best = min(best, time.process_time() - started)
        return best

    assert cost(20_000) < 5 * cost(20)
