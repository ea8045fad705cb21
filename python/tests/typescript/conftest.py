"""The TypeScript package, built from its sources as they are, or with one line made wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "typescript"


def build(folder, fault=None):
    """The command of a testee.

    Args:
        folder: an empty one; not ``dist/``, which others may be using at this moment.
        fault: a file below ``src``, a text that it has once, and what stands there instead.
    """
    source = PACKAGE
    if fault is not None:
        source = folder / "typescript"
        ignored = shutil.ignore_patterns("node_modules", "dist")
        shutil.copytree(PACKAGE, source, ignore=ignored)
        (folder / "generated").symlink_to(PACKAGE.parent / "generated")
        (source / "node_modules").symlink_to(PACKAGE / "node_modules")
        name, right, wrong = fault
        text = (source / "src" / name).read_text("utf-8")
        assert text.count(right) == 1, name
        (source / "src" / name).write_text(text.replace(right, wrong), "utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(PACKAGE / "node_modules")
    command = [str(PACKAGE / "node_modules/.bin/tsc"), "-p", "tsconfig.node.json"]
    done = subprocess.run(
        [*command, "--outDir", folder / "dist"], cwd=source, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    return ["node", str(folder / "dist" / "bin" / "testee.js")]


@pytest.fixture(scope="session")
def node():
    """Node is here; where it is not, the test is skipped, and fails in CI."""
    if shutil.which("node") is None:
        why = "Node is not here, so the TypeScript package is not judged"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)


@pytest.fixture
def faulty(node, tmp_path):
    """Gives the command of a testee with a fault, see :func:`build`."""
    return lambda fault: build(tmp_path, fault)


@pytest.fixture(scope="module")
def testee(node, tmp_path_factory):
    """The command of the package's own testee."""
    return build(tmp_path_factory.mktemp("typescript"))
