"""The reference page of the contract: every definition, member by member, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgfold.contract import SINCE, SINCE_WORDS, Schema, definitions

_GROUPS = (
    ("Message", ("Msg", "Usage", "ErrorInfo")),
    ("Content blocks", ("ContentBlock", "*Block")),
    ("Sources", ("*Source",)),
    ("Events", ("AgentEvent", "EventBase", "*Event")),
    ("Permissions and answers", ("PermissionRule", "ConfirmResult")),
    ("Words", ("enum",)),
    ("Scalars", ("*",)),
)
"""Headings of the page, and which definitions stand under each; the first that fits wins."""


def page() -> str:
    """The page as Markdown."""
    left = definitions()
    lines = [
        "# Contract reference",
        "",
        "Every definition of the contract. The rules named here are explained in "
        "[the wire](../../docs/spec/wire.md) and [the fold](../../docs/spec/fold.md).",
    ]
    for heading, patterns in _GROUPS:
        chosen = {t: s for t, s in left.items() if any(_fits(t, s, p) for p in patterns)}
        left = {t: s for t, s in left.items() if t not in chosen}
        lines += ["", f"## {heading}"]
        for title, schema in chosen.items():
            lines += ["", f"### {title}", "", schema["description"], *_body(schema)]
    return "\n".join(lines) + "\n"


def _fits(title: str, schema: Schema, pattern: str) -> bool:
    if pattern == "enum":
        return "enum" in schema
    if pattern.startswith("*"):
        return title.endswith(pattern[1:]) and ("enum" not in schema)
    return title == pattern


def _body(schema: Schema) -> Iterator[str]:
    if SINCE in schema:
        yield from ("", f"Since {schema[SINCE]}.")
    if "enum" in schema:
        later = schema.get(SINCE_WORDS, {})
        words = (f"`{w}` (since {later[w]})" if w in later else f"`{w}`" for w in schema["enum"])
        yield from ("", "Words: " + ", ".join(words))
    if "pattern" in schema:
        yield from ("", f"Pattern: `{schema['pattern']}`")
    if "oneOf" in schema and "properties" not in schema:
        yield from ("", "One of: " + ", ".join(_type(member) for member in schema["oneOf"]))
    for parent in schema.get("allOf", []):
        if "$ref" in parent:
            yield from ("", f"Has the members of {_type(parent)}, and:")
    if "properties" in schema:
        yield from (
            "",
            "| member | type | when left out | since | what it is |",
            "| --- | --- | --- | --- | --- |",
        )
        for name, member in schema["properties"].items():
            absent = _absent(name, member, schema.get("required", []))
            said = member.get("description", "").replace("|", "\\|")
            since = member.get(SINCE, "")
            yield f"| `{name}` | {_type(member)} | {absent} | {since} | {said} |"


def _absent(name: str, member: Schema, required: list[str]) -> str:
    if "x-mint" in member:
        return "an error on the wire; a constructor makes it up"
    if name in required:
        return "an error"
    if "default" not in member:
        return "not known"
    default = member["default"]
    return "null" if default is None else f"`{_literal(default)}`"


def _literal(value: Any) -> str:
    return str(value) if isinstance(value, str) else repr(value)


def _type(member: Schema) -> str:
    if "$ref" in member:
        title = member["$ref"].rsplit("/", 1)[1]
        return f"[{title}](#{title.lower()})"
    if "const" in member:
        return f"`{member['const']}`"
    if "oneOf" in member:
        return " or ".join(_type(part) for part in member["oneOf"])
    if member.get("type") == "array":
        return f"list of {_type(member['items'])}"
    kinds = member.get("type", "any")
    return " or ".join([kinds] if isinstance(kinds, str) else kinds)
