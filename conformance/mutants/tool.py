"""``make mutants-tool``: mutants that nobody chose, made by mutmut, judged by the corpus.

The table has the mistakes that people think of.  mutmut has no such taste: it drops arguments,
turns conditions around and empties assignments, all over ``python/msgfold/fold/``.  What the corpus
lets live goes on to the tests of the Python API.  Whatever lives then is a hole in them, or makes
no difference; ``survivors.toml`` says why, mutant by mutant, and one that it does not explain
fails.

All of them take many minutes.  So ``judged.json`` remembers each file as it was when it last came
out well, and a test asks for this program when a file has changed since.

Of mutmut only the mutations are used.  Its runner starts a test run for each mutant; the workers
here judge one in a hundredth of that.

    python conformance/mutants/tool.py              all of fold/
    python conformance/mutants/tool.py text.py      one file

Exit code 0: every survivor is explained; 1: one is not, or an explained one is caught by now.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import libcst as cst
from judge import Ask, revisions_of, workers
from msgfold.conformance.corpus import load
from mutmut.mutation.file_mutation import create_mutations
from table import PACKAGE

SURVIVORS = Path(__file__).with_name("survivors.toml")
JUDGED = Path(__file__).with_name("judged.json")

FOR_PEOPLE = frozenset(
    {"message", "expected", "got", "hint", "rule", "details"}
    | {"kind", "block_id", "state", "member", "since", "reply_id"}
)
"""Arguments of errors and reports that are for people: the corpus judges codes and places."""

REPORTS = {"report": 1, "_report": 1, "find_or_report": 2, "Diagnostic": 1, "exactly_one": 1}
"""What makes a report, and its first positional argument that is for people."""

RULE = re.compile(r"(XX)?(fold|wire)\.[a-z.-]+(XX)?", re.IGNORECASE)
"""The id of a rule, which mutmut writes in capitals or between XX."""

TESTS = tuple(f"python/tests/fold/test_{name}.py" for name in ("api", "lines"))
"""What judges besides the corpus: the calls of the Python API, and the quick way of NDJSON."""


@dataclass(frozen=True, slots=True)
class Made:
    """A mutant that mutmut made.

    Attributes:
        name: what it is called in ``survivors.toml``: file, function, line before and after.
        file: the file, below the package.
        text: its text, changed.
    """

    name: str
    file: str
    text: str


def mutants(path: Path) -> Iterator[Made]:
    """Every mutant of a file that changes what the corpus looks at."""
    source = path.read_text("utf-8")
    module, mutations, *_ = create_mutations(str(path), source)
    plain = _judged(source)
    made: Counter[str] = Counter()
    for mutation in mutations:
        changed = module.deep_replace(mutation.original_node, mutation.mutated_node)
        text = cst.ensure_type(changed, cst.Module).code
        if _judged(text) == plain:
            continue
        function = mutation.contained_by_top_level_function
        home = f" {function.name.value}" if isinstance(function, cst.FunctionDef) else ""
        name = f"{path.name}{home}: {_difference(source, text)}"
        made[name] += 1
        if made[name] > 1:
            name += f" #{made[name]}"
        yield Made(name, path.relative_to(PACKAGE).as_posix(), text)


def _judged(source: str) -> str:
    """A program without what the corpus cannot see: annotations, exports, words for people."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(0)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            node.value = ast.Constant(0)
        elif isinstance(node, ast.Call):
            _silence(node)
        elif isinstance(node, ast.Constant) and RULE.fullmatch(str(node.value)):
            node.value = "rule"
    return ast.dump(tree)


