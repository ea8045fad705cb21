"""What Redis publishes about replies, heard over one connection for all who wait.

A connection for each of them would be as many as there are streams, and Redis would soon have none
left for what is to be written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from msgfold.replies.waiting import Waiting

logger = logging.getLogger("msgfold.replies")

_AGAIN = 0.2
"""Seconds after which a lost connection is tried again; who waits looks by himself meanwhile."""


class RedisNews:
    """Listens to a channel for each reply that somebody waits for.

    Args:
        db: the Redis.
        prefix: what channels begin with.
    """

    def __init__(self, db: Any, prefix: str) -> None:
        self._db = db
        self._prefix = prefix
        self._waiting = Waiting()
        self._ear: Any = None
        self._task = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Listen no more."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def wait(
        self, reply_id: str, still: Callable[[], Awaitable[bool]], timeout: float
    ) -> None:
        """Wait for news of a reply.

        Args:
            reply_id: which.
            still: asks whether there is nothing new; called once the channel is listened to.
            timeout: seconds.
        """
        first = reply_id not in self._waiting
        try:
            with self._waiting.at(reply_id) as news:
                if first:
                    await self._tune("subscribe", reply_id)
                if await still():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(timeout):
                            await news.wait()
        finally:
            if reply_id not in self._waiting:
                await self._tune("unsubscribe", reply_id)

    async def _tune(self, how: str, reply_id: str) -> None:
        if self._ear is not None:
            with suppress(RedisError, OSError):  # who listens comes back, and subscribes anew
                await getattr(self._ear, how)(self._prefix + reply_id)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._db.pubsub(ignore_subscribe_messages=True) as ear:
                    # One that is never published, so that there is always one to listen to.
                    await ear.subscribe(
                        self._prefix, *(self._prefix + each for each in self._waiting)
                    )
                    self._ear = ear
                    for reply_id in self._waiting:
                        self._waiting.wake(reply_id)  # something may have been missed
                    while True:
                        message = await ear.get_message(timeout=1.0)
                        if message is not None:
                            channel = message["channel"].decode()
                            self._waiting.wake(channel.removeprefix(self._prefix))
            except (RedisError, OSError) as error:
                logger.warning("no news from Redis: %s", error)
            finally:
                self._ear = None
            await asyncio.sleep(_AGAIN)
