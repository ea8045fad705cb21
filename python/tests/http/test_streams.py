"""A reply's events over HTTP: their form, and each event once wherever a connection is cut."""

from __future__ import annotations

import asyncio
import json

import msgfold
import pytest
from agents import NotResumable, Steady, events, eventually, hurried
from msgfold.replies import Limits, State
from web import QUICK, frames, ids, saying, values

pytestmark = pytest.mark.anyio

SSE = {"Accept": "text/event-stream"}
NDJSON = {"Accept": "application/x-ndjson"}


def written(reply_id, words):
    return [event.model_dump(mode="json") for event in events(reply_id, words)]


@pytest.mark.rule("replies.http.sse")
async def test_an_event_has_its_id_its_type_and_its_json(web):
    server = await web(lambda _: Steady(1))
    found = await server.client.post("/replies", json=saying("r1"), headers=SSE)
    assert found.status_code == 200
    assert found.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert found.headers["cache-control"] == "no-store"
    first, *_ = written("r1", 1)
    blocks = found.text.split("\n\n")
    data = json.dumps(first, separators=(",", ":"))
    assert blocks[0] == f"id: e0\nevent: REPLY_START\ndata: {data}"
    assert [block.split("\n")[1] for block in blocks[:-2]] == [
        f"event: {event['type']}" for event in written("r1", 1)
    ]
    assert blocks[-2:] == [": finished", ""], "a comment says where the reply stands"


@pytest.mark.rule("replies.http.sse")
async def test_a_reader_that_knows_only_data_lines_reads_all(web):
    """As AgentScope's own clients do: ``data:`` lines, whatever else there is."""
    server = await web(lambda _: Steady(50))
    request = server.client.stream("POST", "/replies", json=saying("r1"), headers=SSE)
    async with request as response:
        found = [
            json.loads(line[len("data: ") :])
            async for line in response.aiter_lines()
            if line.startswith("data: ")
        ]
    assert found == written("r1", 50)
    assert msgfold.fold(found) == msgfold.fold(events("r1", 50))


@pytest.mark.rule("replies.http.ndjson")
async def test_whoever_asks_for_the_head_only_gets_that_and_no_stream(web):
    server = await web(lambda _: Steady(1_000_000, 0.01))
    started = await server.start("hi")
    answer = await server.client.head(started["events"])
    assert server.replies._streams[""] == 0
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


async def test_ndjson_is_one_event_a_line(web):
    server = await web(lambda _: Steady(50))
    found = await server.client.post("/replies", json=saying("r1"), headers=NDJSON)
    assert found.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in found.text.splitlines()] == written("r1", 50)
    assert msgfold.fold_ndjson(found.content) == msgfold.fold(events("r1", 50))
    again = await server.client.get("/replies/r1/events", headers=NDJSON | {"Last-Event-ID": "e51"})
    assert [json.loads(line)["id"] for line in again.text.splitlines()] == ["e52", "e53"]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "text/event-stream"),
        ("text/html, TEXT/EVENT-STREAM;q=0.9", "text/event-stream"),
        ("application/x-ndjson, text/event-stream", "application/x-ndjson"),
        ("application/json", "text/event-stream"),
    ],
)
async def test_the_first_form_that_is_accepted_is_sent(web, accept, kind):
    server = await web(lambda _: Steady(1))
    await server.start("r1")
    found = await server.client.get("/replies/r1/events", headers={"Accept": accept})
    assert found.headers["content-type"].startswith(kind)


@pytest.mark.rule("replies.http.resume", "replies.once")
async def test_every_place_can_be_resumed_from_by_header_and_by_query(web):
    server = await web(lambda _: Steady(30))
    await server.start("r1")
    whole = await server.client.get("/replies/r1/events")
    assert "id: e33\n" in whole.text
    for n in range(33):
        by_header = {"headers": SSE | {"Last-Event-ID": f"e{n}"}}
        for asked in (by_header, {"params": {"after": f"e{n}"}, "headers": SSE}):
            async with server.client.stream("GET", "/replies/r1/events", **asked) as response:
                assert ids(await frames(response)) == [f"e{k}" for k in range(n + 1, 34)]


async def test_an_unknown_place_is_an_error_that_says_what_to_do(web):
    server = await web(lambda _: Steady(3))
    await server.start("r1")
    found = await server.client.get("/replies/r1/events", headers={"Last-Event-ID": "e99"})
    assert found.status_code == 410
    error = found.json()["error"]
    assert error["code"] == "unknown_event"
    assert "from the beginning" in error["message"]


