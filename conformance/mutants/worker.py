"""Judges mutants, one request a line: a copy of the package, everything imported, and a fork each.

A fresh interpreter takes half a second to import the package; the change itself needs a hundredth
of that.  So this program imports everything once, from a copy of its own.  For a mutant it writes
the changed file into the copy and forks.  The child forgets the modules that may depend on the
file, imports the reducer anew, and asks it the cases.  What judges (the runner, the comparison, the
corpus) was imported before, and stays as it is.

Usage: ``python worker.py COPY``, where COPY is an empty folder.  A request is
``{"files": {path: text}, "cases": {id: [revision]}, "first", "tests": [path]}``; ``first`` stops at
the first catch; what no case catches, tests at these paths may.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

ROOMS = (
    "errors",
    "resources",
    "revisions",
    "v1",
    "model",
    "_generated",
    "contract",
    "_data",
    "wire",
    "fold",
    "validate",
    "conformance",
)
"""The rooms of the package.  When they are loaded, each imports from those before it only."""

SECONDS = 60
"""How long a mutant may take; the whole corpus takes two, the tests of ``fold/`` some more."""

TESTS = "tests"
"""What caught a mutant, where a case has its id."""

BROKEN = ("NameError", "ImportError", "SyntaxError", "UnboundLocalError", "ModuleNotFoundError")
"""Errors that no wrong rule raises: the mutant itself is no program."""


def copy_to(folder: Path) -> Path:
    """Copy what may be changed to ``folder``, link the rest; the folder to import from."""
    skip = shutil.ignore_patterns("__pycache__", "examples")
    for part in ("python/msgfold", "generated/python", "schemas"):
        shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=skip)
    for part in ("conformance/cases", "conformance/testees", "docs/spec"):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        (folder / part).symlink_to(ROOT / part)
    return folder / "python"


def forget(files: Iterable[str]) -> None:
    """Drop every module that may depend on these files below ``python/msgfold``."""
    first = min(ROOMS.index(file.split("/")[0].removesuffix(".py")) for file in files)
    dropped = ROOMS[first:]
    package = sys.modules["msgfold"]
    for name in list(sys.modules):
        parts = name.split(".")
        if parts[0] == "msgfold" and len(parts) > 1 and parts[1] in dropped:
            del sys.modules[name]
            vars(package).pop(parts[1], None)


class Server:
    """The package, imported from a copy, and the cases.

    Args:
        copy: where to copy it to.
    """

    def __init__(self, copy: Path) -> None:
        sys.dont_write_bytecode = True
        source = copy_to(copy)
        sys.path.insert(0, str(source))
        self.package = source / "msgfold"
        corpus = importlib.import_module("msgfold.conformance.corpus")
        self.judge = importlib.import_module("msgfold.conformance.runner").judge
        self.cases = {case.id: case for case in corpus.load()}
        for case in self.cases.values():  # what is built once, at first use, is built now
            self.judge(case, case.revisions["from"])

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """What comes of a mutant: ``caught`` (id to what was seen), ``broken`` or ``hung``."""
        files = {self.package / name: text for name, text in request["files"].items()}
        before = {path: path.read_bytes() for path in files}
        try:
            for path, text in files.items():
                path.write_text(text, "utf-8")
            return _in_child(lambda: self._caught(request))
        finally:
            for path, content in before.items():
                path.write_bytes(content)

    def _caught(self, request: dict[str, Any]) -> dict[str, Any]:
        forget(request["files"])
        answer = importlib.import_module("msgfold.conformance.reference").answer
        caught: dict[str, str] = {}
        for case_id, revisions in request["cases"].items():
            for revision in revisions:
                result = self.judge(self.cases[case_id], revision, answer)
                if result.outcome == "passed":
                    continue
                if result.message.startswith(BROKEN):
                    return {"broken": f"{case_id}: {result.message}"}
                caught[case_id] = f"{revision}: {result.what or result.message}"
                break
            if caught and request["first"]:
                break
        if not caught and request["tests"] and _tests_fail(request["tests"]):
            caught[TESTS] = "a test fails"
        return {"caught": caught}


def _tests_fail(paths: list[str]) -> bool:
    """Whether a test at these paths fails; the same examples each time, and nothing printed."""
    import pytest

    os.chdir(ROOT)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
        options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
        return pytest.main([*options, *paths]) == pytest.ExitCode.TESTS_FAILED


def _in_child(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of ``work``, done in a fork, so that what it changes ends with it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)  # ends the child, whatever it is in
        try:
            said = work()
        except BaseException as error:  # a mutant may raise anything, also when it is imported
            said = {"broken": f"{type(error).__name__}: {error}"}
        with os.fdopen(writer, "w") as pipe:
            json.dump(said, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"hung": True}


def main() -> None:
    """Answer until the input ends."""
    server = Server(Path(sys.argv[1]))
    print(json.dumps({"ready": str(server.package)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(server.reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
