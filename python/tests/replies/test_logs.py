"""The event logs do the same: SQLite, in a file and in memory, and a real Redis."""

from __future__ import annotations

import asyncio
import time

import pytest
from msgfold.replies.log import Batch, DuplicateReplyError, LostReplyError, Record, State
from msgfold.replies.redis_log import RedisLog
from msgfold.replies.sqlite_log import SqliteLog

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "file", "redis"])
async def log(request, tmp_path):
    if request.param == "redis":
        url = request.getfixturevalue("redis_url")
        made = RedisLog(url, retention=1.0, prefix=f"test-{time.monotonic_ns()}")
    else:
        made = SqliteLog(":memory:" if request.param == "memory" else tmp_path / "log" / "r.db")
    await made.open()
    yield made
    await made.close()


def record(
    reply_id="r1", owner="me", *, principal="alice", request_id="q1", messages=b"[]", **more
):
    return Record(reply_id, "s1", principal, request_id, messages, owner, **more)


@pytest.fixture
async def pair(log):
    """Two servers' logs that are one."""
    if isinstance(log, SqliteLog) and log._path == ":memory:":
        yield log, log  # nobody shares it
        return
    if isinstance(log, RedisLog):
        other = RedisLog(log._url, retention=1.0, prefix=log._prefix)
    else:
        other = SqliteLog(log._path)
    await other.open()
    yield log, other
    await other.close()


def batch(first, last, data=b"x", last_event_id=None):
    return Batch(first, last, data, last_event_id or f"e{last}")


async def test_what_is_appended_is_read_back_in_order(log):
    await log.create(record("r{1} ü\n"))
    for first, last in ((1, 2), (3, 3), (4, 9)):
        await log.append("r{1} ü\n", "me", batch(first, last, bytes([last])), State.RUNNING)
    read = await log.batches("r{1} ü\n", 0, 1 << 20)
    assert read == [batch(1, 2, b"\2"), batch(3, 3, b"\3"), batch(4, 9, b"\x09")]
    assert await log.batches("r{1} ü\n", 3, 1 << 20) == [batch(4, 9, b"\x09")]
    assert await log.batches("r{1} ü\n", 9, 1 << 20) == []
    found = await log.find("r{1} ü\n")
    assert (found.state, found.last, found.last_event_id) == (State.RUNNING, 9, "e9")
    assert (found.principal, found.session_id, found.size) == ("alice", "s1", 3)


async def test_a_limit_gives_one_batch_at_least(log):
    await log.create(record())
    for number in range(1, 40):
        await log.append("r1", "me", batch(number, number, bytes(100)), State.RUNNING)
    assert [b.last for b in await log.batches("r1", 0, 10)] == [1]
    assert [b.last for b in await log.batches("r1", 0, 350)] == [1, 2, 3]
    assert len(await log.batches("r1", 0, 1 << 62)) == 39


async def test_a_state_can_change_without_events(log):
    await log.create(record())
    await log.append("r1", "me", batch(1, 1), State.RUNNING)
    await log.append("r1", "me", Batch(2, 1, b""), State.WAITING_CONFIRMATION)
    found = await log.find("r1")
    assert (found.state, found.last_event_id) == (State.WAITING_CONFIRMATION, "e1")
    assert len(await log.batches("r1", 0, 1 << 20)) == 1


async def test_a_batch_must_follow_the_last(log):
    await log.create(record())
    await log.append("r1", "me", batch(1, 2), State.RUNNING)
    for first in (1, 2, 4):
        with pytest.raises(LostReplyError):
            await log.append("r1", "me", batch(first, 9), State.FINISHED)
    assert (await log.find("r1")).state is State.RUNNING


async def test_one_id_is_one_reply(log):
    await log.create(record())
    with pytest.raises(DuplicateReplyError):
        await log.create(record(owner="other"))
    assert (await log.find("r1")).owner == "me"
    assert await log.find("r2") is None


async def test_a_reply_is_found_by_its_request(log):
    await log.create(record())
    assert (await log.find_request("alice", "q1")).reply_id == "r1"
    assert await log.find_request("bob", "q1") is None
    assert await log.find_request("alice", "q2") is None
    assert await log.find_request("alice", "") is None


@pytest.mark.rule("replies.principal")
async def test_a_request_never_leads_to_the_reply_of_somebody_else(log):
    await log.create(record())
    with pytest.raises(DuplicateReplyError):
        await log.create(record(principal="mallory", request_id="q9"))
    assert await log.find_request("mallory", "q9") is None
    assert (await log.find_request("alice", "q1")).principal == "alice"


async def test_a_reply_is_its_owners_while_that_lives(log):
    await log.beat("me", 60)
    await log.create(record())
    assert await log.lives("me")
    assert not await log.claim("r1", "other", 0)
    await log.beat("me", 0.1)
    while await log.lives("me"):
        await asyncio.sleep(0.01)
    assert not await log.claim("r1", "other", 5), "it has other events than were thought"
    assert await log.claim("r1", "other", 0)
    with pytest.raises(LostReplyError):
        await log.append("r1", "me", batch(1, 1), State.RUNNING)
    await log.append("r1", "other", batch(1, 1), State.RUNNING)


