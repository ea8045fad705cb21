"""The table of mutants is sound, and what judges it says which mutant lives and which case sleeps.

``make mutants`` judges all of them; here are a few, by the same workers.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from msgfold.conformance.corpus import load

FOLDER = Path(__file__).parents[3] / "conformance" / "mutants"
sys.path.append(str(FOLDER))
table = importlib.import_module("table")
judge = importlib.import_module("judge")
tool = importlib.import_module("tool")

CASES = load()
ROWS = table.read()

ROW = {
    "kill": "reset the text at an empty delta",
    "file": "fold/state.py",
    "old": "    text += delta\n",
    "new": "    text = text + delta if delta else ''\n",
}


def row(**change):
    given = {**ROW, **change}
    return "[[mutant]]\n" + "\n".join(
        f"{name} = {json.dumps(value)}" for name, value in given.items()
    )


def rows(tmp_path, *texts):
    tmp_path.joinpath("rows.toml").write_text("\n".join(texts), "utf-8")
    return table.read(tmp_path)


@pytest.fixture(scope="module")
def ask():
    with judge.workers(1) as ask:
        yield ask


def faults(mutants, kill, ask):
    assert any(case.kill == kill for case in CASES)
    return list(judge.outcome(mutants, CASES, {kill}, ask, 1).faults())


@pytest.mark.parametrize("mutant", ROWS, ids=lambda mutant: mutant.home)
def test_a_row_changes_what_is_there_now(mutant):
    for file, text in mutant.applied().items():
        assert text != (table.PACKAGE / file).read_text("utf-8")
        if file.endswith(".py"):
            compile(text, file, "exec")


def test_every_kill_of_a_case_has_a_row_and_every_row_a_case():
    table.check(ROWS, judge.kills(CASES))


def test_a_row_without_a_case_says_which_kill_it_may_have_meant(tmp_path):
    mutants = rows(tmp_path, row(kill="reset the text at an empty deltas"))
    with pytest.raises(table.TableError, match="did you mean 'reset the text at an empty delta'"):
        table.check(mutants, judge.kills(CASES))


def test_a_kill_without_a_row_is_named():
    with pytest.raises(table.TableError, match="1 kills have no mutant: fold backwards"):
        table.check(ROWS, {*judge.kills(CASES), "fold backwards"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[mutant]", "rows.toml: not TOML"),
        ("[[mutants]]", r"\['mutants'\]; expected \[\[mutant\]\] only"),
        (row(odl="x"), "members file, new, odl, old; expected kill, file"),
        (row(kill=[]), "no kill"),
        (row(new=ROW["old"]), "old and new are the same"),
    ],
)
def test_a_row_that_is_none_is_refused_by_name(tmp_path, text, said):
    with pytest.raises(table.TableError, match=said):
        rows(tmp_path, text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"old": "    text += deltas\n"}, r"in fold/state\.py 0 times, expected once"),
        ({"old": "return"}, r"in fold/state\.py \d+ times, expected once"),
        ({"file": "fold/no_such.py"}, r"no file fold/no_such\.py"),
    ],
)
def test_a_row_that_does_not_fit_the_code_any_more_is_refused(tmp_path, change, said):
    (mutant,) = rows(tmp_path, row(**change))
    with pytest.raises(table.TableError, match=said):
        mutant.applied()


def test_a_member_of_a_schema_is_taken_away_or_set(tmp_path):
    given = {"kill": "x", "file": "_data/schemas/msg.schema.json"}
    file = table.PACKAGE / given["file"]
    assert file.is_file()
    lines = [f"{name} = {value!r}" for name, value in given.items()]
    away = [*lines, "pointer = '/x-order'"]
    (mutant,) = rows(tmp_path, "[[mutant]]", *away)
    assert '"x-order"' not in mutant.applied()[given["file"]]
    (mutant,) = rows(tmp_path, "[[mutant]]", *away, "to = 'gone'")
    assert '"x-order": "gone"' in mutant.applied()[given["file"]]
    (mutant,) = rows(tmp_path, "[[mutant]]", *lines, "pointer = '/properties/no_such/type'")
    with pytest.raises(table.TableError, match="has nothing at /properties/no_such/type"):
        mutant.applied()


def test_a_mutant_that_its_case_catches_is_no_fault(tmp_path, ask):
    assert faults(rows(tmp_path, row()), ROW["kill"], ask) == []


def test_a_mutant_that_changes_nothing_lives_and_its_case_catches_nothing(tmp_path, ask):
    mutants = rows(tmp_path, row(new="    text = text + delta\n"))
    lives, sleeps = faults(mutants, ROW["kill"], ask)
    assert "survives: no case with its kill fails; caught by no case at all" in lives
    assert "no mutant of its kill fails it: 'reset the text at an empty delta'" in sleeps


def test_a_mutant_that_other_cases_catch_says_which(tmp_path, ask):
    mutants = rows(tmp_path, row(new="    text += delta if member == 'text' else ''\n"))
    lives, _ = faults(mutants, ROW["kill"], ask)
    assert "caught by fold/" in lives


@pytest.mark.parametrize("wrong", ["    text += dleta\n", "    text +=\n", "    import no_such\n"])
def test_a_mutant_that_is_no_program_is_not_taken_for_a_catch(tmp_path, ask, wrong):
    broken, _ = faults(rows(tmp_path, row(new=wrong)), ROW["kill"], ask)
    assert "is no mutant" in broken


def test_what_a_mutant_did_ends_with_it(tmp_path, ask):
    faults(rows(tmp_path, row(new="    text = ''\n")), ROW["kill"], ask)
    assert faults(rows(tmp_path, row()), ROW["kill"], ask) == []


def test_the_command_judges_the_cases_that_fit():
    done = command("--filter", "fold/usage/*")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 of them live; " in done.stdout


def test_the_command_with_a_filter_that_fits_nothing_is_refused():
    done = command("--filter", "fold/no-such-area/*")
    assert done.returncode == 2
    assert "no case fits 'fold/no-such-area/*'" in done.stderr


def test_mutmut_judged_fold_as_it_is_now():
    files = {path.name: tool.digest(path) for path in tool.files()}
    changed = sorted(name for name, now in files.items() if tool.judged().get(name) != now)
    assert not changed, f'run: make mutants-tool FILES="{" ".join(changed)}"'
    assert tool.judged().keys() == files.keys()


def test_a_comment_is_no_change(tmp_path):
    one, two, three = (tmp_path / name for name in "abc")
    one.write_text("a = 1\nb = 2\n")
    two.write_text("# one\na = 1\n\n    # two\nb = 2\n")
    three.write_text("a = 1\nb = 3\n")
    assert tool.digest(one) == tool.digest(two) != tool.digest(three)


def test_every_survivor_is_named_once_and_explained():
    reasons = tomllib.loads(tool.SURVIVORS.read_text("utf-8"))["reason"]
    names = [name for reason in reasons for name in reason["mutants"]]
    assert len(names) == len(set(names)) > 0
    assert all(len(reason["why"]) > 20 and reason["mutants"] for reason in reasons)
    files = {path.name for path in (table.PACKAGE / "fold").glob("*.py")}
    assert {re.split("[ :]", name)[0] for name in names} <= files


def test_what_mutmut_makes_runs_and_is_no_matter_of_words():
    made = list(tool.mutants(table.PACKAGE / "fold" / "hint.py"))
    assert made
    assert len({mutant.name for mutant in made}) == len(made)
    for mutant in made:
        compile(mutant.text, mutant.file, "exec")
        assert "XXfold." not in mutant.text


def command(*arguments):
    return subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), *arguments], capture_output=True, text=True
    )
