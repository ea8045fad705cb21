"""What tests of a client share."""

from __future__ import annotations

import contextlib

import pytest
from msgfold.message import UserMsg
from msgfold.replies import ServiceError


def say(text):
    return UserMsg("alice", text, id="m", created_at="t")


@contextlib.contextmanager
def refused(code, match=None):
    with pytest.raises(ServiceError, match=match) as caught:
        yield caught
    assert caught.value.code == code


async def collect(stream):
    return [event async for event in stream]
