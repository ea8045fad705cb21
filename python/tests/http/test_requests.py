"""Requests: what is answered, who may ask, and what is said to one that is wrong."""

from __future__ import annotations

import asyncio
import json

import msgfold
import pytest
from agents import Steady, events, eventually, hurried
from msgfold.replies import Limits
from msgfold.replies.auth import Tokens
from msgfold.replies.log import LogDownError
from web import frames, saying

pytestmark = pytest.mark.anyio

SSE = {"Accept": "text/event-stream"}
NDJSON = {"Accept": "application/x-ndjson"}
ALICE, BOB = ({"Authorization": f"Bearer {token}"} for token in ("alices", "bobs"))
TOKENS = Tokens({"alice": "alices", "bob": "bobs"})


def lines(response):
    return [json.loads(line) for line in response.text.splitlines()]


async def test_a_reply_from_the_first_word_to_the_last(web):
    """A person and an executor in it, and the Msg at every stop."""
    server = await web(hurried)
    made = await server.start("hello", session_id="s1")
    where = f"/replies/{made['reply_id']}"
    assert made == {"reply_id": made["reply_id"], "session_id": "s1", "events": f"{where}/events"}
    first = lines(await server.client.get(made["events"], headers=NDJSON))
    state = (await server.client.get(where)).json()
    assert (state["state"], state["last_event_id"]) == ("waiting_confirmation", first[-1]["id"])
    assert state["msg"]["content"][-1]["state"] == "asking"
    yes = {
        "type": "USER_CONFIRM_RESULT",
        "reply_id": made["reply_id"],
        "confirm_results": [{"confirmed": True, "tool_call": first[-1]["tool_calls"][0]}],
    }
    second = lines(await server.client.post("/replies", json={"answer": yes}, headers=NDJSON))
    assert (second[0]["type"], second[-1]["type"]) == (
        "USER_CONFIRM_RESULT",
        "REQUIRE_EXTERNAL_EXECUTION",
    )
    clicked = {"type": "tool_result", "id": "call_2", "name": "c", "output": "clicked"}
    result = {
        "type": "EXTERNAL_EXECUTION_RESULT",
        "reply_id": made["reply_id"],
        "execution_results": [{**clicked, "state": "success"}],
    }
    answer = await server.client.post("/replies", json={"answer": result})
    assert answer.status_code == 201
    assert answer.headers["location"] == where
    after = {"headers": NDJSON | {"Last-Event-ID": second[-1]["id"]}}
    third = lines(await server.client.get(made["events"], **after))
    assert third[-1]["type"] == "REPLY_END"
    state = (await server.client.get(where)).json()
    assert state["state"] == "finished"
    folded = msgfold.fold([*first, *second, *third], on_diagnostic=lambda _: None)
    assert state["msg"] == msgfold.dump(folded)


async def test_delete_stops_what_runs(web):
    agent = Steady(1_000_000, 0.001)
    server = await web(lambda _: agent)
    await server.start("r1")
    async with server.client.stream("GET", "/replies/r1/events", headers=SSE) as response:
        await frames(response, 5)
        found = await server.client.delete("/replies/r1")
        assert (found.status_code, found.json()) == (200, {"reply_id": "r1", "state": "finished"})
    assert agent.log == ["started", "cancelled", "ended"]
    again = await server.client.delete("/replies/r1")
    assert again.json() == {"reply_id": "r1", "state": "finished"}


async def test_a_request_that_is_sent_again_joins_the_first(web):
    server = await web(lambda _: Steady(50, 0.001))
    body = saying("r1", request_id="q")
    asked = (server.client.post("/replies", json=body, headers=NDJSON) for _ in range(5))
    found = await asyncio.gather(*asked)
    assert {answer.text for answer in found} == {found[0].text}
    assert len(lines(found[0])) == 54


# ---------------------------------------------------------------------- who may ask
async def test_a_token_is_asked_for(web):
    server = await web(lambda _: Steady(3), tokens=TOKENS)
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic alices"}):
        for method, path in (
            ("POST", "/replies"),
            ("GET", "/replies/r1"),
            ("GET", "/replies/r1/events"),
            ("DELETE", "/replies/r1"),
        ):
            found = await server.client.request(method, path, headers=headers)
            assert found.status_code == 401, (method, path)
            assert found.headers["www-authenticate"] == "Bearer"
            assert found.json()["error"]["code"] == "unauthenticated"
            assert "Bearer TOKEN" in found.json()["error"]["message"]
    assert (await server.client.get("/healthz")).json() == {"status": "serving"}
    assert (await server.client.get("/openapi.json")).status_code == 200


