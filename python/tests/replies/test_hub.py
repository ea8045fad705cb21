"""Replies: started, answered, resumed, cancelled; limits, and who may see what."""

from __future__ import annotations

import asyncio
import time

import msgfold
import pytest
from agents import HELLO, Failing, Steady, events, eventually, hurried
from hubs import events_in, kill, over, read, refused, say
from msgfold.event import (
    ConfirmResult,
    ExternalExecutionResultEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from msgfold.message import TextBlock, ToolResultBlock
from msgfold.replies import Limits, ServiceCode, ServiceError, State

pytestmark = pytest.mark.anyio


@pytest.mark.rule("replies.source", "replies.input", "replies.state")
async def test_a_reply_with_a_person_and_an_executor_in_it(serving):
    replies = await serving(hurried)
    reader = await replies.start("p", [HELLO])
    first, state = await read(reader)
    assert (first[0].type, first[-1].type) == ("REPLY_START", "REQUIRE_USER_CONFIRM")
    assert state is State.WAITING_CONFIRMATION
    answer = UserConfirmResultEvent(
        reply_id=reader.reply_id,
        confirm_results=[ConfirmResult(confirmed=True, tool_call=first[-1].tool_calls[0])],
    )
    second, state = await read(await replies.answer("p", answer))
    assert (second[0], second[-1].type) == (answer, "REQUIRE_EXTERNAL_EXECUTION")
    assert state is State.WAITING_EXECUTION
    result = ExternalExecutionResultEvent(
        reply_id=reader.reply_id,
        execution_results=[
            ToolResultBlock(
                id="call_2", name="x", output=[TextBlock(text="clicked")], state="success"
            )
        ],
    )
    third, state = await read(await replies.answer("p", result))
    assert (third[0], third[-1].type, state) == (result, "REPLY_END", State.FINISHED)
    record, msg = await replies.get("p", reader.reply_id)
    assert msg == msgfold.fold([*first, *second, *third], on_diagnostic=lambda _: None)
    assert record.last_event_id == third[-1].id


@pytest.mark.rule("replies.once")
async def test_every_place_can_be_resumed_from(serving):
    replies = await serving(lambda _: Steady(30))
    whole, _ = await read(await replies.start("p", say("r1")))
    assert [event.id for event in whole] == [f"e{n}" for n in range(34)]
    for position, event in enumerate(whole):
        rest, state = await read(await replies.resume("p", "r1", event.id))
        assert (rest, state) == (whole[position + 1 :], State.FINISHED)
    assert (await read(await replies.resume("p", "r1")))[0] == whole
    with refused("unknown_event"):
        await replies.resume("p", "r1", "e99")


async def test_who_comes_back_while_it_runs_gets_the_rest_live(serving):
    replies = await serving(lambda _: Steady(200, 0.002))
    seen, _ = await read(await replies.start("p", say("r1"), linger=5), limit=20)
    more, _ = await read(await replies.resume("p", "r1", seen[-1].id), limit=30)
    rest, state = await read(await replies.resume("p", "r1", more[-1].id))
    assert [e.id for e in seen + more + rest] == [f"e{n}" for n in range(204)]
    assert state is State.FINISHED


@pytest.mark.rule("replies.once")
async def test_many_read_one_reply_and_each_gets_all(serving):
    replies = await serving(lambda _: Steady(300, 0.001))
    reader = await replies.start("p", say("r1"))
    others = [await replies.resume("p", "r1") for _ in range(10)]
    found = await asyncio.gather(*(read(each) for each in (reader, *others)))
    assert all(seen == found[0][0] and len(seen) == 304 for seen, _ in found)


@pytest.mark.rule("replies.cancel")
async def test_when_nobody_listens_the_agent_is_cancelled_and_may_say_goodbye(serving):
    agent = Steady(10_000, 0.001)
    replies = await serving(lambda _: agent)
    await read(await replies.start("p", say("r1")), limit=3)
    await eventually(over(replies, "r1"))
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])
    record, msg = await replies.get("p", "r1")
    assert record.state is State.FINISHED
    assert record.last_event_id == "stopped"
    assert msg.finished_at is not None


async def test_an_agent_that_never_waits_is_cancelled_too(serving):
    """It is never inside an ``await``, where it could hear of it: it is closed at its ``yield``."""
    agent = Steady(10_000_000)

    class Hot(Steady):
        async def _play(self, reply_id, skip):
            try:
                for event in events(reply_id, 10_000_000):
                    yield event
            finally:
                agent.log.append("ended")

    replies = await serving(lambda _: Hot())
    await read(await replies.start("p", say("r1")), limit=3)
    await eventually(over(replies, "r1"))
    await eventually(lambda: agent.log == ["ended"])
    assert (await replies.find("p", "r1")).state is State.BROKEN_OFF


