"""What a revision does not know yet: members and words of later releases.

An earlier AgentScope reads a later one's stream, drops the members that it has never heard of, and
refuses the words (``fold.revision.newer-member``, ``fold.revision.newer-word``).  So does the fold,
and it says so: once a stream for each kind of member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import EnumType
from functools import cache
from typing import Any, get_args

from msgspec import UNSET
from pydantic import BaseModel

from msgfold._generated import models, since
from msgfold.errors import DiagnosticCode, InvalidEventError, Place
from msgfold.fold.state import FoldState
from msgfold.revisions import comes_after


@cache
def members(title: str, revision: str) -> dict[str, str]:
    """Members of a definition that came after ``revision``, and their releases."""
    later = since.MEMBERS.get(title, {})
    return {name: release for name, release in later.items() if comes_after(release, revision)}


@cache
def words(title: str, revision: str) -> dict[str, dict[str, str]]:
    """Members of a definition with words that came after ``revision``, and those words."""
    found = {}
    for member, later in since.WORDS.get(title, {}).items():
        newer = {w: release for w, release in later.items() if comes_after(release, revision)}
        if newer:
            found[member] = newer
    return found


def known_words(title: str, member: str, revision: str) -> list[str]:
    """The words that a member of a definition may hold in ``revision``."""
    kind = getattr(models, title).model_fields[member].annotation
    enum: Any = next(k for k in (kind, *get_args(kind)) if isinstance(k, EnumType))
    newer = words(title, revision).get(member, {})
    return [word.value for word in enum if word.value not in newer]


def refuse_newer_words(state: FoldState, value: Any, title: str, pointer: str) -> None:
    """Refuse a word that came later; report it when errors are skipped and nobody reads it.

    Raises:
        InvalidEventError: ``value`` holds such a word.
    """
    for member, newer in words(title, state.context.revision).items():
        word = getattr(value, member)
        if word not in newer:
            continue
        place = f"{pointer}/{member}"
        said = f"unknown word {str(word)!r} in {place}, which came with {newer[word]}"
        known = ", ".join(known_words(title, member, state.context.revision))
        if not state.context.lenient:
            raise InvalidEventError(
                said,
                place=Place(pointer=place),
                expected=f"one of {known}",
                got=str(word),
                hint=f"This is folded as AgentScope {state.context.revision}; "
                "name a later revision",
                rule="fold.revision.newer-word",
            )
        state.report(
            DiagnosticCode.UNKNOWN_ENUM_VALUE,
            f"{said}; expected one of {known}",
            "fold.unknown-enum",
            pointer=place,
        )


def watched(
    handler: Callable[[FoldState, Any], Any], kind: type, title: str, revision: str
) -> Callable[[FoldState, Any], Any]:
    """``handler``, after a look at what came later in the event itself.

    The revision's handler does not read such members; they are reported, and words refused.

    Args:
        handler: applies the event.
        kind: the event's class: a model or a struct.
        title: its definition.
        revision: the release that is folded as.
    """
    later, has_words = members(title, revision), bool(words(title, revision))
    has = _model_has if issubclass(kind, BaseModel) else _struct_has
    if not later and not has_words:
        return handler

    def apply(state: FoldState, event: Any) -> Any:
        if has_words:
            refuse_newer_words(state, event, title, "")
        for member in later:
            if has(event, member):
                _report(state, title, member, later[member], f"/{member}")
        return handler(state, event)

    return apply


def forget_newer(state: FoldState, adopted: BaseModel, pointer: str) -> None:
    """Take out of ``adopted`` what came later, and report it.

    Raises:
        InvalidEventError: it holds a word that came later.
    """
    for model, place in _inside(adopted, pointer):
        title = type(model).__name__
        for member, release in members(title, state.context.revision).items():
            if member in model.model_fields_set:
                _report(state, title, member, release, f"{place}/{member}")
                model.__dict__[member] = type(model).model_fields[member].default
                model.model_fields_set.discard(member)
        refuse_newer_words(state, model, title, place)


def _inside(value: Any, pointer: str) -> Iterator[tuple[BaseModel, str]]:
    if isinstance(value, BaseModel):
        yield value, pointer
        for member, inner in value.__dict__.items():
            yield from _inside(inner, f"{pointer}/{member}")
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _inside(inner, f"{pointer}/{position}")


def _model_has(event: Any, member: str) -> bool:
    return member in event.model_fields_set


def _struct_has(event: Any, member: str) -> bool:
    return getattr(event, member) is not UNSET


def _report(state: FoldState, title: str, member: str, release: str, pointer: str) -> None:
    told = state.context.told
    if (title, member) in told:
        return
    told.add((title, member))
    state.report(
        DiagnosticCode.NEWER_MEMBER,
        f"{title}.{member} came with {release}; AgentScope {state.context.revision} ignores it, "
        "here and in what follows",
        "fold.revision.newer-member",
        pointer=pointer,
        member=f"{title}.{member}",
        since=release,
    )
