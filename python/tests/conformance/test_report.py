"""A run's log is a true record, every report is read from it, and known failures do not rot."""

from __future__ import annotations

import html
import io
import json
import os
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from itertools import count
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from msgfold.conformance.corpus import load
from msgfold.conformance.coverage import coverage as states
from msgfold.conformance.report import badge, known, log, page, render
from msgfold.conformance.report.changes import changes
from msgfold.conformance.report.rows import ANY, coverage
from msgfold.conformance.runner import Result, judge
from msgfold.errors import InvalidInputError
from msgfold.resources import SCHEMAS
from msgfold.revisions import RELEASES
from referencing import Registry, Resource

CASES = [case for case in load() if case.id.startswith(("fold/text/", "wire/", "decode/"))]

WRONG = """
import json, sys
from msgfold.conformance import testee
for line in sys.stdin:
    reply = testee.reply(json.loads(line))
    if "ops" in reply["result"]:
        reply["result"] |= {"name": "wrong", "version": "9"}
    elif (reply["result"].get("msg") or {}).get("content"):
        reply["result"]["msg"]["name"] = "</script><b>|\\ud800"
    print(json.dumps(reply), flush=True)
"""


def run_of(testee=None, name="ours"):
    kwargs = {"testee": testee} if testee else {}
    results = [log.record(judge(case, case.revisions["from"], **kwargs)) for case in CASES]
    who = {"name": name, "version": "1", "language": "python"}
    return log.Run(who, "2.0.4", tuple(results))


def nothing(op, given, revision):
    """A testee that does nothing, and says what no XML can hold."""
    if op == "decode":
        raise ValueError("\x00 \ud800 <b>&]]>")
    return {"msg": given.get("msg")}


def lines_of(run):
    file = io.StringIO()
    writer = log.Writer(file, run.implementation, run.revision)
    for result in run.results:
        writer.add(result)
    writer.end(run)
    return file.getvalue().splitlines()


GOOD = run_of()
BAD = run_of(nothing, "<i>bad</i>")


def msgfold(*args):
    program = [sys.executable, "-m", "msgfold", "conformance", *map(str, args)]
    return subprocess.run(program, capture_output=True, text=True)


@pytest.fixture
def wrong(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    return "--", sys.executable, file


@pytest.mark.parametrize("run", [GOOD, BAD])
def test_a_log_that_is_read_is_the_run_that_was_written(run):
    assert log.read(lines_of(run)) == run


def test_bad_runs_are_bad_and_good_ones_good():
    assert not GOOD.failures
    assert {result["outcome"] for result in BAD.failures} == {"failed", "errored"}


def test_a_log_without_its_end_was_cut_off():
    lines = lines_of(BAD)
    assert not log.read(lines[:-1]).complete
    for report in (render.markdown, render.junit):
        assert "The run was cut off" in report(log.read(lines[:-1]))
        assert "The run was cut off" not in report(BAD)


def test_a_testee_that_dies_leaves_the_log_of_what_it_answered(tmp_path):
    dying, file = tmp_path / "dying.py", tmp_path / "run.ndjson"
    # Its first five requests are answered, and none after them, however often it is started anew.
    asked = f"open({str(tmp_path / 'asked')!r}, 'a+')"
    dying.write_text(
        "import json, sys\nfrom msgfold.conformance import testee\nfor line in sys.stdin:\n"
        f"    asked = {asked}\n    asked.write(line * ('describe' not in line))\n"
        "    asked.seek(0)\n    if len(list(asked)) > 5: sys.exit('no more')\n"
        "    print(json.dumps(testee.reply(json.loads(line))), flush=True)\n"
    )
    done = msgfold("run", "--filter", "fold/text/*", "--log", file, "--", sys.executable, dying)
    found = log.read(file.open())
    assert done.returncode == 1
    assert [result["outcome"] for result in found.results[:6]] == ["passed"] * 5 + ["errored"]
    assert found.counts["errored"] == len(found.results) - 5


def test_a_run_that_is_cut_off_leaves_the_log_of_what_it_found(tmp_path):
    file, testee = tmp_path / "run.ndjson", [sys.executable, "-m", "msgfold.conformance.testee"]
    command = [sys.executable, "-m", "msgfold", "conformance", "run", "--log", file, "--", *testee]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as running:
        while running.poll() is None and not (file.exists() and file.read_text().count("\n") > 9):
            pass
        os.killpg(running.pid, signal.SIGKILL)
    found = log.read(file.read_text().splitlines(keepends=True)[:9])
    assert not found.complete
    assert {result["outcome"] for result in found.results} == {"passed"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "empty"),
        (["{"], "no JSON"),
        (["[]"], "no record"),
        (lines_of(BAD)[1:], "expected run"),
        ([*lines_of(BAD), lines_of(BAD)[1]], "expected run"),
        ([line for n, line in enumerate(lines_of(BAD)) if n != 1], "results, got"),
    ],
)
def test_what_is_no_log_is_refused(lines, said):
    with pytest.raises(InvalidInputError, match=said):
        log.read(lines)


