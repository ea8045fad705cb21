"""What TypeScript code reads of the contract at run time: tables, and the quick look at an event.

``contract.ts`` holds the schemas as far as a validator reads them, and of each earlier release what
was different in it.  ``shapes.ts`` holds one function for each type of event that says whether an
event is plainly well-formed; it is straight code, because it runs for every event.
"""

from __future__ import annotations

import json
from typing import Any

from msgfold.contract import Navigator, Schema, navigator
from msgfold.revisions import RELEASES

_KEPT = {
    "title",
    "type",
    "enum",
    "const",
    "pattern",
    "contentEncoding",
    "required",
    "default",
    "x-mint",
    "x-since",
    "x-since-words",
    "x-extra-members",
}
"""Keywords that a validator or the fold reads, and that hold no schema."""

_CONTRACT = """\
/** The contract as data: definitions by title, as each release has them. @module */

/** A definition, or what stands in its place inside another: JSON Schema, as far as it is read. */
export interface Definition {{
  readonly title?: string;
  /** The title of the definition that stands here. */
  readonly ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  /** A union; beside `properties` it is empty, and means exactly one of data and url. */
  readonly oneOf?: readonly Definition[];
  /** The union's members are told apart by `type`. */
  readonly tagged?: true;
  /** The kinds of block that a role may carry; one that is not named carries all. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly "x-mint"?: "id" | "now";
  readonly "x-since"?: string;
  readonly "x-since-words"?: Readonly<Record<string, string>>;
  readonly "x-extra-members"?: "data";
}}

/** Definitions by title. */
export type Definitions = Readonly<Record<string, Definition>>;

/** Every release, oldest first. */
export const RELEASES = {releases} as const;

/** The types of events. */
export const EVENT_TYPES: ReadonlySet<string> = new Set({types});

/** Every definition, as the newest release has it. */
export const NEWEST: Definitions = {newest};

/**
 * What was otherwise in each release than in the one after it: definitions as they were, `null`
 * for those that came later.
 */
export const EARLIER: Record<string, Record<string, Definition | null>> = {earlier};
"""

_SHAPES = """\
/** Whether an event is plainly well-formed: a function for each type. @module */

type Value = Record<string, unknown>;

const text = (value: unknown) => typeof value === "string";
const mayText = (value: unknown) => value === undefined || typeof value === "string";
const mayNull = (value: unknown) => value == null || typeof value === "string";
const bool = (value: unknown) => typeof value === "boolean";
const count = (value: unknown) => Number.isInteger(value) || typeof value === "bigint";
const mayCount = (value: unknown) => value === undefined || count(value);
const free = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const mayFree = (value: unknown) => value === undefined || free(value);
const there = (value: unknown) => value !== undefined;
const word = (words: ReadonlySet<unknown>, value: unknown) => words.has(value);
const mayWord = (words: ReadonlySet<unknown>, value: unknown) =>
  value === undefined || words.has(value);

{words}

const base = (event: Value) =>
  {base};

/**
 * By type, whether an event has every member that it must have, each of its JSON type, and known
 * words. What it carries inside (blocks, base64, URLs) is for whoever reads it.
 */
export const SHAPES: Record<string, (event: Value) => boolean> = {{
{shapes}
}};
"""


def contract() -> str:
    """Source text of ``contract.ts``."""
    newest = _definitions(navigator(RELEASES[-1]))
    earlier = {}
    later = newest
    for release in reversed(RELEASES[:-1]):
        then = _definitions(navigator(release))
        earlier[release] = {t: then.get(t) for t in later if then.get(t) != later[t]}
        later = then
    return _CONTRACT.format(
        releases=json.dumps(RELEASES),
        types=_pretty(newest["EventType"]["enum"]),
        newest=_pretty(newest),
        earlier=_pretty(earlier),
    )


