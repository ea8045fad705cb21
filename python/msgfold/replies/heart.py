"""What a server does from time to time: show that it lives, and forget what is old."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from msgfold.replies.limits import Limits
from msgfold.replies.log import EventLog, LogDownError
from msgfold.replies.sessions import Sessions

logger = logging.getLogger("msgfold.replies")


async def beats(
    beat: Callable[[], Awaitable[None]], log: EventLog, sessions: Sessions, limits: Limits
) -> None:
    """Call ``beat`` three times a lease, and trim twice a retention, at most twice a minute."""
    passed = 0.0
    while True:
        await asyncio.sleep(limits.lease / 3)
        passed += limits.lease / 3
        try:
            await beat()
            if passed > min(limits.retention, 60.0) / 2:
                passed = 0.0
                await log.trim(limits.retention)
                sessions.forget_idle()
        except LogDownError as error:
            logger.warning("%s", error)
        except Exception:
            logger.exception("the event log does not answer")