async def test_a_strangers_reply_is_not_there(web):
    server = await web(lambda _: Steady(3), tokens=TOKENS)
    made = await server.client.post("/replies", json=saying("r1"), headers=ALICE)
    assert made.status_code == 201
    stop = {"answer": {"type": "USER_INTERRUPT", "reply_id": "r1"}}
    for reply_id in ("r1", "r2"):
        for method, path, body in (
            ("GET", f"/replies/{reply_id}", None),
            ("GET", f"/replies/{reply_id}/events", None),
            ("DELETE", f"/replies/{reply_id}", None),
            ("POST", "/replies", {"answer": stop["answer"] | {"reply_id": reply_id}}),
        ):
            found = await server.client.request(method, path, headers=BOB, json=body)
            assert found.status_code == 404
            said = found.json()["error"]["message"].replace(reply_id, "R")
            assert said.startswith("no reply 'R'"), "nothing tells the two apart"
    assert (await server.client.get("/replies/r1", headers=ALICE)).status_code == 200


async def test_pages_of_chosen_origins_may_read(web):
    server = await web(lambda _: Steady(3), cors_origins=["https://app.example"])
    ours, theirs = ({"Origin": o} for o in ("https://app.example", "https://evil.example"))
    await server.start("r1")
    found = await server.client.get("/replies/r1/events", headers=SSE | ours)
    assert found.headers["access-control-allow-origin"] == "https://app.example"
    found = await server.client.get("/replies/r1/events", headers=SSE | theirs)
    assert "access-control-allow-origin" not in found.headers
    ask = {
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization, content-type, last-event-id",
    }
    found = await server.client.options("/replies/r1", headers=ours | ask)
    assert found.status_code == 200
    assert "DELETE" in found.headers["access-control-allow-methods"]
    assert (await server.client.options("/replies/r1", headers=theirs | ask)).status_code == 400


@pytest.mark.rule("replies.http.body")
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]
)
async def test_a_page_cannot_start_a_reply_behind_the_browsers_back(web, kind):
    """Kinds that a browser sends to anybody without asking first are not taken."""
    agent = Steady(3)
    server = await web(lambda _: agent)
    body = json.dumps(saying("r1"))
    found = await server.client.post("/replies", content=body, headers={"Content-Type": kind})
    assert found.status_code == 400
    assert "application/json" in found.json()["error"]["message"]
    assert agent.log == []
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    found = await server.client.post("/replies", content=body, headers=headers)
    assert found.status_code == 201


# ---------------------------------------------------------------------- what is wrong
TEXT = {"role": "user", "name": "a", "content": [{"type": "text", "text": "hi"}]}
STOP = {"type": "USER_INTERRUPT", "reply_id": "r9"}


@pytest.mark.rule("replies.http.error", "replies.input")
@pytest.mark.parametrize(
    ("body", "pointer", "said"),
    [
        ("", None, "JSON"),
        ("{", None, "(column 2)"),
        ('{"messages": [], "messages": []}', "/messages", "messages"),
        ('{"a": NaN}', "/a", "a number that is not finite"),
        ('"\\ud800"', "", "surrogate"),
        ("[" * 200 + "]" * 200, "", "128"),
        (b"\xff", None, "UTF-8"),
        ("[]", "", "no JSON object"),
        ("{}", "", "either messages or an answer"),
        ({"messages": [TEXT], "answer": STOP}, "", "either messages or an answer"),
        ({"messages": "hi"}, "/messages", "messages"),
        ({"messages": []}, "/messages", "no message"),
        ({"messages": [TEXT, "hi"]}, "/messages/1", "object"),
        ({"messages": [5]}, "/messages/0", "object"),
        ({"messages": [{**TEXT, "role": "robot"}]}, "/messages/0/role", "robot"),
        ({"messages": [{**TEXT, "content": [{"type": "text"}]}]}, "/messages/0/content/0", "text"),
        ({"messages": [TEXT], "session_id": 5}, "/session_id", "session_id"),
        ({"messages": [TEXT], "linger_seconds": -1}, "/linger_seconds", "linger_seconds"),
        ({"messages": [TEXT], "linger_seconds": True}, "/linger_seconds", "linger_seconds"),
        ({"messages": [TEXT], "from_the_future": 1}, "/from_the_future", "session_id"),
        ({"answer": 5}, "/answer", "answer"),
        ({"answer": {"type": "REPLY_END"}}, "/answer", "is missing"),
        ({"answer": {**STOP, "type": "NO_SUCH"}}, "/answer/type", "NO_SUCH"),
        (
            {"answer": {"type": "REPLY_END", "reply_id": "r", "session_id": "s"}},
            "/answer/type",
            "expected USER_CONFIRM_RESULT",
        ),
        (
            {"answer": {"type": "USER_CONFIRM_RESULT", "reply_id": "r", "confirm_results": [{}]}},
            "/answer/confirm_results/0",
            "is missing",
        ),
    ],
)
async def test_a_body_that_is_wrong_has_an_error_with_its_place(web, body, pointer, said):
    server = await web(hurried)
    content = body if isinstance(body, str | bytes) else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    found = await server.client.post("/replies", content=content, headers=headers)
    assert found.status_code == 400, found.text
    error = found.json()["error"]
    assert error["code"] == "invalid_request"
    assert said in error["message"]
    assert error.get("pointer", None) == pointer or error["pointer"].startswith(f"{pointer}/")


