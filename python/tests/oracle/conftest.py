"""The real AgentScope, or a loud word about its absence."""

from __future__ import annotations

import os

import pytest
from reducers import AgentScope


@pytest.fixture(scope="session")
def agentscope() -> AgentScope:
    """AgentScope, whichever release is installed.

    Missing: skipped with the reason.  ``MSGFOLD_ORACLE`` names the release that must be there.
    """
    wanted = os.environ.get("MSGFOLD_ORACLE")
    try:
        found = AgentScope()
    except ImportError as error:
        why = f"the real AgentScope is not installed ({error}); run: make oracle"
        if wanted:
            pytest.fail(why)
        pytest.skip(why)
    if wanted and found.release != wanted:
        pytest.fail(f"AgentScope {wanted} is asked for, {found.release} is installed")
    return found
