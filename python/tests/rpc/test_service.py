"""The service over a real connection: what the client, and the server, say when it is wrong."""

from __future__ import annotations

import asyncio

import grpc
import msgfold
import pytest
import trustme
from agents import HELLO, Failing, Steady, events, eventually, hurried
from clients import collect, refused, say
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from msgfold.event import TextBlockDeltaEvent
from msgfold.replies import Limits, Replies, State
from msgfold.replies.auth import Tokens
from msgfold.rpc import (
    ClientTls,
    ReplyClient,
    ReplyServer,
    Retry,
    ServerTls,
    SyncReplyClient,
    confirm,
    executed,
    interrupt,
)
from msgfold.rpc.status import error_of
from msgfold.v1 import reply_service_pb2 as pb
from serving import free_port

pytestmark = pytest.mark.anyio


async def test_a_reply_with_a_person_and_an_executor_in_it(serve):
    async with ReplyClient(await serve(hurried)) as client:
        stream = client.reply_stream("hello", fold=True)
        seen = await collect(stream)
        assert stream.state is State.WAITING_CONFIRMATION
        for answer in (
            lambda question: confirm(question, True, rules=True),
            lambda question: executed(question, {"call_2": "clicked"}),
        ):
            stream = client.reply_stream(answer(seen[-1]), msg=stream.msg)
            seen += await collect(stream)
        assert stream.state is State.FINISHED
        assert stream.msg == msgfold.fold(seen, on_diagnostic=lambda _: None)
        assert stream.msg.get_content_blocks("tool_result")[-1].output[0].text == "clicked"
        reply = await client.get(stream.reply_id)
        assert (reply.msg, reply.state) == (stream.msg, State.FINISHED)
        assert reply.last_event_id == seen[-1].id
        assert await collect(client.resume(stream.reply_id)) == seen


async def test_an_interrupt_ends_what_waits(serve):
    async with ReplyClient(await serve(hurried)) as client:
        stream = client.reply_stream("hello", fold=True)
        await collect(stream)
        rest = client.reply_stream(interrupt(stream.reply_id), msg=stream.msg)
        assert (await collect(rest))[-1].finished_reason == "interrupted"
        assert rest.state is State.FINISHED


async def test_who_is_refused_leaves_the_reply_as_it_was(serve):
    async with ReplyClient(await serve(hurried)) as client:
        *_, question = await collect(client.reply_stream("hello"))
        wrong = interrupt(question.reply_id).model_copy(update={"reply_id": "r9"})
        with refused("unknown_reply"):
            await collect(client.reply_stream(wrong))
        wrong = executed(question, {"call_1": "clicked"})
        with refused("not_waiting"):
            await collect(client.reply_stream(wrong))
        assert (await client.get(question.reply_id)).state is State.WAITING_CONFIRMATION
        stream = client.reply_stream(confirm(question))
        await collect(stream)
        assert stream.state is State.WAITING_EXECUTION


@pytest.mark.rule("replies.grpc.client")
async def test_leaving_the_loop_cancels_the_agent(serve):
    agent = Steady(1_000_000, 0.001)
    # It would go on for a minute without a reader: it is the client's word that stops it.
    target = await serve(lambda _: agent, limits=Limits(linger=60))
    async with ReplyClient(target) as client:
        async for event in client.reply_stream(say("r1")):
            if event.id == "e20":
                break
        await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


async def test_a_cancelled_task_cancels_the_agent(serve):
    agent = Steady(1_000_000, 0.001)
    async with ReplyClient(await serve(lambda _: agent, limits=Limits(linger=60))) as client:
        reading = asyncio.create_task(collect(client.reply_stream(say("r1"))))
        await eventually(lambda: agent.yielded > 20)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


async def test_who_only_resumed_and_leaves_stops_nobody(serve):
    agent = Steady(300, 0.002)
    async with ReplyClient(await serve(lambda _: agent)) as client:
        starting = client.reply_stream(say("r1"))
        reading = asyncio.create_task(collect(starting))
        await eventually(lambda: starting.last_event_id)
        async for _ in client.resume("r1"):
            break
        assert [e.id for e in await reading] == [f"e{n}" for n in range(304)]
        await eventually(lambda: agent.log == ["started", "ended"])


async def test_who_follows_stays_while_it_waits(serve):
    async with ReplyClient(await serve(hurried)) as client:
        first = client.reply_stream("hello")
        seen = await collect(first)
        following = asyncio.create_task(
            collect(client.resume(first.reply_id, seen[-1].id, follow=True))
        )
        second = await collect(client.reply_stream(confirm(seen[-1], True)))
        third = await collect(client.reply_stream(executed(second[-1], {"call_2": "clicked"})))
        assert await following == second + third