async def test_an_answer_that_nobody_waits_for(web):
    server = await web(lambda _: Steady(3))
    found = await server.client.post("/replies", json={"answer": STOP})
    assert (found.status_code, found.json()["error"]["code"]) == (404, "unknown_reply")
    await server.start("r1")
    await server.client.get("/replies/r1/events", headers=NDJSON)
    answer = {"type": "USER_CONFIRM_RESULT", "reply_id": "r1", "confirm_results": []}
    found = await server.client.post("/replies", json={"answer": answer})
    assert (found.status_code, found.json()["error"]["code"]) == (409, "not_waiting")
    assert "'r1' is finished" in found.json()["error"]["message"]


@pytest.mark.parametrize("follow", ["maybe", "", "2"])
async def test_a_query_that_is_wrong_is_an_error(web, follow):
    server = await web(lambda _: Steady(3))
    await server.start("r1")
    found = await server.client.get("/replies/r1/events", params={"follow": follow})
    assert (found.status_code, found.json()["error"]["code"]) == (400, "invalid_request")
    assert "true or false" in found.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("PUT", "/replies/r1", 405), ("GET", "/replies", 405)],
)
async def test_what_is_not_there_is_an_error_like_the_others(web, method, path, status):
    server = await web(hurried)
    found = await server.client.request(method, path)
    assert found.status_code == status
    assert found.json()["error"]["code"] == "invalid_request"
    assert "/openapi.json" in found.json()["error"]["message"]
    assert ("allow" in found.headers) == (status == 405)


async def test_a_fault_of_the_server_itself_is_one_too_and_tells_nothing(web, monkeypatch):
    server = await web(hurried)

    async def broken(*_):
        raise RuntimeError("secret: hunter2")

    monkeypatch.setattr(server.replies, "get", broken)
    found = await server.client.get("/replies/r1")
    assert (found.status_code, found.json()["error"]["code"]) == (500, "internal")
    assert "hunter2" not in found.text


async def test_a_log_that_is_away_is_one_that_may_be_asked_again(web, monkeypatch):
    async def away(*_):
        raise LogDownError("Redis does not answer: hunter2")

    server = await web(hurried)
    monkeypatch.setattr(server.replies.log, "find", away)
    for ask in (server.client.get("/replies/r1"), server.client.get("/replies/r1/events")):
        found = await ask
        assert (found.status_code, found.json()["error"]["code"]) == (503, "unavailable")
        assert "hunter2" not in found.text


async def test_an_agent_that_cannot_be_made_or_refuses(web):
    server = await web(lambda _: object())
    found = await server.client.post("/replies", json=saying("hi"))
    assert (found.status_code, found.json()["error"]["code"]) == (502, "agent_failed")


# ---------------------------------------------------------------------- limits
async def test_a_body_is_bounded(web):
    server = await web(hurried, limits=Limits(max_message=10_000))
    for content in (b" " * 10_001, b'{"messages": ["' + b"x" * 5_000_000):
        headers = {"Content-Type": "application/json"}
        found = await server.client.post("/replies", content=content, headers=headers)
        assert (found.status_code, found.json()["error"]["code"]) == (413, "too_large")
        assert "max_message" in found.json()["error"]["message"]
    assert (await server.client.post("/replies", json=saying("hi"))).status_code == 201


async def test_streams_and_replies_are_bounded(web):
    limits = Limits(max_streams=2, max_replies=3)
    server = await web(lambda _: Steady(1_000_000, 0.01), limits=limits)
    for n in range(3):
        await server.start(f"r{n}")
    found = await server.client.post("/replies", json=saying("r3"))
    assert (found.status_code, found.json()["error"]["code"]) == (429, "too_many_replies")

    def reading(n):
        return server.client.stream("GET", f"/replies/r{n}/events", headers=SSE)

    async with reading(0), reading(0):
        found = await server.client.get("/replies/r1/events")
        assert (found.status_code, found.json()["error"]["code"]) == (429, "too_many_streams")
    await eventually(lambda: server.replies._streams[""] == 0)
    async with reading(1) as response:
        assert response.status_code == 200


async def test_a_server_that_is_about_to_stop_says_so(web):
    server = await web(lambda _: Steady(1_000_000, 0.01))
    await server.start("r1")
    async with server.client.stream("GET", "/replies/r1/events", headers=SSE) as response:
        reading = asyncio.create_task(frames(response))
        await server.replies.drain()
        seen = await reading
    found = await server.client.post("/replies", json=saying("r2"))
    assert (found.status_code, found.json()["error"]["code"]) == (503, "draining")
    assert [frame.last_event_id for frame in seen] == [e.id for e in events("r1", len(seen))][
        : len(seen)
    ]
