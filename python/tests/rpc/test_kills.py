"""Processes are killed, and nothing is lost: a real server, a real Redis, ``SIGKILL``."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time

import msgfold
import pytest
from agents import events, eventually
from msgfold.message import UserMsg
from msgfold.rpc import ReplyClient, Retry, State
from serving import Server

pytestmark = pytest.mark.anyio

AT_ONCE = 10
KILLS = 10
"""With ``AT_ONCE`` replies at each: a hundred replies cut off, each somewhere else."""

WORDS = 120
PACE = {"WORDS": WORDS, "DELAY": 0.005}
RETRY = Retry(first=0.02, longest=0.2, first_contact=60)


async def whole(client, reply_id, pause):
    """A reply read to its end, begun after a pause, and how often its connection was lost."""
    await asyncio.sleep(pause)
    said = UserMsg("alice", reply_id, id="m", created_at="t")
    stream = client.reply_stream(said, fold=True, linger=30)
    ids = [event.id async for event in stream]
    assert stream.state is State.FINISHED
    assert ids == [f"e{n}" for n in range(WORDS + 4)], "each event once, in order"
    assert stream.msg == msgfold.fold(events(reply_id, WORDS))
    return stream.reconnects


async def cut_off(client, kill, name):
    """Replies that begin one after another, and a kill in the middle of them."""
    chance = random.Random(name)
    replies = [
        asyncio.create_task(whole(client, f"{name}-{n}", chance.uniform(0, 0.5)))
        for n in range(AT_ONCE)
    ]
    await asyncio.sleep(chance.uniform(0.3, 0.9))
    await asyncio.to_thread(kill)
    return await asyncio.gather(*replies)


@pytest.mark.rule("replies.grpc.client", "replies.take-over", "replies.kept")
async def test_a_server_that_is_killed_and_started_again_loses_nothing(tmp_path):
    server = Server("steady", "--log", tmp_path / "r.db", "--lease", 0.3, **PACE)
    lost = []

    def kill():
        server.kill()
        server.process.stderr.close()
        server.start()

    with server:
        async with ReplyClient(server.target, retry=RETRY) as client:
            for number in range(KILLS):
                lost += await cut_off(client, kill, f"sqlite-{number}")
    assert len(lost) == KILLS * AT_ONCE
    assert sum(map(bool, lost)) > len(lost) / 2, "most were cut off"


async def test_a_second_server_goes_on_for_the_first(redis_url):
    settings = ("--log", redis_url, "--lease", 0.3)
    servers = [Server("steady", *settings, **PACE) for _ in range(2)]
    lost = []
    with servers[0], servers[1]:
        async with ReplyClient([s.target for s in servers], retry=RETRY) as client:
            for number in range(KILLS):
                serving = next(s for s in servers if s.target == client.target)

                def kill(server=serving):
                    server.kill()
                    server.process.stderr.close()

                lost += await cut_off(client, kill, f"redis-{time.time_ns()}-{number}")
                await asyncio.to_thread(lambda server=serving: server.start().wait())
    assert len(lost) == KILLS * AT_ONCE
    assert sum(map(bool, lost)) > len(lost) / 2


VANISHING = """
import asyncio, sys
from msgfold.message import UserMsg
from msgfold.rpc import ReplyClient

async def main():
    async with ReplyClient(sys.argv[1]) as client:
        async for event in client.reply_stream(UserMsg("a", "r1")):
            print(event.id, flush=True)

asyncio.run(main())
"""


async def test_a_client_that_vanishes_takes_its_agent_along(tmp_path):
    taken = [await vanish(tmp_path / f"diary-{n}", tmp_path / f"{n}.db") for n in range(3)]
    assert min(taken) < 1, f"seconds until the agent was cancelled: {taken}"


async def vanish(diary, log):
    """Seconds from the death of a client to the end of its agent."""
    server = Server("steady", "--log", log, WORDS=1_000_000, DELAY=0.001, DIARY=diary)
    with server:
        command = [sys.executable, "-c", VANISHING, server.target]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
            for _ in range(20):
                client.stdout.readline()
            client.kill()
            began = time.monotonic()
            await eventually(lambda: "cancelled" in diary.read_text())
            return time.monotonic() - began


async def test_one_stuck_reader_among_five_hundred_replies(tmp_path):
    """The stuck one's reply would be 200 MB: its agent is held back, and nobody else."""
    server = Server("by_name", "--log", tmp_path / "r.db", "--linger", 30, WORDS=200, HUGE=200_000)
    with server:
        async with ReplyClient(server.target) as client:
            stuck = client.reply_stream(UserMsg("a", "huge")).batches()
            first = await anext(stuck)
            assert first[0].type == "REPLY_START"
            before = server.memory()

            async def read(number):
                stream = client.reply_stream(UserMsg("a", f"r{number}"), fold=True)
                async for _ in stream:
                    pass
                return stream.state, len(stream.msg.get_text_content())

            found = await asyncio.gather(*(read(n) for n in range(499)))
            assert set(found) == {(State.FINISHED, 200 * 8)}
            grown = server.memory() - before
            assert grown < 100 << 20, f"{grown >> 20} MiB"
            assert len(await anext(stuck)) > 0, "it goes on when it is read"
            await stuck.aclose()


async def test_sigterm_lets_a_reply_finish(tmp_path):
    server = Server("steady", "--log", tmp_path / "r.db", WORDS=100, DELAY=0.01)
    with server:
        async with ReplyClient(server.target) as client:
            stream = client.reply_stream(UserMsg("a", "r1"))
            reading = asyncio.create_task(_ids(stream))
            await eventually(lambda: stream.last_event_id)
            code = await asyncio.to_thread(server.terminate)
            assert code == 0
            assert len(await reading) == 104
            assert stream.reconnects == 0
            assert b"draining" in server.stderr
            assert b"Traceback" not in server.stderr


async def test_sigterm_hands_a_long_reply_to_the_next_server(tmp_path):
    settings = ("--log", tmp_path / "r.db", "--grace", 0.2, "--lease", 5)
    old, new = (Server("steady", *settings, **PACE) for _ in range(2))
    with old, new:
        async with ReplyClient([old.target, new.target], retry=RETRY) as client:
            stream = client.reply_stream(UserMsg("a", "r1"), linger=30)
            reading = asyncio.create_task(_ids(stream))
            await eventually(lambda: stream.last_event_id)
            assert await asyncio.to_thread(old.terminate) == 0
            assert await reading == [f"e{n}" for n in range(WORDS + 4)]
            assert stream.reconnects > 0


async def _ids(stream):
    return [event.id async for event in stream]
