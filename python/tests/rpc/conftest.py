"""Servers in the process of the test."""

from __future__ import annotations

import contextlib

import pytest
from msgfold.replies import Limits, Replies
from msgfold.replies.sqlite_log import SqliteLog
from msgfold.rpc import ReplyServer


@pytest.fixture
async def serve(tmp_path):
    """Starts servers; gives the address of each."""
    stack = contextlib.AsyncExitStack()

    async def start(factory, *, limits=None, host="127.0.0.1", **settings):
        replies = Replies(factory, SqliteLog(tmp_path / "r.db"), limits=limits or Limits())
        await replies.open()
        stack.push_async_callback(replies.close)
        server = ReplyServer(replies, f"{host}:0", **settings)
        port = await server.start()
        stack.push_async_callback(server.stop, 0)
        return f"localhost:{port}"

    async with stack:
        yield start
