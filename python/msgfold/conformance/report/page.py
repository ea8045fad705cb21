"""One HTML page for one run or several: self-contained, without scripts, fonts or a network.

Four parts: a matrix of implementations and areas, every failure with expected and got side by
side, the coverage map (:mod:`.map`), and the states that the corpus covers (:mod:`.states`).
Everything is plain HTML with landmarks, headings, captions and header cells, so a keyboard and a
screen reader get at all of it; a failure folds out with ``<details>``.  The standard library is
enough, and escapes everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from msgfold.conformance.coverage import Coverage
from msgfold.conformance.report.log import Record, Run
from msgfold.conformance.report.map import coverage_map, escaped
from msgfold.conformance.report.render import by_area, counted, legible
from msgfold.conformance.report.rows import coverage, revisions_of
from msgfold.conformance.report.states import sections
from msgfold.conformance.rules import rules

_STYLE = """
:root { color-scheme: light dark; --line: #6b6b6b; --good: #146c2e; --bad: #b3261e; --odd: #7a4f00 }
@media (prefers-color-scheme: dark) {
  :root { --line: #9a9a9a; --good: #6dd58c; --bad: #f2b8b5; --odd: #f5c26b }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem }
h1, h2 { line-height: 1.2 }
h4, pre { margin: .3rem 0 } .wide { overflow-x: auto }
code { overflow-wrap: anywhere }
table { border-collapse: collapse } caption { text-align: left; padding: .3rem 0 }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left }
td.n { text-align: right; white-space: nowrap } .good { color: var(--good) }
.bad { color: var(--bad); font-weight: bold } .odd { color: var(--odd) }
details { border-top: 1px solid var(--line); content-visibility: auto; padding: .3rem 0 }
summary { cursor: pointer } :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
td.todo { border: 2px dashed var(--bad); color: var(--bad); font-weight: bold }
td.never { color: var(--line); text-align: right } :target { scroll-margin-top: 1rem }
.map tbody th { font-weight: normal; vertical-align: top }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.sides > div { min-width: 0 } @media (max-width: 40rem) { .sides { grid-template-columns: 1fr } }
pre { border: 1px solid var(--line); overflow: auto; padding: .5rem; white-space: pre-wrap }
"""

_CONTENTS = {
    "areas": "Areas",
    "failures": "Failures",
    "coverage": "Coverage map",
    "to-do": "To do",
    "states": "States",
}


def html(runs: Sequence[Run], covered: Coverage | None = None) -> str:
    """The page.

    Args:
        runs: what it is about, one column of the matrix each.
        covered: the states that the corpus covers, for a section of its own.
    """
    links = [
        f'<a href="#{part}">{said}</a>'
        for part, said in _CONTENTS.items()
        if part != "states" or covered is not None
    ]
    body = [
        "<header>",
        "<h1>Conformance to msgfold</h1>",
        f'<nav aria-label="Contents">{" · ".join(links)}</nav>',
        "</header>",
        "<main>",
        "<ul>",
        *(
            f"<li>{escaped(_heading(run))}: {escaped(counted(run))}"
            f"{'' if run.complete else ' <strong class=bad>(cut off)</strong>'}</li>"
            for run in runs
        ),
        "</ul>",
        *_matrix(runs),
    ]
    body.append('<section aria-labelledby="failures"><h2 id="failures">Failures</h2>')
    for run in runs:
        body.append(f"<h3>{escaped(_heading(run))}</h3>")
        shown = [r for r in run.results if r["outcome"] not in {"passed", "untested"}]
        body += map(_failure, shown) if shown else ["<p>None.</p>"]
    body.append("</section>")
    body += coverage_map(coverage(runs), revisions_of(runs))
    if covered is not None:
        body += sections(covered)
    return legible(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Conformance to msgfold</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _matrix(runs: Sequence[Run]) -> Iterable[str]:
    yield '<section aria-labelledby="areas"><h2 id="areas">Implementations and areas</h2>'
    yield '<div class="wide" tabindex="0" role="region" aria-label="Matrix of areas"><table>'
    yield "<caption>Passed of tested; known and flaky failures count as tested.</caption>"
    heads = "".join(f'<th scope="col">{escaped(_heading(run))}</th>' for run in runs)
    yield f'<thead><tr><th scope="col">Area</th>{heads}</tr></thead><tbody>'
    counts = [by_area(run) for run in runs]
    for area in sorted({area for of_run in counts for area in of_run}):
        cells = "".join(_cell(dict(of_run.get(area, {}))) for of_run in counts)
        yield f'<tr><th scope="row">{escaped(area)}</th>{cells}</tr>'
    yield "</tbody></table></div></section>"


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
        f"{escaped(result['id'])}: {escaped(result['title'])}</summary>",
        f"<p><code>{escaped(rule)}</code> ({result['level']}): {_sentence(sentence)}</p>",
    ]
    if "what" in result:
        where = f"{result['what']} at {result['pointer'] or '/'}{event}"
        parts += [
            f"<p>{escaped(where)}</p>",
            '<div class="sides">',
            *(
                f"<div><h4>{side}</h4><pre>{shown}</pre></div>"
                for side, shown in zip(("Expected", "Got"), _sides(result), strict=True)
            ),
            "</div>",
        ]
    if "event" in result:
        parts.append(_event(result))
    if "message" in result:
        parts.append(f"<p>{escaped(result['message'])}</p>")
    if "link" in result:
        link = escaped(result["link"])
        parts.append(f'<p>{escaped(result["reason"])}: <a href="{link}">{link}</a></p>')
    return "\n".join([*parts, "</details>"])


def _event(result: Record) -> str:
    """The event that went wrong, and the sentence it falls under where that is another."""
    said = f"<p>Event {result['event']}: <code>{escaped(result['event_text'])}</code></p>"
    rule = result.get("event_rule")
    if rule in rules():
        said += f"\n<p><code>{escaped(rule)}</code>: {_sentence(rules()[rule].text)}</p>"
    return said


def _sentence(markdown: str) -> str:
    """A sentence of the specification: code and emphasis are all the Markdown it holds."""
    said = re.sub("`([^`]+)`", r"<code>\1</code>", escaped(markdown))
    return re.sub(r"\*(\([^*]+\))\*", r"<em>\1</em>", said)


def _sides(result: Record) -> tuple[str, str]:
    """Expected and got, with a mark on what is not the same at both sides."""
    left, right = (_value(result, side) for side in ("expected", "got"))
    head = _shared(left, right)
    tail = _shared(left[head:][::-1], right[head:][::-1])
    return _marked(left, head, tail), _marked(right, head, tail)


def _shared(left: str, right: str) -> int:
    """How many characters the two begin with alike."""
    pairs = zip(left, right, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def _marked(text: str, head: int, tail: int) -> str:
    end = len(text) - tail
    if head == end or not (head or tail):
        return escaped(text)
    middle = f"<mark>{escaped(text[head:end])}</mark>"
    return f"{escaped(text[:head])}{middle}{escaped(text[end:])}"


def _value(result: Record, side: str) -> str:
    if side not in result:
        return "(absent)"
    return json.dumps(result[side], ensure_ascii=False, indent=2)


def _heading(run: Run) -> str:
    return f"{run.name} as {run.revision}"
