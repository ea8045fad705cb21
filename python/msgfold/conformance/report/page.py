"""One HTML page for one run or several: self-contained, without scripts, fonts or a network.

Two parts: a matrix of implementations and areas, and every failure with expected and got side by
side.  Everything is plain HTML
with headings, captions and header cells, so a keyboard and a screen reader get at all of it; a
failure folds out with ``<details>``.  The standard library is enough, and escapes everything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape as _html
from typing import Any

from msgfold.conformance.report.log import Record, Run
from msgfold.conformance.report.render import by_area, counted, legible
from msgfold.conformance.rules import rules

_STYLE = """
:root { color-scheme: light dark; --line: #767676; --good: #146c2e; --bad: #b3261e; --odd: #7a4f00 }
@media (prefers-color-scheme: dark) { :root { --good: #6dd58c; --bad: #f2b8b5; --odd: #f5c26b } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem }
h1, h2 { line-height: 1.2 } .wide { overflow-x: auto }
table { border-collapse: collapse } caption { text-align: left; padding: .3rem 0 }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left }
td.n { text-align: right; white-space: nowrap } .good { color: var(--good) }
.bad { color: var(--bad); font-weight: bold } .odd { color: var(--odd) }
details { border-top: 1px solid var(--line); content-visibility: auto; padding: .3rem 0 }
summary { cursor: pointer } :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.sides > div { min-width: 0 } @media (max-width: 40rem) { .sides { grid-template-columns: 1fr } }
pre { border: 1px solid var(--line); overflow: auto; padding: .5rem; white-space: pre-wrap }
"""


def html(runs: Sequence[Run]) -> str:
    """The page.

    Args:
        runs: what it is about, one column of the matrix each.
    """
    body = [
        "<h1>Conformance to msgfold</h1>",
        "<ul>",
        *(
            f"<li>{_text(_heading(run))}: {_text(counted(run))}"
            f"{'' if run.complete else ' <strong class=bad>(cut off)</strong>'}</li>"
            for run in runs
        ),
        "</ul>",
        *_matrix(runs),
    ]
    body += ["<h2>Failures</h2>"]
    for run in runs:
        body.append(f"<h3>{_text(_heading(run))}</h3>")
        shown = [r for r in run.results if r["outcome"] not in {"passed", "untested"}]
        body += map(_failure, shown) if shown else ["<p>None.</p>"]
    return legible(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Conformance to msgfold</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _matrix(runs: Sequence[Run]) -> Iterable[str]:
    yield "<h2>Implementations and areas</h2>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Matrix of areas"><table>'
    yield "<caption>Passed of tested; known and flaky failures count as tested.</caption>"
    heads = "".join(f'<th scope="col">{_text(_heading(run))}</th>' for run in runs)
    yield f'<thead><tr><th scope="col">Area</th>{heads}</tr></thead><tbody>'
    counts = [by_area(run) for run in runs]
    for area in sorted({area for of_run in counts for area in of_run}):
        cells = "".join(_cell(dict(of_run.get(area, {}))) for of_run in counts)
        yield f'<tr><th scope="row">{_text(area)}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(counts: dict[str, int]) -> str:
    tested = sum(n for outcome, n in counts.items() if outcome != "untested")
    if not tested:
        return '<td class="n odd">not tested</td>'
    passed = counts.get("passed", 0)
    bad = counts.get("failed", 0) + counts.get("errored", 0)
    style = "bad" if bad else "good" if passed == tested else "odd"
    said = f", {bad} failing" if bad else ""
    return f'<td class="n {style}">{passed} of {tested}{said}</td>'


def _failure(result: Record) -> str:
    rule = result["rules"][0]
    sentence = rules()[rule].text if rule in rules() else ""
    event = f" after event {result['event']}" if "event" in result else ""
    style = "bad" if result["outcome"] in {"failed", "errored"} else "odd"
    parts = [
        f'<details><summary><span class="{style}">{result["outcome"]}</span> '
        f"{_text(result['id'])}: {_text(result['title'])}</summary>",
        f"<p><code>{_text(rule)}</code> ({result['level']}): {_text(sentence)}</p>",
    ]
    if "what" in result:
        where = f"{result['what']} at {result['pointer'] or '/'}{event}"
        parts += [
            f"<p>{_text(where)}</p>",
            '<div class="sides">',
            *(
                f"<div><h4>{side}</h4><pre>{_text(_value(result, side.lower()))}</pre></div>"
                for side in ("Expected", "Got")
            ),
            "</div>",
        ]
    if "message" in result:
        parts.append(f"<p>{_text(result['message'])}</p>")
    if "link" in result:
        link = _text(result["link"])
        parts.append(f'<p>{_text(result["reason"])}: <a href="{link}">{link}</a></p>')
    return "\n".join([*parts, "</details>"])


def _value(result: Record, side: str) -> str:
    if side not in result:
        return "(absent)"
    return json.dumps(result[side], ensure_ascii=False, indent=2)


def _heading(run: Run) -> str:
    return f"{run.name} as {run.revision}"


def _text(value: Any) -> str:
    return _html(str(value), quote=True)
