"""Which events AgentScope folds otherwise, and which values it writes otherwise.

What the table in ``deviations.py`` is made of.  The events here are ones that AgentScope reads, so
their members are there and have the right shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgfold._generated import since
from msgfold.model.base64_source import decode
from msgfold.model.msg import ROLE_BLOCKS
from msgfold.validate import validate_value
from pydantic import AnyUrl

Json = dict[str, Any]

VENDOR = "x_vendor"
"""The unknown member that random Msgs and events carry."""


# ---------------------------------------------------------------- when an entry applies
def find(msg: Json, kind: str, block_id: str) -> Json | None:
    return next((b for b in msg["content"] if b["type"] == kind and b["id"] == block_id), None)


def folded(event: Json, msg: Json, *kinds: str) -> bool:
    """Whether it is an event of those kinds, for this very Msg."""
    return event.get("type") in kinds and event.get("reply_id") == msg["id"]


def nested(event: Json) -> Iterator[Json]:
    """The blocks that an event carries inside."""
    lists = [event.get("hint"), *(r["output"] for r in event.get("execution_results", []))]
    for blocks in lists:
        if isinstance(blocks, list):
            yield from blocks


def is_base64(data: str) -> bool:
    try:
        decode(data)
    except ValueError:
        return False
    return True


def is_url(url: Any) -> bool:
    try:
        AnyUrl(url)
    except ValueError:
        return False
    return True


def guesses_a_tag(event: Json, msg: Json) -> bool:
    return "type" not in event or any(
        "type" not in b or "type" not in b.get("source", {"type": None}) for b in nested(event)
    )


def has_lax_number(event: Json, msg: Json) -> bool:
    tokens = [event[n] for n in event if n.endswith("_tokens")]
    answers = [a["confirmed"] for a in event.get("confirm_results", [])]
    lax = [n for n in tokens if type(n) is not int and not (type(n) is float and n.is_integer())]
    return bool(lax) or any(type(a) is not bool for a in answers)


def has_bad_base64(event: Json, msg: Json) -> bool:
    inside = [b["source"].get("data") for b in nested(event) if "source" in b]
    return not all(is_base64(data) for data in [event.get("data"), *inside] if data)


def breaks_role(event: Json, msg: Json) -> bool:
    kinds = {
        "THINKING_BLOCK_START": "thinking",
        "DATA_BLOCK_START": "data",
        "HINT_BLOCK": "hint",
        "TOOL_CALL_START": "tool_call",
        "TOOL_RESULT_START": "tool_result",
        "EXTERNAL_EXECUTION_RESULT": "tool_result",
    }
    kind = kinds.get(event.get("type", ""))
    return folded(event, msg, *kinds) and kind not in ROLE_BLOCKS[msg["role"]]


LATER = {name for names in since.MEMBERS.values() for name in names}


def has_bad_newer_member(event: Json, msg: Json) -> bool:
    """Whether a member that came after 2.0.4 is not what any release writes."""
    found = [fault.place.pointer or "" for fault in validate_value(event, "AgentEvent")]
    places = [place for place in found if not place.startswith("/error")]  # is not looked into
    return any(LATER & set(place.split("/")) for place in places)


def is_url_delta(event: Json, msg: Json) -> bool:
    if not (folded(event, msg, "DATA_BLOCK_DELTA") and event.get("data")):
        return False
    found = find(msg, "data", event["block_id"])
    return found is not None and found["source"]["type"] == "url"


def has_bad_url(event: Json, msg: Json) -> bool:
    kinds = ("TOOL_RESULT_DATA_DELTA", "DATA_BLOCK_DELTA")
    url = event.get("url") if event.get("type") in kinds else None
    return url is not None and not is_url(url)


def once_each(event: Json, msg: Json) -> Json:
    first: dict[str, Json] = {}
    for result in event["execution_results"]:
        first.setdefault(result["id"], result)
    return {**event, "execution_results": list(first.values())}


# ---------------------------------------------------------------- how values are written
def urls_as_whatwg(value: Any) -> Any:
    if isinstance(value, list):
        return [urls_as_whatwg(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "url" and "url" in value:
        return {**value, "url": str(AnyUrl(value["url"]))}
    return {k: v if k == "metadata" else urls_as_whatwg(v) for k, v in value.items()}


def without_vendor(value: Any) -> Any:
    if isinstance(value, list):
        return [without_vendor(v) for v in value]
    if not isinstance(value, dict) or value.get("type") == "thinking":
        return value
    return {k: v if k == "metadata" else without_vendor(v) for k, v in value.items() if k != VENDOR}
