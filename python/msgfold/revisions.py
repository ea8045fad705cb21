"""Revisions: the AgentScope releases that the contract speaks, and what each of them changed.

The schemas describe the newest release.  What came after the first one says so by itself, with
``x-since`` and ``x-before``; this module is the list of releases, and the table of changes that
``msgfold revisions`` prints.  A rule's text stands in ``docs/spec/``, its code in ``msgfold.fold``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from msgfold.errors import UnknownRevisionError

RELEASES = ("2.0.4", "2.0.5", "2.0.6", "2.0.7", "2.0.8", "2.0.9", "2.0.10", "2.0.11")
"""Every release, oldest first."""

DEFAULT_REVISION = RELEASES[0]
"""What the fold does when nobody says otherwise: the baseline, which every later release reads."""

NEWEST = RELEASES[-1]
"""What the schemas describe."""


class Kind(StrEnum):
    """What a change is about."""

    WIRE = "wire"
    """A member, a word or a rule of the JSON."""
    FOLD = "fold"
    """What an event does to a Msg."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a release changed.

    Attributes:
        since: the release.
        kind: what it is about.
        what: one sentence.
        rules: ids of the rules in ``docs/spec/`` that say it in full.
        events: the event types whose fold it changed.
        ours: whether our fold or validation changes with it; else AgentScope alone did.
    """

    since: str
    kind: Kind
    what: str
    rules: tuple[str, ...]
    events: tuple[str, ...] = ()
    ours: bool = True


def known(revision: str) -> str:
    """``revision`` itself.

    Raises:
        UnknownRevisionError: there is no such release here; the message lists those there are.
    """
    if revision not in RELEASES:
        raise UnknownRevisionError(
            f"unknown revision {revision!r}",
            expected=f"one of {', '.join(RELEASES)}",
            hint="`msgfold revisions` shows what each of them changed",
        )
    return revision


def comes_after(since: str, revision: str) -> bool:
    """Whether what came with release ``since`` is unknown to ``revision``."""
    return _number(since) > _number(revision)


def _number(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


def until(revision: str) -> tuple[str, ...]:
    """The releases up to ``revision``, which is one of them."""
    return RELEASES[: RELEASES.index(known(revision)) + 1]


_SINCE = "fold.revision.newer-member"

CHANGES = (
    Change(
        "2.0.5",
        Kind.WIRE,
        "REPLY_END.error; the reason error; Msg.finished_reason, .structured_output, .error",
        ("wire.revision.since", _SINCE),
    ),
    Change(
        "2.0.5",
        Kind.WIRE,
        "a Msg is written with usage before finished_at",
        ("wire.revision.dump",),
    ),
    Change(
        "2.0.5",
        Kind.FOLD,
        "REPLY_END sets finished_reason and error",
        ("fold.reply-end",),
        ("REPLY_END",),
    ),
    Change(
        "2.0.6",
        Kind.WIRE,
        "created_at and finished_at on every block; the error type setup",
        ("wire.revision.since", _SINCE),
    ),
    Change(
        "2.0.6",
        Kind.FOLD,
        "a block takes created_at from the event that makes it",
        ("fold.block.created-at",),
        (
            "TEXT_BLOCK_START",
            "DATA_BLOCK_START",
            "THINKING_BLOCK_START",
            "TOOL_CALL_START",
            "TOOL_RESULT_START",
            "TOOL_RESULT_TEXT_DELTA",
            "TOOL_RESULT_DATA_DELTA",
        ),
    ),
    Change(
        "2.0.6",
        Kind.FOLD,
        "TEXT_, THINKING_ and DATA_BLOCK_END, TOOL_CALL_END and TOOL_RESULT_END stamp "
        "finished_at, and report a block that is not there",
        ("fold.block.finished-at",),
        (
            "TEXT_BLOCK_END",
            "DATA_BLOCK_END",
            "THINKING_BLOCK_END",
            "TOOL_CALL_END",
            "TOOL_RESULT_END",
        ),
    ),
    Change(
        "2.0.6",
        Kind.FOLD,
        "HINT_BLOCK stamps created_at and finished_at",
        ("fold.hint",),
        ("HINT_BLOCK",),
    ),
    Change(
        "2.0.6",
        Kind.FOLD,
        "EXTERNAL_EXECUTION_RESULT stamps finished_at where it is null",
        ("fold.external.result",),
        ("EXTERNAL_EXECUTION_RESULT",),
    ),
    Change(
        "2.0.6",
        Kind.FOLD,
        "TOOL_RESULT_END without a result leaves the tool call alone",
        ("fold.tool-result.end.call",),
        ("TOOL_RESULT_END",),
    ),
    Change(
        "2.0.7",
        Kind.WIRE,
        "cache_input_tokens and cache_creation_input_tokens in MODEL_CALL_END and Usage",
        ("wire.revision.since", _SINCE),
    ),
    Change(
        "2.0.7",
        Kind.WIRE,
        "AgentScope itself refuses TOOL_RESULT_DATA_DELTA without exactly one of data and url",
        ("wire.json.data-or-url", "fold.tool-result.data"),
        ours=False,
    ),
    Change(
        "2.0.7",
        Kind.FOLD,
        "MODEL_CALL_END adds up cache tokens, too",
        ("fold.usage",),
        ("MODEL_CALL_END",),
    ),
    Change(
        "2.0.8",
        Kind.WIRE,
        "TEXT_BLOCK_END.text; DATA_BLOCK_START.name; DATA_BLOCK_DELTA.url, and data is optional",
        ("wire.revision.since", "wire.json.data-or-url", _SINCE),
    ),
    Change(
        "2.0.8",
        Kind.FOLD,
        "TEXT_BLOCK_END.text replaces the text",
        ("fold.text.end",),
        ("TEXT_BLOCK_END",),
    ),
    Change(
        "2.0.8",
        Kind.FOLD,
        "DATA_BLOCK_START names the block",
        ("fold.data.start",),
        ("DATA_BLOCK_START",),
    ),
    Change(
        "2.0.8",
        Kind.FOLD,
        "DATA_BLOCK_DELTA.url replaces the block's source",
        ("fold.data.url",),
        ("DATA_BLOCK_DELTA",),
    ),
    Change(
        "2.0.11",
        Kind.FOLD,
        "TOOL_RESULT_DATA_DELTA joins base64 pieces of one block_id and takes the newer media_type",
        ("fold.tool-result.data.merge",),
        ("TOOL_RESULT_DATA_DELTA",),
    ),
    Change(
        "2.0.11",
        Kind.FOLD,
        "CUSTOM is skipped by AgentScope itself; before, it raised",
        ("fold.custom",),
        ours=False,
    ),
)
"""What each release changed, oldest first.  2.0.9 and 2.0.10 changed nothing that is seen here."""
