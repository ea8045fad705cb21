"""AgentScope itself, whichever release is installed, as a testee.

Needs nothing but AgentScope.  It folds with ``Msg.append_event``.  What AgentScope makes up, it
lets us choose: ids and times come from the event at hand, so that two folds can be compared.

    msgfold conformance run --revision 2.0.4 -- /path/to/python testee.py
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import agentscope
from agentscope.event import AgentEvent
from agentscope.message import AssistantMsg, Msg
from pydantic import TypeAdapter, ValidationError

PARSE = TypeAdapter(AgentEvent).validate_json
STAMPS = {"id": "", "created_at": ""}
UNKNOWN = "made up while reading"


def pin() -> None:
    """Ids and times that are made up are those of the event at hand."""
    agentscope.set_id_factory(lambda: STAMPS["id"])
    if hasattr(agentscope, "set_timestamp_factory"):  # from 2.0.6 on
        agentscope.set_timestamp_factory(lambda: STAMPS["created_at"])


def events(given: dict[str, Any]) -> list[str]:
    """The events as JSON text."""
    if "text" in given:
        return [line for line in given["text"].split("\n") if line.strip()]
    return [json.dumps(event) for event in given["events"]]


def fold(given: dict[str, Any], steps: bool) -> dict[str, Any]:
    """The Msg after the events, or after every one of them, and the error that stopped them."""
    STAMPS.update(id=UNKNOWN, created_at=UNKNOWN)
    msg = given["msg"] and Msg.model_validate_json(json.dumps(given["msg"]))
    error = None
    after = []
    for index, text in enumerate(events(given)):
        try:
            value = json.loads(text)
            if isinstance(value, dict):
                STAMPS.update({n: v for n in STAMPS if isinstance(v := value.get(n, ""), str)})
            event = PARSE(text)
            if msg is None and event.type == "REPLY_START":
                msg = AssistantMsg(event.name, [], id=event.reply_id, created_at=event.created_at)
            elif msg is not None:
                msg.append_event(event)
        except Exception as raised:  # what AgentScope raises is what it says
            if given.get("errors", "raise") == "raise":
                bad = isinstance(raised, ValidationError | ValueError)
                code = "invalid_event" if bad else type(raised).__name__
                error = {"code": code, "event": index}
                break
        if steps:
            after.append(dumped(msg))
    result: dict[str, Any] = {"msg": dumped(msg), **({"steps": after} if steps else {})}
    return result if error is None else {**result, "error": error}


def dumped(msg: Msg | None) -> Any:
    """A Msg as AgentScope writes it."""
    return msg and known(json.loads(msg.model_dump_json()))


def known(value: Any) -> Any:
    """A Msg without what was made up while it was read."""
    if isinstance(value, list):
        return [known(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: known(member) for name, member in value.items() if member != UNKNOWN}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request."""
    if request["op"] == "describe":
        version = agentscope.__version__
        return {
            "id": request["id"],
            "result": {
                "name": "agentscope",
                "language": "python",
                "version": version,
                "protocol": 1,
                "revisions": [version],
                "ops": ["fold"],
                "features": ["numbers", "steps"],
            },
        }
    try:
        return {"id": request["id"], "result": fold(request["input"], request.get("steps", False))}
    except Exception as error:
        return {"id": request["id"], "failure": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    logging.disable()
    pin()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