@pytest.mark.rule("replies.cancel")
async def test_an_agent_that_will_not_stop_is_left(serving):
    class Stubborn:
        async def reply_stream(self, inputs):
            for event in list(events("r1", 3))[:2]:
                yield event
            while True:
                try:
                    await asyncio.sleep(10)
                    return
                except asyncio.CancelledError:
                    yield next(iter(events("r1", 1)))

    replies = await serving(lambda _: Stubborn())
    await read(await replies.start("p", [HELLO]), limit=2)
    await eventually(over(replies, "r1"))
    assert (await replies.find("p", "r1")).state is State.BROKEN_OFF


@pytest.mark.rule("replies.linger")
async def test_linger_is_what_the_caller_asks_for_up_to_a_limit(serving):
    agent = Steady(30, 0.01)
    replies = await serving(lambda _: agent)
    await read(await replies.start("p", say("r1"), linger=3), limit=1)
    await eventually(over(replies, "r1"))
    await eventually(lambda: agent.log == ["started", "ended"])
    assert (await replies.find("p", "r1")).last_event_id == "e33"


async def test_who_wants_no_lingering_is_waited_for_all_the_same(serving):
    replies = await serving(lambda _: Steady(100, 0.001))
    seen, state = await read(await replies.start("p", say("r1"), linger=0))
    assert (len(seen), state) == (104, State.FINISHED)


@pytest.mark.rule("replies.request")
async def test_a_request_that_is_sent_again_joins_the_first(serving):
    made = []

    def factory(session_id):
        made.append(session_id)
        return Steady(50, 0.001)

    replies = await serving(factory)
    starts = (replies.start("p", say("r1"), request_id="q") for _ in range(5))
    readers = await asyncio.gather(*starts)
    found = await asyncio.gather(*(read(reader) for reader in readers))
    again, _ = await read(await replies.start("p", say("r1"), request_id="q"))
    assert all(seen == again for seen, _ in found)
    assert len(made) == 1


@pytest.mark.parametrize("shared", ["file", "redis"])
async def test_a_request_whose_first_server_died_just_now_joins_all_the_same(
    serving, shared, request, monkeypatch
):
    """It is not in the log when it is looked for, and is there when the reply is written."""
    where = "r.db" if shared == "file" else request.getfixturevalue("redis_url")
    reply_id = f"r{time.monotonic_ns()}"
    one = await serving(lambda _: Steady(100, 0.005), where=where)
    two = await serving(lambda _: Steady(100, 0.005), where=where)
    await read(await one.start("p", say(reply_id), request_id=reply_id, linger=9), limit=5)
    await kill(one)

    async def nothing(*_):
        return None

    monkeypatch.setattr(two.log, "find_request", nothing)
    seen, state = await read(await two.start("p", say(reply_id), request_id=reply_id))
    assert (seen, state) == (list(events(reply_id, 100)), State.FINISHED)
    with refused("agent_failed"):
        await read(await two.start("p", say(reply_id), request_id="another"))


@pytest.mark.rule("replies.answer")
async def test_an_answer_that_is_sent_again_is_given_once(serving):
    replies = await serving(hurried)
    first, _ = await read(await replies.start("p", [HELLO]))
    answer = UserConfirmResultEvent(
        reply_id=first[0].reply_id,
        confirm_results=[ConfirmResult(confirmed=True, tool_call=first[-1].tool_calls[0])],
    )
    once, _ = await read(await replies.answer("p", answer))
    twice, _ = await read(await replies.answer("p", answer))
    assert once == twice


@pytest.mark.rule("replies.answer", "replies.input")
async def test_an_answer_must_fit(serving):
    replies = await serving(hurried)
    first, _ = await read(await replies.start("p", [HELLO]))
    reply_id = first[0].reply_id
    wrong = ExternalExecutionResultEvent(reply_id=reply_id, execution_results=[])
    with refused("not_waiting"):
        await replies.answer("p", wrong)
    with refused("invalid_request"):
        await replies.answer("p", first[0])
    with refused("unknown_reply"):
        await replies.answer("p", UserInterruptEvent(reply_id="r9", metadata={}))
    await read(await replies.answer("p", UserInterruptEvent(reply_id=reply_id, metadata={})))
    with refused("not_waiting"):
        await replies.answer("p", UserInterruptEvent(reply_id=reply_id, metadata={}))
    assert (await replies.find("p", reply_id)).state is State.FINISHED


