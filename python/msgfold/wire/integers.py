"""Integers that were written as ``1.0`` or ``1e2`` (``wire.json.integer``).

To JSON, to JSON Schema and to AgentScope they are integers; to the readers here they are floats.
They are rare, so a value is looked at only once a reader has refused it.
"""

from __future__ import annotations

from typing import Any

from msgfold.contract import Schema, navigator


def whole(value: Any, definition: str) -> Any:
    """``value`` with such integers as integers, where the definition has integers."""
    return _whole(value, navigator().defs[definition])


def _whole(value: Any, schema: Schema) -> Any:
    schema = navigator().select(value, schema)
    if isinstance(value, float):
        is_whole = schema.get("type") == "integer" and value.is_integer()
        return int(value) if is_whole else value
    if isinstance(value, dict):
        members = navigator().members(schema)
        return {
            name: _whole(member, members[name]) if name in members else member
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [_whole(item, schema.get("items", {})) for item in value]
    return value
