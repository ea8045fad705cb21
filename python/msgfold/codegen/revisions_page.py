"""The page of revisions: what each AgentScope release changed, and the members that came later."""

from __future__ import annotations

from collections.abc import Iterator

from msgfold.codegen import since
from msgfold.revisions import CHANGES, DEFAULT_REVISION, RELEASES


def page() -> str:
    """The page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Revisions"
    yield ""
    yield (
        f"A revision is an AgentScope release: {', '.join(RELEASES)}. The fold takes "
        f"{DEFAULT_REVISION} unless it is told otherwise. `msgfold revisions` prints this table, "
        "`msgfold upgrade-check` says what of it a stream of yours would see."
    )
    yield from ("", "## Changes", "", "| release | about | what changed | rules |")
    yield "| --- | --- | --- | --- |"
    for change in CHANGES:
        rules = ", ".join(f"`{rule}`" for rule in change.rules)
        yield f"| {change.since} | {change.kind} | {change.what} | {rules} |"
    silent = [r for r in RELEASES[1:] if r not in {change.since for change in CHANGES}]
    yield from ("", f"Nothing that is seen here changed in {' and '.join(silent)}.")
    yield from (
        "",
        "## Members and words that came later",
        "",
        "| release | what |",
        "| --- | --- |",
    )
    found = [(release, f"`{title}`") for title, release in since.later_definitions().items()]
    for later, shown in ((since.members(), "`{}.{}`"), (since.words(), "`{}`: the word `{}`")):
        found += [
            (release, shown.format(title, name))
            for title, names in later.items()
            for name, release in names.items()
        ]
    for release in RELEASES:
        for when, what in found:
            if when == release:
                yield f"| {release} | {what} |"
