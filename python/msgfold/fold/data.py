"""Data blocks: bytes that arrive as base64, a padded piece at a time, or a URL instead of them."""

from __future__ import annotations

from typing import Any

from msgfold._generated.models import Base64Source, DataBlock, URLSource
from msgfold.errors import (
    DiagnosticCode,
    InvalidBase64Error,
    InvalidEventError,
    Place,
    shorten,
)
from msgfold.fold.state import Blocks, FoldState, given
from msgfold.model.base64_source import decode


def start(state: FoldState, event: Any) -> Blocks:
    """DATA_BLOCK_START (``fold.data.start``)."""
    state.check_role("data")
    source = Base64Source(data="", media_type=event.media_type)
    return state.add(DataBlock(id=event.block_id, source=source))


def start_named(state: FoldState, event: Any) -> Blocks:
    """DATA_BLOCK_START from 2.0.8 on (``fold.data.start``)."""
    (block,) = start(state, event)
    block.name = given(event.name)
    return (block,)


def delta(state: FoldState, event: Any) -> None:
    """DATA_BLOCK_DELTA up to 2.0.7, when a URL was unknown (``fold.data.delta``)."""
    block = state.find_or_report("data", event.block_id, "fold.data.delta")
    if block is None:
        return
    if given(event.data) is None:
        # A model has None for both, and remembers what it was made with.
        is_given = event.data is None and "data" in getattr(event, "model_fields_set", {"data"})
        raise InvalidEventError(
            "data is null" if is_given else "data is missing",
            place=Place(pointer="/data" if is_given else ""),
            expected="data in base64",
            got="no bytes" if given(event.url) is None else "a url, which came with 2.0.8",
            hint=f"This is folded as AgentScope {state.context.revision}; name a later revision",
            rule="fold.data.delta",
        )
    _append(state, event, block)


def delta_or_url(state: FoldState, event: Any) -> None:
    """DATA_BLOCK_DELTA from 2.0.8 on (``fold.data.delta``, ``fold.data.url``)."""
    block = state.find_or_report("data", event.block_id, "fold.data.delta")
    if block is None:
        return
    exactly_one(event, "wire.json.data-or-url")
    if given(event.url) is not None:
        block.source = url_source(event)
    else:
        _append(state, event, block)


def _append(state: FoldState, event: Any, block: Any) -> None:
    """Join bytes (``fold.data.delta``, ``fold.data.empty``, ``fold.data.url-source``)."""
    if not event.data:
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


def exactly_one(event: Any, rule: str) -> None:
    """Refuse neither and both of data and url (``wire.json.data-or-url``).

    Raises:
        InvalidEventError: it is so.
    """
    data, url = given(event.data), given(event.url)
    if (data is None) == (url is None):
        raise InvalidEventError(
            "exactly one of data and url must be given",
            place=Place(pointer=""),
            expected="data or url, the other null or absent",
            got="neither" if data is None else "both",
            rule=rule,
        )


def url_source(event: Any) -> URLSource:
    """The event's URL as a source.

    Raises:
        InvalidEventError: it is not absolute (``wire.json.url``).
    """
    try:
        return URLSource(url=event.url, media_type=event.media_type)
    except ValueError:
        raise InvalidEventError(
            "not an absolute URL",
            place=Place(pointer="/url"),
            expected="an absolute URL, such as https://example.com/a.png",
            got=shorten(event.url),
            rule="wire.json.url",
        ) from None


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
