"""Agents that misbehave: whatever one does, its reply ends, and nobody else hears of it."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from agents import HELLO, Failing, Steady, events, eventually
from hubs import kill, over, read, refused, say
from msgfold.replies import State
from msgfold.replies.scripted import ScriptedAgent

pytestmark = pytest.mark.anyio


@pytest.mark.rule("replies.source")
@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize(
    "error", [RuntimeError("hunter2"), SystemExit("hunter2"), asyncio.CancelledError("hunter2")]
)
async def test_whatever_an_agent_raises_ends_its_reply_and_nothing_else(serving, after, error):
    replies = await serving(lambda s: Failing(after, error) if s == "p/bad" else Steady(5))
    for _ in range(1 if after else 2):  # the session is free again
        with refused("agent_failed") as caught:
            await read(await replies.start("p", [HELLO], session_id="bad"))
        assert type(error).__name__ in str(caught.value)
        assert "hunter2" not in str(caught.value)
    if after:
        await eventually(over(replies, "failing"))
        assert (await replies.find("p", "failing")).state is State.BROKEN_OFF
    assert (await read(await replies.start("p", say("r1"))))[1] is State.FINISHED


def _raises(inputs):
    raise RuntimeError("hunter2")


async def _coroutine(inputs):
    return iter(())


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.rule("replies.source")
@pytest.mark.parametrize("reply_stream", [_raises, _coroutine, lambda inputs: 7])
async def test_an_agent_whose_reply_stream_is_none_leaves_its_session_free(serving, reply_stream):
    class Wrong:
        def reply_stream(self, inputs):
            return reply_stream(inputs)

    replies = await serving(lambda _: Wrong())
    for _ in range(2):
        with refused("agent_failed"):
            await replies.start("p", [HELLO], session_id="s")


async def test_an_agent_that_fails_behind_its_question_says_so(serving):
    class Asking(ScriptedAgent):
        async def reply_stream(self, inputs):
            async for event in super().reply_stream(inputs):
                yield event
            raise RuntimeError("hunter2")

    replies = await serving(lambda _: Asking(0))
    reader = await replies.start("p", [HELLO])
    with refused("agent_failed"):
        await read(reader)
    assert (await replies.find("p", reader.reply_id)).state is State.WAITING_CONFIRMATION


class Deaf:
    """Hears no cancellation, at its ``await`` or when it is closed, until it is let go."""

    def __init__(self):
        self.let_go = asyncio.Event()

    async def reply_stream(self, inputs):
        yield next(events("r1", 1))
        while not self.let_go.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await self.let_go.wait()
        yield next(events("r1", 1))


@pytest.mark.rule("replies.cancel", "replies.drain")
@pytest.mark.parametrize("how", ["cancel", "drain"])
async def test_an_agent_that_hears_nothing_holds_nobody_up(serving, how):
    made = []

    def factory(session_id):
        made.append(Deaf() if not made else Steady(5))
        return made[-1]

    replies = await serving(factory)
    reader = await replies.start("p", [HELLO], session_id="s")
    if how == "cancel":
        assert await asyncio.wait_for(replies.cancel("p", "r1"), 30) is State.BROKEN_OFF
        seen, _ = await read(await replies.start("p", say("r2"), session_id="s"))
        assert len(seen) == 9, "of an agent that is not at work on something else"
    else:
        await asyncio.wait_for(replies.drain(), 30)
    made[0].let_go.set()
    await reader.close()
    await asyncio.sleep(0)
    assert (await replies.find("p", "r1")).last == 1


@pytest.mark.rule("replies.drain")
async def test_a_reply_without_its_first_event_is_handed_over_too(serving):
    replies = await serving(lambda _: Silent())
    starting = asyncio.create_task(replies.start("p", [HELLO]))
    await eventually(lambda: replies._working)
    await replies.drain()
    with refused("draining"):
        await starting


class Silent:
    """Says nothing."""

    async def reply_stream(self, inputs):
        await asyncio.Event().wait()
        yield


@pytest.mark.rule("replies.take-over", "replies.state")
async def test_an_agent_that_cannot_go_on_breaks_its_reply_off(serving):
    class Forgetful(Steady):
        async def resume_stream(self, messages, events_so_far):
            raise RuntimeError("hunter2")
            yield

    one, two = await serving(lambda _: Steady(100, 0.01)), await serving(lambda _: Forgetful())
    seen, _ = await read(await one.start("p", say("r1"), linger=9), limit=3)
    await kill(one)
    with refused("agent_failed"):
        await read(await two.resume("p", "r1", seen[-1].id))
    assert (await two.find("p", "r1")).state is State.BROKEN_OFF


@pytest.mark.rule("replies.take-over", "replies.once")
async def test_who_reads_at_a_server_that_has_lost_the_reply_goes_on_reading(serving):
    """The first server was stopped for longer than its lease, and goes on."""
    one, two = await serving(lambda _: Steady(60, 0.02)), await serving(lambda _: Steady(60, 0.02))
    here = asyncio.create_task(read(await one.start("p", say("r1"))))
    await eventually(lambda: one.run_of("r1").record.last > 3)
    one._heart.cancel()
    await one.log.release(one._owner)
    there = asyncio.create_task(read(await two.resume("p", "r1")))
    assert (await here) == (await there) == (list(events("r1", 60)), State.FINISHED)


@pytest.mark.rule("replies.session")
async def test_who_has_read_the_end_need_not_wait_for_the_agent_to_leave(serving):
    left = []

    class Tidy(Steady):
        async def reply_stream(self, inputs):
            async for event in super().reply_stream(inputs):
                yield event
            await asyncio.sleep(0.05)  # it puts away what it has learned
            left.append(inputs.get_text_content())

    replies = await serving(lambda _: Tidy(3))
    for reply_id in ("r1", "r2", "r3"):
        reader = await replies.start("p", say(reply_id), session_id="s", linger=9)
        assert (await read(reader))[1] is State.FINISHED
    assert left[:2] == ["r1", "r2"]
