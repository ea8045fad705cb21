"""Data blocks: bytes that arrive as base64, a padded piece at a time."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import Base64Source, DataBlock
from msgfold.errors import DiagnosticCode, InvalidBase64Error, Place, shorten
from msgfold.fold.state import FoldState
from msgfold.model.base64_source import decode


def start(state: FoldState, event: Any) -> None:
    """DATA_BLOCK_START (``fold.data.start``)."""
    state.check_role("data")
    source = Base64Source(data="", media_type=event.media_type)
    state.add(DataBlock(id=event.block_id, source=source))


def delta(state: FoldState, event: Any) -> None:
    """DATA_BLOCK_DELTA (``fold.data.delta``, ``fold.data.empty``, ``fold.data.url-source``)."""
    block = state.find_or_report("data", event.block_id, "fold.data.delta")
    if block is None or not event.data:
        return
    if block.source.type != "base64":
        state.report(
            DiagnosticCode.NOT_BASE64_SOURCE,
            f"data block {block.id!r} has a URL, bytes cannot be appended; the event is skipped",
            "fold.data.url-source",
            block_id=block.id,
        )
        return
    try:
        block.source.append_base64(event.data)
    except ValueError as error:
        raise invalid_base64(event.data, error) from None


def check_base64(data: str) -> None:
    """Refuse data that is not canonical base64 (``fold.data.base64``).

    Raises:
        InvalidBase64Error: it is not.
    """
    try:
        decode(data)
    except ValueError as error:
        raise invalid_base64(data, error) from None


def invalid_base64(data: str, error: ValueError) -> InvalidBase64Error:
    """The error for data that is not canonical base64."""
    return InvalidBase64Error(
        f"invalid base64: {error}",
        place=Place(pointer="/data"),
        expected="the standard alphabet, padded at the end, no white space (RFC 4648 section 4)",
        got=shorten(data, 40),
        hint="Encode every chunk by itself; do not join encoded chunks",
        rule="fold.data.base64",
    )
