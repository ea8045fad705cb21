"""The table of mutants: for each ``kill`` of a case, the same wrong change as text.

A case says in one sentence, ``kill``, which wrong change it catches.  The sentence is for whoever
writes a reducer, in any language.  Here it is done to the reference: a **mutant** is one file of
the package and an exact replacement in it.  The sentence binds the two, so it stands in the case
and is quoted here; several cases may share it, and several mutants may carry it out.

A row is strict on purpose.  Its ``old`` text must be in the file exactly once, so that code which
moves or changes makes the table fail loudly, and not the mutant miss quietly.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "msgfold"
TABLES = Path(__file__).with_name("tables")

_CHANGES = (
    frozenset({"file", "old", "new"}),
    frozenset({"file", "pointer"}),
    frozenset({"file", "pointer", "to"}),
)
"""The members that a change may have."""


class TableError(Exception):
    """A row that cannot be carried out; the message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement in one file.

    Attributes:
        file: what it changes, below ``python/msgfold``.
        old: text that is in the file once ...
        new: ... and what stands there instead.
        pointer: instead of ``old``, in a JSON file: the JSON Pointer of a value ...
        to: ... and what it becomes; an empty tuple takes the member away.
    """

    file: str
    old: str = ""
    new: str = ""
    pointer: str | None = None
    to: Any = ()

    def applied(self, text: str) -> str:
        """The text of the file, changed.

        Raises:
            TableError: the text or the member to change is not there.
        """
        if self.pointer is not None:
            return self._at_pointer(json.loads(text), self.pointer)
        found = text.count(self.old)
        if found != 1:
            raise TableError(
                f"the text to change is in {self.file} {found} times, expected once; "
                f"mend the row, or make its `old` longer:\n{self.old}"
            )
        return text.replace(self.old, self.new)

    def _at_pointer(self, document: Any, pointer: str) -> str:
        *parents, last = [
            part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]
        ]
        try:
            inner = document
            for part in parents:
                inner = inner[int(part) if isinstance(inner, list) else part]
            key: Any = int(last) if isinstance(inner, list) else last
            if self.to == ():
                del inner[key]
            else:
                inner[key] = self.to
        except (KeyError, IndexError, ValueError, TypeError):
            raise TableError(f"{self.file} has nothing at {pointer}") from None
        return json.dumps(document)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong change of the reference.

    Attributes:
        kills: the sentences that it carries out.
        home: where the row stands, for messages.
        changes: what it does; nearly always one.
    """

    kills: tuple[str, ...]
    home: str
    changes: tuple[Change, ...]

    def applied(self, package: Path = PACKAGE) -> dict[str, str]:
        """The changed files: path below the package to text.

        Raises:
            TableError: there is no such file, or not what it is to change.
        """
        files: dict[str, str] = {}
        for change in self.changes:
            path = package / change.file
            if not path.is_file():
                raise TableError(f"no file {change.file} in python/msgfold")
            text = files.get(change.file) or path.read_text("utf-8")
            files[change.file] = change.applied(text)
        return files


def read(folder: Path = TABLES) -> tuple[Mutant, ...]:
    """The rows of every table in a folder.

    Raises:
        TableError: a row is not one; the message names it.
    """
    mutants: list[Mutant] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            document = tomllib.loads(path.read_text("utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise TableError(f"{path.name}: not TOML: {error}") from None
        if strange := document.keys() - {"mutant"}:
            raise TableError(f"{path.name}: {sorted(strange)}; expected [[mutant]] only")
        mutants += _mutants(path.name, document.get("mutant", []))
    return tuple(mutants)


def _mutants(name: str, rows: Iterable[dict[str, Any]]) -> Iterator[Mutant]:
    for number, row in enumerate(rows, 1):
        kill = row.pop("kill", ())
        kills = (kill,) if isinstance(kill, str) else tuple(kill)
        home = f"{name}, mutant {number} ({kills[0] if kills else 'no kill'})"
        changes = [row, *row.pop("also", [])]
        for change in changes:
            if not kills or frozenset(change) not in _CHANGES:
                raise TableError(
                    f"{home}: members {', '.join(sorted(change)) or 'none'}; expected kill, file, "
                    "and old and new, or pointer and perhaps to"
                )
            if change.get("old") == change.get("new", ()):
                raise TableError(f"{home}: old and new are the same, so nothing would be changed")
        yield Mutant(kills, home, tuple(Change(**change) for change in changes))


def check(mutants: Iterable[Mutant], kills: Iterable[str]) -> None:
    """Hold the rows against the cases: each sentence of one is a sentence of the other.

    Args:
        mutants: the rows.
        kills: the ``kill`` of every case.

    Raises:
        TableError: a row is about a kill of no case, or a case's kill has no row.
    """
    known = set(kills)
    homes = {kill: mutant.home for mutant in mutants for kill in mutant.kills}
    for kill in homes.keys() - known:
        near = get_close_matches(kill, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise TableError(f"{homes[kill]}: no case has the kill {kill!r}{hint}")
    if without := sorted(known - homes.keys()):
        raise TableError(
            f"{len(without)} kills have no mutant: {'; '.join(without)}. "
            "Write a [[mutant]] for each in conformance/mutants/tables, or give the case a kill "
            "that has one"
        )
