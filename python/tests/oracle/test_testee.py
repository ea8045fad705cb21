"""AgentScope, judged by the kit: whatever it does otherwise, the case says so."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from msgfold.cli.app import app
from msgfold.conformance.corpus import load
from msgfold.conformance.runner import run_processes
from typer.testing import CliRunner

pytestmark = pytest.mark.oracle

TESTEE = Path(__file__).parents[3] / "conformance" / "testees" / "agentscope" / "testee.py"


def test_every_case_passes_or_names_the_difference(agentscope):
    release = agentscope.release
    cases = [case for case in load() if case.holds_for(release)]
    command = [sys.executable, str(TESTEE)]
    results = list(run_processes(cases, release, command, timeout=30, processes=2))
    wrong = [result for result in results if result.outcome in {"failed", "errored"}]
    assert wrong == []
    count = Counter(result.outcome for result in results)
    assert count["passed"] > 300
    assert 30 < count["known"] < 100


def test_the_kit_gets_an_implementation_by_itself(agentscope, tmp_path, monkeypatch):
    """``--impl`` installs it into an environment of its own, once."""
    if agentscope.release != "2.0.4":
        return  # it takes half a minute, and once is enough
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    command = ["conformance", "run", "--impl", "agentscope==2.0.4", "--filter", "fold/text/*"]
    for said in ("installing agentscope==2.0.4", ""):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        assert "0 failed, 0 errored" in result.output
        assert ("installing" in result.output) == bool(said)