@pytest.mark.parametrize("run", [GOOD, BAD])
def test_json_follows_its_schema(run):
    folder = SCHEMAS / "conformance"
    schemas = [json.loads(path.read_text()) for path in folder.glob("*.schema.json")]
    registry = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas
    )
    report = next(schema for schema in schemas if schema["title"] == "RunReport")
    text = render.as_json(run)
    text.encode()
    Draft202012Validator(report, registry=registry).validate(json.loads(text))


def test_junit_counts_what_failed_and_holds_any_text():
    root = ElementTree.fromstring(render.junit(BAD).split("?>", 1)[1])
    assert len(root.findall(".//testcase")) == len(BAD.results)
    faults = root.findall(".//failure") + root.findall(".//error")
    assert len(faults) == sum(map(log.fails, BAD.results)) > 0
    told = sum(int(suite.get("failures")) + int(suite.get("errors")) for suite in root)
    assert told == len(faults)


def test_markdown_tells_each_failure_with_its_rule():
    text = render.markdown(BAD)
    text.encode()
    for result in BAD.failures:
        assert f"## {result['outcome']}: {result['id']}" in text
        assert f"{result['rules'][0]}: " in text


def test_the_badge_is_red_when_a_must_fails():
    assert json.loads(badge.endpoint(BAD))["color"] == "red"
    assert json.loads(badge.endpoint(GOOD))["color"] == "brightgreen"


def test_the_picture_of_a_badge_says_what_its_data_says_and_fits_its_box():
    pictures = {}
    for run in (GOOD, BAD):
        said = json.loads(badge.endpoint(run))["message"]
        root = ElementTree.fromstring(badge.svg(run))
        assert root.get("aria-label") == f"msgfold: {said}"
        texts = root.findall(".//{*}text")
        assert [text.text for text in texts] == ["msgfold", said]
        end = float(texts[1].get("x")) + float(texts[1].get("textLength"))
        assert end < float(root.get("width"))
        pictures[run.name] = root.findall("{*}rect")[1].get("fill")
    assert len(set(pictures.values())) == 2


class Elements(HTMLParser):
    """Collects the tags of a page, and the addresses that it would load."""

    def __init__(self):
        super().__init__()
        self.tags, self.loaded, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loaded += [value for name, value in attrs if name in {"src", "srcset", "data"}]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_well_formed_loads_nothing_and_lets_no_text_be_markup():
    seen = Elements()
    text = page.html([GOOD, BAD])
    text.encode()
    seen.feed(text)
    assert not seen.open
    assert not seen.loaded
    assert not {"script", "link", "i", "b"} & set(seen.tags)
    failures, to_do = len(BAD.failures), 1
    assert seen.tags.count("details") == failures + to_do
    assert "url(" not in text
    for result in BAD.failures:
        if "event" in result:
            assert html.escape(result["event_text"]) in text


