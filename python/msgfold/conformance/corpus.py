"""Loading cases: every file is checked before any is run.

A case that says nothing, or says it under a misspelt name, would pass for ever.  So a file is held
against its schema, which refuses unknown members, and against the rules of the corpus: its id is
its path, and the rules that it names exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from msgfold.conformance.rules import rules
from msgfold.errors import InvalidCaseError, Place, UnknownRevisionError
from msgfold.resources import CASES, SCHEMAS
from msgfold.revisions import RELEASES, comes_after, known
from msgfold.wire.json import pointer

Level = str
"""``must``, ``should`` or ``may``."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case; the members are those of ``case.schema.json``."""

    id: str
    title: str
    rules: tuple[str, ...]
    level: Level
    revisions: dict[str, str]
    op: str
    input: dict[str, Any]
    expect: dict[str, Any]
    kill: str
    later: tuple[dict[str, Any], ...] = ()
    volatile: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    agentscope: dict[str, str] = field(default_factory=dict)
    source: str | None = None

    @property
    def area(self) -> str:
        """What a report groups by: the area of the case's first rule."""
        return ".".join(self.rules[0].split(".")[:2])

    def holds_for(self, revision: str) -> bool:
        """Whether the case is about that revision."""
        last = self.revisions.get("to", revision)
        return not (comes_after(self.revisions["from"], revision) or comes_after(revision, last))

    def expected_of(self, revision: str) -> dict[str, Any]:
        """What must come of the input in that revision: the last change up to it."""
        expected = self.expect
        for change in self.later:
            if not comes_after(change["from"], revision):
                expected = change["expect"]
        return expected


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases to run; what is left out selects all.

    Attributes:
        globs: patterns over case ids, ``*`` also over slashes; one that fits is enough.
        levels: levels.
        rules: rule ids, or beginnings of them: ``fold.text`` takes ``fold.text.delta`` too.
        ops: operations.
    """

    globs: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()

    def takes(self, case: Case) -> bool:
        """Whether ``case`` is selected."""
        return (
            _any_or_all(self.globs, lambda glob: re.match(translate(glob), case.id) is not None)
            and _any_or_all(self.levels, lambda level: case.level == level)
            and _any_or_all(self.rules, lambda rule: any(_under(r, rule) for r in case.rules))
            and _any_or_all(self.ops, lambda op: case.op == op)
        )


def load(root: Path = CASES) -> list[Case]:
    """Every case below ``root``, by id.

    Raises:
        InvalidCaseError: a file is not a case, or there is no such folder; the message names it.
    """
    if not root.is_dir():
        raise InvalidCaseError(f"{root}: expected a folder of cases, got {_instead(root)}")
    return sorted((read(path, root) for path in files(root)), key=lambda case: case.id)


def files(root: Path = CASES) -> Iterator[Path]:
    """The case files below ``root``."""
    return iter(sorted(root.rglob("*.json")))


def read(path: Path, root: Path = CASES) -> Case:
    """One case file, checked.

    Raises:
        InvalidCaseError: it is not a case.
    """
    try:
        text = path.read_text("utf-8")
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_finite)
    except (OSError, ValueError) as error:
        raise InvalidCaseError(f"{path}: cannot be read: {error}") from None
    for fault in _validator().iter_errors(document):
        raise InvalidCaseError(
            f"{path}: {fault.message}",
            place=Place(pointer=pointer(fault.absolute_path)),
            hint="The members of a case are in schemas/conformance/case.schema.json",
        )
    relative = path.relative_to(root).with_suffix("").as_posix()
    if document["id"] != relative:
        raise InvalidCaseError(f"{path}: id must be the path {relative!r}, is {document['id']!r}")
    for rule in document["rules"]:
        if rule not in rules():
            raise InvalidCaseError(f"{path}: no rule {rule!r} in docs/spec")
    document["rules"] = tuple(document["rules"])
    for member in ("volatile", "later", "needs"):
        document[member] = tuple(document.get(member, ()))
    case = Case(**document)
    _check_revisions(case, path)
    return case


def _instead(root: Path) -> str:
    return "a file" if root.exists() else "nothing of that name"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a member that came twice, the first would never be looked at."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the member {twice!r} came twice")
    return found


def _finite(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _check_revisions(case: Case, path: Path) -> None:
    """The releases that a case names are known and rise."""
    named = [case.revisions["from"], *(change["from"] for change in case.later)]
    if "to" in case.revisions:
        named.append(case.revisions["to"])
    try:
        places = [RELEASES.index(known(release)) for release in named]
    except UnknownRevisionError as error:
        raise InvalidCaseError(f"{path}: {error.reason}; expected {error.expected}") from None
    starts = places[: len(case.later) + 1]
    if sorted(places) != places or len(set(starts)) != len(starts):
        raise InvalidCaseError(f"{path}: its revisions do not rise: {', '.join(named)}")


@cache
def _validator() -> Draft202012Validator:
    path = SCHEMAS / "conformance" / "case.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


def _any_or_all(wanted: Iterable[str], fits: Any) -> bool:
    patterns = tuple(wanted)
    return not patterns or any(fits(pattern) for pattern in patterns)


def _under(rule: str, prefix: str) -> bool:
    return rule == prefix or rule.startswith(f"{prefix}.")
