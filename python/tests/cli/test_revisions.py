"""``msgfold revisions`` and ``msgfold upgrade-check``."""

from __future__ import annotations

import json
from pathlib import Path

import msgfold
import pytest
from msgfold import upgrade
from msgfold.cli.app import app
from msgfold.cli.common import Failure
from msgfold.revisions import CHANGES, RELEASES
from typer.testing import CliRunner

RECORDINGS = Path(__file__).parents[3] / "conformance" / "recordings"
STAMP = {"created_at": "2026-07-07T10:00:00", "reply_id": "r1"}
PNG = {"media_type": "image/png", "tool_call_id": "t1", "block_id": "d1"}
MERGED = [
    {"type": "REPLY_START", "id": "e0", **STAMP, "session_id": "s", "name": "n"},
    {"type": "TOOL_RESULT_START", "id": "e1", **STAMP, "tool_call_id": "t1", "tool_call_name": "x"},
    {"type": "TOOL_RESULT_DATA_DELTA", "id": "e2", **STAMP, **PNG, "data": "/wA="},
    {"type": "TOOL_RESULT_DATA_DELTA", "id": "e3", **STAMP, **PNG, "data": "fw=="},
    {"type": "REPLY_END", "id": "e4", **STAMP, "session_id": "s", "finished_reason": "error"}
    | {"error": {"type": "setup", "message": "m"}},
]


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, list(arguments), input=stdin)


def check(events, *arguments):
    stdin = "\n".join(map(json.dumps, events))
    result = run("upgrade-check", "-", *arguments, "--output", "json", stdin=stdin)
    return result.exit_code, json.loads(result.stdout)["findings"]


def where(findings, kind="changed"):
    return [(f["event_index"], f["pointer"]) for f in findings if f["kind"] == kind]


def test_revisions_lists_every_change_once():
    told = json.loads(run("revisions", "--output", "json").stdout)
    assert told["revisions"] == list(RELEASES)
    assert [change["what"] for change in told["changes"]] == [change.what for change in CHANGES]
    shown = run("revisions").output
    assert all(rule in shown for change in CHANGES for rule in change.rules)


def test_revisions_since_a_release_leaves_out_what_it_had():
    told = json.loads(run("revisions", "--since", "2.0.7", "--output", "json").stdout)
    assert {change["since"] for change in told["changes"]} == {"2.0.8", "2.0.11"}
    assert "2.0.9 and 2.0.10" in run("revisions", "--since", "2.0.7").output


def test_merged_tool_data_names_the_event_the_pointer_and_the_rule():
    code, found = check(MERGED, "--from", "2.0.8", "--to", "2.0.11")
    assert code == 1
    assert where(found) == [(3, "/content/0/output/0/source/data"), (3, "/content/0/output/1")]
    assert (found[1]["before"], found[1]["after"]) == ("/wA=", "/wB/")
    assert "after" not in found[2]
    assert found[1]["since"] == "2.0.11"
    assert found[1]["rules"] == ["fold.tool-result.data.merge"]
    assert where(found, "reported") == [(3, None)]


def test_each_value_names_the_release_that_brought_it():
    _, found = check(MERGED, "--from", "2.0.4", "--to", "2.0.11")
    since = {f["pointer"]: f["since"] for f in found if f["kind"] == "changed"}
    assert since == {
        "/content/0/created_at": "2.0.6",
        "/content/0/output/0/created_at": "2.0.6",
        "/content/0/output/0/source/data": "2.0.11",
        "/content/0/output/1": "2.0.11",
        "/finished_reason": "2.0.5",
        "/error": "2.0.5",
    }
    assert where(found, "accepted") == [(4, "/finished_reason")]


def test_going_back_tells_what_the_old_release_refuses_and_drops():
    code, found = check(MERGED, "--from", "2.0.11", "--to", "2.0.4")
    assert code == 1
    assert where(found, "refused") == [(4, "/finished_reason")]
    assert where(found, "ignored") == [(4, "/error")]
    _, found = check(MERGED, "--from", "2.0.6", "--to", "2.0.5")
    assert where(found, "refused") == [(4, "/error/type"), (None, "/error/type")]


