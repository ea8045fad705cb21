"""Who is measured: each takes the bytes of a stream and goes through all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any


def msgfold(stream: bytes) -> Any:
    """Ours: bytes to a Msg, whose data is read, too."""
    from msgfold import fold_ndjson

    return _read(fold_ndjson(stream, on_diagnostic=lambda report: None))


def msgfold_file(stream: bytes) -> Any:
    """Ours, from a file, so that the stream is not held in memory."""
    from msgfold import fold_ndjson

    with open(stream, "rb") as file:
        return _read(fold_ndjson(file, on_diagnostic=lambda report: None))


def _read(msg: Any) -> Any:
    """Look at the data, which becomes text when somebody does."""
    for block in msg.content:
        if block.type == "data":
            len(block.source.data)
    return msg


def validate(stream: bytes) -> Any:
    """Our validation of the stream."""
    from msgfold.validate import validate_stream

    return list(validate_stream([stream], "ndjson"))


def agentscope(stream: bytes) -> Any:
    """AgentScope: lines to events, events to a Msg."""
    from agentscope.event import AgentEvent
    from agentscope.message import AssistantMsg
    from pydantic import TypeAdapter

    parse = TypeAdapter(AgentEvent).validate_json
    msg = None
    for line in BytesIO(stream):
        event = parse(line)
        if msg is None:
            msg = AssistantMsg(name=event.name, content=[], id=event.reply_id)
        msg.append_event(event)
    return msg


def msgspec(stream: bytes) -> None:
    """The limit: lines to typed structs."""
    from msgfold._generated.structs import AgentEvent
    from msgspec.json import Decoder

    decode = Decoder(AgentEvent).decode
    for line in stream.split(b"\n"):
        if line:
            decode(line)


def msgspec_split(stream: list[bytes]) -> None:
    """The same of lines that somebody else has cut."""
    from msgfold._generated.structs import AgentEvent
    from msgspec.json import Decoder

    decode = Decoder(AgentEvent).decode
    for line in stream:
        decode(line)


def orjson(stream: bytes) -> None:
    """Lines to dicts."""
    from orjson import loads

    for line in stream.split(b"\n"):
        if line:
            loads(line)


CONTESTANTS: dict[str, Callable[[Any], Any]] = {
    "msgfold": msgfold,
    "msgfold_file": msgfold_file,
    "validate": validate,
    "agentscope": agentscope,
    "msgspec": msgspec,
    "msgspec_split": msgspec_split,
    "orjson": orjson,
}


def version(contestant: str) -> str:
    """The version of what is measured."""
    from importlib.metadata import version as installed

    name = contestant.split("_")[0]
    return installed({"validate": "msgfold"}.get(name, name))


if __name__ == "__main__":
    print(json.dumps(list(CONTESTANTS)))
