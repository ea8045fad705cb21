"""What a handler works on: the Msg, and where its reports go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from msgfold.errors import (
    Diagnostic,
    DiagnosticCode,
    OnDiagnostic,
    Place,
    RoleViolationError,
)
from msgfold.model.block_list import BlockList
from msgfold.model.msg import ROLE_BLOCKS

if TYPE_CHECKING:
    from msgfold._generated.models import Msg


@dataclass(slots=True)
class Context:
    """What all replies of one stream share.

    Attributes:
        revision: the AgentScope release that is folded as.
        on_diagnostic: receives reports.
        lenient: whether an event in error is reported and left out (``fold.unknown-enum``).
        told: what is reported once a stream and was (``fold.revision.newer-member``).
        lines_before: added to an event's index it gives the event's line; ``None`` if not known.
    """

    revision: str
    on_diagnostic: OnDiagnostic
    lenient: bool = False
    told: set[tuple[str, str]] = field(default_factory=set)
    lines_before: int | None = None


Blocks = tuple[Any, ...]
"""The blocks that a handler made."""


class FoldState:
    """One Msg being folded into.

    Attributes:
        msg: the Msg; handlers change it in place.
        context: what it shares with the other replies of its stream.
        event_index: position in the stream of the event being applied, counted from 0, or ``None``.
    """

    __slots__ = ("context", "event_index", "msg")

    def __init__(self, msg: Msg, context: Context) -> None:
        self.msg = msg
        self.context = context
        self.event_index: int | None = None

    @property
    def content(self) -> BlockList[Any]:
        """The Msg's blocks.  Read anew each time: a user may have set another list meanwhile."""
        return as_block_list(self.msg, "content")

    def find(self, kind: str, block_id: str) -> Any:
        """The first block of that kind with that id, or ``None`` (``fold.find``)."""
        return as_block_list(self.msg, "content").find(kind, block_id)

    def find_or_report(self, kind: str, block_id: str, rule: str) -> Any:
        """As :meth:`find`; nothing found is reported as ``block_not_found``."""
        block = as_block_list(self.msg, "content").find(kind, block_id)
        if block is None:
            self.report(
                DiagnosticCode.BLOCK_NOT_FOUND,
                f"no {kind} block {block_id!r}; the event is skipped",
                rule,
                kind=kind,
                block_id=block_id,
            )
        return block

    def check_role(self, kind: str) -> None:
        """Refuse a kind of block that the Msg's role may not carry (``fold.role``).

        Raises:
            RoleViolationError: it may not.
        """
        allowed = ROLE_BLOCKS[self.msg.role]
        if kind not in allowed:
            raise RoleViolationError(
                f"a {self.msg.role} message may not carry a {kind} block",
                expected=f"an event about {' or '.join(sorted(allowed))} blocks",
                got=kind,
                hint="Only an assistant message carries every kind of block",
                rule="fold.role",
            )

    def add(self, block: Any) -> Blocks:
        """Append a block whose role was checked; report a second one of its kind and id."""
        if not as_block_list(self.msg, "content").add(block):
            self.report(
                DiagnosticCode.DUPLICATE_BLOCK,
                f"a second {block.type} block {block.id!r}; later events go to the first",
                "fold.duplicate-block",
                kind=block.type,
                block_id=block.id,
            )
        return (block,)

    def report(
        self,
        code: DiagnosticCode,
        message: str,
        rule: str,
        *,
        pointer: str | None = None,
        **details: Any,
    ) -> None:
        """Hand on a diagnostic about the event being applied."""
        index, before = self.event_index, self.context.lines_before
        line = None if index is None or before is None else index + before
        self.context.on_diagnostic(
            Diagnostic(
                code,
                message,
                rule=rule,
                place=Place(line, index, pointer),
                reply_id=self.msg.id,
                details=details,
            )
        )


def as_block_list(owner: Any, member: str) -> BlockList[Any]:
    """The list in ``owner.<member>`` as a :class:`BlockList`, made one when somebody swapped it."""
    blocks = owner.__dict__[member]
    if blocks.__class__ is not BlockList:
        blocks = owner.__dict__[member] = BlockList(blocks)
    return blocks  # type: ignore[no-any-return]


def extend(block: Any, member: str, delta: str) -> None:
    """Append ``delta`` to a string member at a cost that does not depend on its length.

    CPython grows a string in place when nothing else refers to it.  The block's ``__dict__`` does,
    so it lets go first; it keeps the member's slot, because the order of members is the order of a
    dump.
    """
    members = block.__dict__
    text = members[member]
    members[member] = None
    text += delta
    members[member] = text


def stamp(event: Any) -> str:
    """The event's time, the empty string when it came without one (``fold.missing-stamp``)."""
    created_at = event.created_at
    return "" if created_at is UNSET else created_at


def given(value: Any, otherwise: Any = None) -> Any:
    """A member of an event, ``otherwise`` when the event came without it."""
    return otherwise if value is UNSET else value
