"""What AgentScope makes up by itself while it folds, so that no event can tell it."""

from __future__ import annotations

import json
import re

from msgfold.revisions import comes_after

MINTED = {
    # The text blocks of a tool result have ids of AgentScope's own (fold.tool-result.id) ...
    "2.0.4": {"/content/*/output/*/id"},
    # ... and from 2.0.6 on every block has a time of its clock (fold.block.created-at).
    "2.0.11": {
        *("/content/*/output/*/id", "/content/*/output/*/created_at"),
        *("/content/*/created_at", "/content/*/finished_at"),
    },
}
"""Release to the places where its Msgs hold what it made up."""


def minted(value, given, pointer=""):
    """Pointers to the ids and times that AgentScope made up: the strings that came in no event."""
    if isinstance(value, list):
        members = enumerate(value)
    elif isinstance(value, dict):
        members = value.items()
    else:
        return
    for key, member in members:
        here = f"{pointer}/{key}"
        made_up = isinstance(member, str) and json.dumps(member) not in given
        if key in {"id", "created_at", "finished_at"} and made_up:
            yield here
        yield from minted(member, given, here)


def mints(release):
    """The places where a release's Msgs hold what it made up."""
    return MINTED["2.0.11" if comes_after(release, "2.0.5") else "2.0.4"]


def kinds(pointers):
    """Pointers, their positions left out."""
    return {re.sub(r"/[0-9]+", "/*", pointer) for pointer in pointers}
