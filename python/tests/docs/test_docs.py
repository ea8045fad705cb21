"""The pages are true: their examples run, their commands work, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from msgfold.errors import DiagnosticCode, ErrorCode
from msgfold.validate import FaultCode

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "schemas/*.md", "proto/*.md", "conformance/**/*.md")
    for path in ROOT.glob(pattern)
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^]]+\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def blocks(page, language):
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == language]


def names(pages):
    return [path.relative_to(ROOT).as_posix() for path in pages]


WITH_PYTHON = [page for page in PAGES if blocks(page, "python")]
WITH_COMMANDS = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=names(WITH_PYTHON))
def test_the_python_of_a_page_runs_from_top_to_bottom(page):
    program = "\n".join(blocks(page, "python"))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=names(WITH_COMMANDS))
def test_the_commands_of_a_page_work(page):
    run = 0
    for text in blocks(page, "console"):
        for line in text.splitlines():
            if not line.startswith("$ msgfold "):
                assert line.startswith("$ make "), line  # CI runs these by themselves
                continue
            args = shlex.split(line.removeprefix("$ msgfold "))
            program = "from msgfold.cli import main; main()"
            done = subprocess.run(
                [sys.executable, "-c", program, *args],
                cwd=ROOT,
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, (line, done.stderr)
            run += 1
    assert run or page.name.startswith("README")


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target, fragment in LINK.findall(text):
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        if fragment:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert fragment in {anchor(heading) for heading in headings}, f"{target}#{fragment}"


def test_both_readmes_say_the_same():
    english, chinese = ROOT / "README.md", ROOT / "README.zh-CN.md"
    assert BLOCK.findall(english.read_text("utf-8")) == BLOCK.findall(chinese.read_text("utf-8"))
    for pattern in (r"^(#+) ", r"^\| (`[^`]+`)", r"\]\(((?!README)[^)]+)\)", r"^(-) "):
        found = [re.findall(pattern, page.read_text("utf-8"), re.M) for page in (english, chinese)]
        assert found[0] == found[1], pattern


@pytest.mark.parametrize(
    ("heading", "codes"),
    [("Errors", ErrorCode), ("Diagnostics", DiagnosticCode), ("Faults", FaultCode)],
)
def test_the_tables_of_codes_are_complete(heading, codes):
    text = (ROOT / "docs" / "guides" / "errors.md").read_text("utf-8")
    table = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([a-z0-9_]+)`", table, re.MULTILINE) == [str(code) for code in codes]


def test_the_changelog_counts_the_cases():
    from msgfold.conformance.corpus import load

    counted = re.search(r"corpus: (\d+) cases", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert counted is not None
    assert int(counted[1]) == len(load())


def test_every_make_target_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(
            r"`make ([a-z -]+)`|^(?:\$ )?make ([a-z-]+)", page.read_text("utf-8"), re.M
        ):
            assert set(" ".join(named).split()) <= targets, page
