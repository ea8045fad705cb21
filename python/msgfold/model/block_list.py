"""A list of blocks that finds a block in constant time.

Every delta names a block by kind and id, and the first one in the list is meant (``fold.find``).
Searching costs as much as the message is long, so the list keeps an index.  The list is also a
user's plain ``msg.content``: anyone may insert, remove or replace a block between two events.  So
every method that changes the list either keeps the index right (``append``) or drops it, and the
next ``find`` builds it again.  A block may also be given another id in place, which no method of
the list sees; the models tell it here (:func:`forget_ids`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex, TypeVar

B = TypeVar("B")

Key = tuple[str, str]
"""Kind and id of a block."""


_ids_changed = 0
"""How often an id was changed in place.  It hardly ever is, so one count serves all lists."""


def forget_ids() -> None:
    """An object was given another id: every index built before may be wrong."""
    global _ids_changed
    _ids_changed += 1


class BlockList(list[B]):
    """A ``list`` of blocks with :meth:`find`.  Copies and pickles as a plain list would."""

    __slots__ = ("_index", "_made")

    _index: dict[Key, B] | None
    _made: int
    """The count of changed ids when the index was made."""

    def __init__(self, blocks: Any = ()) -> None:
        super().__init__(blocks)
        self._index = None
        self._made = 0

    def find(self, kind: str, block_id: str) -> B | None:
        """The first block of that kind with that id, or ``None`` (``fold.find``)."""
        index = self._index
        if index is None or self._made != _ids_changed:
            index = self._reindex()
        return index.get((kind, block_id))

    def add(self, block: B) -> bool:
        """Append; whether it is the first block of its kind and id."""
        index = self._index
        if index is None or self._made != _ids_changed:
            index = self._reindex()
        super().append(block)
        key = (block.type, block.id)  # type: ignore[attr-defined]
        return index.setdefault(key, block) is block

    def append(self, block: B) -> None:
        """As :meth:`list.append`; the index is kept."""
        super().append(block)
        if self._index is not None:
            self._index.setdefault((block.type, block.id), block)  # type: ignore[attr-defined]

    def _reindex(self) -> dict[Key, B]:
        index: dict[Key, B] = {}
        for block in self:
            index.setdefault((block.type, block.id), block)  # type: ignore[attr-defined]
        self._index = index
        self._made = _ids_changed
        return index

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        # The index refers to the blocks of this very list; a copy builds its own.
        return BlockList, (), None, iter(self)


def _dropping(name: str) -> Callable[..., Any]:
    """``list.<name>`` that forgets the index, because blocks moved, went or were replaced."""
    original = getattr(list, name)

    def method(self: BlockList[Any], *args: Any, **kwargs: Any) -> Any:
        self._index = None
        return original(self, *args, **kwargs)

    method.__name__ = name
    method.__doc__ = original.__doc__
    return method


for _name in (
    "__delitem__",
    "__iadd__",
    "__imul__",
    "__setitem__",
    "clear",
    "extend",
    "insert",
    "pop",
    "remove",
    "reverse",
    "sort",
):
    setattr(BlockList, _name, _dropping(_name))
