"""The reference implementation as a testee: it answers a case as any implementation must.

An answer has the members of the case's ``expect``: the Msg, diagnostics as code and event index,
and an error in the same form.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from msgfold.errors import Diagnostic, InvalidEventError, MsgfoldError, Place
from msgfold.fold import Folder, status, truncation
from msgfold.fold.stream import ReplyStatus
from msgfold.validate import validate_stream, validate_text, validate_value
from msgfold.wire import json
from msgfold.wire.decode import EVENT_TYPES, parse_event, parse_msg
from msgfold.wire.encode import dump
from msgfold.wire.frames import Frame, Truncated
from msgfold.wire.proto import decode_proto, to_proto
from msgfold.wire.sniff import decoder_for
from msgfold.wire.sse import SseDecoder, is_foreign

Answer = dict[str, Any]


def answer(op: str, given: dict[str, Any], revision: str, *, steps: bool = False) -> Answer:
    """What this package makes of a case's input.

    Args:
        op: ``fold``, ``validate``, ``decode``, ``to_proto`` or ``from_proto``.
        given: the case's ``input``.
        revision: the revision to fold as, and to be valid for.
        steps: for a fold of one reply, give the Msg after every event, too.

    Raises:
        KeyError: an operation that the reference does not know.
    """
    return _fold(given, revision, steps=steps) if op == "fold" else OPS[op](given, revision)


def _fold(given: dict[str, Any], revision: str, *, steps: bool = False) -> Answer:
    answers = []
    events = given.get("events")
    if "repeat" in given:
        # Objects can be shared with a Msg as JSON text cannot: what is repeated is these objects.
        events = [parse_event(event) for event in given["events"]]
    for _ in range(given.get("repeat", 1)):
        start = given["msg"] and parse_msg(copy.deepcopy(given["msg"]))
        if events is None:
            lines = given["text"].encode("utf-8", "surrogatepass").split(b"\n")
            folded = [line for line in lines if line.strip()]
        else:
            folded = events
        answers.append(_fold_once(given, revision, start, folded, steps))
    return _agreed(answers)


def _fold_once(
    given: dict[str, Any], revision: str, start: Any, events: Iterable[Any], steps: bool
) -> Answer:
    reports: list[Diagnostic] = []
    handed_on: list[Any] = []
    replies = given.get("replies", "first")
    folder = Folder(
        revision=revision,
        errors=given.get("errors", "raise"),
        on_diagnostic=reports.append,
        msg=start,
        first_only=replies == "first",
        on_reply=handed_on.append if replies == "handed-on" else None,
    )
    result: Answer = {"steps": []} if steps else {}
    try:
        for event in events:
            if isinstance(event, bytes):
                folder.feed_text(event)
            else:
                folder.feed(event)
            if steps:
                msgs = folder.msgs
                result["steps"].append(dump(msgs[0], revision=revision) if msgs else None)
    except MsgfoldError as error:
        result["error"] = _about(error.code, error.place)
    if given.get("ends"):
        folder.close()
    msgs = [*handed_on, *folder.msgs]
    if replies != "first":
        result["msgs"] = [dump(msg, revision=revision) for msg in msgs]
    else:
        result["msg"] = dump(msgs[0], revision=revision) if msgs else None
        result["status"] = str(status(msgs[0]) if msgs else ReplyStatus.OPEN)
    if reports:
        result["diagnostics"] = [_about(report.code, report.place) for report in reports]
    if "repeat" in given:
        _spoil(msgs)
    return result


def _spoil(value: Any) -> None:
    """Empty a Msg inside and out: what it shares with an event is missing in the next fold."""
    if isinstance(value, BaseModel):
        value = value.__dict__
    if isinstance(value, dict | list):
        for inner in list(value.values()) if isinstance(value, dict) else value:
            _spoil(inner)
        value.clear()


def _validate(given: dict[str, Any], revision: str) -> Answer:
    asked = {"strict": given.get("strict", False), "revision": revision}
    definition = given["definition"]
    if "value" in given:
        faults = validate_value(given["value"], definition, **asked)
    else:
        text = (
            base64.b64decode(given["base64"])
            if "base64" in given
            else given["text"].encode("utf-8", "surrogatepass")
        )
        if definition == "stream":
            faults = list(validate_stream([text], "ndjson", **asked))
        else:
            faults = validate_text(text, definition, **asked)
    return {"faults": [_about(fault.code, fault.place) for fault in faults]}


def _decode(given: dict[str, Any], revision: str) -> Answer:
    chunks = [
        base64.b64decode(chunk["base64"]) if "base64" in chunk else chunk["text"].encode()
        for chunk in given["chunks"]
    ]
    return _decode_once(given["format"], chunks)


class UnsteadyError(Exception):
    """The same input gave two answers; which of them is right does not matter."""


def _agreed(answers: list[Answer]) -> Answer:
    """The one answer that was given each time.

    Raises:
        UnsteadyError: two answers differ.
    """
    first, *others = answers
    for other in others:
        if other != first:
            raise UnsteadyError(f"first {first}, then {other}")
    return first


def _decode_once(format: Any, chunks: list[bytes]) -> Answer:
    decoder = decoder_for(format)
    result: Answer = {"events": []}
    reports: list[Answer] = []
    tail: Truncated | None = None
    try:
        for chunk in chunks:
            _take(decoder.feed(chunk), result, reports)
        frames, tail = decoder.close()
        _take(frames, result, reports)
    except MsgfoldError as error:
        result["error"] = _about(error.code, error.at(event_index=len(result["events"])).place)
    if tail is not None:
        report = truncation(tail, "wire.sse.eof")
        reports.append(_about(report.code, report.place))
    if isinstance(decoder, SseDecoder):
        result |= {"last_event_id": decoder.last_event_id, "retry_ms": decoder.retry_ms}
    if reports:
        result["diagnostics"] = reports
    return result


def _take(frames: Iterable[Frame], result: Answer, reports: list[Answer]) -> None:
    for frame in frames:
        if is_foreign(frame, EVENT_TYPES):
            reports.append({"code": "foreign_frame", "line": frame.line, "event": None})
            continue
        value = json.loads(frame.data)
        if not isinstance(value, dict):
            raise InvalidEventError(
                "not a JSON object", place=Place(line=frame.line), rule="wire.json.shape"
            )
        result["events"].append(value)


def _to_proto(given: dict[str, Any], revision: str) -> Answer:
    ignore = given.get("ignore_unknown", False)
    try:
        message = to_proto(given["value"], given["definition"], ignore_unknown=ignore)
    except MsgfoldError as error:
        return {"error": _about(error.code, error.place)}
    return {"hex": message.SerializeToString(deterministic=True).hex()}


def _from_proto(given: dict[str, Any], revision: str) -> Answer:
    try:
        return {"value": decode_proto(bytes.fromhex(given["hex"]), given["definition"])}
    except MsgfoldError as error:
        return {"error": _about(error.code, error.place)}


def _about(code: Any, place: Place) -> Answer:
    return {
        "code": str(code),
        "event": place.event_index,
        "line": place.line,
        "pointer": place.pointer,
    }


OPS = {
    "fold": _fold,
    "validate": _validate,
    "decode": _decode,
    "to_proto": _to_proto,
    "from_proto": _from_proto,
}
"""Operation to what does it."""
