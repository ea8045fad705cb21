"""The contract: the schemas as one document, as the newest release has it or an earlier one.

``schemas/`` keeps one file a concept, because that is how people read and change them.  Generators
and validators in most languages want one file, so every definition is gathered here under its title
in ``$defs`` and every reference is made local.  Nothing else is changed: the bundle says exactly
what the files say, and is published as ``generated/json-schema/msgfold.schema.json``.

A **profile** is the bundle as an earlier release had it (``wire.revision.since``): what carries a
later ``x-since`` is taken out, and what ``x-before`` says is put back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urldefrag, urljoin

from msgfold import revisions
from msgfold.resources import SCHEMAS

BASE = "https://msgfold.example/schemas/v1/"
"""Prefix of every ``$id``.  The ``.example`` domain is reserved (RFC 2606): an id is a name, and a
tool that tries to fetch it must not reach a stranger's server."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SINCE = "x-since"
"""Schema keyword: the release that a definition or a member came with."""
SINCE_WORDS = "x-since-words"
"""Schema keyword: words of an enum, and the release that each came with."""
BEFORE = "x-before"
"""Schema keyword: by release, a merge patch (RFC 7396) to what the definition was before it."""
OPEN = "x-extra-members"
"""Schema keyword: extra members of this object are data, never unknown."""
ORDER = "x-order"
"""Schema keyword: by release, the order in which it and later ones write the members.  Otherwise it
is the order of ``properties``, that of the first release."""

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
def bundle() -> Schema:
    """All definitions as one schema document that refers to nothing outside itself."""
    return _document(
        "msgfold",
        "Every definition of the contract. Validate against $defs/Msg or $defs/AgentEvent.",
        definitions(),
    )


@cache
def profile(revision: str | None) -> Schema:
    """The bundle as AgentScope ``revision`` has it; ``None`` is the contract as it is.

    Raises:
        UnknownRevisionError: no such revision.
    """
    if revision is None:
        return bundle()
    revisions.known(revision)
    return _document(
        f"msgfold-{revision}",
        f"The contract as AgentScope {revision} has it. "
        "Validate against $defs/Msg or $defs/AgentEvent.",
        {
            title: _as_of(schema, revision)
            for title, schema in definitions().items()
            if not _is_later(schema, revision)
        },
    )


def _document(name: str, description: str, defs: dict[str, Schema]) -> Schema:
    return {
        "$schema": DIALECT,
        "$id": urljoin(BASE, f"{name}.schema.json"),
        "title": name,
        "description": description,
        "$defs": defs,
    }


def _is_later(schema: Schema, revision: str) -> bool:
    return SINCE in schema and revisions.comes_after(schema[SINCE], revision)


def _as_of(schema: Schema, revision: str) -> Schema:
    """A definition as ``revision`` has it."""
    patches = schema.get(BEFORE, {})
    schema = {key: value for key, value in schema.items() if key != BEFORE}
    for release in reversed(patches):  # the newest first: each patch undoes one release
        if revisions.comes_after(release, revision):
            schema = _merge(schema, patches[release])
    if "properties" in schema:
        kept = {n: m for n, m in schema["properties"].items() if not _is_later(m, revision)}
        order = list(kept)
        for release, names in schema.pop(ORDER, {}).items():
            if not revisions.comes_after(release, revision):
                order = names
        schema["properties"] = {name: kept[name] for name in order}
    later = schema.get(SINCE_WORDS, {})
    if later:
        later = {w: since for w, since in later.items() if revisions.comes_after(since, revision)}
        schema["enum"] = [word for word in schema["enum"] if word not in later]
    return schema


def _merge(target: Any, patch: Any) -> Any:
    """JSON Merge Patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge(merged.get(key), value)
    return merged


_JSON_TYPES: dict[Any, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "null": type(None),
}
"""The types that members of a union are told apart by."""


class Navigator:
    """Finds which part of the contract a value follows."""

    def __init__(self, revision: str | None) -> None:
        self.revision = revision
        self.document = document = profile(revision)
        self.defs: dict[str, Schema] = document["$defs"]

    def resolve(self, schema: Schema) -> Schema:
        """``schema`` behind its reference."""
        ref = schema.get("$ref")
        return self.defs[ref.rsplit("/", 1)[1]] if ref else schema

    def fits(self, member: Schema, value: Any, union: Schema) -> bool:
        """Whether ``member`` is the one of the union that ``value`` is meant to follow."""
        resolved = self.resolve(member)
        if "discriminator" in union:
            tag = resolved["properties"]["type"]["const"]
            return isinstance(value, dict) and value.get("type") == tag
        kind = resolved.get("type")
        return kind in _JSON_TYPES and isinstance(value, _JSON_TYPES[kind])

    def select(self, value: Any, schema: Schema) -> Schema:
        """What ``value`` is meant to follow, through references and unions; ``{}`` if nothing."""
        schema = self.resolve(schema)
        if "oneOf" in schema and "properties" not in schema:
            for member in schema["oneOf"]:
                if self.fits(member, value, schema):
                    return self.select(value, member)
            return {}
        return schema

    def members(self, schema: Schema) -> dict[str, Schema]:
        """An object's members by name, those of its parents first: the order they are written."""
        found: dict[str, Schema] = {}
        for parent in schema.get("allOf", []):
            found |= self.members(self.resolve(parent)) if "$ref" in parent else {}
        found |= schema.get("properties", {})
        return found


@cache
def navigator(revision: str | None = None) -> Navigator:
    """The navigator of a profile; errors as in :func:`profile`."""
    return Navigator(revision)