@pytest.mark.rule("replies.interrupt")
async def test_an_interrupt_stops_a_running_reply(serving):
    agent = Steady(10_000, 0.001)
    replies = await serving(lambda _: agent)
    reader = await replies.start("p", say("r1"))
    reading = asyncio.create_task(read(reader))
    await eventually(lambda: agent.yielded > 10)
    stop = UserInterruptEvent(reply_id="r1", metadata={})
    _, state = await read(await replies.answer("p", stop))
    assert state is State.FINISHED
    assert (await reading)[0][-1].finished_reason == "interrupted"


async def test_cancel_stops_what_runs_and_what_waits(serving):
    replies = await serving(lambda s: hurried(s) if s == "p/w" else Steady(10_000, 0.001))
    waiting = await replies.start("p", [HELLO], session_id="w")
    await read(waiting)
    assert await replies.cancel("p", waiting.reply_id) is State.FINISHED
    running = await replies.start("p", say("r1"))
    assert await replies.cancel("p", "r1") is State.FINISHED
    assert await replies.cancel("p", "r1") is State.FINISHED, "a second time is no error"
    await running.close()


async def test_a_reply_that_has_only_just_begun_can_be_cancelled(serving, monkeypatch):
    """The log knows it already, and whoever started it does not."""
    replies = await serving(lambda _: Steady(10_000, 0.001))
    created, go_on = asyncio.Event(), asyncio.Event()
    create = replies.log.create

    async def slow(record):
        await create(record)
        created.set()
        await go_on.wait()

    monkeypatch.setattr(replies.log, "create", slow)
    starting = asyncio.create_task(replies.start("p", say("r1")))
    await created.wait()
    cancelling = asyncio.create_task(replies.cancel("p", "r1"))
    resuming = asyncio.create_task(read(await replies.resume("p", "r1")))
    await asyncio.sleep(0)
    go_on.set()
    assert await cancelling is State.FINISHED
    assert (await read(await starting))[0] == (await resuming)[0]


@pytest.mark.rule("replies.principal")
async def test_a_reply_belongs_to_who_started_it(serving):
    replies = await serving(lambda _: Steady(5))
    await read(await replies.start("alice", say("r1")))
    for ask in (
        replies.resume("bob", "r1"),
        replies.get("bob", "r1"),
        replies.cancel("bob", "r1"),
        replies.answer("bob", UserInterruptEvent(reply_id="r1", metadata={})),
    ):
        with refused("unknown_reply"):
            await ask


@pytest.mark.rule("replies.principal")
async def test_two_principals_never_share_an_agent(serving):
    made = []

    def factory(name):
        made.append(name)
        return Steady(1)

    replies = await serving(factory)
    await read(await replies.start("alice", say("r1"), session_id="s"))
    await read(await replies.start("bob", say("r2"), session_id="s"))
    await read(await replies.start("a", say("r3"), session_id="b/c"))
    await read(await replies.start("a/b", say("r4"), session_id="c"))
    await read(await replies.start("a%2Fb", say("r5"), session_id="c"))
    assert made == ["alice/s", "bob/s", "a/b/c", "a%2Fb/c", "a%252Fb/c"]


@pytest.mark.rule("replies.session")
async def test_a_session_does_one_thing_at_a_time(serving):
    replies = await serving(lambda _: Steady(1000, 0.001))
    reader = await replies.start("p", say("r1"), session_id="s")
    with refused("session_busy"):
        await replies.start("p", say("r2"), session_id="s")
    await reader.close()
    await eventually(over(replies, "r1"))
    await eventually(lambda: not replies._working)
    await read(await replies.start("p", say("r3"), session_id="s"), limit=1)


@pytest.mark.rule("replies.limits")
async def test_limits_are_errors_that_name_them(serving):
    limits = Limits(max_streams=2, max_replies=3, linger=5)
    replies = await serving(lambda _: Steady(1000, 0.01), limits=limits)
    readers = [await replies.start("p", say(f"r{n}")) for n in range(2)]
    with pytest.raises(ServiceError, match=r"2 streams are open.*max_streams") as caught:
        await replies.resume("p", "r0")
    assert caught.value.code is ServiceCode.TOO_MANY_STREAMS
    await readers[0].close()
    readers[0] = await replies.start("p", say("r2"))
    await readers[0].close()
    with pytest.raises(ServiceError, match=r"3 replies are unfinished.*max_replies"):
        await replies.start("p", say("r3"))
    other = await replies.start("somebody else", say("r4"))
    await other.close()