async def test_a_cursor_may_be_any_event(serve):
    async with ReplyClient(await serve(lambda _: Steady(20))) as client:
        whole = await collect(client.reply_stream(say("r1")))
        for position, event in enumerate(whole):
            assert await collect(client.resume("r1", event.id)) == whole[position + 1 :]
        with refused("unknown_event", "e77"):
            await collect(client.resume("r1", "e77"))


@pytest.mark.rule("replies.grpc.error")
async def test_errors_say_what_and_where(serve):
    async with ReplyClient(await serve(lambda _: Failing(0, ValueError("not now")))) as client:
        with refused("unknown_reply", "r9"):
            await client.get("r9")
        with refused("unknown_reply", "r9"):
            await client.cancel("r9")
        with refused("agent_refused", "not now"):
            await collect(client.reply_stream("hello"))
        no_answer = TextBlockDeltaEvent(reply_id="r1", block_id="b", delta="x")
        with refused("invalid_request", "TEXT_BLOCK_DELTA is no answer") as caught:
            await collect(client.reply_stream(no_answer))
        assert caught.value.pointer == "/answer/type"
        with refused("invalid_request", "no message"):
            await collect(client.reply_stream([]))


async def test_a_fault_of_the_servers_own_keeps_its_words(serve, monkeypatch, caplog):
    caplog.set_level("CRITICAL", "msgfold.rpc")

    async def broken(*_, **__):
        raise RuntimeError("secret: hunter2")

    for name in ("get", "resume"):
        monkeypatch.setattr(Replies, name, broken)
    async with ReplyClient(await serve(hurried)) as client:
        for ask in (client.get("r1"), collect(client.resume("r1"))):
            with refused("internal") as caught:
                await ask
            assert "hunter2" not in str(caught.value)


async def test_what_no_schema_allows_is_refused_with_its_place(serve):
    target = await serve(hurried)
    async with grpc.aio.insecure_channel(target) as channel:
        call = channel.unary_stream(
            "/msgfold.v1.ReplyService/StreamReply",
            request_serializer=pb.StreamReplyRequest.SerializeToString,
            response_deserializer=pb.StreamReplyResponse.FromString,
        )
        no_role, no_event = pb.StreamReplyRequest(), pb.StreamReplyRequest()
        no_role.messages.items.add(id="m", name="alice")
        no_event.answer.id = "e"
        for wrong, says in (
            (no_role, "role"),
            (no_event, "AgentEvent is empty"),
            (pb.StreamReplyRequest(), "no input"),
        ):
            with pytest.raises(grpc.aio.AioRpcError, match=says) as caught:
                async for _ in call(wrong):
                    pass
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("sent", [b"\xff\xff\xff", b"\x0a\x02\xff\xfe", b"\x0a\x7f"])
@pytest.mark.parametrize("method", ["StreamReply", "ResumeReply", "GetReply", "CancelReply"])
async def test_what_is_no_request_is_refused(serve, method, sent):
    async with grpc.aio.insecure_channel(await serve(hurried)) as channel:
        kind = channel.unary_stream if method[:2] in {"St", "Re"} else channel.unary_unary
        call = kind(f"/msgfold.v1.ReplyService/{method}")(sent)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await (call.read() if kind == channel.unary_stream else call)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert error_of(caught.value, "").code == "invalid_request"


@pytest.mark.rule("replies.grpc.error")
@pytest.mark.parametrize("text", ["x" * 100_000, "会" * 100_000, "\ud800", "\0\n"])
async def test_words_of_others_reach_the_client_whatever_they_are(serve, text):
    async with ReplyClient(await serve(lambda _: Failing(0, ValueError(text)))) as client:
        with refused("agent_refused") as caught:
            await collect(client.reply_stream("hello"))
        assert len(caught.value.reason.encode()) <= 1000
        if text.isprintable() and len(text) > 9:
            with refused("unknown_reply", text[:9]):
                await client.get(text)


async def test_a_deadline_is_the_callers(serve):
    async with ReplyClient(await serve(lambda _: Steady(1_000_000, 0.01))) as client:
        with refused("deadline", "timeout"):
            await collect(client.reply_stream(say("r1"), timeout=0.5))


async def test_nobody_there_is_an_error_that_names_the_address():
    target = f"127.0.0.1:{free_port()}"
    async with ReplyClient(target, retry=Retry(first_contact=0.2)) as client:
        with refused("unavailable", target):
            await client.get("r1")
        with refused("unavailable", target):
            await collect(client.reply_stream("hello"))


