"""Programs that are wrong on purpose: the reference over its pipe, with one fault in it."""

from __future__ import annotations

import sys

import pytest
from msgfold.conformance.process import Testee as Process

FAULTS = {
    "none": "",
    "space": """
from msgfold.fold import state, text, tool_call, tool_result
extend = state.extend
def wrong(block, member, delta):
    extend(block, member, f" {delta}" if block.__dict__[member] else delta)
for module in (text, tool_call, tool_result):
    module.extend = wrong
""",
    "base64 joined as text": """
from msgfold.model.base64_source import Base64SourceBehaviour
def wrong(self, data):
    self.data = self.data + data
Base64SourceBehaviour.append_base64 = wrong
""",
    "any role": """
from msgfold.fold import state
state.FoldState.check_role = lambda self, kind: None
""",
    "events kept": """
from msgfold.fold import adopt
copying = adopt.adopt
def wrong(model, value, member):
    return value if isinstance(value, model) else copying(model, value, member)
adopt.adopt = wrong
""",
    "blocks in front": """
from msgfold.model.block_list import BlockList
def wrong(self, block):
    self.insert(0, block)
    return True
BlockList.add = wrong
""",
    "last of its kind": """
from msgfold.model.block_list import BlockList
def wrong(self, kind, block_id):
    return next((b for b in reversed(self) if b.type == kind), None)
BlockList.find = wrong
""",
    "usage forgotten": """
from msgfold.conformance import reference
parse = reference.parse_msg
reference.parse_msg = lambda value: parse({**value, "usage": None})
""",
    "a second end undoes the first": """
from msgfold.conformance import testee
right = testee.answer
def wrong(op, given, revision, **how):
    found = right(op, given, revision, **how)
    kinds = [event["type"] for event in given.get("events", [])]
    if kinds.count("REPLY_END") == 2:
        found["msg"]["finished_at"] = None
    return found
testee.answer = wrong
""",
    "every reply is this one": """
from msgfold.conformance import testee
right = testee.answer
def wrong(op, given, revision, **how):
    events = given.get("events", [])
    mine = (given.get("msg") or {}).get("id") or (events and events[0].get("reply_id"))
    events = [{**event, "reply_id": mine} for event in events]
    return right(op, {**given, "events": events}, revision, **how)
testee.answer = wrong
""",
}
"""What is wrong, to the lines that make it so."""


@pytest.fixture
def faulty(tmp_path):
    """Gives the command of a testee with a fault of :data:`FAULTS`, or with lines of its own."""

    def command(fault, *, lacks=()):
        describing = "".join(f"features.remove({name!r})\n" for name in lacks)
        script = tmp_path / "faulty.py"
        script.write_text(
            "from msgfold.conformance import testee\n"
            + FAULTS.get(fault, fault)
            + "described = testee.describe()\nfeatures = described['features']\n"
            + describing
            + "testee.describe = lambda: described\ntestee.main()\n"
        )
        return [sys.executable, str(script)]

    return command


@pytest.fixture
def process(faulty):
    """Starts such a testee, and ends it with the test."""
    started = []

    def start(fault, *, lacks=(), timeout=30.0):
        started.append(Process(faulty(fault, lacks=lacks), timeout=timeout))
        return started[-1]

    yield start
    for each in started:
        each.close()
