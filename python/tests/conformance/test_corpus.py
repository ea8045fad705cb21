"""The corpus is sound: every case says something, under its own name, about a rule that exists."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from msgfold._generated import since
from msgfold.conformance.corpus import CASES, Selection, load, read
from msgfold.conformance.rules import rules
from msgfold.conformance.runner import judge
from msgfold.errors import DiagnosticCode, ErrorCode, InvalidCaseError
from msgfold.revisions import CHANGES, RELEASES
from msgfold.validate import FaultCode
from msgfold.wire.decode import EVENT_TYPES

ALL = load()
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_the_reference_passes_in_every_revision_that_the_case_claims(case):
    claimed = [release for release in RELEASES if case.holds_for(release)]
    assert claimed
    for release in claimed:
        result = judge(case, release)
        said = (release, result.what, result.difference, result.message)
        assert result.outcome == "passed", said


def test_every_change_of_ours_has_a_case_on_each_side_of_it():
    turns = {(rule, turn["from"]) for case in ALL for turn in case.later for rule in case.rules}
    for change in CHANGES:
        for rule in change.rules if change.ours else ():
            assert (rule, change.since) in turns, change


def test_every_member_and_word_that_came_later_is_asked_about_on_both_sides():
    told = set()
    for case in ALL:
        for fault in case.expect.get("faults", []) if case.op == "validate" else []:
            if fault["code"] in {"newer_member", "unknown_word"} and case.later:
                told.add(fault.get("pointer", "").rpartition("/")[2])
        for change in case.later:
            for fault in change["expect"].get("faults", []):
                told.add(fault.get("pointer", "").rpartition("/")[2])
    later = {name for names in since.MEMBERS.values() for name in names}
    assert later - told == set()


def test_what_a_case_says_of_later_revisions_is_another_thing():
    for case in ALL:
        expectations = [case.expect, *(change["expect"] for change in case.later)]
        for before, after in itertools.pairwise(expectations):
            assert before != after, case.id


def test_there_are_enough_cases():
    assert len(ALL) >= 150


def test_every_rule_has_a_case_that_is_about_it():
    first = {case.rules[0] for case in ALL}
    named = {rule for case in ALL for rule in case.rules}
    # The service's rules have tests that start servers: see test_serving.py.
    judged = {rule.id for rule in rules().values() if rule.page != "replies.md"}
    assert judged - named == set()
    # A rule that is only ever mentioned in passing has no case of its own.
    assert judged - first == set()


def test_rule_ids_in_the_code_stand_in_the_specification():
    found = set()
    for path in (ROOT / "python" / "msgfold").rglob("*.py"):
        if "_generated" not in path.parts:
            found |= set(
                re.findall(
                    r"[`\"]((?:fold|wire)\.[a-z0-9-]+(?:\.[a-z0-9-]+)*)[`\"]", path.read_text()
                )
            )
    modules = {"fold.stream", "wire.json", "fold.table", "fold.md", "fold.text"}
    assert {rule for rule in found if rule not in modules} - set(rules()) == set()


def test_rule_ids_in_the_schemas_stand_in_the_specification():
    for path in (ROOT / "schemas").glob("**/*.schema.json"):
        for rule in re.findall(r"\b(?:fold|wire)\.[a-z][a-z0-9.-]*[a-z0-9]", path.read_text()):
            assert rule in rules(), f"{path.name}: {rule}"


def test_every_event_type_is_folded_by_a_case():
    seen = Counter()
    for case in ALL:
        for event in case.input.get("events", []):
            if isinstance(event, dict):
                seen[event.get("type")] += 1
    assert set(seen) >= EVENT_TYPES


def test_every_code_is_expected_by_a_case():
    expected = set()
    for case in ALL:
        expect = case.expect
        about = [*expect.get("diagnostics", []), *expect.get("faults", [])]
        expected |= {
            item["code"] for item in [*about, *([expect["error"]] if "error" in expect else [])]
        }
    # These are raised outside of the operations: by the API, the CLI and the loader.
    elsewhere = {"no_reply", "unknown_reply", "unknown_revision", "invalid_input", "invalid_case"}
    codes = {*map(str, ErrorCode), *map(str, DiagnosticCode), *map(str, FaultCode)}
    assert codes - expected - elsewhere == set()
    assert expected - codes == set()


TOOL_CALL_STATES = ("pending", "asking", "allowed", "submitted", "finished")


def test_every_state_of_a_tool_call_meets_every_event_that_may_change_it():
    met = set()
    for case in ALL:
        msg = case.input.get("msg")
        for block in (msg or {}).get("content", []):
            if isinstance(block, dict) and block.get("type") == "tool_call":
                for event in case.input.get("events", []):
                    met.add((block.get("state", "pending"), event.get("type")))
    wanted = {
        (state, event)
        for state in TOOL_CALL_STATES
        for event in (
            "REQUIRE_USER_CONFIRM",
            "USER_CONFIRM_RESULT",
            "REQUIRE_EXTERNAL_EXECUTION",
            "TOOL_RESULT_END",
        )
    }
    assert wanted - met == set()


def test_titles_and_kills_are_unique_and_say_what_happens():
    titles = Counter(case.title for case in ALL)
    assert [title for title, count in titles.items() if count > 1] == []
    for case in ALL:
        assert not re.search(r"\b(should|must|test that)\b", case.title.lower()), case.id


def test_no_expectation_is_vacuous():
    for case in ALL:
        if case.op == "fold" and "error" not in case.expect and "diagnostics" not in case.expect:
            unchanged = case.expect.get("msg") == case.input.get("msg")
            assert not unchanged or "status" in case.expect or case.kill, case.id
        assert len(case.volatile) == len(set(case.volatile))
        for pointer in case.volatile:
            value = case.expect["msg"]
            for part in pointer[1:].split("/"):
                value = value[int(part)] if isinstance(value, list) else value[part]
            assert isinstance(value, str), f"{case.id}: {pointer}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expcet": {}}, "expcet"),
        ({"id": "fold/other"}, "id must be the path"),
        ({"rules": ["fold.no-such-rule"]}, "no rule"),
        ({"title": "x"}, "too short"),
        ({"expect": {}}, "is a required property"),
        ({"revisions": {"from": "2.0.3"}}, "unknown revision"),
        ({"revisions": {"from": "2.0.6", "to": "2.0.5"}}, "do not rise"),
        ({"later": [{"from": "2.0.4", "expect": {"events": []}}]}, "do not rise"),
        ({"later": [{"from": "2.0.6", "expect": {}}]}, "is a required property"),
    ],
)
def test_a_file_that_is_not_a_case_is_refused_by_name(tmp_path, change, said):
    good = json.loads((CASES / f"{ALL[0].id}.json").read_text())
    path = tmp_path / f"{good['id']}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**good, **change}))
    with pytest.raises(InvalidCaseError, match=said):
        read(path, tmp_path)


def test_a_file_that_is_not_json_is_refused_by_name(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text("{")
    with pytest.raises(InvalidCaseError, match=r"broken\.json"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"level"', '"level": "may", "level"', "the member 'level' came twice"),
        ('"code"', '"code": "x", "code"', "the member 'code' came twice"),
        ('"metadata": {}', '"metadata": {"a": NaN}', "NaN is no JSON"),
    ],
)
def test_what_json_has_no_place_for_is_refused(tmp_path, old, new, said):
    name = "fold/role/system-msg-refuses-data.json"
    text = (CASES / name).read_text("utf-8")
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(InvalidCaseError, match=re.escape(said)):
        read(path, tmp_path)


def test_a_folder_that_is_none_is_said(tmp_path):
    with pytest.raises(InvalidCaseError, match="nothing of that name"):
        load(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(InvalidCaseError, match="got a file"):
        load(tmp_path / "file")


def test_selection_by_glob_level_rule_and_op():
    chosen = [case for case in ALL if Selection(globs=("fold/text/*",)).takes(case)]
    assert chosen
    assert all(case.id.startswith("fold/text/") for case in chosen)
    assert all("fold.data" in r or True for case in chosen for r in case.rules)
    by_rule = [case for case in ALL if Selection(rules=("fold.data",)).takes(case)]
    assert all(any(r.startswith("fold.data.") for r in case.rules) for case in by_rule)
    assert {c.op for c in ALL if Selection(ops=("decode",)).takes(c)} == {"decode"}
    assert not [c for c in ALL if Selection(levels=("never",)).takes(c)]
