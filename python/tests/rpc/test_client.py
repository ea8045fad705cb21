"""The client: how it is left, how it is closed, how it comes back, and what it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys

import msgfold
import pytest
from agents import HELLO, Steady, events, eventually, hurried
from clients import collect, refused, say
from msgfold.event import CustomEvent, TextBlockDeltaEvent
from msgfold.replies import Limits, Replies, State
from msgfold.replies.redis_log import RedisLog
from msgfold.rpc import ReplyClient, ReplyServer, Retry, SyncReplyClient, confirm

pytestmark = pytest.mark.anyio


async def _break(client):
    async for _ in client.reply_stream(say("r1"), linger=60):
        break


async def _raise(client):
    with contextlib.suppress(KeyError):
        async for event in client.reply_stream(say("r1"), linger=60):
            raise KeyError(event)


async def _deadline(client):
    with refused("deadline"):
        await collect(client.reply_stream(say("r1"), linger=60, timeout=0.3))


async def _time_out(client):
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(collect(client.reply_stream(say("r1"), linger=60)), 0.3)


async def _cancel_twice(client):
    """Somebody is in a hurry, and does not wait for it to be left."""
    reading = asyncio.create_task(collect(client.reply_stream(say("r1"), linger=60)))
    await eventually(lambda: client._streams and next(iter(client._streams)).reply_id)
    for _ in range(3):
        reading.cancel()
        await asyncio.sleep(0)
    with contextlib.suppress(asyncio.CancelledError):
        await reading


kept = []


async def _keep(client):
    """The iterator is kept, so nobody closes it."""
    kept.append(aiter(client.reply_stream(say("r1"), linger=60)))
    await anext(kept[-1])


@pytest.mark.rule("replies.grpc.client")
@pytest.mark.parametrize("leave", [_break, _raise, _deadline, _time_out, _cancel_twice, _keep])
async def test_however_it_is_left_the_agent_is_stopped(serve, leave):
    agent = Steady(1_000_000, 0.001)
    target = await serve(lambda _: agent, limits=Limits(linger=60))
    async with ReplyClient(target) as client:
        await leave(client)
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


def _sync_break(client):
    for _ in client.reply_stream(say("r1"), linger=60):
        break


def _sync_raise(client):
    with contextlib.suppress(KeyError):
        for event in client.reply_stream(say("r1"), linger=60):
            raise KeyError(event)


def _sync_keep(client):
    kept.append(iter(client.reply_stream(say("r1"), linger=60)))
    next(kept[-1])


@pytest.mark.rule("replies.grpc.client")
@pytest.mark.parametrize("leave", [_sync_break, _sync_raise, _sync_keep])
async def test_however_it_is_left_without_a_loop_the_agent_is_stopped(serve, leave):
    agent = Steady(1_000_000, 0.001)
    target = await serve(lambda _: agent, limits=Limits(linger=60))

    def talk():
        with SyncReplyClient(target) as client:
            leave(client)
        client.close()  # a second time is no error
        if leave is _sync_keep:
            kept.pop().close()
        with refused("unavailable", "closed"):
            client.get("r1")
        with refused("unavailable", "closed"):
            next(iter(client.reply_stream("hello")))

    await asyncio.to_thread(talk)
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


_TALK = """
import sys
from msgfold.rpc import SyncReplyClient
with SyncReplyClient(sys.argv[1]) as client:
    try:
        for event in client.reply_stream("r1", linger=60):
            print(event.type, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


async def test_who_is_interrupted_while_it_waits_stops_the_agent(serve):
    agent = Steady(1_000_000, 600)
    target = await serve(lambda _: agent, limits=Limits(linger=60))
    command = [sys.executable, "-c", _TALK, target]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert await process.stdout.readline() == b"REPLY_START\n"
    process.send_signal(signal.SIGINT)
    said, wrong = await asyncio.wait_for(process.communicate(), 60)
    assert (said, wrong) == (b"interrupted\n", b"")
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


async def test_a_client_that_is_closed_ends_its_streams_and_opens_none(serve):
    agent = Steady(1_000_000, 0.001)
    client = ReplyClient(await serve(lambda _: agent, limits=Limits(linger=60)))
    reading = asyncio.create_task(collect(client.reply_stream(say("r1"))))
    await eventually(lambda: agent.yielded > 5)
    await client.close()
    await client.close()
    with refused("unavailable", "closed"):
        await reading
    for ask in (client.get("r1"), client.cancel("r1"), collect(client.resume("r1"))):
        with refused("unavailable", "closed"):
            await ask
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


async def test_a_stream_is_no_orphan_of_the_one_that_was_closed(serve):
    """Closing a client stops what it has started, and nothing that it only reads."""
    agent = Steady(200, 0.002)
    target = await serve(lambda _: agent, limits=Limits(linger=60))
    other = ReplyClient(target)
    async with ReplyClient(target) as client:
        whole = asyncio.create_task(collect(client.reply_stream(say("r1"))))
        await eventually(lambda: agent.yielded > 5)
        stream = other.resume("r1")
        kept.append(aiter(stream))
        await anext(kept[-1])
        await other.close()
        assert await whole == list(events("r1", 200))


class Cutting:
    """A way to a server whose connections can be cut."""

    def __init__(self, target):
        self.host, self.port = target.split(":")
        self.writers = []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}", self.cut

    async def __aexit__(self, *_):
        self.cut()
        self.server.close()

    def cut(self):
        while self.writers:
            self.writers.pop().transport.abort()

    async def _connected(self, reader, writer):
        there, back = await asyncio.open_connection(self.host, int(self.port))
        self.writers += [writer, back]
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()


class Nameless(Steady):
    """Its events have no ids."""

    async def reply_stream(self, inputs):
        async for event in super().reply_stream(inputs):
            yield event.model_copy(update={"id": ""})


