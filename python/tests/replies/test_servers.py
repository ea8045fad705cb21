"""Replies at several servers: taken over, answered, stopped elsewhere; logs that fail or lag."""

from __future__ import annotations

import asyncio
import time

import pytest
from agents import HELLO, NotResumable, Steady, events, eventually, hurried
from hubs import events_in, kill, over, read, refused, say
from msgfold.event import (
    ConfirmResult,
    UserConfirmResultEvent,
)
from msgfold.replies import State

pytestmark = pytest.mark.anyio


@pytest.mark.rule("replies.take-over")
@pytest.mark.parametrize("shared", ["file", "redis"])
async def test_a_reply_goes_on_at_another_server(serving, shared, request):
    where = "r.db" if shared == "file" else request.getfixturevalue("redis_url")
    reply_id = f"r{time.monotonic_ns()}"
    one = await serving(lambda _: Steady(100, 0.005), where=where)
    two = await serving(lambda _: Steady(100, 0.005), where=where)
    seen, _ = await read(await one.start("p", say(reply_id), linger=9), limit=10)
    tail = await two.resume("p", reply_id, seen[-1].id)  # live, while the first one is at work
    reading = asyncio.create_task(read(tail))
    await eventually(lambda: not reading.done())
    await kill(one)
    rest, state = await reading
    assert seen + rest == list(events(reply_id, 100))
    assert state is State.FINISHED


@pytest.mark.rule("replies.take-over")
async def test_a_reply_that_nobody_can_go_on_with_breaks_off(serving):
    one = await serving(lambda _: NotResumable())
    two = await serving(lambda _: NotResumable())
    seen, _ = await read(await one.start("p", say("r1"), linger=9), limit=10)
    await kill(one)
    _, state = await read(await two.resume("p", "r1", seen[-1].id))
    assert state is State.BROKEN_OFF


async def test_another_server_answers_and_cancels(serving):
    one, two = await serving(hurried), await serving(hurried)
    first, _ = await read(await one.start("p", [HELLO]))
    answer = UserConfirmResultEvent(
        reply_id=first[0].reply_id,
        confirm_results=[ConfirmResult(confirmed=False, tool_call=first[-1].tool_calls[0])],
    )
    second, state = await read(await two.answer("p", answer))
    assert state is State.WAITING_EXECUTION
    assert second[1].type == "TOOL_RESULT_START"
    agent = Steady(10_000, 0.001)
    three = await serving(lambda _: agent)
    running = await three.start("p", say("r1"))
    assert await two.cancel("p", "r1") is State.RUNNING, "its own server has to stop it"
    await eventually(over(three, "r1"))
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])
    await running.close()


@pytest.mark.rule("replies.drain")
async def test_draining_lets_replies_finish_or_hands_them_over(serving):
    short, long = Steady(20, 0.005), Steady(10_000, 0.005)
    one = await serving(lambda s: short if s == "p/short" else long)
    two = await serving(lambda _: Steady(10_000))
    quick = asyncio.create_task(read(await one.start("p", say("r1"), session_id="short")))
    slow = await one.start("p", say("r2"), session_id="long", linger=9)
    seen = []

    async def until_drained():
        async for chunk in slow.chunks():
            seen.extend(events_in(chunk))

    reading = asyncio.create_task(until_drained())
    await eventually(lambda: len(seen) > 5)
    draining = asyncio.create_task(one.drain(2.0))
    await asyncio.sleep(0)
    with refused("draining"):
        await one.start("p", say("r3"))
    await draining
    assert (await quick)[1] is State.FINISHED
    with refused("draining"):
        await reading
    await one.close()
    one.killed = True
    rest, _ = await read(await two.resume("p", "r2", seen[-1].id), limit=1)
    assert rest[0].id == f"e{len(seen)}"


async def test_a_log_that_fails_breaks_the_reply_off_and_nothing_else(serving, monkeypatch):
    replies = await serving(lambda _: Steady(1000, 0.001))
    reader = await replies.start("p", say("r1"))

    async def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(replies.log, "append", full)
    with refused("internal"):
        await read(reader)
    monkeypatch.undo()
    assert len((await read(await replies.start("p", say("r2"))))[0]) == 1004


@pytest.mark.rule("replies.state", "replies.kept")
async def test_a_log_that_is_slow_does_not_make_a_reply_look_finished(serving, monkeypatch):
    """The agent has said all of it before its first event is in the log."""
    replies = await serving(lambda _: Steady(50))
    for name in ("create", "append"):
        quick = getattr(replies.log, name)

        async def slow(*arguments, quick=quick):
            await asyncio.sleep(0.1)
            return await quick(*arguments)

        monkeypatch.setattr(replies.log, name, slow)
    seen, state = await read(await replies.start("p", say("r1")))
    assert (len(seen), state) == (54, State.FINISHED)
