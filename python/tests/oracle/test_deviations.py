"""Every entry of the table of deviations is true of AgentScope, and of us."""

from __future__ import annotations

import pytest
from deviations import DEVIATIONS
from msgfold.conformance.rules import rules
from reducers import Ours

pytestmark = pytest.mark.oracle

EACH = pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda deviation: deviation.rule)


@EACH
def test_agentscope_differs_in_the_releases_that_the_entry_names(agentscope, deviation):
    outcome = agentscope.run(*deviation.example)
    differs = deviation.agentscope(outcome)
    assert bool(differs) == deviation.holds_for(agentscope.release), outcome


@EACH
def test_we_do_what_the_rule_says(agentscope, deviation):
    outcome = Ours.run(*deviation.example, agentscope.release, deviation.errors)
    assert deviation.ours(outcome), outcome


def test_every_rule_that_says_differs_is_in_the_table():
    stated = {rule.id for rule in rules().values() if "*(differs" in rule.text}
    listed = {deviation.rule for deviation in DEVIATIONS}
    # That page says so once for all that is made up.
    assert stated - {"fold.deterministic"} <= listed
    assert listed <= set(rules())
