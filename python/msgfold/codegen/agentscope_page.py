"""The page of AgentScope's own faults: where it does otherwise, rule by rule, from the corpus."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from msgfold.conformance.corpus import Case, load
from msgfold.conformance.rules import rules


def page() -> str:
    """The page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    by_rule: dict[str, list[Case]] = defaultdict(list)
    for case in load():
        if case.agentscope:
            by_rule[case.rules[0]].append(case)
    total = sum(map(len, by_rule.values()))
    yield "# Where AgentScope does otherwise"
    yield ""
    yield (
        f"{total} cases in which some release of AgentScope gives another result than the rule. "
        "These are the known failures of `msgfold conformance run --impl agentscope==VERSION`: "
        "whatever else fails there is new. `msgfold conformance explain CASE` shows the input."
    )
    for rule in (rule for rule in rules() if rule in by_rule):
        yield from ("", f"## {rule}", "", _plain(rules()[rule].text), "")
        yield "| case | judged as | AgentScope |"
        yield "| --- | --- | --- |"
        for case in by_rule[rule]:
            source = case.source
            said = _cell(case.agentscope["differs"]) + (f" ([source]({source}))" if source else "")
            yield f"| `{case.id}` | {_span(case)} | {said} |"


def _span(case: Case) -> str:
    first, last = case.revisions["from"], case.revisions.get("to")
    return f"{first} to {last}" if last else f"{first} on"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _plain(text: str) -> str:
    """The sentence without its links, which lead elsewhere from here."""
    return re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
