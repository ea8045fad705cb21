"""Answers and sessions where several come at once, here or at several servers."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from agents import HELLO, Doing, NotResumable, Steady, eventually, hurried
from hubs import QUICK, kill, over, read, refused, say
from msgfold.event import UserInterruptEvent
from msgfold.replies import Limits, ServiceError, State
from msgfold.rpc import confirm, executed

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["file", "redis"])
def where(request):
    """A log that two servers share."""
    return "r.db" if request.param == "file" else request.getfixturevalue("redis_url")


@pytest.fixture
def reply_id():
    """The Redis is the same for all tests."""
    return f"r{time.monotonic_ns()}"


async def asked(replies, reply_id, session_id):
    seen, state = await read(await replies.start("p", say(reply_id), session_id=session_id))
    assert state is State.WAITING_CONFIRMATION
    return seen[-1]


@pytest.mark.rule("replies.answer")
async def test_an_answer_that_is_sent_again_before_it_shows_is_given_once(serving):
    agent = Doing(delay=0.1)
    replies = await serving(lambda _: agent)
    answer = confirm(await asked(replies, "r1", "s"), True)
    first = asyncio.create_task(replies.answer("p", answer))
    await eventually(lambda: agent.done)
    first.cancel()  # its stream was cut off
    again = await asyncio.gather(*(replies.answer("p", answer) for _ in range(3)))
    seen = [await read(reader) for reader in again]
    assert agent.done == [answer.id]
    assert seen[0] == seen[1] == seen[2]
    assert (seen[0][0][0], seen[0][1]) == (answer, State.FINISHED)


@pytest.mark.rule("replies.answer")
async def test_of_two_answers_one_is_given(serving):
    agent = Doing(delay=0.05)
    replies = await serving(lambda _: agent)
    question = await asked(replies, "r1", "s")
    answers = [confirm(question, True), confirm(question, False)]
    got = await asyncio.gather(
        *(replies.answer("p", answer) for answer in answers), return_exceptions=True
    )
    assert [isinstance(each, ServiceError) for each in got] == [False, True]
    assert (await read(got[0]))[1] is State.FINISHED
    assert agent.done == [answers[0].id]


@pytest.mark.rule("replies.answer", "replies.take-over")
async def test_of_two_answers_at_two_servers_one_is_given(serving, where, reply_id):
    done = []
    limits = Limits(lease=9)
    one = await serving(lambda _: Doing(delay=0.1, done=done), where=where, limits=limits)
    two = await serving(lambda _: Doing(delay=0.1, done=done), where=where, limits=limits)
    question = await asked(one, reply_id, reply_id)
    same = confirm(question, True)
    answers = [(one, same), (two, same), (two, confirm(question, False))]
    got = await asyncio.gather(
        *(replies.answer("p", answer) for replies, answer in answers), return_exceptions=True
    )
    assert len(done) == 1, "nobody deletes a file twice"
    seen = [await read(reader) for reader in got if not isinstance(reader, ServiceError)]
    assert {each.code for each in got if isinstance(each, ServiceError)} <= {
        "not_waiting",
        "session_busy",
    }
    # The same one at the second server may find its session busy with the other, and is sent again.
    assert 1 <= len(seen) <= (2 if done == [same.id] else 1)
    if done == [same.id]:
        assert await read(await two.answer("p", same)) == seen[0]
    assert all(each == seen[0] for each in seen)


@pytest.mark.rule("replies.answer")
async def test_who_answers_before_the_agent_has_stopped_is_not_too_early(serving, where, reply_id):
    """A person's page reads along, and may be quick."""

    class Slow(Doing):
        async def reply_stream(self, inputs):
            async for event in super().reply_stream(inputs):
                yield event
            await asyncio.sleep(0.3)

    agent = Slow(asks=2)
    one = await serving(lambda _: agent, where=where, limits=Limits(lease=9))
    two = await serving(lambda _: Doing(asks=2), where=where, limits=Limits(lease=9))
    reader = await one.start("p", say(reply_id), session_id=reply_id, linger=9)
    seen, state = await read(reader, limit=3)
    assert (seen[-1].type, state) == ("REQUIRE_USER_CONFIRM", None)
    seen, _ = await read(await one.answer("p", confirm(seen[-1], True), linger=9), limit=5)
    assert seen[-1].type == "REQUIRE_USER_CONFIRM"
    assert (await read(await two.answer("p", confirm(seen[-1], True))))[1] is State.FINISHED


@pytest.mark.rule("replies.answer")
async def test_who_answers_an_agent_that_goes_on_is_told_so(serving):
    class Busy(Doing):
        async def reply_stream(self, inputs):
            async for event in super().reply_stream(inputs):
                yield event
            await asyncio.sleep(600)

    replies = await serving(lambda _: Busy())
    reader = await replies.start("p", say("r1"), linger=600)
    seen, _ = await read(reader, limit=3)
    with refused("not_waiting"):
        await replies.answer("p", confirm(seen[-1], True))
    await replies.cancel("p", "r1")


