"""JSON, JUnit XML and Markdown, each made of a run log and of nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import Any
from xml.etree import ElementTree

from msgfold.conformance.report.log import OUTCOMES, Record, Run, fails
from msgfold.conformance.rules import rules

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKDOWN = re.compile(r"([\\`*_<>|\[\]])")


def shown(record: Record, side: str) -> str:
    """``expected`` or ``got`` as JSON on one line; ``(absent)`` when the member is not there."""
    if side not in record:
        return "(absent)"
    return legible(json.dumps(record[side], ensure_ascii=False))


def legible(text: str) -> str:
    """``text`` without lone surrogates, which no file can hold: they become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def by_area(run: Run) -> dict[str, Counter[str]]:
    """How many results of each area have each outcome, areas in order."""
    areas: dict[str, Counter[str]] = defaultdict(Counter)
    for result in run.results:
        areas[result["area"]][result["outcome"]] += 1
    return dict(sorted(areas.items()))


def summary(run: Run) -> dict[str, Any]:
    """The run as one JSON value, ``report.schema.json``."""
    return {
        "implementation": run.implementation,
        "revision": run.revision,
        "complete": run.complete,
        "total": len(run.results),
        **run.counts,
        "results": [
            {name: value for name, value in result.items() if name != "record"}
            for result in run.results
        ],
    }


def as_json(run: Run) -> str:
    """The run as JSON, readable."""
    return legible(json.dumps(summary(run), ensure_ascii=False, indent=2)) + "\n"


def junit(run: Run) -> str:
    """The run as JUnit XML, a suite for each area.

    What does not fail the run is ``skipped`` with its reason, so that a CI page is as green as the
    exit code; a run that was cut off has an error for that.
    """
    root = ElementTree.Element("testsuites", name=_xml(f"{run.name} as {run.revision}"))
    for area in by_area(run):
        results = [result for result in run.results if result["area"] == area]
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=area,
            tests=str(len(results)),
            failures=str(sum(fails(r) and r["outcome"] == "failed" for r in results)),
            errors=str(sum(fails(r) and r["outcome"] == "errored" for r in results)),
            skipped=str(sum(not fails(r) and r["outcome"] != "passed" for r in results)),
            time=f"{sum(result['seconds'] for result in results):.6f}",
        )
        for result in results:
            _junit_case(suite, result)
    if not run.complete:
        suite = ElementTree.SubElement(
            root, "testsuite", name="run", tests="1", failures="0", errors="1", skipped="0"
        )
        case = ElementTree.SubElement(suite, "testcase", classname="run", name="came to its end")
        said = f"The run was cut off after {len(run.results)} results."
        ElementTree.SubElement(case, "error", message=said)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _junit_case(suite: ElementTree.Element, result: Record) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=result["area"],
        name=_xml(result["id"]),
        time=f"{result['seconds']:.6f}",
    )
    if result["outcome"] == "passed":
        return
    said = _xml(_why(result).replace("\n", " "))
    if not fails(result):
        ElementTree.SubElement(case, "skipped", message=f"{result['outcome']}: {said}")
        return
    tag = "failure" if result["outcome"] == "failed" else "error"
    fault = ElementTree.SubElement(case, tag, message=said, type=result["rules"][0])
    fault.text = _xml("\n".join(details(result)))


def markdown(run: Run) -> str:
    """The run as Markdown: a table of areas, then each failure."""
    out = [f"# {_escaped(run.name)} as AgentScope {run.revision}", ""]
    if not run.complete:
        out += ["**The run was cut off.**", ""]
    out += [counted(run), "", f"| area | {' | '.join(OUTCOMES)} |", "| --- |" + " ---: |" * 6]
    for area, counts in by_area(run).items():
        out.append(f"| {area} | {' | '.join(str(counts[name]) for name in OUTCOMES)} |")
    for result in run.failures:
        out += ["", f"## {result['outcome']}: {result['id']}", "", _escaped(result["title"]), ""]
        body = "\n".join(details(result))
        fence = "`" * (max([2, *(len(run) for run in re.findall("`+", body))]) + 1)
        out += [f"{fence}text", body, fence]
    return legible("\n".join(out)) + "\n"


def counted(run: Run) -> str:
    """The counts as a line: outcomes that always count, and others when there are any."""
    always = {"passed", "failed", "errored"}
    parts = [f"{n} {name}" for name, n in run.counts.items() if n or name in always]
    return f"{', '.join(parts)}, {len(run.results)} in all"


def details(result: Record) -> list[str]:
    """A failure, in lines: where, expected, got, and the sentence of the specification."""
    out = []
    if "what" in result:
        out.append(f"{result['what']} at {result['pointer'] or '/'}")
        out += [f"expected {shown(result, 'expected')}", f"got      {shown(result, 'got')}"]
    if "event" in result:
        out.append(legible(f"event {result['event']}: {result['event_text']}"))
    if "message" in result:
        out.append(legible(result["message"]))
    # The case's rule, and that of the event which went wrong, where it is another.
    for rule in filter(None, (result["rules"][0], result.get("event_rule"))):
        out.append(f"{rule}: {rules()[rule].text}" if rule in rules() else rule)
    return out


def _why(result: Record) -> str:
    if "reason" in result:
        return f"{result['reason']} ({result['link']})"
    if "what" in result and result["outcome"] != "known":
        return f"{result['what']} at {result['pointer'] or '/'}"
    return str(result.get("message", ""))


def _xml(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", legible(text))


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
