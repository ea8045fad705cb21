"""The command line, run as a person runs it: a process, its output and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RECORDINGS = ROOT / "conformance" / "recordings" / "2.0.4"

START = (
    '{"type":"REPLY_START","id":"e0","created_at":"t0","session_id":"s","reply_id":"%s","name":"n"}'
)
TEXT = '{"type":"TEXT_BLOCK_START","id":"e1","created_at":"t1","reply_id":"r","block_id":"b"}'
DELTA = TEXT.replace("START", "DELTA").replace('"b"}', '"b","delta":"half"}')
END = '{"type":"REPLY_END","id":"e3","created_at":"t3","session_id":"s","reply_id":"%s"}'
R = (START % "r", TEXT, DELTA, END % "r")


def msgfold(*args, stdin=None, cwd=ROOT):
    done = subprocess.run(
        [sys.executable, "-c", "from msgfold.cli import main; main()", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=120,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def lines(*events):
    return "\n".join(events) + "\n"


@pytest.mark.parametrize("recording", sorted(RECORDINGS.glob("*.ndjson")), ids=lambda p: p.stem)
def test_fold_prints_the_msg_of_a_recording_and_the_same_bytes_twice(recording):
    once, twice = msgfold("fold", str(recording)), msgfold("fold", str(recording))
    assert once.returncode == 0
    assert once.stdout == twice.stdout
    expected = json.loads(recording.with_suffix("").with_suffix(".msg.json").read_text("utf-8"))
    assert json.loads(once.stdout)["id"] == expected["id"]


def test_fold_reads_a_pipe_in_every_format():
    plain = msgfold("fold", stdin=lines(*R)).stdout
    assert json.loads(plain)["content"][0]["text"] == "half"
    sse = "".join(f"data: {event}\n\n" for event in R)
    assert msgfold("fold", "-", stdin=sse).stdout == plain
    assert msgfold("fold", stdin=f"[{','.join(R)}]").stdout == plain
    pretty = json.dumps([json.loads(event) for event in R], indent=2)
    assert msgfold("fold", stdin=pretty).stdout == plain
    assert msgfold("fold", "--format", "ndjson", stdin=lines(*R)).stdout == plain


def test_several_replies_come_one_a_line_in_order_of_appearance():
    done = msgfold("fold", stdin=lines(START % "r", START % "q", END % "q", *R[1:]))
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["r", "q"]


def test_one_reply_can_be_asked_for():
    stream = lines(START % "r", START % "q", END % "q", END % "r")
    assert json.loads(msgfold("fold", "--reply", "q", stdin=stream).stdout)["id"] == "q"
    missing = msgfold("fold", "--reply", "z", stdin=stream)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "no reply 'z'" in missing.stderr


def test_an_incomplete_reply_is_said_and_fails_only_when_asked_to():
    stream = lines(*R[:3])
    done = msgfold("fold", stdin=stream)
    assert done.returncode == 0
    assert json.loads(done.stdout)["finished_at"] is None
    assert "incomplete_reply" in done.stderr
    assert msgfold("fold", "--require-complete", stdin=stream).returncode == 3


def test_a_waiting_reply_is_not_incomplete():
    calls = '[{"type":"tool_call","id":"c","name":"t","input":""}]'
    stream = lines(
        START % "r",
        '{"type":"TOOL_CALL_START","id":"e1","created_at":"t","reply_id":"r","tool_call_id":"c","tool_call_name":"t"}',
        f'{{"type":"REQUIRE_USER_CONFIRM","id":"e2","created_at":"t","reply_id":"r","tool_calls":{calls}}}',
    )
    done = msgfold("fold", "--require-complete", stdin=stream)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_broken_line_is_named_and_what_was_good_is_printed():
    done = msgfold("fold", stdin=lines(*R[:3], "{oops}", R[3]))
    assert done.returncode == 1
    assert "line 4, event 3" in done.stderr
    assert "invalid_json" in done.stderr
    assert json.loads(done.stdout)["content"][0]["text"] == "half"
    skipped = msgfold("fold", "--errors", "skip", stdin=lines(*R[:3], "{oops}", R[3]))
    assert skipped.returncode == 0
    assert json.loads(skipped.stdout)["finished_at"] == "t3"
    assert "invalid_json" in skipped.stderr


def test_a_cut_off_stream_is_said():
    done = msgfold("fold", stdin=lines(*R[:3]) + R[3][:20])
    assert "truncated_frame" in done.stderr
    assert json.loads(done.stdout)["finished_at"] is None


@pytest.mark.parametrize(
    ("args", "stdin", "code", "said"),
    [
        (("fold", "no-such-file"), None, 1, "No such file"),
        (("fold", "."), None, 1, "directory"),
        (("fold", "--revision", "9.9"), "", 2, "2.0.4"),
        (("fold", "--format", "xml"), "", 2, "xml"),
        (("fold", "--indent", "-1"), "", 2, "greater than or equal to 0"),
        (("fold",), "", 1, ""),
        (("fold",), "hello\n", 1, ""),
        (("fold",), '{"name":"n","role":"user","content":[]}\n', 1, "looks like a Msg"),
        (("fold",), '{"type":"CUSTOM","id":"e","created_at":"t","name":"n"}\n', 1, "no reply"),
        (("validate", "no-such-file"), None, 1, "No such file"),
        (("conformance", "run", "--filter", "no-such-case"), None, 1, "0 of"),
        (("conformance", "run", "--cases", "docs"), None, 1, "0 of 0"),
        (("conformance", "explain", "fold/txt/delta"), None, 2, "did you mean"),
        (("conformance", "explain", "fold/data/padded"), None, 2, "fold/data/padded-chunks"),
        (("conformance", "explain", ""), None, 2, "see `msgfold conformance list`"),
        (("no-such-command",), None, 2, ""),
    ],
)
def test_what_is_wrong_is_said_with_the_right_exit_code(args, stdin, code, said):
    done = msgfold(*args, stdin=stdin)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stderr


def test_validate_tells_line_event_and_pointer():
    wrong = DELTA.replace('"half"', "7")
    done = msgfold("validate", stdin=lines(START % "r", TEXT, wrong, END % "r"))
    assert done.returncode == 1
    assert "line 3, event 2, at /delta" in done.stdout
    assert "expected string" in done.stdout
    good = msgfold("validate", stdin=lines(*R))
    assert (good.returncode, good.stdout) == (0, "")


def test_validate_as_json():
    wrong = lines(START % "r", TEXT.replace('"t1"', "null"), END % "r")
    done = msgfold("validate", "--output", "json", stdin=wrong)
    report = json.loads(done.stdout)
    assert report["valid"] is False
    assert [(f["code"], f["line"], f["event_index"], f["pointer"]) for f in report["faults"]] == [
        ("wrong_type", 2, 1, "/created_at")
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (lines(*R), "stream"),
        (f"[{','.join(R)}]", "stream"),
        (DELTA, "event"),
        ('{"name":"n","content":[],"role":"user","id":"i","created_at":"t"}', "msg"),
        ('{\n"name":"n","content":[],\n"role":"user","id":"i","created_at":"t"}\n', "msg"),
    ],
)
def test_validate_sees_what_it_is_given(text, kind):
    seen = msgfold("validate", stdin=text)
    assert seen.returncode == 0, seen.stdout
    assert msgfold("validate", "--type", kind, stdin=text).returncode == 0


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("--format", "sse"), lines(*R)),  # every line is a field that event streams do not have
        ((), "[]"),
        ((), ": a comment\n\nevent: ping\ndata: {}\n\n"),
        (("--output", "json"), "[]"),
    ],
)
def test_validate_finds_nothing_good_in_no_events(args, text):
    done = msgfold("validate", *args, stdin=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no events, read as" in done.stderr


def test_validate_says_once_what_is_wrong_with_a_stream_that_is_cut_off():
    done = msgfold("validate", "--format", "sse", stdin=f"data: {R[0]}\n")
    assert done.returncode == 1
    assert done.stdout.count("truncated_frame") == 1
    assert "no events" not in done.stderr


def test_validate_takes_the_msgs_that_fold_prints():
    printed = msgfold("fold", stdin=lines(*R, START % "q")).stdout
    assert len(printed.splitlines()) == 2
    for kind in ("auto", "msg"):
        assert msgfold("validate", "--type", kind, stdin=printed).returncode == 0
    wrong = printed + printed.replace('"assistant"', '"user"').replace('"text"', '"thinking"', 1)
    found = msgfold("validate", stdin=wrong).stdout
    assert "line 3, at /content/0" in found
    assert "event" not in found
    listed = f"[{','.join(printed.splitlines())}]"
    assert msgfold("validate", stdin=listed).returncode == 0
    cut = msgfold("validate", stdin=printed + '{"name":')
    assert "truncated_frame" in cut.stdout


def test_validate_takes_a_stream_for_one_whatever_its_first_event_lacks():
    first = R[0].replace('"type":"REPLY_START",', "")
    found = msgfold("validate", stdin=lines(first, *R[1:])).stdout
    assert "line 1, event 0" in found


def test_validate_strict_reports_unknown_members():
    extra = DELTA.replace('"delta"', '"annotations":[],"delta"')
    assert msgfold("validate", stdin=extra).returncode == 0
    strict = msgfold("validate", "--strict", stdin=extra)
    assert strict.returncode == 1
    assert "/annotations" in strict.stdout


def test_conformance_run_says_how_many_passed():
    done = msgfold("conformance", "run", "--filter", "fold/text/*")
    assert done.returncode == 0
    assert " passed, 0 failed, 0 errored" in done.stdout
    report = json.loads(
        msgfold("conformance", "run", "--filter", "fold/text/*", "--output", "json").stdout
    )
    assert report["total"] == report["passed"] == len(report["results"]) > 0


def test_conformance_list_and_explain():
    listed = json.loads(msgfold("conformance", "list", "--output", "json").stdout)
    assert len(listed) >= 150
    shown = msgfold("conformance", "explain", listed[0]["id"])
    assert shown.returncode == 0
    assert listed[0]["title"] in shown.stdout
    assert listed[0]["rules"][0] in shown.stdout


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("fold",),
        ("validate",),
        ("generate",),
        ("conformance",),
        ("conformance", "run"),
        ("conformance", "list"),
        ("conformance", "explain"),
        ("conformance", "fuzz"),
        ("conformance", "replay"),
        ("conformance", "smoke"),
        ("conformance", "cost"),
        ("conformance", "report"),
        ("conformance", "diff"),
    ],
)
def test_every_command_has_help_with_examples(command):
    done = msgfold(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout
    if command and command != ("conformance",):
        assert "Example" in done.stdout


def test_version():
    from msgfold import __version__

    assert msgfold("--version").stdout == f"msgfold {__version__}\n"


def test_a_reader_that_leaves_early_is_no_fault():
    program = (
        f"{sys.executable} -c 'from msgfold.cli import main; main()' conformance list | head -n 1"
    )
    done = subprocess.run(
        ["bash", "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert "Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_several_files_come_in_their_order_whatever_the_jobs(tmp_path):
    names = [str(path) for path in sorted(RECORDINGS.glob("*.ndjson"))]
    one = msgfold("fold", *names)
    four = msgfold("fold", *names, "--jobs", "4")
    assert len(one.stdout.splitlines()) == len(names)
    assert (one.returncode, one.stdout) == (four.returncode, four.stdout)
    assert sorted(one.stderr.splitlines()) == sorted(four.stderr.splitlines())
    assert "external.ndjson: " in one.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_fails_does_not_stop_the_others(tmp_path, jobs):
    bad = tmp_path / "bad.ndjson"
    bad.write_text("{}\n")
    good = str(RECORDINGS / "text.ndjson")
    done = msgfold("fold", str(bad), good, str(tmp_path / "none"), "--jobs", jobs)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert "bad.ndjson: line 1" in done.stderr
    assert "No such file" in done.stderr


DIGITS = "7" * 10_000
LONG = (
    R[0],
    f'{{"type":"MODEL_CALL_END","id":"m","created_at":"t","reply_id":"r","input_tokens":{DIGITS},'
    f'"output_tokens":1,"cache_input_tokens":{DIGITS}}}',
    R[-1],
)


@pytest.mark.parametrize("arguments", [(), ("--indent", "2"), ("--revision", "2.0.11")])
def test_fold_writes_integers_of_any_length(arguments):
    done = msgfold("fold", *arguments, stdin=lines(*LONG))
    assert done.returncode == 0, done.stderr
    assert DIGITS in done.stdout
    assert msgfold("validate", stdin=done.stdout).returncode == 0


@pytest.mark.parametrize("output", ["text", "json"])
def test_upgrade_check_tells_of_integers_of_any_length(output):
    done = msgfold("upgrade-check", "--output", output, stdin=lines(*LONG))
    assert done.returncode == 1
    assert "/usage/cache_input_tokens" in done.stdout


def test_an_integer_that_is_too_long_to_show_is_refused_all_the_same():
    wrong = TEXT.replace('"b"', DIGITS)
    for command in (("fold",), ("validate",), ("convert", "--to", "proto"), ("upgrade-check",)):
        done = msgfold(*command, stdin=lines(R[0], wrong, R[-1]))
        assert "/block_id" in done.stdout + done.stderr