async def test_who_is_cut_off_while_it_runs_gets_each_event_once(web):
    server = await web(lambda _: Steady(300, 0.002))
    await server.start("r1", linger_seconds=30)
    seen = []
    for limit in (20, 50, 10, None):
        headers = SSE | {"Last-Event-ID": seen[-1] if seen else ""}
        request = server.client.stream("GET", "/replies/r1/events", headers=headers)
        async with request as response:
            seen += ids(await frames(response, limit))
    assert seen == [f"e{n}" for n in range(304)]


@pytest.mark.rule("replies.http.end")
async def test_who_has_all_of_it_is_told_to_stop_asking(web):
    """204 ends an ``EventSource``, which would come back for ever."""
    server = await web(lambda _: Steady(3))
    await server.start("r1")
    whole = await server.client.get("/replies/r1/events", headers=SSE)
    assert whole.status_code == 200
    done = await server.client.get("/replies/r1/events", headers=SSE | {"Last-Event-ID": "e6"})
    assert (done.status_code, done.content) == (204, b"")
    almost = await server.client.get("/replies/r1/events", headers=SSE | {"Last-Event-ID": "e5"})
    assert almost.status_code == 200


@pytest.mark.rule("replies.http.sse")
async def test_event_ids_are_any_text(web):
    """Browsers send them back in UTF-8; one that SSE cannot carry is left out."""
    names = ["a b", "é", "会話", "😀", "x\ny", "last"]

    class Named:
        async def reply_stream(self, inputs):
            for event, name in zip(events("r1", 2), names, strict=True):
                yield event.model_copy(update={"id": name})

    server = await web(lambda _: Named())
    await server.start("r1")
    async with server.client.stream("GET", "/replies/r1/events", headers=SSE) as response:
        found = await frames(response)
    assert [value["id"] for value in values(found)] == names
    assert ids(found) == ["a b", "é", "会話", "😀", "😀", "last"], "the one before still stands"
    for position, name in enumerate(names[:4]):
        headers = [(b"Accept", b"text/event-stream"), (b"Last-Event-ID", name.encode())]
        async with server.client.stream("GET", "/replies/r1/events", headers=headers) as response:
            rest = values(await frames(response))
        assert [value["id"] for value in rest] == names[position + 1 :]


@pytest.mark.parametrize(
    "reply_id", ["a b", "a/b", "a?b#c", "100%", "会話", "a%2Fb", "x.y~z", "a\nb\n"]
)
async def test_reply_ids_are_any_text(web, reply_id):
    server = await web(lambda _: Steady(2))
    made = await server.start(reply_id)
    assert made["reply_id"] == reply_id
    found = await server.client.get(made["events"], headers=NDJSON)
    assert [json.loads(line) for line in found.text.splitlines()] == written(reply_id, 2)
    again = await server.client.post("/replies", json=saying(reply_id, request_id="q"))
    assert again.status_code in {201, 502}
    where = made["events"].removesuffix("/events")
    assert (await server.client.get(where)).json()["reply_id"] == reply_id


@pytest.mark.rule("replies.http.heartbeat")
async def test_a_silent_stream_shows_that_it_lives(web):
    server = await web(hurried, heartbeat=0.02)
    made = await server.start("hello")
    beats, found = 0, b""
    async with server.client.stream("GET", made["events"], headers=SSE) as response:
        async for chunk in response.aiter_bytes():
            found += chunk
            beats += chunk.count(b":\n\n")
            if beats >= 5:
                break
    assert b"REQUIRE_USER_CONFIRM" in found
    beats = 0
    follow = {"params": {"follow": "true"}, "headers": NDJSON}
    async with server.client.stream("GET", made["events"], **follow) as response:
        async for line in response.aiter_lines():
            beats += not line
            if beats >= 5:
                break


