"""``msgfold upgrade-check``: what another AgentScope release makes of your stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import Annotated, Any, cast

import typer

from msgfold.cli import common
from msgfold.cli.common import Input
from msgfold.cli.fold import FormatOption
from msgfold.conformance.compare import ABSENT
from msgfold.errors import MsgfoldError, shorten
from msgfold.fold import truncation
from msgfold.revisions import DEFAULT_REVISION, NEWEST
from msgfold.upgrade import Finding, UpgradeCheck
from msgfold.wire.decode import EVENT_TYPES
from msgfold.wire.frames import Truncated, read_frames
from msgfold.wire.json import written
from msgfold.wire.sniff import Format, decoder_for, sniff
from msgfold.wire.sse import is_foreign


class OutputOption(StrEnum):
    """How findings are told."""

    TEXT = "text"
    JSON = "json"


_WORDS = {
    "changed": "changed",
    "refused": "refused by {after}",
    "accepted": "taken by {after} only",
    "ignored": "dropped by {after}",
    "read": "read by {after} only",
    "reported": "reported by one only",
}
"""Kind of finding to the word for it."""


def command(
    file: Input = "-",
    before: Annotated[
        str, typer.Option("--from", metavar="RELEASE", help="The release it is folded as now.")
    ] = DEFAULT_REVISION,
    after: Annotated[
        str, typer.Option("--to", metavar="RELEASE", help="The release to go to, or back to.")
    ] = NEWEST,
    format: Annotated[
        FormatOption, typer.Option(help="How events are framed; auto looks at the beginning.")
    ] = FormatOption.AUTO,
    output: Annotated[
        OutputOption, typer.Option(help="How findings are told.")
    ] = OutputOption.TEXT,
) -> None:
    """Fold a recorded stream as two AgentScope releases, and tell where they part.

    Event by event and path by path: which values of the Msg change and since which release, what
    the other release refuses, what it drops. A path is told where it changes first. Exits with 0
    when nothing changes, with 1 when something does.

    Examples:

    - `msgfold upgrade-check reply.ndjson --from 2.0.4 --to 2.0.11`
    - `msgfold upgrade-check reply.ndjson --from 2.0.11 --to 2.0.4 --output json`
    """
    check = UpgradeCheck(common.known_revision(before), common.known_revision(after))
    found: list[Finding] = []
    with common.opened(file) as source:
        try:
            found += _findings(source, file, format, check)
        except MsgfoldError as error:
            raise common.failure_of(file, error) from None
    if not found and not check.replies:
        what = f"no reply in {check.events} events" if check.events else "no events"
        raise common.Failure(f"{file}: {what}; `msgfold validate` shows what it holds instead")
    for refused in check.refused[:1]:
        common.warn(f"{refused}; {_how_many(check)} refused by each release, and not looked at")
    if output is OutputOption.JSON:
        listed = [finding.to_json() for finding in found]
        report = {"file": file, "from": before, "to": after, "events": check.events}
        typer.echo(written({**report, "findings": listed}, indent=2))
    else:
        _print(found, before, after)
        common.note(_summary(found, check, file))
    if found:
        raise common.Failure("", common.FAULTY)


def _findings(
    source: Any, name: str, format: FormatOption, check: UpgradeCheck
) -> Iterator[Finding]:
    first = common.head(source)
    framing = sniff(first, name) if format is FormatOption.AUTO else cast("Format", format.value)
    with common.progress(source, name) as bar:
        pieces = common.tracked(common.chunks(source, first), bar)
        for frame in read_frames(pieces, decoder_for(framing), _warn_of_tail):
            if not is_foreign(frame, EVENT_TYPES):
                yield from check.feed(frame.data, line=frame.line)
    yield from check.close()


def _warn_of_tail(tail: Truncated) -> None:
    common.warn(truncation(tail, "wire.ndjson.last-line"))


def _events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"


def _how_many(check: UpgradeCheck) -> str:
    count = len(check.refused)
    return "this event is" if count == 1 else f"{count} events, this one the first, are"


def _print(found: list[Finding], before: str, after: str) -> None:
    say = common.console.print
    for (index, line), group in groupby(found, key=lambda f: (f.event_index, f.line)):
        findings = list(group)
        where = f"event {index} (line {line})" if index is not None else "the Msg, as it is stored"
        say(f"[bold]{where}[/]  {findings[0].type}, reply {findings[0].reply_id}", markup=True)
        for finding in findings:
            word = _WORDS[finding.kind].format(after=after)
            if finding.kind == "reported":
                word = f"reported by {before if finding.after is ABSENT else after} only"
            where = finding.pointer or "the event"
            say(f"  {where}  {word}{_since(finding)}", markup=False)
            if finding.kind == "changed":
                say(f"    {before:<7} {_shown(finding.before)}", markup=False)
                say(f"    {after:<7} {_shown(finding.after)}", markup=False)
            else:
                said = finding.before if finding.after is ABSENT else finding.after
                say(f"    {said}", markup=False)
        for change in {change: None for f in findings for change in f.causes}:
            say(f"  [dim]{change.since}: {change.what} ({', '.join(change.rules)})[/]")


def _since(finding: Finding) -> str:
    return f" with {finding.since}" if finding.since else ""


def _shown(value: Any) -> str:
    return "absent" if value is ABSENT else shorten(written(value), 160)


def _summary(found: list[Finding], check: UpgradeCheck, name: str) -> str:
    kinds = Counter(finding.kind for finding in found)
    touched = len({finding.event_index for finding in found})
    title = f"{name}: {check.before} to {check.after}, {_events(check.events)}: "
    if not found:
        return title + "nothing changes"
    words = (f"{count} {_WORDS[kind].format(after=check.after)}" for kind, count in kinds.items())
    return f"{title}differences in {touched}: {', '.join(words)}"
