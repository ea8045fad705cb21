"""A reducer with a known fault fails, by the name of a case that is about that fault."""

from __future__ import annotations

import pytest
from msgfold.conformance import reference
from msgfold.conformance.corpus import load
from msgfold.conformance.runner import judge
from msgfold.fold import adopt, state, text, tool_call, tool_result
from msgfold.model.block_list import BlockList

CASES = [case for case in load() if case.op == "fold"]


def failing():
    return {
        case.id for case in CASES if judge(case, case.revisions["from"], reference.answer).fails_run
    }


def test_the_reference_fails_none():
    assert failing() == set()


def _joined_with_a_space(monkeypatch):
    extend = state.extend

    def wrong(block, member, delta):
        extend(block, member, f" {delta}" if block.__dict__[member] else delta)

    for module in (text, tool_call, tool_result):
        monkeypatch.setattr(module, "extend", wrong)


def _last_match(monkeypatch):
    def wrong(self, kind, block_id):
        return next((b for b in reversed(self) if b.type == kind and b.id == block_id), None)

    monkeypatch.setattr(BlockList, "find", wrong)


def _stale_confirmation_accepted(monkeypatch):
    class Anything(str):
        def __eq__(self, other):
            return True

        __hash__ = str.__hash__

    class Lenient:
        ASKING = Anything("asking")
        ALLOWED = tool_call.ToolCallState.ALLOWED
        FINISHED = tool_call.ToolCallState.FINISHED
        SUBMITTED = tool_call.ToolCallState.SUBMITTED

    monkeypatch.setattr(tool_call, "ToolCallState", Lenient)


def _events_aliased(monkeypatch):
    copying = adopt.adopt

    def wrong(model, value, member):
        return value if isinstance(value, model) else copying(model, value, member)

    monkeypatch.setattr(adopt, "adopt", wrong)


def _strings_joined(monkeypatch):
    from msgfold.model.base64_source import Base64SourceBehaviour

    def wrong(self, data):
        self.data = self.data + data

    monkeypatch.setattr(Base64SourceBehaviour, "append_base64", wrong)


def _no_role_check(monkeypatch):
    monkeypatch.setattr(state.FoldState, "check_role", lambda self, kind: None)


@pytest.mark.parametrize(
    ("break_it", "caught_by"),
    [
        (_joined_with_a_space, "fold.text.delta"),
        (_last_match, "fold.find"),
        (_stale_confirmation_accepted, "fold.confirm.stale"),
        (_events_aliased, "fold.no-alias"),
        (_strings_joined, "fold.data.delta"),
        (_no_role_check, "fold.role"),
    ],
)
def test_a_broken_reducer_fails_a_case_about_its_fault(monkeypatch, break_it, caught_by):
    break_it(monkeypatch)
    failed = failing()
    about = {case.id for case in CASES if caught_by in case.rules}
    assert failed & about, f"no case about {caught_by} fails; failing: {sorted(failed)}"
