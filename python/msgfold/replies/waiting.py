"""Who waits for a reply that another server writes: woken when it is no longer as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Waiting:
    """Those who wait, by reply."""

    def __init__(self) -> None:
        self._by_reply: dict[str, set[asyncio.Event]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_reply)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._by_reply))

    def __contains__(self, reply_id: str) -> bool:
        return reply_id in self._by_reply

    @contextmanager
    def at(self, reply_id: str) -> Iterator[asyncio.Event]:
        """Wait for a reply; the event is set when it has changed."""
        news = asyncio.Event()
        self._by_reply.setdefault(reply_id, set()).add(news)
        try:
            yield news
        finally:
            self._by_reply[reply_id].discard(news)
            if not self._by_reply[reply_id]:
                del self._by_reply[reply_id]

    def wake(self, reply_id: str) -> None:
        """A reply has changed."""
        for news in self._by_reply.get(reply_id, ()):
            news.set()
