"""The client for programs without an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any, Self, TypeVar

from msgfold.message import Msg
from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.log import State
from msgfold.rpc.client import Reply, ReplyClient
from msgfold.rpc.stream import ReplyStream

T = TypeVar("T")


class SyncReplyClient:
    """:class:`~msgfold.rpc.client.ReplyClient`, blocking.  Its loop runs in a thread of its own.

    Takes the same arguments.

    Example:
        >>> def talk():
        ...     with SyncReplyClient("localhost:50051") as client:
        ...         for event in client.reply_stream("hello"):
        ...             print(event.type)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._client = ReplyClient(*args, **kwargs)
        self._closed = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="msgfold-client", daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the streams that are open, close the connection, and end the thread."""
        if self._closed:
            return
        self._wait(self._client.close())
        self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def reply_stream(self, inputs: Any, **settings: Any) -> SyncReplyStream:
        """As :meth:`ReplyClient.reply_stream`, for a plain ``for``."""
        return SyncReplyStream(self._client.reply_stream(inputs, **settings), self._wait)

    def resume(self, reply_id: str, after_event_id: str = "", **settings: Any) -> SyncReplyStream:
        """As :meth:`ReplyClient.resume`, for a plain ``for``."""
        return SyncReplyStream(
            self._client.resume(reply_id, after_event_id, **settings), self._wait
        )

    def get(self, reply_id: str, *, timeout: float | None = 30.0) -> Reply:
        """As :meth:`ReplyClient.get`."""
        return self._wait(self._client.get(reply_id, timeout=timeout))

    def cancel(self, reply_id: str, *, timeout: float | None = 30.0) -> State:
        """As :meth:`ReplyClient.cancel`."""
        return self._wait(self._client.cancel(reply_id, timeout=timeout))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._closed:
            work.close()
            raise ServiceError(ServiceCode.UNAVAILABLE, "the client is closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


class SyncReplyStream:
    """The events of a reply; attributes as of :class:`~msgfold.rpc.stream.ReplyStream`."""

    def __init__(self, stream: ReplyStream, wait: Any) -> None:
        self.stream = stream
        self._wait = wait

    @property
    def msg(self) -> Msg | None:
        """The Msg so far, when folding was asked for."""
        return self.stream.msg

    @property
    def state(self) -> State | None:
        """Where the reply stands; ``None`` while it streams."""
        return self.stream.state

    @property
    def reply_id(self) -> str:
        """The reply; empty until its first event."""
        return self.stream.reply_id

    def __iter__(self) -> Iterator[Any]:
        batches = self.stream.batches()
        waiting: asyncio.Task[Any] | None = None

        async def next_batch() -> list[Any] | None:
            nonlocal waiting
            waiting = asyncio.current_task()
            return await anext(batches, None)

        async def leave() -> None:
            if waiting is not None:  # Ctrl-C came while it waited: it is inside the generator
                if not waiting.cancelling():
                    waiting.cancel()
                await asyncio.wait([waiting])
            await batches.aclose()

        try:
            while (batch := self._wait(next_batch())) is not None:
                yield from batch
        finally:
            with suppress(ServiceError):  # the client was closed, and has left by that
                self._wait(leave())
