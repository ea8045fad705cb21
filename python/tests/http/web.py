"""A real HTTP server in the test's own loop, and a real client of it."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import nullcontext

import httpx
import uvicorn
from agents import eventually
from msgfold.replies import Limits
from msgfold.wire import SseDecoder

QUICK = Limits(lease=0.6, cancel_grace=0.3)


class _Uvicorn(uvicorn.Server):
    def capture_signals(self):
        return nullcontext()  # the signals are pytest's


class Web:
    """A server, its replies, and a client of it.

    Attributes:
        replies: what is served, to look at from behind.
        app: the application.
        client: asks it.
        url: where it listens.
    """

    def __init__(self, replies, app):
        self.replies, self.app = replies, app
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(app, lifespan="off", log_level="error", timeout_graceful_shutdown=1)
        self._server = _Uvicorn(config)
        self._task = asyncio.create_task(self._server.serve([self._socket]))
        self.client = httpx.AsyncClient(base_url=self.url, timeout=60, trust_env=False)

    async def listening(self):
        await eventually(lambda: self._server.started)
        return self

    async def start(self, text, **more):
        """Start a reply that is called ``text``, and leave it to itself."""
        answer = await self.client.post("/replies", json=saying(text, **more))
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def close(self):
        await self.client.aclose()
        self._server.should_exit = True
        await self._task
        await self.replies.close()


def saying(text, **more):
    """The body of a request for a reply."""
    said = {"role": "user", "name": "alice", "content": [{"type": "text", "text": text}]}
    return {"messages": [said], **more}


async def frames(response, limit=None):
    """The frames of an event stream, as their bytes come; leaves after so many."""
    decoder, found = SseDecoder(), []
    async for chunk in response.aiter_bytes():
        found += decoder.feed(chunk)
        if limit is not None and len(found) >= limit:
            break
    return found


def ids(found):
    return [frame.last_event_id for frame in found]


def values(found):
    return [json.loads(frame.data) for frame in found]
