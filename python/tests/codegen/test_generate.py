"""What is under generated/ is what would be generated now, and the check says so when it is not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from msgfold.cli.app import app
from msgfold.codegen import node, targets
from typer.testing import CliRunner

ROOT = Path(__file__).parents[3]


def here(name):
    """A target; the test is skipped where the machine lacks what makes it, but never in CI."""
    target = targets.TARGETS[name]
    reason = target.missing(ROOT)
    if reason is not None and not os.environ.get("CI"):
        pytest.skip(f"{name}: {reason}")
    return target


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A copy of what the generators read and write."""
    for name in ("schemas", "proto", "generated"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*args):
    return CliRunner().invoke(app, ["generate", "--check", *args])


def run(*args):
    from msgfold.cli.common import Failure

    result = check(*args)
    if isinstance(result.exception, Failure):
        return result.exception.code, result.output, str(result.exception)
    return result.exit_code, result.output, ""


@pytest.mark.parametrize("name", targets.TARGETS)
def test_committed_files_are_what_the_generator_writes(name):
    assert targets.drift(ROOT, here(name)) == []


@pytest.mark.parametrize("name", targets.TARGETS)
def test_two_runs_write_the_same_bytes(name):
    target = here(name)
    assert target.make(ROOT) == target.make(ROOT)


def test_nothing_under_generated_is_without_a_target():
    assert targets.strays(ROOT) == []


def test_every_generated_text_file_says_that_it_is_generated():
    for target in targets.TARGETS.values():
        for path in (ROOT / "generated" / target.folder).rglob("*"):
            if path.suffix in {".py", ".ts", ".json", ".md"} and "__pycache__" not in path.parts:
                head = path.read_text("utf-8")[:400].lower()
                assert "do not edit" in head, path


def test_check_is_quiet_when_all_is_up_to_date(checkout):
    code, output, _ = run("--only", "docs")
    assert (code, output) == (0, "generated/ is up to date (docs)\n")


def test_check_shows_the_diff_of_a_changed_file_and_the_command_that_mends_it(checkout):
    page = checkout / "generated" / "docs" / "contract.md"
    page.write_text(page.read_text().replace("# Contract reference", "# Edited by hand"))
    code, output, said = run("--only", "docs")
    assert code == 1
    assert "docs/contract.md: changed" in output
    assert "-# Edited by hand" in output
    assert "+# Contract reference" in output
    assert said.endswith("run: msgfold generate --only docs")


def test_check_reports_a_missing_and_a_stray_file(checkout):
    (checkout / "generated" / "docs" / "contract.md").rename(
        checkout / "generated" / "docs" / "old.md"
    )
    code, output, _ = run("--only", "docs")
    assert code == 1
    assert "docs/contract.md: missing" in output
    assert "docs/old.md: stray" in output


def test_a_stray_folder_is_reported(checkout):
    (checkout / "generated" / "cobol").mkdir()
    (checkout / "generated" / "cobol" / "msg.cbl").touch()
    assert [drift.command for drift in targets.strays(checkout)] == ["rm generated/cobol/msg.cbl"]


def test_generate_writes_what_is_missing_and_removes_what_is_stray(checkout):
    folder = checkout / "generated" / "docs"
    (folder / "contract.md").unlink()
    (folder / "old.md").touch()
    result = CliRunner().invoke(app, ["generate", "--only", "docs"])
    assert result.exit_code == 0, result.output
    pages = {"agentscope.md", "contract.md", "revisions.md"}
    assert {path.name for path in folder.iterdir()} == pages


def test_an_unknown_target_is_a_usage_error():
    code, _, said = run("--only", "cobol")
    assert code == 2
    assert "models" in said


def test_outside_a_checkout_it_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, said = run()
    assert code == 1
    assert "not in a checkout" in said


@pytest.fixture
def nodeless(checkout, monkeypatch):
    """A checkout on a machine without Node."""
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    return checkout


def test_what_needs_node_is_left_out_and_named_where_there_is_none(nodeless, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    code, output, _ = run()
    assert code == 0
    assert "SKIPPED protobuf-es" in output
    assert "Node is not here" in output
    up_to_date = output.splitlines()[-1]
    assert "docs" in up_to_date
    assert "protobuf-es" not in up_to_date


def test_in_ci_nothing_is_left_out(nodeless, monkeypatch):
    monkeypatch.setenv("CI", "true")
    code, _, said = run()
    assert code == 1
    assert "protobuf-es cannot be generated: Node is not here" in said


def test_what_is_asked_for_is_not_left_out(nodeless):
    code, _, said = run("--only", "protobuf-es")
    assert code == 1
    assert "install Node" in said
