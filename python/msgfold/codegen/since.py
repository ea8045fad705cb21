"""What came after the first release, by definition, read off the schemas' ``x-since``."""

from __future__ import annotations

from pprint import pformat

from msgfold.contract import SINCE, SINCE_WORDS, definitions

_SOURCE = '''"""What came after the first release, and with which."""

from __future__ import annotations

DEFINITIONS: dict[str, str] = {definitions}
"""Definition to the release that it came with."""

MEMBERS: dict[str, dict[str, str]] = {members}
"""Definition to its members that came later than it did, and their releases."""

WORDS: dict[str, dict[str, dict[str, str]]] = {words}
"""Definition to its members that take words, and the words that came later, with their releases."""
'''


def later_definitions() -> dict[str, str]:
    """Definition to release."""
    return {title: schema[SINCE] for title, schema in definitions().items() if SINCE in schema}


def members() -> dict[str, dict[str, str]]:
    """Definition to its later members and their releases."""
    found = {
        title: {n: m[SINCE] for n, m in schema.get("properties", {}).items() if SINCE in m}
        for title, schema in definitions().items()
    }
    return {title: later for title, later in found.items() if later}


def words() -> dict[str, dict[str, str]]:
    """Enum to its later words and their releases."""
    return {
        title: schema[SINCE_WORDS]
        for title, schema in definitions().items()
        if SINCE_WORDS in schema
    }


def words_of_members() -> dict[str, dict[str, dict[str, str]]]:
    """Definition to its members whose enum has later words, and those words."""
    later = words()
    found = {
        title: {
            name: later[enum]
            for name, member in schema.get("properties", {}).items()
            for enum in later
            if f"#/$defs/{enum}"
            in {part.get("$ref") for part in [member, *member.get("oneOf", [])]}
        }
        for title, schema in definitions().items()
    }
    return {title: members for title, members in found.items() if members}


def source() -> str:
    """Source text of ``msgfold._generated.since``."""
    return _SOURCE.format(
        definitions=pformat(later_definitions(), width=96),
        members=pformat(members(), width=96),
        words=pformat(words_of_members(), width=96),
    )