@pytest.mark.rule("replies.answer")
@pytest.mark.parametrize("known", [True, False])
async def test_the_built_in_agent_takes_no_silence_for_a_yes(serving, known):
    replies = await serving(hurried)
    reader = await replies.start("p", [HELLO])
    question = (await read(reader))[0][-1]
    if not known:  # an agent that has to read up on the reply is as strict
        await replies.close()
        replies.killed = True
        replies = await serving(hurried)
    for good in (confirm(question, False), executed):
        if good is executed:
            good = executed(question, {"call_2": "clicked"})
        what = "confirm_results" if hasattr(good, "confirm_results") else "execution_results"
        other = [each.model_copy(deep=True) for each in getattr(good, what)]
        for each in other:
            getattr(each, "tool_call", each).id = "another"
        for wrong in ([], other):
            with refused("agent_refused"):
                await replies.answer("p", good.model_copy(update={what: wrong, "id": str(wrong)}))
        seen, state = await read(await replies.answer("p", good))
        question = seen[-1]
    assert state is State.FINISHED
    assert [event.state for event in seen if event.type == "TOOL_RESULT_END"] == ["success"]


@pytest.mark.rule("replies.answer")
async def test_an_answers_id_is_its_own(serving):
    replies = await serving(hurried)
    reader = await replies.start("p", [HELLO])
    seen, _ = await read(reader)
    answer = confirm(seen[-1], True).model_copy(update={"id": seen[0].id})
    with refused("invalid_request") as caught:
        await replies.answer("p", answer)
    assert caught.value.pointer == "/answer/id"


@pytest.mark.rule("replies.answer", "replies.take-over")
async def test_answers_may_go_to_one_server_and_to_another(serving, where, reply_id):
    one = await serving(lambda _: Doing(asks=4), where=where)
    two = await serving(lambda _: Doing(asks=4), where=where)
    question = await asked(one, reply_id, reply_id)
    for server in (two, one, one, two):
        seen, state = await read(await server.answer("p", confirm(question, True)))
        question = seen[-1]
    assert state is State.FINISHED
    for server in (one, two):  # and both know that the session is free again
        await read(await server.start("p", say(f"{reply_id} {id(server)}"), session_id=reply_id))
        await server.cancel("p", f"{reply_id} {id(server)}")
        assert server._sessions.busy("p") == 0


@pytest.mark.rule("replies.cancel")
@pytest.mark.parametrize("answered", [False, True])
async def test_a_reply_that_comes_to_wait_while_it_is_cancelled_is_over_all_the_same(
    serving, answered
):
    """Its agent may have asked, and stopped, just before."""

    class Hesitant(Doing):
        async def _ask(self, reply_id, number):
            if number == 1 + answered:
                self.hesitates = True
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(60)
            async for event in super()._ask(reply_id, number):
                yield event

    agent = Hesitant(asks=2)
    agent.hesitates = False
    replies = await serving(lambda _: agent)
    if answered:
        question = await asked(replies, "r1", "s")
        reader = await replies.answer("p", confirm(question, True), linger=60)
    else:
        reader = await replies.start("p", say("r1"), linger=60)
    await eventually(lambda: agent.hesitates)
    assert await replies.cancel("p", "r1") is State.BROKEN_OFF  # it takes no interrupt
    await reader.close()


@pytest.mark.rule("replies.cancel", "replies.interrupt")
@pytest.mark.parametrize("how", ["cancel", "interrupt"])
async def test_an_agent_at_work_on_an_answer_that_does_not_show_can_be_stopped(
    serving, where, reply_id, how
):
    agent = Doing(delay=60)
    one, two = await serving(lambda _: agent, where=where), await serving(hurried, where=where)
    answer = confirm(await asked(one, reply_id, reply_id), True)
    answering = asyncio.create_task(one.answer("p", answer, linger=60))
    await eventually(lambda: agent.done)
    for server in (two, one):  # the other one can only ask
        if how == "cancel":
            await server.cancel("p", reply_id)
        else:
            stop = UserInterruptEvent(reply_id=reply_id, metadata={})
            await (await server.answer("p", stop)).close()
    await asyncio.wait([answering])
    if how == "cancel":
        assert (await one.find("p", reply_id)).state is State.BROKEN_OFF  # it takes no interrupt
        return
    assert (await one.find("p", reply_id)).state is State.WAITING_CONFIRMATION
    agent.waiting, agent.delay = True, 0
    assert (await read(await one.answer("p", answer)))[1] is State.FINISHED


@pytest.mark.rule("replies.answer")
async def test_an_answer_that_was_refused_can_be_given_at_another_server(serving, where, reply_id):
    class Forgetful(Doing):
        resume_stream = None

        async def reply_stream(self, inputs):
            self.waiting = False
            async for event in super().reply_stream(inputs):
                yield event

    one = await serving(lambda _: Forgetful(), where=where)
    two = await serving(lambda _: Doing(), where=where)
    answer = confirm(await asked(one, reply_id, reply_id), True)
    with refused("agent_refused"):
        await one.answer("p", answer)
    assert (await read(await two.answer("p", answer)))[1] is State.FINISHED