def _silence(call: ast.Call) -> None:
    """Leave out of a call what is for people."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    first = 0 if name.endswith("Error") else REPORTS.get(name)
    if first is not None:
        call.args = call.args[:first]
        call.keywords = [word for word in call.keywords if word.arg not in FOR_PEOPLE]


def _difference(before: str, after: str) -> str:
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))[3:]
    old = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    new = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    return f"{old} -> {new}"


def files() -> list[Path]:
    """The files that are judged."""
    return sorted((PACKAGE / "fold").glob("*.py"))


def digest(path: Path) -> str:
    """What stands for a file in ``judged.json``; comments and empty lines do not count."""
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    code = "\n".join(line for line in lines if line and not line.startswith("#"))
    return sha256(code.encode()).hexdigest()[:16]


def judged() -> dict[str, str]:
    """Each file of ``fold/`` and its digest when it last came out well."""
    remembered: dict[str, str] = json.loads(JUDGED.read_text("utf-8"))
    return remembered


def explained() -> dict[str, str]:
    """The survivors that are explained, and why they live."""
    reasons = tomllib.loads(SURVIVORS.read_text("utf-8")).get("reason", [])
    return {name: reason["why"] for reason in reasons for name in reason["mutants"]}


def survivors(made: list[Made], ask: Ask, jobs: int) -> list[Made]:
    """The mutants that no case catches."""
    # `decode` too: reports of a stream that breaks off come from fold/.
    judging = sorted((c for c in load() if c.op in {"fold", "decode"}), key=lambda c: c.op)
    cases = {case.id: revisions_of(case) for case in judging}

    one_at_a_time = Lock()

    def lives(mutant: Made) -> bool:
        with one_at_a_time:
            asked = dict(reversed(cases.items()))
        said: dict[str, Any] = ask({mutant.file: mutant.text}, asked, first=True, tests=TESTS)
        with one_at_a_time:
            # The neighbours of a mutant are often caught by the same case: it is asked first.
            for case_id in said.get("caught", {}).keys() & cases.keys():
                cases[case_id] = cases.pop(case_id)
        return said.get("caught") == {}

    with ThreadPoolExecutor(jobs) as pool:
        return [m for m, alive in zip(made, pool.map(lives, made), strict=True) if alive]


def main(arguments: list[str] | None = None) -> int:
    """Judge, and say what lives without a reason."""
    parser = argparse.ArgumentParser(
        description="Mutate fold/ with mutmut, and let the corpus judge.",
        epilog="example: python conformance/mutants/tool.py text.py thinking.py",
    )
    parser.add_argument("files", nargs="*", help="files of python/msgfold/fold; none: all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    asked = parser.parse_args(arguments)
    began = time.perf_counter()
    paths = files()
    chosen = [path for path in paths if not asked.files or path.name in asked.files]
    if not chosen:
        print(f"error: no such file in python/msgfold/fold: {asked.files}", file=sys.stderr)
        return 2
    made = [mutant for path in chosen for mutant in mutants(path)]
    with workers(asked.jobs) as ask:
        unchanged = chosen[0].relative_to(PACKAGE).as_posix()
        if ask({unchanged: chosen[0].read_text("utf-8")}, {}, tests=TESTS).get("caught") != {}:
            print("error: the tests fail without a mutant; mend them first", file=sys.stderr)
            return 2
        alive = {mutant.name for mutant in survivors(made, ask, asked.jobs)}
    known = explained()
    new = sorted(alive - known.keys())
    stale = sorted(known.keys() & {mutant.name for mutant in made} - alive)
    if len(chosen) == len(paths):
        stale += sorted(known.keys() - {mutant.name for mutant in made})
    for name in new:
        print(f"lives, and survivors.toml does not say why: {name}")
    for name in stale:
        print(f"is caught, or not made any more: take it out of survivors.toml: {name}")
    print(
        f"{len(made)} mutants of {len(chosen)} files: {len(made) - len(alive)} caught, "
        f"{len(alive)} live, {len(new)} of them unexplained; {time.perf_counter() - began:.0f} s"
    )
    if new or stale:
        return 1
    now = {path.name: digest(path) for path in chosen}
    kept = {name: old for name, old in judged().items() if (PACKAGE / "fold" / name).is_file()}
    JUDGED.write_text(json.dumps(kept | now, indent=2, sort_keys=True) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
