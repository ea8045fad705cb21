"""A reply's events as bytes of a body: server-sent events or NDJSON (``replies.http.*``)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from enum import StrEnum

from msgfold.replies import ServiceError
from msgfold.replies.errors import told
from msgfold.replies.log import LogDownError
from msgfold.replies.reader import Chunk, Reader
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.v1.reply_service_pb2 import StreamReplyResponse
from msgfold.wire import json
from msgfold.wire.proto import from_proto

logger = logging.getLogger("msgfold.http")


class Media(StrEnum):
    """What a stream may be."""

    SSE = "text/event-stream"
    NDJSON = "application/x-ndjson"


def wanted(accept: str) -> Media | None:
    """The first kind of stream that an ``Accept`` header names, ``None`` when it names none."""
    for part in accept.split(","):
        media = part.partition(";")[0].strip().lower()
        if media in set(Media):
            return Media(media)
    return None


async def body(
    reader: Reader, media: Media, heartbeat: float, on_error: Callable[[ServiceError], None]
) -> AsyncGenerator[bytes, None]:
    """The bytes of a body.  Closes the reader.

    Args:
        reader: whose events.
        media: in what form.
        heartbeat: seconds of silence after which an event stream gets a comment.
        on_error: told why the stream ends, when that is no good reason.
    """
    encode = _ENCODERS[media]
    chunks = reader.chunks()
    coming: asyncio.Task[Chunk] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(chunks))
            done, _ = await asyncio.wait({coming}, timeout=heartbeat)
            if not done:
                yield _HEARTBEAT[media]
                continue
            chunk, coming = coming.result(), None
            response = StreamReplyResponse.FromString(chunk.data)
            if response.events:
                yield b"".join(map(encode, response.events))
            if chunk.state is not None and media is Media.SSE:
                yield f": {chunk.state.name.lower()}\n\n".encode()
    except StopAsyncIteration:
        pass
    except (ServiceError, LogDownError) as met:
        error = told(met)
        assert error is not None
        on_error(error)
        if media is Media.SSE:
            yield f": {error.code}\n\n".encode()
    finally:
        await reader.close()  # first, because it waits for nothing: a cancelled scope lets it pass
        if coming is not None:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, ServiceError, LogDownError):
                await coming
        await chunks.aclose()


def _sse(message: AgentEvent) -> bytes:
    value = from_proto(message)
    kind = value["type"]
    return b"%sevent: %s\ndata: %s\n\n" % (_id_line(message.id), kind.encode(), json.dumps(value))


def _id_line(event_id: str) -> bytes:
    """An id that the format cannot carry is left out: the one before it still stands, and a client
    that resumes from there gets this event again, by which it can tell."""
    fits = not any(sign in event_id for sign in "\r\n\0") and event_id
    return f"id: {event_id}\n".encode() if fits else b""


def _ndjson(message: AgentEvent) -> bytes:
    return json.dumps(from_proto(message)) + b"\n"


_ENCODERS: dict[Media, Callable[[AgentEvent], bytes]] = {Media.SSE: _sse, Media.NDJSON: _ndjson}
_HEARTBEAT = {Media.SSE: b":\n\n", Media.NDJSON: b"\n"}
"""What says that the connection lives, and is read as nothing."""