async def test_of_many_who_claim_one_gets_it(log):
    await log.create(record(owner="dead"))
    owners = [f"o{n}" for n in range(8)]
    for owner in owners:
        await log.beat(owner, 5)
    got = await asyncio.gather(*(log.claim("r1", owner, 0) for owner in owners))
    assert got.count(True) == 1


async def test_a_waiting_reply_is_anybodys(log):
    await log.beat("me", 5)
    await log.create(record())
    await log.append("r1", "me", batch(1, 1), State.WAITING_CONFIRMATION)
    assert await log.claim("r1", "other", 1)


async def test_a_server_that_stops_releases_its_replies(log):
    await log.beat("me", 60)
    await log.create(record())
    await log.release("me")
    assert await log.claim("r1", "other", 0)


async def test_a_note_to_cancel_reaches_the_owner_once(log):
    await log.create(record())
    await log.ask_cancel("r1")
    assert await log.beat("other", 5) == []
    assert await log.beat("me", 5) == ["r1"]
    assert await log.beat("me", 5) == []


async def test_who_waits_for_a_change_is_woken_by_it(log):
    await log.create(record())

    async def changed_by(change):
        waiting = asyncio.create_task(log.changed(await log.find("r1"), 600))
        while "r1" not in _waiting(log):
            await asyncio.sleep(0.01)
        assert not waiting.done()
        await change
        await asyncio.wait_for(waiting, 60)

    nothing = Batch(2, 1, b"")
    await changed_by(log.append("r1", "me", batch(1, 1), State.RUNNING))
    await changed_by(log.append("r1", "me", nothing, State.WAITING_CONFIRMATION))
    await changed_by(log.claim("r1", "me", 1))
    await changed_by(log.append("r1", "me", nothing, State.FINISHED))
    await log.changed(await log.find("r1"), 0.05)  # nothing comes: the time is over
    await log.changed(record(), 600)  # it is not as it is thought to be
    await log.changed(record("r9"), 600)  # nor is it there


async def test_messages_are_only_given_to_who_asks(log):
    await log.create(record(messages=b'["large"]'))
    assert (await log.find("r1")).messages == b""
    assert await log.messages("r1") == b'["large"]'


@pytest.mark.rule("replies.retention")
async def test_a_reply_is_forgotten_some_time_after_its_end(log):
    await log.create(record())
    await log.append("r1", "me", batch(1, 1), State.RUNNING)
    await asyncio.sleep(0.05)
    await log.trim(0.01)
    assert await log.find("r1") is not None, "it has not ended"
    await log.append("r1", "me", batch(2, 2), State.FINISHED)
    await log.trim(60)
    assert await log.find("r1") is not None, "it has just ended"
    while await log.find("r1"):  # Redis forgets by itself, SQLite when it is told to
        await asyncio.sleep(0.05)
        await log.trim(0.01)
    assert await log.batches("r1", 0, 1 << 20) == []


async def test_many_write_at_once(log):
    await asyncio.gather(*(log.create(record(f"r{n}")) for n in range(50)))

    async def write(reply_id):
        for number in range(1, 20):
            await log.append(reply_id, "me", batch(number, number), State.RUNNING)

    await asyncio.gather(*(write(f"r{n}") for n in range(50)))
    for n in range(50):
        assert len(await log.batches(f"r{n}", 0, 1 << 20)) == 19


async def test_a_log_that_cannot_be_kept_says_so(tmp_path):
    (tmp_path / "file").write_text("no database, but long enough to be told from one" * 100)
    with pytest.raises(OSError, match="no event log can be kept here"):
        await SqliteLog(tmp_path / "file").open()
    with pytest.raises(ConnectionError, match="no Redis answers at nowhere:1/0"):
        await RedisLog("redis://user:secret@nowhere:1/0").open()


async def test_who_waits_for_another_server_is_woken_by_it(pair):
    """By each change, of each reply, however many wait."""
    one, two = pair
    names = [f"r{n}" for n in range(150)]
    await asyncio.gather(*(one.create(record(name)) for name in names))

    async def wait(name):
        await two.changed(await two.find(name), 600)

    for last in (1, 2, 3):
        waiting = [asyncio.create_task(wait(name)) for name in names for _ in range(2)]
        while not all(name in _waiting(two) for name in names):
            await asyncio.sleep(0.01)
        await asyncio.gather(*(two.create(record(f"{n} {last}")) for n in names))  # none is in need
        assert not any(each.done() for each in waiting)
        for name in names:
            await one.append(name, "me", batch(last, last), State.RUNNING)
        await asyncio.wait_for(asyncio.gather(*waiting), 60)
    assert not list(_waiting(two))


def _waiting(log):
    return log._news._waiting if isinstance(log, RedisLog) else log._waiting
