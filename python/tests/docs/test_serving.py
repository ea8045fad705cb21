"""What the pages say of the reply service: the recorded terminal, the codes, the rules."""

from __future__ import annotations

import os
import pty
import re
import select
import sys
import time
from pathlib import Path

from msgfold.conformance.rules import rules
from msgfold.replies.errors import ON_THE_WIRE
from serving import Server

ROOT = Path(__file__).parents[3]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def test_every_rule_of_the_service_has_a_test_about_it():
    marked = set()
    for path in (ROOT / "python" / "tests").rglob("*.py"):
        for names in re.findall(r"^@pytest\.mark\.rule\(([^)]+)\)", path.read_text("utf-8"), re.M):
            marked |= set(re.findall(r'"([^"]+)"', names))
    assert marked == {rule.id for rule in rules().values() if rule.page == "replies.md"}


def test_the_table_of_codes_is_complete():
    page = (ROOT / "docs" / "guides" / "serving.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| ([A-Z_]+) \| (\d+) \|$", page, re.M)
    assert rows == [(code, wire.grpc, str(wire.http)) for code, wire in ON_THE_WIRE.items()]


def test_the_recorded_terminal_is_what_a_terminal_shows(tmp_path):
    page = (ROOT / "README.md").read_text("utf-8")
    recorded = re.search(r"^\$ msgfold call \"hello\"\n(.*?)^```$", page, re.M | re.S)[1]
    wanted = ".*".join(map(re.escape, recorded.split("...")))
    with Server("msgfold.replies.scripted:scripted_agent", "--log", tmp_path / "r.db") as server:
        said = in_a_terminal(["call", "hello", "--target", server.target], ["y", "clicked"])
    assert re.fullmatch(wanted, said, re.S), said


def in_a_terminal(arguments, answers):
    """What a person sees who gives these answers."""
    child, terminal = pty.fork()
    if child == 0:
        command = [sys.executable, "-m", "msgfold", *arguments]
        os.execve(sys.executable, command, {**os.environ, "COLUMNS": "200"})
    seen, asked, until = b"", 0, time.monotonic() + 60
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            seen += os.read(terminal, 4096)
        except OSError:  # the other side has closed it
            break
        text = COLOURS.sub("", seen.decode("utf-8", "ignore"))
        questions = re.findall(r"(?:\[y/N\]|Result of .*\)): ", text)
        if len(questions) > asked and text.endswith(": "):
            os.write(terminal, answers[asked].encode() + b"\n")
            asked += 1
    os.waitpid(child, 0)
    os.close(terminal)
    return COLOURS.sub("", seen.decode()).replace("\r\n", "\n")
