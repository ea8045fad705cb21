"""What others put into their own CI: the GitHub action's steps and the pre-commit hook, run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
TESTEE = ROOT / "conformance" / "testees" / "skeletons" / "python" / "testee.py"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
TEXT = "--filter 'fold/text/deltas-*'"
TOOLS = "--filter 'fold/tool-call/*'"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder as the action's first step leaves it, with the package under test."""
    bin_ = tmp_path_factory.mktemp("kit") / "bin"
    bin_.mkdir()
    script = bin_ / "msgfold"
    script.write_text(f"#!{sys.executable}\nfrom msgfold.cli import main\nmain()\n")
    script.chmod(0o755)
    return bin_.parent


@pytest.mark.parametrize(("args", "code"), [(TEXT, 0), (TOOLS, 1)])
def test_the_action_runs_the_corpus(place, args, code):
    run = ACTION["runs"]["steps"][1]
    given = {
        "COMMAND": f"'{sys.executable}' '{TESTEE}'",
        "REVISION": ACTION["inputs"]["revision"]["default"],
        "ARGS": args,
        "PLACE": str(place),
    }
    assert set(given) == set(run["env"])
    command = ["bash", "-eo", "pipefail", "-c", run["run"]]
    done = subprocess.run(command, env=os.environ | given, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert "passed" in done.stdout


def test_the_action_s_inputs_are_those_that_it_uses():
    used = "".join(str(step["env"]) for step in ACTION["runs"]["steps"])
    assert all(f"inputs.{name} " in used for name in ACTION["inputs"])
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])


@pytest.mark.parametrize(("args", "code"), [(TEXT, 0), (TOOLS, 1)])
def test_the_hook_s_entry_judges(place, args, code):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    line = f"{hook['entry']} {args} --level must -- '{sys.executable}' '{TESTEE}'"
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(line, shell=True, env=os.environ | {"PATH": path}, capture_output=True)
    assert done.returncode == code, done.stdout
    assert hook["pass_filenames"] is False
