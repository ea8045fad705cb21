"""Laws of the fold: what holds for every stream, whatever is in it."""

from __future__ import annotations

import base64
import copy
import pickle
from typing import Any

import msgfold
from hypothesis import given, settings
from hypothesis import strategies as st
from msgfold.fold.stream import Folder
from msgfold.message import AssistantMsg
from msgfold.validate import validate_value
from streams import REVISION, STREAM


def _folded(
    events: list[Any], revision: str, msg: Any = None
) -> tuple[str, list[tuple[str, int | None]]]:
    reports: list[tuple[str, int | None]] = []
    folder = Folder(
        revision=revision,
        msg=msg or AssistantMsg(name="n", content=[], id="r1", created_at="t"),
        on_diagnostic=lambda d: reports.append((str(d.code), d.place.event_index)),
    )
    for event in events:
        folder.feed(event)
    return folder.msgs[0].model_dump_json(), reports


@given(STREAM, REVISION)
def test_fold_is_deterministic(events, revision):
    assert _folded(copy.deepcopy(events), revision) == _folded(copy.deepcopy(events), revision)


@given(STREAM, REVISION)
def test_the_same_event_objects_fold_the_same_twice_and_are_unchanged(events, revision):
    before = copy.deepcopy(events)
    assert _folded(events, revision) == _folded(events, revision)
    assert events == before
    models = [msgfold.parse_event(event) for event in events]
    dumped = [model.model_dump_json() for model in models]
    assert _folded(models, revision) == _folded(models, revision)
    assert [model.model_dump_json() for model in models] == dumped


@given(STREAM, REVISION)
def test_models_and_json_fold_the_same(events, revision):
    models = [msgfold.parse_event(event) for event in events]
    assert _folded(events, revision) == _folded(models, revision)


@given(STREAM, REVISION)
def test_what_is_written_for_a_release_is_valid_for_it_and_reads_back(events, revision):
    written = msgfold.dump(msgfold.parse_msg(_folded(events, revision)[0]), revision=revision)
    assert validate_value(written, "Msg", strict=True, revision=revision) == []
    assert msgfold.dump(msgfold.parse_msg(written), revision=revision) == written


@given(STREAM, REVISION, st.data())
def test_a_dumped_msg_can_be_gone_on_with_at_any_event(events, revision, data):
    cut = data.draw(st.integers(0, len(events)))
    folder = Folder(
        revision=revision,
        msg=AssistantMsg(name="n", content=[], id="r1", created_at="t"),
    )
    for event in events[:cut]:
        folder.feed(event)
    loaded = msgfold.parse_msg(folder.msgs[0].model_dump_json())
    assert _folded(events[cut:], revision, loaded)[0] == _folded(events, revision)[0]


@given(STREAM, REVISION, st.data())
def test_cutting_deltas_elsewhere_changes_nothing(events, revision, data):
    recut: list[dict[str, Any]] = []
    for event in events:
        recut += _cut(event, data)
    assert _folded(recut, revision)[0] == _folded(events, revision)[0]


def _cut(event: dict[str, Any], data: st.DataObject) -> list[dict[str, Any]]:
    """The event as two that mean the same."""
    if event["type"] == "DATA_BLOCK_DELTA":
        raw = base64.b64decode(event["data"])
        at = data.draw(st.integers(0, len(raw)))
        halves = [base64.b64encode(half).decode() for half in (raw[:at], raw[at:])]
        return [{**event, "data": half} for half in halves]
    if "delta" in event:
        at = data.draw(st.integers(0, len(event["delta"])))
        return [{**event, "delta": event["delta"][:at]}, {**event, "delta": event["delta"][at:]}]
    return [event]


@given(STREAM, st.data())
def test_a_copy_taken_midway_shares_nothing(events, data):
    cut = data.draw(st.integers(0, len(events)))
    copier = data.draw(st.sampled_from([copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]))
    msg = AssistantMsg(name="n", content=[], id="r1", created_at="t")
    for event in events[:cut]:
        msg.append_event(msgfold.parse_event(event))
    taken = copier(msg)
    seen = taken.model_dump_json()
    for event in events[cut:]:
        msg.append_event(msgfold.parse_event(event))
    assert taken.model_dump_json() == seen
    assert _folded(events[cut:], "2.0.4", taken)[0] == msg.model_dump_json()


@settings(max_examples=60)
@given(STREAM, st.data())
def test_blocks_changed_from_outside_still_fold_right(events, data):
    """Against a message without any memory: loaded anew from its dump before every event."""
    ours = AssistantMsg(name="n", content=[], id="r1", created_at="t")
    plain = ours.model_dump_json()
    for event in events:
        change = data.draw(
            st.sampled_from(["none", "none", "pop", "insert", "swap", "edit", "set"])
        )
        plain_msg = msgfold.parse_msg(plain)
        where = data.draw(st.integers(0, max(0, len(ours.content) - 1)))
        for msg in (ours, plain_msg):
            _change(msg, change, where)
        ours.append_event(msgfold.parse_event(event))
        plain_msg.append_event(msgfold.parse_event(event))
        plain = plain_msg.model_dump_json()
        assert ours.model_dump_json() == plain


def _change(msg: Any, change: str, where: int) -> None:
    content = msg.content
    if not content or change == "none":
        return
    if change == "pop":
        content.pop(where)
    elif change == "insert":
        content.insert(where, copy.deepcopy(content[-1]))
    elif change == "swap":
        content[where], content[-1] = content[-1], content[where]
    elif change == "set":
        msg.content = list(reversed(content))
    elif content[where].type == "text":
        content[where].text = "edited"
    elif content[where].type == "data" and content[where].source.type == "base64":
        content[where].source.data = "AAE="
    else:
        content[where].id = "b"
