"""Servers for the tests of HTTP."""

from __future__ import annotations

import pytest
from msgfold.http import create_app
from msgfold.replies import Replies
from msgfold.replies.sqlite_log import SqliteLog
from web import QUICK, Web


@pytest.fixture
async def web(tmp_path):
    """Makes servers: ``await web(factory, limits=..., **settings of create_app)``."""
    opened = []

    async def make(factory, *, limits=QUICK, **settings):
        replies = Replies(factory, SqliteLog(tmp_path / "r.db"), limits=limits)
        await replies.open()
        opened.append(Web(replies, create_app(replies, **settings)))
        return await opened[-1].listening()

    yield make
    for each in opened:
        await each.close()
