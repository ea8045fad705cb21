"""The rules of the specification, read from its pages.

A rule stands in ``docs/spec/*.md`` as a list item that opens with its id in bold code::

    - **`fold.find`** A block is found by kind and id. ...

That sentence is the rule's only home; the code and the cases name the id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from msgfold.resources import SPEC

_RULE = re.compile(r"^- \*\*`(?P<id>[a-z0-9.-]+)`\*\* (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: such as ``fold.text.delta``.
        text: the sentence of the specification, in Markdown.
        page: the file that it stands in, such as ``fold.md``.
    """

    id: str
    text: str
    page: str

    @property
    def area(self) -> str:
        """The id without its last part: ``fold.text`` of ``fold.text.delta``."""
        return self.id.rpartition(".")[0]


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its id, in the order of the pages.

    Raises:
        ValueError: two rules have one id.
    """
    found: dict[str, Rule] = {}
    for page in sorted(SPEC.glob("*.md")):
        for match in _RULE.finditer(page.read_text("utf-8")):
            rule = Rule(match["id"], match["text"], page.name)
            if rule.id in found:
                raise ValueError(f"{page.name}: a second rule {rule.id}")
            found[rule.id] = rule
    return found