def shapes() -> str:
    """Source text of ``shapes.ts``."""
    profile = navigator(None)
    titles = [member["$ref"].rsplit("/", 1)[1] for member in profile.defs["AgentEvent"]["oneOf"]]
    lines = []
    for title in titles:
        schema = profile.defs[title]
        tests = ["base(event)"] + [
            _test(name, member, name in schema["required"], profile)
            for name, member in schema["properties"].items()
            if name != "type"
        ]
        joined = " &&\n    ".join(test for test in tests if test)
        lines.append(f"  {schema['properties']['type']['const']}: (event) =>\n    {joined},")
    base = profile.defs["EventBase"]["properties"]
    return _SHAPES.format(
        words="\n".join(
            f"const {title}: ReadonlySet<unknown> = new Set({json.dumps(schema['enum'])});"
            for title, schema in profile.defs.items()
            if "enum" in schema and any(f"({title}, " in line for line in lines)
        ),
        # The fold makes up no id and no time, and puts up with none (fold.missing-stamp).
        base=" &&\n  ".join(_test(n, m, False, profile) for n, m in base.items()),
        shapes="\n".join(lines),
    )


def _test(name: str, member: Schema, required: bool, profile: Navigator) -> str:
    """An expression that looks at one member; empty when any value will do."""
    value = f"event.{name}"
    schema = profile.resolve(member)
    may = not required or "x-mint" in member
    if "enum" in schema:
        return f"{'mayWord' if may else 'word'}({schema['title']}, {value})"
    union = [profile.resolve(part) for part in schema.get("oneOf", [])]
    kinds = schema.get("type") or [part.get("type") for part in union]
    if {"string", "null"} == set(kinds):
        return f"mayNull({value})"
    scalar = {"string": "text", "integer": "count", "boolean": "bool"}.get(str(kinds))
    if schema.get("title") == "JsonObject":
        scalar = "free"
    if scalar is None:  # blocks and the like
        return f"there({value})" if required else ""
    return f"may{scalar.capitalize()}({value})" if may else f"{scalar}({value})"


def _definitions(profile: Navigator) -> dict[str, Schema]:
    return {title: _definition(schema, profile) for title, schema in profile.defs.items()}


def _definition(schema: Schema, profile: Navigator) -> Schema:
    """A definition without what people read, and with the members of its parents."""
    parents = [profile.resolve(part) for part in schema.get("allOf", []) if "$ref" in part]
    if parents:
        schema = {
            **schema,
            "required": [n for part in (*parents, schema) for n in part["required"]],
            "properties": profile.members(schema),
        }
    return _lean(schema)


def _lean(schema: Schema) -> Schema:
    if "$ref" in schema:
        kept = {k: schema[k] for k in schema if k in _KEPT}
        return {"ref": schema["$ref"].rsplit("/", 1)[1], **kept}
    out: Schema = {}
    for key, value in schema.items():
        if key in _KEPT:
            out[key] = value
        elif key == "properties":
            out[key] = {name: _lean(member) for name, member in value.items()}
        elif key == "items":
            out[key] = _lean(value)
        elif key == "oneOf":
            # Beside members it is the rule of data and url, which is read by its name alone.
            out[key] = [] if "properties" in schema else [_lean(member) for member in value]
        elif key == "discriminator":
            out["tagged"] = True
        elif key == "allOf":
            roles = dict(_role(part) for part in value if "if" in part)
            if roles:
                out["roles"] = roles
    return out


def _role(rule: Schema) -> tuple[str, list[str]]:
    """Which kinds of block a role may carry (``fold.role``)."""
    role = rule["if"]["properties"]["role"]["const"]
    items = rule["then"]["properties"]["content"]["items"]
    return role, items["properties"]["type"]["enum"]


def _pretty(value: Any) -> str:
    """JSON, a line for each of the outermost two levels."""
    if isinstance(value, list):
        return json.dumps(value)
    lines = []
    for key, inner in value.items():
        if isinstance(inner, dict) and inner and "title" not in inner:
            nested = ",\n".join(
                f"    {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}"
                for k, v in inner.items()
            )
            lines.append(f"  {json.dumps(key)}: {{\n{nested},\n  }},")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(inner, ensure_ascii=False)},")
    return "{\n" + "\n".join(lines) + "\n}"