def test_nothing_changes_between_releases_that_fold_alike():
    code, found = check(MERGED, "--from", "2.0.8", "--to", "2.0.10")
    assert (code, found) == (0, [])
    assert check(MERGED, "--from", "2.0.6", "--to", "2.0.6") == (0, [])


@pytest.mark.parametrize("recording", sorted(RECORDINGS.glob("*/*.ndjson")), ids=str)
def test_the_findings_are_all_that_the_two_msgs_differ_in(recording):
    """Taking every changed value to the other release's gives the other release's Msg."""
    lines = recording.read_bytes().splitlines()
    one, other = (
        msgfold.dump(msgfold.fold(map(json.loads, lines), revision=r), revision=r)
        for r in ("2.0.4", "2.0.11")
    )
    _, found = check(map(json.loads, lines), "--from", "2.0.4", "--to", "2.0.11")
    for finding in found:
        if finding["kind"] == "changed":
            put(one, finding["pointer"].split("/")[1:], finding.get("after"))
    assert without_nulls(one) == without_nulls(other)


def put(value, path, new):
    for part in path[:-1]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    if isinstance(value, list):
        value[int(path[-1])] = new
    else:
        value[path[-1]] = new


def without_nulls(value):
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {k: without_nulls(v) for k, v in value.items() if v is not None}


def test_the_text_shows_both_values_and_sums_up():
    stdin = "\n".join(map(json.dumps, MERGED))
    result = run("upgrade-check", "-", "--from", "2.0.8", stdin=stdin)
    assert result.exit_code == 1
    for said in ("event 3 (line 4)", "changed with 2.0.11", "/wB/", "absent", "differences in 1: "):
        assert said in result.output, result.output


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["upgrade-check", "-", "--to", "2.0.12"], 2, "one of 2.0.4"),
        (["revisions", "--since", "1.9"], 2, "unknown revision '1.9'"),
        (["validate", "-", "--revision", "2.1"], 2, "unknown revision '2.1'"),
        (["fold", "-", "--revision", "2.1"], 2, "unknown revision '2.1'"),
        (["conformance", "run", "--revision", "2.1"], 2, "unknown revision '2.1'"),
        (["upgrade-check", "-"], 1, "no events"),
        (["upgrade-check", "no-such-file"], 1, "No such file"),
    ],
)
def test_bad_input_is_told_and_leaves_with_its_code(arguments, code, said):
    failure = run(*arguments, stdin="").exception
    assert isinstance(failure, Failure)
    assert failure.code == code
    assert said in str(failure)


def test_what_neither_release_takes_is_no_reply_that_stays_the_same():
    failure = run("upgrade-check", "-", stdin='{"name":"n","content":[]}\n').exception
    assert isinstance(failure, Failure)
    assert failure.code == 1
    assert "no reply in 1 events" in str(failure)


def test_events_that_each_release_refuses_and_a_cut_off_end_are_said():
    bad = {"type": "TEXT_BLOCK_DELTA", "id": "e", **STAMP, "delta": 1}
    events = "\n".join(map(json.dumps, [MERGED[0], bad, bad, MERGED[1]]))
    result = run("upgrade-check", "-", "--to", "2.0.4", stdin=events + '\n{"type":')
    assert result.exit_code == 0
    assert "line 2, event 1" in result.stderr
    assert "2 events, this one the first, are refused by each release" in result.stderr
    assert "truncated_frame" in result.stderr
    assert "4 events: nothing changes" in result.stderr


def test_what_an_event_costs_does_not_grow_with_the_blocks_of_its_id(monkeypatch):
    dumps = []
    real = upgrade.dump
    monkeypatch.setattr(upgrade, "dump", lambda *a, **k: dumps.append(1) or real(*a, **k))

    def dumped(count):
        """Dumps for the last of ``count`` blocks with one id."""
        check = upgrade.UpgradeCheck("2.0.4", "2.0.11")
        events = [MERGED[0]]
        events += [
            {"type": f"TEXT_BLOCK_{what}", "id": f"e{n}", **STAMP, "block_id": "b"}
            for n in range(count)
            for what in ("START", "END")
        ]
        for event in events:
            dumps.clear()
            list(check.feed(json.dumps(event).encode()))
        return len(dumps)

    assert dumped(3) == dumped(30)
