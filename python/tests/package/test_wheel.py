"""The wheel works by itself: in an empty environment, away from the repository."""

from __future__ import annotations

import json
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(*command, cwd, stdin=None):
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", with_pip=True)
    return folder


@pytest.fixture(scope="module")
def wheel(environment, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    # A clean copy, because a build must not depend on what lies about in the checkout.
    for name in filter(None, run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")):
        source, target = ROOT / name, folder / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.symlink_to(source.readlink())
        elif source.exists():
            target.write_bytes(source.read_bytes())
    pip(environment, "wheel", "--no-deps", "-w", folder, folder / "source")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(environment, wheel):
    pip(environment, "install", wheel)
    return environment / "env" / "bin" / "msgfold", environment


def pip(environment, *args):
    python = environment / "env" / "bin" / "python"
    done = run(python, "-m", "pip", args[0], "--quiet", *args[1:], cwd=environment)
    assert done.returncode == 0, done.stderr


def test_it_holds_what_it_needs_and_no_more(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in (
        "msgfold/py.typed",
        "msgfold/_generated/models.py",
        "msgfold/_generated/structs.py",
        "msgfold/v1/agent_event_pb2.py",
        "msgfold/v1/agent_event_pb2.pyi",
        "msgfold/_data/schemas/msg.schema.json",
        "msgfold/_data/schemas/conformance/case.schema.json",
        "msgfold/_data/spec/fold.md",
    ):
        assert needed in names
    assert sum(name.startswith("msgfold/_data/cases/") for name in names) >= 150
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"msgfold"}
    assert not any("tests/" in name or "/examples/" in name for name in names)


def test_fold_validate_and_conformance_work_outside_the_repository(installed):
    msgfold, folder = installed
    recording = (ROOT / "conformance" / "recordings" / "2.0.4" / "tool_data.ndjson").read_text()
    folded = run(msgfold, "fold", cwd=folder, stdin=recording)
    assert folded.returncode == 0, folded.stderr
    assert json.loads(folded.stdout)["role"] == "assistant"
    assert run(msgfold, "validate", "--strict", cwd=folder, stdin=recording).returncode == 0
    judged = run(msgfold, "conformance", "run", cwd=folder)
    assert judged.returncode == 0, judged.stdout
    assert " passed, 0 failed, 0 errored" in judged.stdout


def test_generate_says_that_it_needs_a_checkout(installed):
    msgfold, folder = installed
    done = run(msgfold, "generate", "--check", cwd=folder)
    assert done.returncode == 1
    assert "not in a checkout" in done.stderr