@pytest.mark.rule("replies.once", "replies.grpc.client")
@pytest.mark.parametrize("agent", [Steady, Nameless])
async def test_each_event_comes_once_though_the_connection_is_cut(serve, agent):
    target = await serve(lambda _: agent(60, 0.005))
    async with Cutting(target) as (way, cut), ReplyClient(way, retry=Retry(first=0.01)) as client:
        stream, seen = client.reply_stream(say("r1"), linger=30, fold=True), []
        async for event in stream:
            seen.append(event)
            if len(seen) in {1, 20, 40}:
                cut()
        assert stream.reconnects >= 3
        assert [getattr(e, "delta", e.type) for e in seen] == [
            getattr(e, "delta", e.type) for e in events("r1", 60)
        ]
        assert len({event.id for event in seen}) == 64, "an id of its own for each"
        assert stream.msg == (await client.get(stream.reply_id)).msg


@pytest.mark.rule("replies.once", "replies.grpc.client")
async def test_who_keeps_the_last_event_id_of_the_event_in_hand_loses_none(serve):
    """Events come together; those behind the one in hand are still to come."""
    async with ReplyClient(await serve(lambda _: Steady(200))) as client:
        whole = await collect(client.reply_stream(say("r1")))
        seen, stream = [], client.resume("r1", fold=True)
        async for event in stream:
            assert stream.last_event_id == event.id
            seen.append(event)
            if len(seen) == 50:
                break
        assert stream.msg == msgfold.fold(whole[:50])
        seen += await collect(client.resume("r1", stream.last_event_id))
        assert seen == whole


@pytest.mark.rule("replies.answer", "replies.grpc.client")
async def test_an_answer_is_given_once_though_the_connection_is_cut(serve):
    done = []

    class Slow(type(hurried(""))):
        async def reply_stream(self, inputs):
            if hasattr(inputs, "confirm_results"):
                done.append(inputs.id)
                await asyncio.sleep(0.2)
            async for event in super().reply_stream(inputs):
                yield event

    async with Cutting(await serve(lambda _: Slow(0))) as (way, cut), ReplyClient(way) as client:
        *_, question = await collect(client.reply_stream(HELLO))
        stream = client.reply_stream(confirm(question, True), linger=30)
        answering = asyncio.create_task(collect(stream))
        await eventually(lambda: done)
        cut()
        seen = await answering
        assert len(done) == 1
        assert stream.reconnects == 1
        assert (seen[0].id, stream.state) == (done[0], State.WAITING_EXECUTION)


class Redis:
    """A Redis that is killed and started again, and keeps what it was told."""

    def __init__(self, folder):
        self.socket = folder / "redis.sock"
        self.command = ["redis-server", "--port", "0", "--unixsocket", str(self.socket)]
        self.command += ["--appendonly", "yes", "--dir", str(folder)]

    async def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        await eventually(self.socket.exists)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.socket.unlink(missing_ok=True)


@pytest.mark.rule("replies.grpc.client", "replies.kept")
async def test_a_redis_that_is_away_for_a_while_loses_nothing(redis_url, tmp_path):
    redis = Redis(tmp_path)
    await redis.start()
    log = RedisLog(f"unix://{redis.socket}")
    replies = Replies(lambda _: Steady(200, 0.005), log, limits=Limits(lease=1))
    await replies.open()
    server = ReplyServer(replies, "127.0.0.1:0")
    try:
        async with ReplyClient(f"127.0.0.1:{await server.start()}") as client:
            stream, seen = client.reply_stream(say("r1"), linger=60), []
            async for event in stream:
                seen.append(event)
                if len(seen) in {10, 100}:
                    redis.kill()
                    async with ReplyClient(client.target, retry=Retry(first_contact=0)) as other:
                        with refused("unavailable", "the event log does not answer"):
                            await other.get("r1")
                    await redis.start()
            assert seen == list(events("r1", 200))
            assert stream.reconnects >= 2
    finally:
        await server.stop(0)
        await replies.close()
        redis.kill()


@pytest.mark.parametrize("inputs", [5, None, {"a": 1}, [5], b"x", [[]], ("a",)])
async def test_what_is_no_input_is_refused(inputs):
    async with ReplyClient("localhost:1") as client:
        with refused("invalid_request", "is no input; expected"):
            client.reply_stream(inputs)


@pytest.mark.parametrize("linger", [-1, float("nan")])
async def test_what_is_no_time_is_refused(linger):
    async with ReplyClient("localhost:1") as client:
        with refused("invalid_request", "linger is"):
            client.reply_stream("hello", linger=linger)


async def test_a_time_may_be_long_and_an_event_without_a_reply_is_no_answer(serve):
    async with ReplyClient(await serve(lambda _: Steady(1))) as client:
        for number, linger in enumerate((0, 0.9999999999, 1e300, float("inf"))):
            assert await collect(client.reply_stream(say(f"r{number}"), linger=linger))
        for wrong in (
            CustomEvent(name="n", value={}),
            TextBlockDeltaEvent(reply_id="r", block_id="b", delta=""),
        ):
            with refused("invalid_request", f"{wrong.type} is no answer"):
                await collect(client.reply_stream(wrong))


@pytest.mark.rule("replies.secrets")
@pytest.mark.parametrize("token", ["hunter2\n", " hunter2", "hünter2"])
def test_a_token_that_cannot_be_sent_is_an_error_without_it(token):
    with pytest.raises(ValueError, match="a token has what no header carries") as caught:
        ReplyClient("localhost:1", token=token)
    assert token not in str(caught.value)


def test_a_client_needs_a_server():
    with pytest.raises(ValueError, match="no target"):
        ReplyClient([])