def test_the_contents_of_the_page_lead_to_its_parts():
    text = page.html([BAD], states(load()))
    targets = re.findall(r'<a href="#([^"]+)"', text)
    assert len(targets) == 5
    assert all(f'id="{target}"' in text for target in targets)
    assert "#states" not in page.html([BAD])


@pytest.mark.parametrize(
    ("expected", "got", "shown"),
    [
        ("ac", "a c", ("&quot;ac&quot;", "&quot;a<mark> </mark>c&quot;")),
        ("abc", "axc", ("&quot;a<mark>b</mark>c&quot;", "&quot;a<mark>x</mark>c&quot;")),
        ("aa", "a", ("&quot;a<mark>a</mark>&quot;", "&quot;a&quot;")),
        (1, None, ("1", "null")),
    ],
)
def test_what_differs_is_marked(expected, got, shown):
    failed = BAD.failures[0] | {"expected": expected, "got": got, "what": "msg", "pointer": "/id"}
    text = page.html([log.Run(BAD.implementation, "2.0.4", (failed,))])
    assert tuple(re.findall("<pre>(.*?)</pre>", text)) == shown


def rows_of(*runs):
    return {(row.rule.id, row.event): row for row in coverage(runs)}


def test_a_case_fills_the_cells_of_its_rules_and_events_and_no_others():
    delta = "fold.text.delta", "TEXT_BLOCK_DELTA"
    results = [r for r in GOOD.results if delta[0] in r["rules"] and delta[1] in r["events"]]
    assert results
    row = rows_of(GOOD)[delta]
    assert row.cells["2.0.4"] == {"passed": len(results)}
    rest = tuple(result for result in GOOD.results if result not in results)
    without = log.Run(GOOD.implementation, "2.0.4", rest)
    assert rows_of(without)[delta].empty == ["2.0.4"]
    cell = '<td class="n todo">to do</td>'
    assert page.html([without]).count(cell) > page.html([GOOD]).count(cell)


def test_what_was_not_tested_fills_no_cell():
    untested = tuple({**result, "outcome": "untested"} for result in GOOD.results)
    rows = rows_of(log.Run(GOOD.implementation, "2.0.4", untested))
    assert all(row.empty == list(row.cells) for row in rows.values())


def test_a_rule_has_cells_from_its_first_release_on():
    old, new = (log.Run(GOOD.implementation, revision, ()) for revision in ("2.0.7", "2.0.8"))
    rows = rows_of(new, old)
    assert list(rows["fold.data.url", "DATA_BLOCK_DELTA"].cells) == ["2.0.8"]
    assert list(rows["fold.unicode", ANY].cells) == ["2.0.7", "2.0.8"]


def test_a_log_of_a_release_that_is_not_known_here_has_a_page_all_the_same():
    assert "2.0.99" in page.html([log.Run(GOOD.implementation, "2.0.99", GOOD.results)])


def test_every_cell_of_the_map_is_filled_by_the_corpus():
    runs = []
    for revision in RELEASES:
        cases = [case for case in load() if case.holds_for(revision)]
        results = tuple(log.record(Result(case, "passed")) for case in cases)
        runs.append(log.Run(GOOD.implementation, revision, results))
    assert not [(row.rule.id, row.event, row.empty) for row in coverage(runs) if row.empty]


def test_runs_held_against_each_other():
    worse = changes(GOOD, BAD)
    assert {change.id for change in worse} == {result["id"] for result in BAD.failures}
    assert {change.kind for change in worse} == {"worse"}
    assert {change.kind for change in changes(BAD, GOOD)} == {"better"}
    assert not changes(BAD, BAD)
    fewer = log.Run(GOOD.implementation, "2.0.4", GOOD.results[1:])
    assert [change.kind for change in changes(GOOD, fewer)] == ["gone"]
    assert [change.kind for change in changes(fewer, GOOD)] == ["new"]


