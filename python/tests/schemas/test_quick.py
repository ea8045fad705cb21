"""What is called plainly valid is valid; and most of what agents send is called so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract_examples import EVENTS, INVALID, VALID
from hypothesis import given
from hypothesis import strategies as st
from msgfold.revisions import RELEASES
from msgfold.validate import validate_text
from msgfold.validate.quick import plainly_valid
from streams import STREAM

TITLES = {*EVENTS, "AgentEvent"}
RECORDINGS = Path(__file__).parents[3] / "conformance" / "recordings"
REVISIONS = [None, *RELEASES]


def holds(text: bytes, revision: str | None) -> bool:
    """Whether the quick word on a text agrees with the whole check."""
    event = plainly_valid(text, revision)
    return event is None or validate_text(text, "AgentEvent", strict=True, revision=revision) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_no_example_is_called_valid_that_is_not(revision):
    for example in [*VALID, *INVALID]:
        if example.title in TITLES:
            assert holds(json.dumps(example.instance).encode(), revision), example.id
            assert holds(json.dumps(example.instance, separators=(",", ":")).encode(), revision)


@given(STREAM, st.sampled_from(REVISIONS), st.data())
def test_no_random_event_is_called_valid_that_is_not(events, revision, data):
    for event in events:
        text = json.dumps(event).encode()
        assert holds(text, revision)
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.sampled_from([b"", b'"', b"\\", b'"a":1,', b"\xff", b"}", text[:at]]))
        assert holds(text[:at] + cut + text[at:], revision)
        name = data.draw(st.sampled_from(sorted(event)))
        twice = text[:-1] + b", " + json.dumps({name: event[name]}).encode()[1:]
        assert holds(twice, revision)


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"USER_INTERRUPT","id":"e","created_at":"t","reply_id":"r","reply_id":"r"}',
        b'{"type":"USER_INTERRUPT","type":"USER_INTERRUPT","id":"e","created_at":"t","reply_id":"r"}',
        b'{"type":"USER_INTERRUPT","id":"e","created_at":"t","reply_id":"r","metadata":{"a":1,"a":1}}',
        b'{"type":"USER_INTERRUPT","id":"e","i\\u0064":"e","created_at":"t","reply_id":"r"}',
        b'{"type":"USER_INTERRUPT","id":"a\\":","id" :"e","created_at":"t","reply_id":"r"}',
    ],
)
def test_a_name_that_comes_twice_is_not_plain(text):
    assert plainly_valid(text, None) is None


def test_nearly_every_event_of_a_real_agent_is_plainly_valid():
    lines = [line for p in RECORDINGS.glob("*/*.ndjson") for line in p.read_bytes().splitlines()]
    plain = sum(plainly_valid(line, None) is not None for line in lines)
    assert plain / len(lines) > 0.8
