"""When a client whose connection is lost asks again."""

from __future__ import annotations

import asyncio
import random
import time

from msgfold.rpc.settings import Retry


class Backoff:
    """Waits longer each time, until it is no use any more."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self.heard()
        self._patience = retry.first_contact

    def heard(self) -> None:
        """The server has said something."""
        self._patience = self._retry.give_up
        self._pause = self._retry.first
        self._since = time.monotonic()

    async def wait(self) -> bool:
        """Wait; false when it is time to give up."""
        if time.monotonic() - self._since > self._patience:
            return False
        # Not all clients of a server that has gone come back at the same moment.
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
        self._pause = min(self._pause * 2, self._retry.longest)
        return True
