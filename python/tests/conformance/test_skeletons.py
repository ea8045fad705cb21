"""The skeletons of testees: each is built and judged where its toolchain is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgfold.conformance.corpus import load
from msgfold.conformance.runner import run_processes

ROOT = Path(__file__).parents[3]
SKELETONS = ROOT / "conformance" / "testees" / "skeletons"
GUIDE = ROOT / "docs" / "guides" / "test-your-implementation.md"
CASES = [case for case in load() if case.holds_for("2.0.4") and case.op == "fold"]
GSON = re.search(r"gson:gson:([\d.]+)", (SKELETONS / "java" / "Testee.java").read_text())[1]


@dataclass(frozen=True)
class Skeleton:
    """How a skeleton is built and started, in its folder."""

    source: str
    tools: tuple[str, ...]
    build: tuple[tuple[str, ...], ...]
    command: tuple[str, ...]
    passes: int


ALL = {
    "nothing": Skeleton("testee.py", (), (), (sys.executable, "testee.py"), 40),
    "python": Skeleton("testee.py", (), (), (sys.executable, "testee.py"), 100),
    "typescript": Skeleton(
        "testee.ts",
        ("node", "npm", "npx"),
        (("npm", "ci", "--silent", "--no-audit", "--no-fund"), ("npx", "tsc")),
        ("node", "testee.js"),
        100,
    ),
    "go": Skeleton(
        "testee.go",
        ("go",),
        (("go", "vet", "."), ("go", "build", "-o", "testee", ".")),
        ("./testee",),
        100,
    ),
    "java": Skeleton(
        "Testee.java",
        ("java", "mvn"),
        (
            (
                *("mvn", "-q", "-B", "dependency:copy", "-DoutputDirectory=lib"),
                f"-Dartifact=com.google.code.gson:gson:{GSON}",
            ),
        ),
        ("java", "-cp", f"lib/gson-{GSON}.jar", "Testee.java"),
        100,
    ),
}


def built(skeleton, source, folder):
    """The command of a skeleton that was built in a folder; skips, in CI fails, without tools."""
    missing = [tool for tool in skeleton.tools if shutil.which(tool) is None]
    if missing:
        why = f"no {', '.join(missing)} here, so the skeleton is not tried"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("node_modules", "lib"))
    for step in skeleton.build:
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    program, *rest = skeleton.command
    found = shutil.which(program) or str(folder / program)
    return [found, *(str(folder / part) if (folder / part).exists() else part for part in rest)]


@pytest.mark.parametrize("name", ALL)
def test_a_skeleton_passes_some_cases_and_is_told_of_the_rest(name, tmp_path):
    skeleton = ALL[name]
    command = built(skeleton, SKELETONS / name, tmp_path / name)
    # A class path has no file of its own name to be found by.
    command = [re.sub(r"^lib/", f"{tmp_path / name}/lib/", part) for part in command]
    results = list(run_processes(CASES, "2.0.4", command, timeout=60, processes=1))
    passed = [result for result in results if result.outcome == "passed"]
    failed = [result for result in results if result.outcome == "failed"]
    assert len(passed) >= skeleton.passes
    assert len(failed) > 100
    if name != "nothing":
        text = [result for result in passed if result.case.id.startswith("fold/text/")]
        assert len(text) >= 10
    assert all(result.difference is not None for result in failed)


@pytest.mark.parametrize("name", ALL)
def test_a_skeleton_is_short(name):
    lines = (SKELETONS / name / ALL[name].source).read_text("utf-8").splitlines()
    assert len(lines) < 150
    assert max(map(len, lines)) <= 100


def test_the_guide_builds_them_as_they_are_built_here():
    text = GUIDE.read_text("utf-8")
    for name, skeleton in ALL.items():
        assert f"skeletons/{name}/{skeleton.source}" in text
        for step in skeleton.build:
            said = [part for part in step if part not in {"-q", "-B", "--silent", "--no-audit"}]
            assert all(part in text for part in said), (name, step)
