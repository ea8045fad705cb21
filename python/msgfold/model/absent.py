"""Members that came after 2.0.4, as long as nobody has set them.

A Msg that was read from 2.0.4, or folded as it, must be written as 2.0.4 writes it, and a time that
nobody knows must not be made up.  So such a member is left out of a dump until it is set
(``wire.revision.since``).  One that may be null reads as ``None`` until then; the others read as an
empty string and as zero, of a class of their own, by which serialisation knows them.
"""

from __future__ import annotations

from typing import Any


class AbsentText(str):
    """An empty string that stands for a member that was not set."""

    __slots__ = ()


class AbsentCount(int):
    """A zero that stands for a member that was not set; a sum with it is a plain integer."""

    __slots__ = ()


ABSENT_TEXT = AbsentText()
ABSENT_COUNT = AbsentCount()


def is_absent(value: Any) -> bool:
    """Whether a member that came after 2.0.4 was not set; null is as good as not set."""
    return value is None or isinstance(value, AbsentText | AbsentCount)
