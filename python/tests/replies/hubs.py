"""Hubs without a wire before them: what their tests share."""

from __future__ import annotations

import pytest
from msgfold.message import UserMsg
from msgfold.replies import Limits, ServiceError
from msgfold.replies.batch import event_of
from msgfold.v1.reply_service_pb2 import StreamReplyResponse

QUICK = Limits(lease=0.6, linger=0.1, cancel_grace=0.3)


def say(text):
    return [UserMsg("alice", text, id="m", created_at="t")]


async def read(reader, limit=None):
    """Events and the last state; leaves after ``limit`` events."""
    found, state = [], None
    chunks = reader.chunks()
    try:
        async for chunk in chunks:
            found += events_in(chunk)
            state = chunk.state or state
            if limit is not None and len(found) >= limit:
                break
    finally:
        await chunks.aclose()
        await reader.close()
    return found, state


def events_in(chunk):
    """The events of what a reader is given."""
    return [event_of(message) for message in StreamReplyResponse.FromString(chunk.data).events]


def over(replies, reply_id):
    """For ``eventually``: the reply has ended, and that is in the log."""

    async def check():
        return (await replies.find("p", reply_id)).state.over

    return check


def refused(code):
    return pytest.raises(ServiceError, match=rf"\[{code}\]")


async def kill(replies):
    """What SIGKILL leaves of a server: nothing is written any more, and its lease runs out."""
    replies.killed = True
    replies._heart.cancel()
    for run in list(replies._working):
        run._drained = True
        run._task.cancel()
        run._agent.cancel()
