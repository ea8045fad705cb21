"""Standard streams that are closed, or whose disk is full: said in a line, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RECORDING = str(ROOT / "conformance" / "recordings" / "2.0.4" / "text.ndjson")

WRITERS = (
    ("fold", RECORDING),
    ("convert", RECORDING),
    ("convert", RECORDING, "--to", "proto"),
    ("upgrade-check", RECORDING),
    ("revisions",),
    ("conformance", "list"),
    ("conformance", "run", "--filter", "fold/text/*"),
)


def shell(redirection, *args):
    """The command with a redirection of the shell, such as ``<&-``: a closed standard input."""
    program = [sys.executable, "-c", "from msgfold.cli import main; main()", *args]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *program],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize("command", ["fold", "validate", "convert", "upgrade-check"])
def test_a_closed_standard_input_is_nothing_to_read(command):
    done = shell("<&-", command)
    assert done.returncode == 2
    assert "nothing to read: name a file" in done.stderr


@pytest.mark.parametrize("args", WRITERS, ids=" ".join)
def test_a_closed_standard_output_is_said(args):
    done = shell(">&-", *args)
    assert done.returncode == 1
    assert "error: standard output: " in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("args", WRITERS, ids=" ".join)
def test_a_full_disk_is_said(args):
    done = shell(">/dev/full", *args)
    assert done.returncode == 1
    assert "error: standard output: No space left on device" in done.stderr


def test_a_closed_standard_error_keeps_the_exit_code():
    assert shell("2>&-", "validate", RECORDING).returncode == 0
    assert shell("2>&-", "fold", "no-such-file").returncode == 1
