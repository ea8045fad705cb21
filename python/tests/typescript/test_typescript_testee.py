"""The TypeScript package, judged by the corpus in every release that it speaks."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from msgfold.conformance.corpus import load
from msgfold.conformance.runner import run_processes
from msgfold.revisions import RELEASES

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "typescript"

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None and not os.environ.get("CI"), reason="Node is not here"
)


@pytest.fixture(scope="module")
def testee(tmp_path_factory):
    """The command that starts it, built from the sources as they are."""
    # Not into dist/, which others may be using at this moment.
    built = tmp_path_factory.mktemp("typescript")
    (built / "package.json").write_text('{"type": "module"}')
    (built / "node_modules").symlink_to(PACKAGE / "node_modules")
    command = [str(PACKAGE / "node_modules/.bin/tsc"), "-p", "tsconfig.node.json"]
    subprocess.run([*command, "--outDir", built / "dist"], cwd=PACKAGE, check=True)
    return ["node", str(built / "dist" / "bin" / "testee.js")]


@pytest.mark.parametrize("revision", RELEASES)
def test_every_case_passes_but_those_that_no_double_can(testee, revision):
    cases = [case for case in load() if case.holds_for(revision)]
    results = list(run_processes(cases, revision, testee, timeout=60, processes=1))
    wrong = [
        f"{r.case.id}: {r.what} {r.difference or r.message}"
        for r in results
        if r.outcome not in {"passed", "untested"}
    ]
    assert wrong == []
    untested = {result.case.id for result in results if result.outcome == "untested"}
    assert untested == {case.id for case in cases if case.needs == ("numbers",)}