@pytest.mark.parametrize(
    "line", ["fold/*", "fold/* | why", "fold/* | why | here", "| a | https://b"]
)
def test_a_line_that_is_no_entry_is_refused_by_its_number(line):
    with pytest.raises(InvalidInputError, match="line 2"):
        known.parse(f"# known\n{line}")


def test_known_failures_fail_nothing_and_stale_or_unmatched_entries_do(tmp_path, wrong):
    names = count()

    def judged(known_text, *more):
        file = tmp_path / f"known-{next(names)}.txt"
        file.write_text(known_text)
        return msgfold("run", "--filter", "fold/text/*", "--known", file, *more, *wrong)

    first = judged("")
    assert first.returncode == 1
    lines = [line for line in first.stderr.splitlines() if " | https://" in line]
    assert len(lines) > 3
    every = "".join(f"{line}example.org/1\n" for line in lines)
    assert judged(every).returncode == 0
    unmatched = judged(f"{every}fold/no-such-case | x | https://example.org\n")
    assert unmatched.returncode == 1
    assert "fits no case" in unmatched.stderr
    outside = judged(f"{every}decode/ndjson/crlf | not selected | https://example.org\n")
    assert outside.returncode == 0
    stale = msgfold(
        "run", "--filter", "fold/text/*", "--known", tmp_path / "known-1.txt",
    )  # fmt: skip
    assert stale.returncode == 1
    assert "is stale" in stale.stderr
    flaky = tmp_path / "known-1.txt"
    assert msgfold("run", "--filter", "fold/text/*", "--flaky", flaky).returncode == 0
    assert msgfold("run", "--filter", "fold/text/*", "--flaky", flaky, *wrong).returncode == 0


def test_a_run_is_logged_and_told_in_every_format(tmp_path, wrong):
    file = tmp_path / "run.ndjson"
    done = msgfold("run", "--filter", "fold/text/*", "--log", file, *wrong)
    assert done.returncode == 1
    assert log.read(file.open()).name == "wrong 9"
    for name in ("table", "json", "junit", "markdown", "badge", "svg", "html"):
        told = msgfold("report", file, "--format", name)
        assert told.returncode == 0, told.stderr
        assert told.stdout
    good = tmp_path / "good.ndjson"
    assert msgfold("run", "--filter", "fold/text/*", "--log", good).returncode == 0
    assert msgfold("diff", good, file).returncode == 1
    assert msgfold("diff", file, good).returncode == 0
    assert msgfold("report", file, good, "--format", "junit").returncode == 2
    assert "no UTF-8" in msgfold("report", sys.executable).stderr


def test_fail_fast_stops_at_the_first_failure(wrong):
    done = msgfold("run", "--filter", "fold/text/*", "--fail-fast", "--output", "json", *wrong)
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert report["failed"] == 1
    assert not report["complete"]
    assert report["results"][-1]["outcome"] == "failed"
    assert report["total"] < sum(case.id.startswith("fold/text/") for case in CASES)


def test_a_run_that_was_cut_off_is_not_as_good_as_the_one_before(tmp_path):
    whole, cut = tmp_path / "whole.ndjson", tmp_path / "cut.ndjson"
    assert msgfold("run", "--filter", "fold/text/*", "--log", whole).returncode == 0
    cut.write_text("".join(whole.read_text("utf-8").splitlines(keepends=True)[:3]), "utf-8")
    told = msgfold("diff", whole, cut)
    assert "0 worse" in told.stdout
    assert told.returncode == 1
    assert "cut off" in told.stderr


def test_a_log_that_cannot_be_written_is_said_before_the_run(tmp_path):
    asked = tmp_path / "asked"
    command = ["sh", "-c", f"touch {asked}; cat"]
    told = msgfold("run", "--log", tmp_path / "none" / "x", "--", *command)
    assert "No such file or directory" in told.stderr
    assert not asked.exists()
