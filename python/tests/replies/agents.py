"""Agents for tests: each does one thing, in the same way every time."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from pathlib import Path

from msgfold.event import (
    ReplyEndEvent,
    ReplyStartEvent,
    RequireUserConfirmEvent,
    TextBlockDeltaEvent,
    TextBlockEndEvent,
    TextBlockStartEvent,
    ToolCallDeltaEvent,
    ToolCallStartEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
)
from msgfold.message import ToolCallBlock, UserMsg
from msgfold.replies.scripted import ScriptedAgent
from msgfold.types import ReplyFinishedReason

HELLO = UserMsg("alice", "hello", id="m1", created_at="t")


async def eventually(check, within=30):
    """Wait until something holds; ``check`` may be a coroutine function."""
    until = time.monotonic() + within
    while True:
        found = check()
        if await found if inspect.isawaitable(found) else found:
            return
        assert time.monotonic() < until, f"not within {within} s: {inspect.getsource(check)}"
        await asyncio.sleep(0.01)


def events(reply_id, words, *, size=8):
    """A whole reply of so many deltas, the same for the same arguments."""
    envelope = {"created_at": "2026-07-07T10:00:00.000000", "metadata": {}, "reply_id": reply_id}
    yield ReplyStartEvent(id="e0", session_id="s", name="friday", **envelope)
    yield TextBlockStartEvent(id="e1", block_id="b", **envelope)
    for n in range(words):
        yield TextBlockDeltaEvent(
            id=f"e{n + 2}", block_id="b", delta=f"{n:0{size - 1}} ", **envelope
        )
    yield TextBlockEndEvent(id=f"e{words + 2}", block_id="b", **envelope)
    yield ReplyEndEvent(id=f"e{words + 3}", session_id="s", **envelope)


class Steady:
    """Says so many words, one at a time, and can go on where another one died.

    What it does when it is cancelled stands in ``log``.
    """

    def __init__(self, words=100, delay=0.0, *, size=8, log=None):
        self.words, self.delay, self.size = words, delay, size
        self.log = log if log is not None else []
        self.yielded = 0

    async def reply_stream(self, inputs):
        reply_id = inputs.get_text_content()
        async for event in self._play(reply_id, 0):
            yield event

    async def resume_stream(self, messages, events_so_far):
        reply_id = messages[0].get_text_content()
        async for event in self._play(reply_id, len(events_so_far)):
            yield event

    async def _play(self, reply_id, skip):
        self.log.append("started")
        try:
            for position, event in enumerate(events(reply_id, self.words, size=self.size)):
                if position >= skip:
                    yield event
                    self.yielded += 1
                    await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.log.append("cancelled")
            yield ReplyEndEvent(
                id="stopped",
                reply_id=reply_id,
                session_id="s",
                finished_reason=ReplyFinishedReason.INTERRUPTED,
            )
        finally:
            self.log.append("ended")


class NotResumable:
    """A reply that only lives in memory."""

    def __init__(self, delay=0.01):
        self.delay = delay

    async def reply_stream(self, inputs):
        for event in events(inputs.get_text_content(), 100):
            yield event
            await asyncio.sleep(self.delay)


class Failing:
    """Raises after so many events; before the first, it refuses."""

    def __init__(self, after, error=None):
        self.after, self.error = after, error or RuntimeError("secret: hunter2")

    async def reply_stream(self, inputs):
        for position, event in enumerate(events("failing", 10)):
            if position == self.after:
                raise self.error
            yield event


class Diary(list):
    """A log in a file, for another process to read."""

    def append(self, word):
        with Path(os.environ.get("DIARY", os.devnull)).open("a") as file:
            print(word, file=file)


def steady(session_id):
    """For ``msgfold serve agents.py:steady``; what it is to say is in the environment."""
    words, delay = int(os.environ.get("WORDS", 100)), float(os.environ.get("DELAY", 0))
    return Steady(words, delay, log=Diary())


class ByName(Steady):
    """Says much when it is told ``huge``."""

    async def reply_stream(self, inputs):
        if inputs.get_text_content() == "huge":
            self.words, self.size = int(os.environ["HUGE"]), 1000
        async for event in super().reply_stream(inputs):
            yield event


def by_name(session_id):
    return ByName(int(os.environ.get("WORDS", 100)))


class Asking:
    """Asks about two calls in two questions, as AgentScope does, and takes the answers together.

    Its texts try to do more to a terminal than to be read.
    """

    async def reply_stream(self, inputs):
        if getattr(inputs, "type", "") == "USER_CONFIRM_RESULT":
            if len(inputs.confirm_results) != 2:
                raise ValueError("both calls want an answer")
            said = " and ".join("yes" if r.confirmed else "no" for r in inputs.confirm_results)
            for event in self._text("e9", f"{said}."):
                yield event
            yield ReplyEndEvent(id="e13", reply_id="asking", session_id="s")
            return
        yield ReplyStartEvent(id="e0", reply_id="asking", session_id="s", name="eve")
        for event in self._text("e1", "\x1b[2J\u202e[bold]:x:"):
            yield event
        for position, call_id in enumerate(("c1", "c2")):
            given = {"tool_call_id": call_id, "reply_id": "asking"}
            call = ToolCallBlock(id=call_id, name="rm", input=f'"{call_id}\x1b[1A"')
            number = 4 + 3 * position
            yield ToolCallStartEvent(id=f"e{number}", tool_call_name="rm", **given)
            yield ToolCallDeltaEvent(id=f"e{number + 1}", delta=call.input, **given)
            yield RequireUserConfirmEvent(id=f"e{number + 2}", reply_id="asking", tool_calls=[call])

    def _text(self, name, text):
        given = {"block_id": name, "reply_id": "asking"}
        yield TextBlockStartEvent(id=f"{name}a", **given)
        yield TextBlockDeltaEvent(id=f"{name}b", delta=text, **given)
        yield TextBlockEndEvent(id=f"{name}c", **given)


def asking(session_id):
    return Asking()


def refusing(session_id):
    raise RuntimeError("secret: hunter2")


def failing(session_id):
    return Failing(3)


def hurried(session_id):
    """The built-in agent, without its pauses."""
    return ScriptedAgent(delay=0)


def not_resumable(session_id):
    """Its reply dies with the server."""
    return NotResumable(float(os.environ.get("DELAY", 0.01)))


class Unspeakable(Steady):
    """Most of its events have an id that an event stream cannot carry.

    Every ``spoken`` events there is one that it can; 0: never.
    """

    def __init__(self, words, spoken):
        super().__init__(words)
        self.spoken = spoken

    async def reply_stream(self, inputs):
        position = 0
        async for event in super().reply_stream(inputs):
            if not self.spoken or position % self.spoken:
                event = event.model_copy(update={"id": f"{event.id}\n"})
            yield event
            position += 1


def unspeakable(session_id):
    return Unspeakable(int(os.environ["WORDS"]), int(os.environ["SPOKEN"]))


class Doing:
    """Asks ``asks`` times, and takes ``delay`` seconds to do what it was allowed to.

    Args:
        asks: how often.
        delay: seconds.
        done: what it has begun to do, the ids of the answers.
    """

    def __init__(self, asks=1, delay=0.0, done=None):
        self.asks, self.delay = asks, delay
        self.done = done if done is not None else []
        self.waiting = False

    async def reply_stream(self, inputs):
        if not hasattr(inputs, "reply_id"):
            async for event in self._opening(inputs.get_text_content()):
                yield event
            return
        if not self.waiting:
            raise ValueError("waiting for nothing")
        if not hasattr(inputs, "confirm_results"):
            raise ValueError("a yes or a no is wanted")
        async for event in self._do(inputs):
            yield event

    async def resume_stream(self, messages, events_so_far):
        if hasattr(events_so_far[-1], "confirm_results"):
            async for event in self._do(events_so_far[-1]):
                yield event

    async def _opening(self, reply_id):
        yield next(events(reply_id, 1))
        async for event in self._ask(reply_id, 1):
            yield event

    async def _do(self, answer):
        self.waiting = False
        self.done.append(answer.id)
        await asyncio.sleep(self.delay)
        number = int(answer.confirm_results[0].tool_call.id)
        given = {"reply_id": answer.reply_id, "tool_call_id": str(number)}
        yield ToolResultStartEvent(id=f"start{number}", tool_call_name="rm", **given)
        yield ToolResultEndEvent(id=f"end{number}", state="success", **given)
        if number < self.asks:
            async for event in self._ask(answer.reply_id, number + 1):
                yield event
        else:
            yield ReplyEndEvent(id="end", reply_id=answer.reply_id, session_id="s")

    async def _ask(self, reply_id, number):
        self.waiting = True
        call = ToolCallBlock(id=str(number), name="rm", input="{}")
        yield ToolCallStartEvent(
            id=f"call{number}", reply_id=reply_id, tool_call_id=call.id, tool_call_name="rm"
        )
        yield RequireUserConfirmEvent(id=f"ask{number}", reply_id=reply_id, tool_calls=[call])
