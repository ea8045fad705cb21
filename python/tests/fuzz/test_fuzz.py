"""Whatever comes over the wire ends in a value or in a typed error: no crash, hang or growth.

``make test`` tries some thousand inputs, ``make fuzz`` a hundred thousand.  A failure names its
number; ``MSGFOLD_FUZZ_ONLY`` tries that one alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import msgfold
import pytest
from google.protobuf.message import DecodeError
from msgfold.conformance.corpus import load
from msgfold.errors import MsgfoldError
from msgfold.http import create_app
from msgfold.replies import Replies, ServiceCode, ServiceError
from msgfold.replies.sqlite_log import SqliteLog
from msgfold.rpc import ReplyClient, ReplyServer
from msgfold.v1 import reply_service_pb2 as pb
from msgfold.v1.agent_event_pb2 import AgentEvent
from msgfold.v1.msg_pb2 import Msg
from msgfold.validate import validate_value
from msgfold.wire import SseDecoder
from msgfold.wire.proto import decode_proto, to_proto
from mutations import altered, mutated

NUMBER = int(os.environ.get("MSGFOLD_FUZZ", "3000"))
ONLY = os.environ.get("MSGFOLD_FUZZ_ONLY")
HANGS = 120
"""Seconds after which an input is taken to hang, on however slow a machine."""
GROWTH = 64 << 20
"""Bytes by which the process may grow once it is warm."""

RECORDINGS = Path(__file__).parents[3] / "conformance" / "recordings"


# ---------------------------------------------------------------------- what was good
def _values():
    """Events and Msgs that protobuf can hold."""
    found = {"AgentEvent": [], "Msg": []}
    for case in load():
        given = [("AgentEvent", event) for event in case.input.get("events", [])]
        given += [("Msg", msg) for msg in (case.input.get("msg"), case.expect.get("msg")) if msg]
        for definition, value in given:
            if not validate_value(value, definition):
                try:
                    to_proto(value, definition, ignore_unknown=True)
                except MsgfoldError:
                    continue
                found[definition].append(value)
    return found


def _proto(value, definition):
    return to_proto(value, definition, ignore_unknown=True)


def _corpus():
    """Target to good inputs of it."""
    values = _values()
    events = [_proto(event, "AgentEvent") for event in values["AgentEvent"]]
    chance = Random(1)
    batches = []
    for _ in range(200):
        response = pb.StreamReplyResponse(state=chance.randrange(6))
        response.events.extend(chance.sample(events, 4))
        batches.append(response.SerializeToString())
    requests = []
    for msg in values["Msg"]:
        request = pb.StreamReplyRequest(session_id="s", request_id="q")
        request.messages.items.append(_proto(msg, "Msg"))
        request.linger.seconds = 3
        requests.append(request.SerializeToString())
    requests += [pb.StreamReplyRequest(answer=event).SerializeToString() for event in events]
    streams = []
    for recording in sorted(RECORDINGS.glob("*/*.ndjson")):
        lines = recording.read_bytes().splitlines()[:60]
        streams.append(b"".join(b"data: %s\n\n" % line for line in lines))
        named = (
            b"id: %d\r\nevent: %s\r\ndata: %s\r\n\r\n"
            % (number, json.loads(line)["type"].encode(), line)
            for number, line in enumerate(lines)
        )
        streams.append(b"".join(named))
    bodies = [json.dumps({"messages": [msg], "session_id": "s"}) for msg in values["Msg"]]
    bodies += [json.dumps({"answer": event}) for event in values["AgentEvent"]]
    return {
        "event": [event.SerializeToString() for event in events],
        "msg": [_proto(msg, "Msg").SerializeToString() for msg in values["Msg"]],
        "batch": batches,
        "stream": streams,
        "request": requests,
        "body": [body.encode() for body in bodies],
    }


KINDS = {
    "event": AgentEvent,
    "msg": Msg,
    "batch": pb.StreamReplyResponse,
    "request": pb.StreamReplyRequest,
}
"""Target to the message that it is, where it is one."""


# ---------------------------------------------------------------------- who reads it
def _read_proto(definition):
    def read(data, chance):
        value = decode_proto(data, definition)
        assert validate_value(value, definition) == [], "what is given is valid"
        again = to_proto(value, definition).SerializeToString()
        assert decode_proto(again, definition) == value

    return read


def _read_batch(data, chance):
    """What a server sends, as the client takes it."""
    client = ReplyClient("localhost:1", on_diagnostic=lambda _: None)
    stream = client.reply_stream("hi", fold=True)
    for event in stream._taken(data):
        assert event.model_dump_json()


def _read_stream(data, chance):
    """A stream, its bytes cut anywhere: the same frames as in one piece."""
    whole = SseDecoder()
    frames = whole.feed(data)
    rest = whole.close()
    cut, found, at = SseDecoder(), [], 0
    while at < len(data):
        size = chance.choice((1, 2, 7, 100, 5000))
        found += cut.feed(data[at : at + size])
        at += size
    assert (found, cut.close()) == (frames, rest)
    folder = msgfold.Folder(on_diagnostic=lambda _: None)
    refused = None
    for frame in frames:
        try:
            folder.feed_text(frame.data, line=frame.line)
        except MsgfoldError as error:
            refused = error
    for msg in folder.close():
        text = msg.model_dump_json()
        assert msgfold.parse_msg(text).model_dump_json() == text
    if refused is not None:
        raise refused


TAKEN = {ServiceCode.AGENT_FAILED, ServiceCode.UNKNOWN_REPLY, ServiceCode.NOT_WAITING}
"""What becomes of a request that is one: there is no agent, and no reply to answer."""


class Service:
    """What takes requests; its agents cannot be made, so that nothing is kept."""

    def __init__(self):
        def factory(session_id):
            raise RuntimeError("the request was taken")

        self._loop = asyncio.new_event_loop()
        self._replies = Replies(factory, SqliteLog(":memory:"))
        self._loop.run_until_complete(self._replies.open())
        self._grpc = ReplyServer(self._replies)
        transport = httpx.ASGITransport(create_app(self._replies))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://here")

    def take_request(self, data, chance):
        """As gRPC hands it over, once protobuf has read it."""
        try:
            request = pb.StreamReplyRequest.FromString(data)
        except DecodeError:
            raise ServiceError(ServiceCode.INVALID_REQUEST, "gRPC itself refuses it") from None
        with pytest.raises(ServiceError) as refused:
            self._loop.run_until_complete(self._grpc._start(request, ""))
        if refused.value.code is ServiceCode.INVALID_REQUEST:
            raise refused.value
        assert refused.value.code in TAKEN

    def take_body(self, data, chance):
        headers = {"Content-Type": "application/json"}
        asked = self._client.post("/replies", content=data, headers=headers)
        found = self._loop.run_until_complete(asked)
        error = found.json()["error"]
        if error["code"] == "invalid_request":
            assert found.status_code == 400
            raise ServiceError(ServiceCode.INVALID_REQUEST, error["message"])
        assert error["code"] in TAKEN, found.text

    def close(self):
        self._loop.run_until_complete(self._client.aclose())
        self._loop.run_until_complete(self._replies.close())
        self._loop.close()


# ---------------------------------------------------------------------- the test
def memory():
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def no_hang(what):
    def late(*_):
        raise AssertionError(f"{what} hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def readers(caplog):
    logging.getLogger("msgfold.replies").setLevel(logging.CRITICAL)  # each agent that is not made
    service = Service()
    yield {
        "event": _read_proto("AgentEvent"),
        "msg": _read_proto("Msg"),
        "batch": _read_batch,
        "stream": _read_stream,
        "request": service.take_request,
        "body": service.take_body,
    }
    service.close()
    logging.getLogger("msgfold.replies").setLevel(logging.NOTSET)


def test_mutated_bytes_give_a_value_or_a_typed_error(readers):
    corpus = _corpus()
    assert all(len(good) > 30 for good in corpus.values())
    for target, good in corpus.items():
        for data in good[:20] if target not in {"request", "body"} else ():
            readers[target](data, Random(0))  # as it was, it is good
    targets = list(readers)
    outcome, warm = Counter(), None
    for number in [int(ONLY)] if ONLY else range(NUMBER):
        chance = Random(number)
        target = targets[number % len(targets)]
        kind = KINDS.get(target)
        if kind is not None and chance.random() < 0.5:
            data = altered(kind.FromString(chance.choice(corpus[target])), chance)
        else:
            data = mutated(corpus[target], chance)
        what = f"number {number} ({target}): {data!r}"
        with no_hang(what):
            try:
                readers[target](data, chance)
                outcome[target, "read"] += 1
            except (MsgfoldError, ServiceError):
                outcome[target, "refused"] += 1
            except Exception as error:
                raise AssertionError(f"{type(error).__name__} at {what}") from error
        if number == NUMBER // 3 and not ONLY:
            warm = memory()
    if warm is not None:
        grown = memory() - warm
        assert grown < GROWTH, f"{grown >> 20} MiB"
        print(f"\n{NUMBER} inputs, grown by {grown >> 10} KiB since a third of them: {outcome}")
        for target in targets:
            assert outcome[target, "read"], f"{target}: some survive their change"
            assert outcome[target, "refused"], f"{target}: some do not"