async def test_a_reply_that_is_too_large_ends_and_says_why(serving):
    replies = await serving(lambda _: Steady(10_000, size=100), limits=Limits(max_reply=50_000))
    with pytest.raises(ServiceError, match=r"more than 50000 bytes of events.*max_reply"):
        await read(await replies.start("p", say("r1")))
    assert (await replies.find("p", "r1")).state is State.BROKEN_OFF


@pytest.mark.rule("replies.pressure")
async def test_a_slow_reader_holds_back_its_own_agent_and_no_other(serving):
    agents = {}

    def factory(session_id):
        return agents.setdefault(session_id, Steady(20_000, size=200))

    replies = await serving(factory, limits=Limits(window=64 << 10))
    stuck = (await replies.start("p", say("r1"), session_id="stuck")).chunks()
    await anext(stuck)
    whole, _ = await read(await replies.start("p", say("r2"), session_id="free"))
    assert len(whole) == 20_004

    async def held():
        before = agents["p/stuck"].yielded
        await asyncio.sleep(0.1)
        return agents["p/stuck"].yielded == before

    await eventually(held)
    assert agents["p/stuck"].yielded < 4000, "a window, and a batch or two, of 6 MB"
    rest = [chunk async for chunk in stuck]
    assert rest[-1].state is State.FINISHED


async def test_a_slow_reader_does_not_hold_back_another_of_the_same_reply(serving):
    replies = await serving(lambda _: Steady(20_000, size=200), limits=Limits(window=64 << 10))
    slow = (await replies.start("p", say("r1"))).chunks()
    await anext(slow)
    whole, _ = await read(await replies.resume("p", "r1"))
    assert len(whole) == 20_004
    late = [event for chunk in [c async for c in slow] for event in events_in(chunk)]
    assert [e.id for e in late] == [e.id for e in whole[-len(late) :]]


async def test_an_agent_that_refuses_is_an_error_with_its_words(serving):
    replies = await serving(lambda _: Failing(0, ValueError("waiting for something else")))
    with pytest.raises(ServiceError, match="waiting for something else") as caught:
        await replies.start("p", [HELLO])
    assert caught.value.code is ServiceCode.AGENT_REFUSED


@pytest.mark.rule("replies.secrets")
async def test_an_agent_that_fails_keeps_its_secrets(serving):
    replies = await serving(lambda _: Failing(5))
    with pytest.raises(ServiceError) as caught:
        await read(await replies.start("p", [HELLO]))
    assert caught.value.code is ServiceCode.AGENT_FAILED
    assert "RuntimeError" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    record, msg = await replies.get("p", "failing")
    assert (record.state, record.last, msg.name) == (State.BROKEN_OFF, 5, "friday")


@pytest.mark.parametrize("factory", [lambda _: 1 / 0, lambda _: object()])
async def test_a_factory_that_fails_is_an_error(serving, factory):
    replies = await serving(factory)
    with refused("agent_failed"):
        await replies.start("p", [HELLO])


@pytest.mark.rule("replies.left-out")
async def test_what_is_no_event_is_left_out_and_the_rest_goes_on(serving, caplog):
    caplog.set_level("WARNING", "msgfold.replies")

    class Odd:
        async def reply_stream(self, inputs):
            whole = list(events("r1", 3))
            yield whole[0]
            for odd in (7, {"type": "FROM_THE_FUTURE"}, {"type": "TEXT_BLOCK_DELTA"}, None):
                yield odd
            yield whole[0].model_copy(update={"metadata": {"no": object()}})
            yield whole[1].model_dump(mode="json") | {"from_the_future": 1}
            for event in whole[2:]:
                yield event.model_dump(mode="json")

    replies = await serving(lambda _: Odd())
    found, state = await read(await replies.start("p", [HELLO]))
    assert found == list(events("r1", 3))
    assert state is State.FINISHED
    assert caplog.text.count("is left out") == 6


async def test_an_event_may_be_changed_after_it_was_yielded(serving):
    class Aliasing:
        async def reply_stream(self, inputs):
            for event in events("r1", 50):
                yield event
                if hasattr(event, "delta"):
                    event.delta = "changed"
                    event.metadata["changed"] = True

    replies = await serving(lambda _: Aliasing())
    found, _ = await read(await replies.start("p", [HELLO]))
    assert found == list(events("r1", 50))
