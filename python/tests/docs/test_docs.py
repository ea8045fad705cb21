"""The pages are true: their examples run, their commands work, their links lead somewhere.

How a page marks its blocks:

* ``python`` runs, all blocks of a page in one namespace, in the root of the repository; a ``text``
  block right behind it is what it prints.  ``python no-run`` is only read: use it where an example
  needs what the tests do not have.
* ``console`` holds commands behind ``$``.  Lines below one are what it says on both outputs; with
  none, nothing is compared.  ``...`` stands for any text.  It must exit with 0, unless
  ``$ echo $?`` and a number come next.
* ``sh`` is what people type and the tests do not: it may not hold a ``msgfold`` command.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import msgfold
import pytest
from msgfold.errors import DiagnosticCode, ErrorCode, MsgfoldError
from msgfold.validate import FaultCode

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "python" / "msgfold"
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "schemas/*.md", "proto/*.md", "conformance/**/*.md")
    for path in ROOT.glob(pattern)
)
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^]]+\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
LANGUAGES = {"python", "python no-run", "console", "sh", "text", "json", "js"}

RUNNER = """\
import contextlib, io, json, sys
names = {"__name__": "page"}
for number, (code, said) in enumerate(json.load(sys.stdin), 1):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"python block {number}", "exec"), names)
    if said is not None:
        assert out.getvalue() == said, f"block {number} printed:\\n{out.getvalue()}"
"""


def text_of(page):
    return page.read_text("utf-8")


def blocks(page, language):
    return [text for kind, text in BLOCK.findall(text_of(page)) if kind == language]


def without_blocks(page):
    return BLOCK.sub("", text_of(page))


def examples(page):
    """Python blocks, each with what it prints, or ``None`` when the page does not say."""
    return [(found[1], found[2]) for found in PYTHON.finditer(text_of(page))]


def name(page):
    return page.relative_to(ROOT).as_posix()


@dataclass
class Command:
    line: str
    said: str
    code: int = 0


def commands(text):
    """The commands of a console block."""
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, said = part.partition("\n")
        if line == "echo $?":
            found[-1].code = int(said)
        else:
            found.append(Command(line, said))
    return found


WITH_PYTHON = [page for page in PAGES if examples(page)]
CONSOLE = [
    pytest.param(command, id=f"{name(page)}: {command.line}")
    for page in PAGES
    for text in blocks(page, "console")
    for command in commands(text)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A PATH on which ``msgfold`` is the package under test."""
    folder = tmp_path_factory.mktemp("bin")
    for name, module in (("msgfold", "cli"), ("msgfold-testee", "conformance.testee")):
        script = folder / name
        script.write_text(f"#!{sys.executable}\nfrom msgfold.{module} import main\nmain()\n")
        script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page):
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        cwd=ROOT,
        input=json.dumps(examples(page)),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", CONSOLE)
def test_the_commands_of_a_page_work(command, path, tmp_path):
    done = subprocess.run(
        ["/bin/sh", "-c", command.line],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "COLUMNS": "200", "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == command.code, done.stdout
    if command.said:
        wanted = ".*".join(map(re.escape, command.said.split("...")))
        assert re.fullmatch(wanted, done.stdout, re.DOTALL), done.stdout


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_marks_its_blocks(page):
    assert {kind for kind, _ in BLOCK.findall(text_of(page))} <= LANGUAGES
    assert text_of(page).count("\n```") == 2 * len(BLOCK.findall(text_of(page)))
    assert all(text.startswith("$ ") for text in blocks(page, "console"))
    for text in blocks(page, "sh"):
        assert not re.search(r"^(\$ )?msgfold ", text, re.MULTILINE), "make it a console block"


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", without_blocks(page), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target, fragment in LINK.findall(without_blocks(page)):
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert file.is_relative_to(ROOT), target
        if fragment:
            assert fragment in anchors(file), f"{target}#{fragment}"


def test_every_page_of_docs_is_in_its_index():
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target, _ in LINK.findall(text_of(index))}
    assert set((ROOT / "docs").rglob("*.md")) - linked == {index}


def test_both_readmes_say_the_same():
    pages = ROOT / "README.md", ROOT / "README.zh-CN.md"
    english, chinese = (BLOCK.findall(text_of(page)) for page in pages)
    assert english == chinese
    # Headings by depth, rows by their first cell, links by target, items of lists: in one order.
    for pattern in (r"^(#+) ", r"^\| (`[^`]+`|\d)", r"\]\(((?!README)[^)]+)\)", r"^(-) "):
        english, chinese = (re.findall(pattern, without_blocks(page), re.M) for page in pages)
        assert english == chinese, pattern
        assert english, pattern


@pytest.mark.parametrize(
    ("heading", "codes"),
    [("Errors", ErrorCode), ("Diagnostics", DiagnosticCode), ("Faults", FaultCode)],
)
def test_the_tables_of_codes_are_complete(heading, codes):
    text = text_of(ROOT / "docs" / "guides" / "errors.md")
    table = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert [row[0].strip(" `") for row in rows] == [str(code) for code in codes]
    assert {len(row) for row in rows} == {3}
    assert all(cell.strip() for row in rows for cell in row)


def test_an_error_s_class_is_named_after_its_code():
    # As the page of errors says.
    named = {
        error.code: error.__name__
        for error in vars(msgfold.errors).values()
        if isinstance(error, type) and issubclass(error, MsgfoldError) and error is not MsgfoldError
    }
    assert named == {
        code: "".join(word.capitalize() for word in code.split("_")) + "Error" for code in ErrorCode
    }


def test_every_make_target_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(
            r"`make ([a-z -]+)`|^(?:\$ )?make ([a-z-]+)", text_of(page), re.MULTILINE
        ):
            assert set(" ".join(named).split()) <= targets, page


def test_the_targets_of_generate_are_those_of_the_table():
    pytest.importorskip("grpc_tools")
    from msgfold.codegen.targets import TARGETS

    rows = re.findall(
        r"^\| `([a-z-]+)` \| `(generated/[^`]+)` \| `([^`]+)` \|$",
        text_of(ROOT / "CONTRIBUTING.md"),
        re.MULTILINE,
    )
    assert rows == [
        (target.name, f"generated/{target.folder}/", target.source) for target in TARGETS.values()
    ]


def rooms():
    """Room to the rooms that it may import, from the table in CONTRIBUTING.md."""
    table = text_of(ROOT / "CONTRIBUTING.md").split("\n## Where things live\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+`) \| [^|]+ \| ([^|]*) \|$", table, re.MULTILINE)
    assert cells
    return {
        room: set(re.findall(r"`([a-z_]+)", may)) | {room}
        for names, may in cells
        for room in re.findall(r"`([a-z_]+)", names)
    }


def imported(path):
    """What a module imports of msgfold when it is loaded, by room."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgfold."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "msgfold":
            found |= {alias.name for alias in node.names}
    return found


def test_rooms_import_what_they_may():
    allowed = rooms()
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room in {"__init__", "_generated", "v1"}:
            continue
        assert room in allowed, f"{room} is not in the table of CONTRIBUTING.md"
        used = {each for each in imported(path) if not each.startswith("_") and each != "v1"}
        assert used <= allowed[room], path
