"""The reply service against a bare gRPC stream of the same events, over loopback.

Servers have processes of their own, and take turns.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from msgfold.message import UserMsg
from msgfold.rpc import ReplyClient
from msgfold.v1.agent_event_pb2 import AgentEvent
from replies_source import EVENTS

SOURCE = Path(__file__).with_name("replies_source.py")
WARM = 50
"""Lone events that are not counted."""


@dataclass(frozen=True)
class Service:
    """What was measured: the medians of the rounds, or the best of each.

    Attributes:
        bare: events a second of a bare stream, a message each.
        each: events a second of the service, taken one by one.
        batches: the same, taken in batches.
        bare_latency: seconds from a lone event's making to its arrival over a bare stream.
        latency: the same of the service.
    """

    bare: float
    each: float
    batches: float
    bare_latency: float
    latency: float

    @property
    def added(self) -> float:
        """Seconds that the service adds to a lone event."""
        return self.latency - self.bare_latency

    @property
    def times(self) -> float:
        """How many times the events a second of a bare stream."""
        return max(self.each, self.batches) / self.bare


def measure_replies(rounds: int = 5, *, best: bool = False) -> Service:
    """All of it, in turns.

    Args:
        rounds: measurements of each.
        best: take the best of each, where something else may be using the machine.
    """
    return asyncio.run(_measure(rounds, best))


async def _measure(rounds: int, best: bool) -> Service:
    rates: dict[str, list[float]] = {"bare": [], "each": [], "batches": []}
    late: dict[str, list[float]] = {"bare": [], "ours": []}
    middle = statistics.median
    async with _bare() as bare, _ours("eager") as eager, _ours("lone") as lone:
        for number in range(rounds + 1):  # the first is to warm up
            rates["bare"].append(await _rate(bare("eager")))
            for kind in ("each", "batches"):
                stream = eager.reply_stream(UserMsg("bench", f"{kind}-{number}"))
                rates[kind].append(await _rate(stream if kind == "each" else stream.batches()))
            late["bare"].append(middle(await _late(bare("lone"))))
            stream = lone.reply_stream(UserMsg("bench", f"r{number}"))
            late["ours"].append(middle(await _late(stream)))
    rate, delay = (max, min) if best else (middle, middle)
    return Service(
        **{kind: rate(found[1:]) for kind, found in rates.items()},
        bare_latency=delay(late["bare"][1:]),
        latency=delay(late["ours"][1:]),
    )


async def _rate(stream: AsyncIterator[object]) -> float:
    """Events a second, from the request to the last one."""
    began = time.perf_counter()
    async for _ in stream:
        pass
    return EVENTS / (time.perf_counter() - began)


async def _late(stream: AsyncIterator[object]) -> list[float]:
    """Seconds from the making of each event to its arrival."""
    found = []
    async for event in stream:
        now = time.monotonic_ns()
        inner = event.text_block_delta if isinstance(event, AgentEvent) else event
        made = getattr(inner, "delta", "")
        if made:
            found.append((now - int(made)) / 1e9)
    return found[WARM:]


@asynccontextmanager
async def _bare() -> AsyncIterator[object]:
    command = [sys.executable, str(SOURCE)]
    with _process(command) as process:
        assert process.stdout is not None
        port = int(await asyncio.to_thread(process.stdout.readline))
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield lambda name: channel.unary_stream(
                f"/bare/{name}", response_deserializer=AgentEvent.FromString
            )(b"")


@asynccontextmanager
async def _ours(factory: str) -> AsyncIterator[ReplyClient]:
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
        command = [sys.executable, "-m", "msgfold", "serve", f"{SOURCE}:{factory}"]
        log = str(Path(folder) / "replies.db")
        with _process([*command, "--grpc", target, "--http", "off", "--log", log]):
            async with ReplyClient(target) as client:
                yield client


@contextmanager
def _process(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


if __name__ == "__main__":
    found = measure_replies()
    print(f"{found}\ntimes a bare stream: {found.times:.1f}, added: {found.added * 1e3:.2f} ms")