@pytest.mark.parametrize(
    ("theirs", "ours", "whose"), [(1000, 1 << 20, "the server's"), (1 << 20, 1000, "the client's")]
)
async def test_a_message_that_is_too_large_names_the_limit(serve, theirs, ours, whose):
    target = await serve(lambda _: Steady(1), limits=Limits(max_message=theirs))
    async with ReplyClient(target, max_message=ours) as client:
        with refused("too_large", f"{whose} max_message of 1000"):
            await collect(client.reply_stream("x" * 2000))


async def test_an_event_that_is_too_large_for_either_side_names_whose(serve):
    agent = Steady(3, size=50_000)
    target = await serve(lambda _: agent, limits=Limits(max_message=20_000))
    async with ReplyClient(target) as client:
        with refused("too_large", "e2.*server sends at most 20000"):
            await collect(client.reply_stream(say("r1")))
    target = await serve(lambda _: Steady(3, size=50_000))
    async with ReplyClient(target, max_message=20_000) as client:
        with refused("too_large", "the client's max_message of 20000"):
            await collect(client.reply_stream(say("r2")))


@pytest.mark.rule("replies.grpc.size", "replies.batch")
async def test_events_that_gathered_are_sent_apart_where_the_limit_asks_for_it(serve):
    target = await serve(lambda _: Steady(3000), limits=Limits(max_message=5000))
    async with ReplyClient(target, max_message=5000) as client:
        whole = await collect(client.reply_stream(say("r1")))
        assert [e.id for e in whole] == [f"e{n}" for n in range(3004)]
        assert await collect(client.resume("r1", "e1500")) == whole[1501:]


async def test_a_reply_larger_than_a_message_streams_all_the_same(serve):
    target = await serve(lambda _: Steady(200, size=10_000), limits=Limits(max_message=100_000))
    async with ReplyClient(target, max_message=100_000) as client:
        stream = client.reply_stream(say("r1"), fold=True)
        await collect(stream)
        assert len(stream.msg.get_text_content()) == 2_000_000
        assert len(await collect(client.resume("r1"))) == 204
        with refused("too_large", "the Msg is 2.* bytes"):
            await client.get("r1")


@pytest.mark.rule("replies.tokens", "replies.principal", "replies.secrets")
async def test_tokens(serve, caplog):
    tokens = Tokens({"alice": "alice's secret", "bob": "bob's secret"})
    target = await serve(lambda _: Steady(3), tokens=tokens)
    async with ReplyClient(target, token="alice's secret") as alice:
        whole = await collect(alice.reply_stream(say("r1")))
        async with ReplyClient(target, token="bob's secret") as bob:
            for ask in (bob.get("r1"), bob.cancel("r1"), collect(bob.resume("r1"))):
                with refused("unknown_reply"):
                    await ask
            with refused("unknown_reply"):
                await collect(bob.reply_stream(interrupt("r1")))
        assert await collect(alice.resume("r1")) == whole
    for wrong in (None, "", "alice's secre", "alice's secret!", "bob"):
        async with ReplyClient(target, token=wrong) as nobody:
            with refused("unauthenticated", "authorization: Bearer TOKEN"):
                await nobody.get("r1")
            with refused("unauthenticated"):
                await collect(nobody.reply_stream("hello"))
    assert "secret" not in caplog.text


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    """A certificate authority's files: its own, a server's and a client's."""
    folder = tmp_path_factory.mktemp("tls")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    for name, made in (
        ("server", authority.issue_cert("localhost")),
        ("alice", authority.issue_cert("alice@example.org", common_name="alice")),
        ("bob", authority.issue_cert("bob@example.org", common_name="bob")),
        ("nobody", authority.issue_cert("nobody@example.org")),
    ):
        made.private_key_pem.write_to_path(folder / f"{name}.key")
        for blob in made.cert_chain_pems:
            blob.write_to_path(folder / f"{name}.pem", append=True)
    return folder


async def test_tls(serve, papers):
    tls = ServerTls(papers / "server.pem", papers / "server.key")
    target = await serve(lambda _: Steady(3), tls=tls)
    async with ReplyClient(target, tls=ClientTls(papers / "ca.pem")) as client:
        assert len(await collect(client.reply_stream(say("r1")))) == 7
    brief = Retry(first_contact=0.2)
    for settings in ({}, {"tls": ClientTls()}):
        async with ReplyClient(target, retry=brief, **settings) as stranger:
            with refused("unavailable", target):
                await stranger.get("r1")