@pytest.mark.rule("replies.http.resume")
async def test_ndjson_ends_where_the_reply_waits_and_sse_stays(web):
    server = await web(hurried)
    made = await server.start("hello")
    whole = await server.client.get(made["events"], headers=NDJSON)
    question = json.loads(whole.text.splitlines()[-1])
    assert question["type"] == "REQUIRE_USER_CONFIRM"
    not_followed = {"params": {"follow": "false"}, "headers": SSE}
    short = await server.client.get(made["events"], **not_followed)
    assert short.text.endswith(": waiting_confirmation\n\n")
    answer = {
        "type": "USER_CONFIRM_RESULT",
        "reply_id": made["reply_id"],
        "confirm_results": [{"confirmed": False, "tool_call": question["tool_calls"][0]}],
    }
    async with server.client.stream("GET", made["events"], headers=SSE) as response:
        so_far = len(whole.text.splitlines())
        following = asyncio.create_task(frames(response, so_far + 2))
        given = await server.client.post("/replies", json={"answer": answer}, headers=NDJSON)
        kinds = [json.loads(line)["type"] for line in given.text.splitlines()]
        assert kinds[0] == "USER_CONFIRM_RESULT"
        assert kinds[-1] == "REQUIRE_EXTERNAL_EXECUTION"
        seen = [value["type"] for value in values(await following)]
        assert seen[so_far : so_far + 2] == kinds[:2], "who stayed sees the answer and what follows"


async def test_a_slow_reader_holds_back_its_own_agent_and_no_other(web):
    agents = {}

    def factory(session_id):
        return agents.setdefault(session_id, Steady(100_000, size=1000))

    server = await web(factory, limits=Limits(window=64 << 10))
    request = server.client.stream(
        "POST",
        "/replies",
        json=saying("stuck", session_id="stuck", linger_seconds=0.05),
        headers=SSE,
    )
    async with request as response:
        stuck = response.aiter_bytes()
        await anext(stuck)
        free = saying("free", session_id="free", linger_seconds=0)
        async with server.client.stream("POST", "/replies", json=free, headers=SSE) as other:
            assert len(await frames(other, 30_000)) >= 30_000
        held = agents["stuck"].yielded
        # What fits into the buffers of two sockets, and the window: a few MB of a hundred.
        assert held < 20_000, held
        async for _ in stuck:
            if agents["stuck"].yielded > held + 1000:
                break  # it is read on, and its agent goes on
    # Its server was in the middle of sending when it left.
    await eventually(lambda: agents["stuck"].log == ["started", "cancelled", "ended"])
    await eventually(lambda: server.replies._streams[""] == 0)


async def test_who_leaves_takes_the_agent_along(web):
    agent = Steady(1_000_000, 0.001)
    server = await web(lambda _: agent)
    body = saying("r1", linger_seconds=0.05)
    async with server.client.stream("POST", "/replies", json=body, headers=SSE) as response:
        await frames(response, 5)
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])
    await eventually(lambda: server.replies._streams[""] == 0)


async def test_who_leaves_before_the_first_event_takes_the_agent_along_too(web):
    """The connection is gone before the answer has begun, so no body is ever asked for."""
    gone = asyncio.Event()
    log = []

    class Hesitating(Steady):
        async def reply_stream(self, inputs):
            log.append("asked")
            await gone.wait()
            async for event in super().reply_stream(inputs):
                yield event

    agent = Hesitating(1_000_000, 0.001)
    server = await web(lambda _: agent)
    body = saying("r1", linger_seconds=0.05)
    asking = asyncio.create_task(server.client.post("/replies", json=body, headers=SSE))
    await eventually(lambda: log)
    asking.cancel()
    await asyncio.wait([asking])
    await eventually(lambda: not server._server.server_state.connections)
    gone.set()
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])
    await eventually(lambda: server.replies._streams[""] == 0)


async def test_a_reply_that_breaks_off_says_why_in_a_comment(web):
    class Breaking:
        async def reply_stream(self, inputs):
            for event in list(events("r1", 3))[:3]:
                yield event
            raise RuntimeError("secret: hunter2")

    server = await web(lambda _: Breaking())
    found = await server.client.post("/replies", json=saying("r1"), headers=SSE)
    assert "id: e2\n" in found.text
    assert found.text.endswith(": broken_off\n\n: agent_failed\n\n")
    assert "hunter2" not in found.text
    state = (await server.client.get("/replies/r1")).json()
    assert (state["state"], state["last_event_id"]) == ("broken_off", "e2")


async def test_an_agent_goes_on_until_a_client_of_post_comes_for_the_events(web):
    server = await web(lambda _: NotResumable(), limits=QUICK)
    await server.start("r1")

    async def finished():
        return (await server.replies.find("", "r1")).state is State.FINISHED

    await eventually(finished)
    found = await server.client.get("/replies/r1/events", headers=NDJSON)
    assert len(found.text.splitlines()) == 104
