"""The contract: the schemas as one document.

``schemas/`` keeps one file a concept, because that is how people read and change them.  Generators
and validators in most languages want one file, so every definition is gathered here under its title
in ``$defs`` and every reference is made local.  Nothing else is changed: the bundle says exactly
what the files say, and is published as ``generated/json-schema/msgfold.schema.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urldefrag, urljoin

from msgfold.resources import SCHEMAS

BASE = "https://msgfold.example/schemas/v1/"
"""Prefix of every ``$id``.  The ``.example`` domain is reserved (RFC 2606): an id is a name, and a
tool that tries to fetch it must not reach a stranger's server."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def files(root: Path = SCHEMAS) -> Iterator[tuple[PurePosixPath, Schema]]:
    """Each contract schema and its path below ``root``, in the order of their names."""
    for path in sorted(root.rglob("*.schema.json")):
        relative = PurePosixPath(path.relative_to(root).as_posix())
        if relative.parts[0] not in {"conformance", "examples"}:
            yield relative, json.loads(path.read_text("utf-8"))


def definitions(root: Path = SCHEMAS) -> dict[str, Schema]:
    """Every definition by its title, references local (``#/$defs/Title``).

    Raises:
        ValueError: two definitions have one title, or a reference leads nowhere.
    """
    found: dict[str, Schema] = {}
    home: dict[str, str] = {}
    for path, document in files(root):
        uri = urljoin(BASE, str(path))
        if document.get("$id") != uri:
            raise ValueError(f"{path}: $id must be {uri}, is {document.get('$id')}")
        nested = document.get("$defs", {})
        parts = [(f"{uri}#/$defs/{name}", schema) for name, schema in nested.items()]
        for location, schema in parts or [(uri, document)]:
            title = schema["title"]
            if title in found:
                raise ValueError(f"{path}: a second definition named {title}")
            found[title] = {k: v for k, v in schema.items() if k not in {"$schema", "$id"}}
            home[location] = title
            found[title]["x-source"] = location
    return {
        title: _localise(schema, schema.pop("x-source"), home)
        for title, schema in sorted(found.items())
    }


def _localise(node: Any, base: str, home: dict[str, str]) -> Any:
    """``node`` with each ``$ref`` turned from a file name into a title."""
    if isinstance(node, list):
        return [_localise(item, base, home) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: _localise(value, base, home) for key, value in node.items()}
    if isinstance(node.get("$ref"), str):
        target = urljoin(urldefrag(base).url, node["$ref"])
        if target not in home:
            raise ValueError(f"{base}: $ref {node['$ref']} leads nowhere")
        out["$ref"] = f"#/$defs/{home[target]}"
    return out


@cache
def bundle(root: Path = SCHEMAS) -> Schema:
    """All definitions as one schema document that refers to nothing outside itself."""
    return {
        "$schema": DIALECT,
        "$id": urljoin(BASE, "msgfold.schema.json"),
        "title": "msgfold",
        "description": (
            "Every definition of the contract. Validate against $defs/Msg or $defs/AgentEvent."
        ),
        "$defs": definitions(root),
    }