@pytest.mark.rule("replies.principal")
async def test_mutual_tls_knows_who_asks(serve, papers):
    tls = ServerTls(papers / "server.pem", papers / "server.key", papers / "ca.pem")
    target = await serve(lambda _: Steady(3), tls=tls)

    def client(name):
        shown = ClientTls(papers / "ca.pem", papers / f"{name}.pem", papers / f"{name}.key")
        return ReplyClient(target, tls=shown)

    async with client("alice") as alice, client("bob") as bob:
        await collect(alice.reply_stream(say("r1")))
        assert (await alice.get("r1")).state is State.FINISHED
        with refused("unknown_reply"):
            await bob.get("r1")
    async with client("nobody") as nobody:
        for ask in (nobody.get("r1"), collect(nobody.reply_stream(say("r2")))):
            with refused("unauthenticated", "names nobody"):
                await ask
    bare = ReplyClient(target, tls=ClientTls(papers / "ca.pem"), retry=Retry(first_contact=0.2))
    async with bare:
        with refused("unavailable"):
            await bare.get("r1")


@pytest.mark.rule("replies.door")
@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "example.org:1", ":0"])
def test_no_door_is_left_open(address):
    with pytest.raises(ValueError, match="open to the network"):
        ReplyServer(None, address)
    assert ReplyServer(Replies(hurried, None), address, insecure=True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"max_message": 0}, "max_message"), ({"max_message": 1 << 31}, "max_message")]
    + [({"keepalive": each}, "keepalive") for each in (0, -1, float("nan"))],
)
def test_what_cannot_be_set_is_an_error(settings, said):
    with pytest.raises(ValueError, match=said):
        ReplyClient("localhost:1", **settings)
    assert ReplyClient("localhost:1", keepalive=float("inf"))


async def test_a_port_that_is_taken_is_an_error(serve):
    port = (await serve(hurried)).rpartition(":")[2]
    server = ReplyServer(Replies(hurried, None), f"127.0.0.1:{port}")
    with pytest.raises(OSError, match="cannot be listened on"):
        await server.start()


@pytest.mark.rule("replies.grpc.health")
async def test_health_and_reflection(serve):
    async with grpc.aio.insecure_channel(await serve(hurried)) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", "msgfold.v1.ReplyService"):
            found = await health.Check(health_pb2.HealthCheckRequest(service=service))
            assert found.status == health_pb2.HealthCheckResponse.SERVING
        asked = reflection_pb2.ServerReflectionRequest(list_services="")
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        (answer,) = [each async for each in stub.ServerReflectionInfo(iter([asked]))]
        names = {each.name for each in answer.list_services_response.service}
        assert "msgfold.v1.ReplyService" in names


async def test_with_tokens_there_is_no_reflection(serve):
    target = await serve(hurried, tokens=Tokens({"alice": "secret"}))
    async with grpc.aio.insecure_channel(target) as channel:
        asked = reflection_pb2.ServerReflectionRequest(list_services="")
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            [each async for each in stub.ServerReflectionInfo(iter([asked]))]
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_without_an_event_loop(serve):
    agent = Steady(100, 0.002)
    target = await serve(lambda session: hurried(session) if session == "human" else agent)

    def talk():
        with SyncReplyClient(target) as client:
            stream = client.reply_stream("hello", session_id="human", fold=True)
            *_, question = stream
            assert stream.state is State.WAITING_CONFIRMATION
            rest = client.reply_stream(confirm(question, False), msg=stream.msg)
            assert [event.type for event in rest][-1] == "REQUIRE_EXTERNAL_EXECUTION"
            assert client.get(stream.reply_id).msg == rest.msg
            assert client.cancel(stream.reply_id) is State.FINISHED
            for event in client.reply_stream(say("r1")):
                if event.id == "e5":
                    break
            with refused("unknown_reply"):
                client.get("r9")

    await asyncio.to_thread(talk)
    await eventually(lambda: agent.log == ["started", "cancelled", "ended"])


async def test_what_is_folded_is_what_was_said(serve):
    async with ReplyClient(await serve(lambda _: Steady(50))) as client:
        stream = client.reply_stream(say("r1"), fold=True)
        batches = [batch async for batch in stream.batches()]
        assert [e for batch in batches for e in batch] == list(events("r1", 50))
        assert stream.msg == msgfold.fold(events("r1", 50))


async def test_two_sessions_are_two_agents_and_one_is_one(serve):
    made = []

    def factory(name):
        made.append(name)
        return Steady(1)

    async with ReplyClient(await serve(factory)) as client:
        for name, session in (("r1", "s"), ("r2", "s"), ("r3", "t")):
            await collect(client.reply_stream(say(name), session_id=session))
    assert made == ["s", "t"]
    assert HELLO.name == "alice"
