"""``msgfold call``, as a process, in a terminal and without one, at a real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import msgfold
import pexpect
import pytest
from serving import Server, free_port

BUILT_IN = "msgfold.replies.scripted:scripted_agent"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(BUILT_IN, "--log", tmp_path_factory.mktemp("call") / "r.db") as running:
        yield running


def call(*arguments, **environment):
    """Without a terminal: what comes on stdin, nobody types."""
    done = subprocess.run(
        [sys.executable, "-m", "msgfold", "call", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


class Terminal:
    """A terminal with ``msgfold call`` in it, and its stdout in a file."""

    def __init__(self, tmp_path, *arguments):
        self._out = tmp_path / "msg.json"
        line = '"$0" -m msgfold call "$@" > "$MSG"'
        self.child = pexpect.spawn(
            "/bin/sh",
            ["-c", f"exec {line}", sys.executable, *arguments],
            env={**os.environ, "MSG": str(self._out), "TERM": "xterm-256color", "COLUMNS": "100"},
            encoding="utf-8",
            timeout=60,
        )

    def until(self, said):
        """What is shown up to a text, which is plain."""
        self.child.expect_exact(said)
        return COLOURS.sub("", self.child.before)

    def type(self, line):
        self.child.sendline(line)

    def end(self):
        """The exit code, and the rest of what is shown."""
        self.child.expect(pexpect.EOF)
        rest = COLOURS.sub("", self.child.before)
        self.child.close()
        return self.child.exitstatus, rest

    @property
    def msg(self):
        said = self._out.read_text("utf-8")
        assert (said[0], said.count("\n")) == ("{", 1), "nothing else is there"
        return msgfold.parse_msg(said)


def result_of(msg, call_id):
    return next(b for b in msg.content if b.type == "tool_result" and b.id == call_id)


# ---------------------------------------------------------------------- without a terminal
def test_what_happens_is_on_stderr_and_the_msg_on_stdout(server):
    done = call("hello", "--target", server.target, "--yes", "--result", "clicked")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    msg = msgfold.parse_msg(done.stdout)
    assert (msg.name, msg.role) == ("friday", "assistant")
    assert result_of(msg, "call_1").state == "success"
    assert result_of(msg, "call_2").output[0].text == "clicked"
    for shown in (
        "friday replies",
        "Clean up first, then publish.",
        "You said: hello. I would tidy up first.",
        '→ delete_file {"path": "notes/old.txt"}',
        "allowed",
        "← success",
        "[image/png]",
        "All done.",
        "completed",
    ):
        assert shown in done.stderr, done.stderr


def test_no_is_an_answer_too(server):
    done = call("hello", "--target", server.target, "--no", "--result", "clicked")
    assert done.returncode == 0
    assert "denied" in done.stderr
    assert result_of(msgfold.parse_msg(done.stdout), "call_1").state == "denied"


def test_who_cannot_be_asked_is_told_what_to_say(server):
    done = call("hello", "--target", server.target)
    assert done.returncode == 3
    assert "waits for an answer; say --yes, --no or --result" in done.stderr
    msg = msgfold.parse_msg(done.stdout)
    assert msg.get_content_blocks("tool_call")[0].state == "asking"
    done = call("hello", "--target", server.target, "--yes")
    assert done.returncode == 3
    assert result_of(msgfold.parse_msg(done.stdout), "call_1").state == "success"


def test_questions_that_come_apart_are_answered_together(tmp_path):
    with Server("asking", "--log", tmp_path / "r.db") as asking:
        done = call("hello", "--target", asking.target, "--yes")
        assert done.returncode == 0, done.stderr
        assert "yes and yes." in msgfold.parse_msg(done.stdout).get_text_content()


def test_a_session_and_another_server_that_does_not_answer(server):
    dead = f"127.0.0.1:{free_port()}"
    targets = ("--target", dead, "--target", server.target)
    done = call("hello", *targets, "--session", "s1", "--no", "--result", "x")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--target", "127.0.0.1:1"], 1, "no server answers at 127.0.0.1:1"),
        (["--target", "no.such.host.invalid:1"], 1, "no server answers"),
        (["--ca", "none.pem"], 2, "none.pem"),
        (["--cert", "none.pem"], 2, "--cert and --key go together"),
        (["--token", "t", "--target", "192.0.2.1:1"], 2, "in the clear"),
        (["--timeout", "nonsense"], 2, "--timeout"),
        (["--token", "hunter2\n"], 2, "a token has what no header carries"),
    ],
)
def test_what_cannot_be_is_said(arguments, code, said):
    done = call("hello", *arguments)
    assert done.returncode == code
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert done.stdout == ""


def test_a_deadline_is_said(tmp_path):
    settings = {"WORDS": 1_000_000, "DELAY": 0.01}
    with Server("steady", "--log", tmp_path / "r.db", **settings) as slow:
        done = call("r1", "--target", slow.target, "--timeout", "1")
    assert done.returncode == 1
    assert "the timeout that was set is over" in done.stderr


@pytest.mark.parametrize(
    ("factory", "said"), [("refusing", "no agent could be made"), ("failing", "RuntimeError")]
)
def test_an_agent_that_fails_is_said_without_its_secrets(tmp_path, factory, said):
    with Server(factory, "--log", tmp_path / "r.db") as server:
        done = call("hello", "--target", server.target)
    assert done.returncode == 1
    assert said in done.stderr
    assert "hunter2" not in done.stderr


def test_a_token_is_an_option_or_in_the_environment(tmp_path):
    tokens = tmp_path / "tokens.json"
    tokens.write_text(json.dumps({"alice": "hers"}))
    settings = ("--log", tmp_path / "r.db", "--tokens", tokens)
    with Server(BUILT_IN, *settings) as server:
        asked = ("hello", "--target", server.target, "--yes", "--result", "x")
        for more in ((), ("--token", "wrong")):
            done = call(*asked, *more)
            assert done.returncode == 1
            assert "no valid token" in done.stderr
        assert call(*asked, "--token", "hers").returncode == 0
        assert call(*asked, MSGFOLD_TOKEN="hers").returncode == 0


# ---------------------------------------------------------------------- in a terminal
@pytest.mark.parametrize(("typed", "state"), [("y", "success"), ("n", "denied"), ("", "denied")])
def test_a_person_is_asked(server, tmp_path, typed, state):
    terminal = Terminal(tmp_path, "hello", "--target", server.target)
    seen = terminal.until('Allow delete_file({"path": "notes/old.txt"})? [y/N]: ')
    assert "You said: hello. I would tidy up first." in seen
    terminal.type(typed)
    terminal.until('Result of browser_click({"selector": "#publish"}): ')
    terminal.type("I clicked it")
    code, rest = terminal.end()
    assert code == 0, rest
    assert "All done." in rest
    assert result_of(terminal.msg, "call_1").state == state
    assert result_of(terminal.msg, "call_2").output[0].text == "I clicked it"


def test_who_types_nonsense_is_asked_again(server, tmp_path):
    terminal = Terminal(tmp_path, "hello", "--target", server.target, "--result", "x")
    terminal.until("[y/N]: ")
    terminal.type("perhaps")
    terminal.until("[y/N]: ")
    terminal.type("yes")
    code, _ = terminal.end()
    assert code == 0
    assert result_of(terminal.msg, "call_1").state == "success"


def test_it_is_shown_as_it_happens(tmp_path):
    """A word at a time, while the agent has not ended."""
    settings = {"WORDS": 1_000_000, "DELAY": 0.01, "DIARY": tmp_path / "diary"}
    with Server("steady", "--log", tmp_path / "r.db", **settings) as slow:
        terminal = Terminal(tmp_path, "r1", "--target", slow.target)
        terminal.until("friday replies")
        for word in ("0000000", "0000005", "0000010"):
            terminal.until(word)
        terminal.child.sendintr()
        code, rest = terminal.end()
        assert code == 1
        assert "interrupted; the agent was told to stop" in rest
        assert "Traceback" not in rest
        assert (tmp_path / "diary").read_text().split() == ["started", "cancelled", "ended"]


@pytest.mark.parametrize("leave", ["sendintr", "sendeof"])
def test_who_leaves_at_a_question_stops_the_reply(tmp_path, leave):
    with Server(BUILT_IN, "--log", tmp_path / "r.db", "--max-replies", 1) as server:
        terminal = Terminal(tmp_path, "hello", "--target", server.target)
        terminal.until("[y/N]: ")
        getattr(terminal.child, leave)()
        code, rest = terminal.end()
        assert code == 1, rest
        assert "Aborted" in rest
        assert "Traceback" not in rest
        done = call("again", "--target", server.target, "--no", "--result", "x")
        assert done.returncode == 0, "the one reply that may be unfinished is over"


def test_a_text_of_an_agents_moves_no_cursor_and_hides_nothing(tmp_path):
    with Server("asking", "--log", tmp_path / "r.db") as asking:
        terminal = Terminal(tmp_path, "hello", "--target", asking.target)
        seen = terminal.until("Allow rm(")
        assert "␛[2J�[bold]:x:" in seen
        asked = terminal.until("[y/N]: ")
        assert asked == '"c1␛[1A")? '
        terminal.type("y")
        terminal.until("[y/N]: ")
        terminal.type("n")
        code, rest = terminal.end()
        assert code == 0, rest
        assert "yes and no." in rest
        assert "\x1b[2J" in terminal.msg.get_text_content(), "the Msg is as it was said"


def test_help_has_examples(server):
    done = call("--help", COLUMNS="200", TERM="dumb")
    assert done.returncode == 0
    assert len(re.findall(r"• msgfold call", done.stdout)) >= 3
