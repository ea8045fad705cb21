"""Cases that a program makes: the input is drawn or shrunk, the expectation is the reference's.

A made case is judged by the same runner as a written one, and is written to a file in the same
form, so that whoever gets it can keep it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgfold.conformance import reference
from msgfold.conformance.blame import GENERAL
from msgfold.conformance.corpus import Case
from msgfold.errors import shorten

Json = dict[str, Any]


def case(given: Json, revision: str) -> Case:
    """The input of a fold as a case, expected as the reference has it.

    Raises:
        MsgfoldError: the Msg to begin with is none.
    """
    expect = expectation(given, revision)
    name = hashlib.sha256(json.dumps([given, revision], sort_keys=True).encode()).hexdigest()[:10]
    return Case(
        id=f"made/fold-{name}",
        title="A made stream folds as the reference folds it",
        rules=(GENERAL,),
        level="must",
        revisions={"from": revision, "to": revision},
        op="fold",
        input=given,
        expect=expect,
        kill="whatever the implementation did when this was found",
    )


def expectation(given: Json, revision: str) -> Json:
    """What the reference makes of an input, as the ``expect`` of a case.

    Codes come with their event and nothing more: which member of an event is to blame, or which
    line, is asked by the cases of the corpus.
    """
    answer = reference.answer("fold", given, revision)
    expect: Json = {n: answer[n] for n in ("msg", "msgs", "status") if n in answer}
    if "error" in answer:
        expect["error"] = _about(answer["error"])
    if "diagnostics" in answer:
        expect["diagnostics"] = [_about(report) for report in answer["diagnostics"]]
    return expect


def _about(report: Json) -> Json:
    return {"code": report["code"], "event": report["event"]}


def told(found: Case, *, name: str, rule: str, title: str, kill: str) -> Case:
    """The case under its own name, with its rule and what went wrong.

    Args:
        found: a made case.
        name: what its id begins with.
        rule: the rule that it is about.
        title: the behaviour, as a fact.
        kill: what the implementation did.
    """
    slug = name.lower().replace("_", "-")
    return Case(
        id=f"found/{slug}-{found.id.rpartition('-')[2]}",
        title=shorten(title, 100),
        rules=(rule,),
        level=found.level,
        revisions=found.revisions,
        op=found.op,
        input=found.input,
        expect=found.expect,
        kill=kill,
    )


def document(case: Case) -> Json:
    """The case as the JSON of its file."""
    members = ("id", "title", "rules", "level", "revisions", "op", "input", "expect", "kill")
    return {name: getattr(case, name) for name in members} | {"rules": list(case.rules)}


def write(cases: Iterable[Case], folder: Path) -> list[Path]:
    """Write case files below ``folder``, each where its id says; their paths.

    Raises:
        OSError: one cannot be written.
    """
    paths = []
    for case in cases:
        path = folder / f"{case.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document(case), ensure_ascii=False, indent=2)
        path.write_text(text + "\n", "utf-8")
        paths.append(path)
    return paths