@pytest.mark.rule("replies.cancel", "replies.take-over")
async def test_a_reply_whose_server_has_died_can_be_cancelled(serving, where, reply_id):
    agent = Steady(10_000, 0.01)
    one = await serving(lambda _: Steady(10_000, 0.01), where=where)
    two = await serving(lambda _: agent, where=where)
    await read(await one.start("p", say(reply_id), linger=60), limit=3)
    await kill(one)
    await eventually(lambda: _dead(one))
    assert await two.cancel("p", reply_id) is State.FINISHED
    assert agent.log == ["started", "cancelled", "ended"]


@pytest.mark.rule("replies.cancel")
async def test_a_waiting_reply_whose_agent_takes_no_interrupt_is_broken_off(serving):
    replies = await serving(lambda _: Doing())
    question = await asked(replies, "r1", "s")
    with refused("agent_refused"):
        await replies.answer("p", UserInterruptEvent(reply_id="r1", metadata={}))
    assert (await replies.find("p", "r1")).state is State.WAITING_CONFIRMATION
    assert await replies.cancel("p", "r1") is State.BROKEN_OFF
    with refused("not_waiting"):
        await replies.answer("p", confirm(question, True))
    await asked(replies, "r2", "s")


@pytest.mark.rule("replies.session")
async def test_a_session_is_busy_at_every_server(serving, where, reply_id):
    one = await serving(lambda _: Doing(), where=where)
    two = await serving(lambda _: Doing(), where=where)
    await asked(one, reply_id, reply_id)
    for server in (one, two):
        with refused("session_busy"):
            await server.start("p", say(f"{reply_id} b"), session_id=reply_id)
    await (await two.start("q", say(f"{reply_id} c"), session_id=reply_id)).close()


@pytest.mark.rule("replies.session", "replies.take-over")
@pytest.mark.parametrize("agent", [Steady, NotResumable])
async def test_a_session_whose_server_has_died_is_free_again(serving, where, reply_id, agent):
    one = await serving(lambda _: agent(delay=0.01), where=where)
    two = await serving(lambda _: agent(delay=0.01), where=where)
    start = one.start("p", say(reply_id), session_id=reply_id, linger=60)
    await read(await start, limit=3)
    await kill(one)
    await eventually(lambda: _dead(one))
    _, state = await read(await two.start("p", say(f"{reply_id} b"), session_id=reply_id))
    assert state is State.FINISHED
    await eventually(over(two, reply_id))


@pytest.mark.rule("replies.limits")
async def test_replies_that_start_at_once_are_counted(serving):
    made = asyncio.Event()

    async def factory(session_id):
        await made.wait()
        return Steady(10_000, 0.01)

    limits = Limits(max_replies=2, linger=QUICK.linger, cancel_grace=QUICK.cancel_grace)
    replies = await serving(factory, limits=limits)
    starting = [asyncio.create_task(replies.start("p", say(f"r{n}"))) for n in range(8)]
    await asyncio.sleep(0)
    made.set()
    got = await asyncio.gather(*starting, return_exceptions=True)
    assert sum(isinstance(each, ServiceError) for each in got) == 6
    assert replies._sessions.busy("p") == 2


async def _dead(replies):
    return not await replies.log.lives(replies._owner)


@pytest.mark.rule("replies.state")
async def test_who_reads_at_another_server_hears_at_once_where_it_stands(serving, where, reply_id):
    """And not when a lease has run out: this one never does."""
    limits = Limits(lease=600)
    agent = Doing(delay=0)
    one = await serving(lambda _: agent, where=where, limits=limits)
    two = await serving(lambda _: Doing(), where=where, limits=limits)
    question = await asked(one, reply_id, reply_id)
    following = asyncio.create_task(read(await two.resume("p", reply_id, follow=True)))
    once = asyncio.create_task(read(await two.resume("p", reply_id)))
    assert (await asyncio.wait_for(once, 60))[1] is State.WAITING_CONFIRMATION
    await read(await one.answer("p", confirm(question, True)))
    seen, state = await asyncio.wait_for(following, 60)
    assert (seen[-1].type, state) == ("REPLY_END", State.FINISHED)


async def test_as_many_may_wait_as_there_are_streams(serving, where, reply_id):
    """They wait at one connection, so that there are others left for what is written."""
    replies = await serving(lambda s: Doing() if "w" in s else Steady(50), where=where)
    names = [f"{reply_id} {n}" for n in range(150)]
    for name in names:
        await asked(replies, name, f"w{name}")
    readers = [await replies.resume("p", name, follow=True) for name in names]
    following = [asyncio.create_task(read(reader)) for reader in readers]
    more = [replies.start("p", say(f"{name} b"), session_id=f"{name} b") for name in names]
    seen = await asyncio.gather(*(read(reader) for reader in await asyncio.gather(*more)))
    assert all(len(events) == 54 for events, _ in seen)
    assert not any(each.done() for each in following)
    for each in following:
        each.cancel()
    await asyncio.wait(following)
