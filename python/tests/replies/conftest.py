"""Hubs on a log."""

from __future__ import annotations

import pytest
from hubs import QUICK
from msgfold.replies import Replies
from msgfold.replies.redis_log import RedisLog
from msgfold.replies.sqlite_log import SqliteLog


@pytest.fixture
async def serving(tmp_path):
    """Makes hubs; two of them share a log when they are given the same ``where``."""
    opened = []

    async def make(factory, *, where="r.db", limits=QUICK):
        log = RedisLog(where) if "://" in where else SqliteLog(tmp_path / where)
        replies = Replies(factory, log, limits=limits)
        await replies.open()
        opened.append(replies)
        return replies

    yield make
    for replies in opened:
        if not getattr(replies, "killed", False):
            await replies.close()
