"""The TypeScript package, judged by the corpus in every release that it speaks."""

from __future__ import annotations

import pytest
from msgfold.conformance.corpus import load
from msgfold.conformance.runner import run_processes
from msgfold.revisions import RELEASES


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
