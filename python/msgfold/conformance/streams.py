"""Random streams, for laws and for the comparison with the reference.

Events drawn one by one hardly ever meet: most deltas would find no block.  So a stream is a few
*stories*, each about one block or one tool call from its START on, interleaved at random, with
single events strewn in.  Ids come from a small pool, so that stories collide, and orphans,
duplicates and late answers are common.

A **plain** stream is what a server may send: every event is one that its schema takes.  An **odd**
one has what goes wrong besides, at most one fault in an event, because of several faults an
implementation may name any.

The same :class:`random.Random` gives the same stream, on every machine.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Json = dict[str, Any]

IDS = ("a", "a", "a", "a", "b", "", "__proto__")
PIECES = ("", "a", "b ", "\n", "é", "e\u0301", "字", "👍", "\u200d", "🏽", '"', "\\", "\u0000", "{")
MEDIA = ("image/png", "audio/pcm")
STATES = ("success", "error", "interrupted", "denied", "running")
METADATA: tuple[Json, ...] = ({}, {"k": [1, 1.5, None, {"": "é"}]}, {"__proto__": {"n": 10**15}})
URLS = ("https://example.com/a.png", "oss://bucket/k?q=1#f", "data:image/png;base64,QUJD")
NO_URLS = ("", "a.png", "//x")
NO_BASE64 = ("!", "QUI", "QUI=QUI=", "QUJD\n", "QR==", "-_-_")
OTHER = "r2"
"""The id of a reply that is not the one folded."""


class Streams:
    """Draws values, events and whole inputs of a fold.

    Args:
        random: where the choices come from.
        odd: whether things go wrong that no well-behaved server sends.
    """

    def __init__(self, random: Random, *, odd: bool = False) -> None:
        self._random = random
        self._odd = odd
        self._faultless = False

    # ------------------------------------------------------------ choices
    def pick(self, choices: Any) -> Any:
        """One of several, each as likely."""
        return choices[self._random.randrange(len(choices))]

    def chance(self, one_in: int) -> bool:
        """True one time in so many."""
        return self._random.randrange(one_in) == 0

    def fault(self, one_in: int) -> bool:
        """Whether something goes wrong here; never twice in one event, never in a plain stream."""
        if not self._odd or self._faultless or not self.chance(one_in):
            return False
        self._faultless = True
        return True

    # ------------------------------------------------------------ values
    def id(self) -> str:
        """A block's id."""
        return str(self.pick(IDS))

    def text(self) -> str:
        """A short text, as likely empty as odd."""
        return "".join(self.pick(PIECES) for _ in range(self._random.randrange(5)))

    def data(self) -> str:
        """Up to seven bytes as base64."""
        if self.fault(10):
            return str(self.pick(NO_BASE64))
        raw = bytes(self._random.randrange(256) for _ in range(self._random.randrange(8)))
        return base64.b64encode(raw).decode()

    def url(self) -> str:
        """An absolute URL."""
        return str(self.pick(NO_URLS if self.fault(10) else URLS))

    def tokens(self) -> Any:
        """A number of tokens, now and then more than 64 bits hold."""
        return self.pick(("7", 7.0, True) if self.fault(20) else (0, 1, 7, 2**40))

    def rules(self) -> list[Json]:
        """Rules that a person may be asked to agree to."""
        rule = {"tool_name": "t", "behavior": self.pick(("allow", "deny", "ask")), "source": "s"}
        return [{**rule, "rule_content": self.pick((None, "x"))}] * self._random.randrange(2)

    # ------------------------------------------------------------ blocks
    def text_block(self) -> Json:
        """A text block."""
        return {"type": "text", "text": self.text(), "id": self.id()}

    def nested(self) -> Any:
        """What a hint or a result holds: a text, or blocks."""
        if self.chance(2):
            return self.text()
        blocks = [self.text_block() for _ in range(self._random.randrange(3))]
        for block in blocks:
            if self._odd and self.chance(4):
                del block["id"]  # fold.hint, fold.external.result: it is named after its place
        return blocks

    def call(self, call_id: str) -> Json:
        """A tool call, as events about it carry it."""
        whole = {"type": "tool_call", "id": call_id, "name": "n", "input": self.text()}
        return {**whole, "suggested_rules": self.rules()}

    def result(self, call_id: str) -> Json:
        """A tool result that comes whole."""
        whole = {"type": "tool_result", "id": call_id, "name": "n", "output": self.nested()}
        vendor = {"x_vendor": [1]} if self._odd and self.chance(6) else {}
        return {**whole, "state": self.pick(STATES), "metadata": self.pick(METADATA), **vendor}

    def several(self, item: Callable[[str], Json], call_id: str) -> list[Json]:
        """One about the call itself, and now and then others."""
        others = [item(self.id())] if self.chance(3) else []
        if not self._odd:  # twice the same: AgentScope and the rules part there
            others = [other for other in others if other.get("id") != call_id]
        return [*others, item(call_id)] if self.chance(2) else [item(call_id), *others]

    # ------------------------------------------------------------ stories
    def block(self, kind: str, of: str) -> Iterator[Json]:
        """A text or thinking block, from its START on."""
        yield event(f"{kind}_BLOCK_START", block_id=of)
        while True:
            if not self.chance(8):
                yield event(f"{kind}_BLOCK_DELTA", block_id=of, delta=self.text())
            elif kind == "TEXT" and self.chance(2):
                yield event("TEXT_BLOCK_END", block_id=of, text=self.pick((None, "", self.text())))
            else:
                yield event(f"{kind}_BLOCK_END", block_id=of)

    def data_block(self, of: str) -> Iterator[Json]:
        """A data block, from its START on."""
        part = {"block_id": of, "media_type": self.pick(MEDIA)}
        yield event("DATA_BLOCK_START", **part)
        while True:
            part = {"block_id": of, "media_type": self.pick(MEDIA)}
            if not self.chance(8):
                yield event("DATA_BLOCK_DELTA", **part, data=self.data())
            elif self._odd and self.chance(2):
                yield event("DATA_BLOCK_DELTA", **part, url=self.url())
            else:
                yield event("DATA_BLOCK_END", block_id=of)

    def asked(self, of: str) -> Iterator[Json]:
        """A call that streams in, is asked about, is answered, is sent out."""
        yield event("TOOL_CALL_START", tool_call_id=of, tool_call_name="n")
        while True:
            kind = self._random.randrange(8)
            if kind < 3:
                yield event("TOOL_CALL_DELTA", tool_call_id=of, delta=self.text())
            elif kind == 3:
                yield event("TOOL_CALL_END", tool_call_id=of)
            elif kind == 4:
                yield event("REQUIRE_USER_CONFIRM", tool_calls=self.several(self.call, of))
            elif kind == 5:
                answers = self.several(self.answer, of)
                yield event("USER_CONFIRM_RESULT", confirm_results=answers)
            elif kind == 6:
                yield event("REQUIRE_EXTERNAL_EXECUTION", tool_calls=self.several(self.call, of))
            else:
                yield event("TOOL_RESULT_END", tool_call_id=of, state=self.pick(STATES))

    def answer(self, call_id: str) -> Json:
        """What a person says to a call."""
        return {"confirmed": self.chance(2), "tool_call": self.call(call_id)}

    def answered(self, of: str) -> Iterator[Json]:
        """A result that streams in, or comes whole from outside and goes on."""
        yield self.begun(of) if self.chance(2) else self.from_outside(of)
        while True:
            kind = self._random.randrange(6)
            part = {"tool_call_id": of, "block_id": self.id(), "media_type": self.pick(MEDIA)}
            if kind < 3:
                yield event("TOOL_RESULT_TEXT_DELTA", tool_call_id=of, delta=self.text())
            elif kind == 3:
                yield event("TOOL_RESULT_DATA_DELTA", **part, data=self.data())
            elif kind == 4:
                both = {"data": "QUJD"} if self.fault(6) else {}
                yield event("TOOL_RESULT_DATA_DELTA", **part, url=self.url(), **both)
            else:
                end = {"state": self.pick(STATES), "metadata": self.pick(METADATA)}
                yield event("TOOL_RESULT_END", tool_call_id=of, **end)

    def begun(self, of: str) -> Json:
        """The START of a result."""
        return event("TOOL_RESULT_START", tool_call_id=of, tool_call_name="n")

    def from_outside(self, of: str) -> Json:
        """A result that comes whole."""
        results = self.several(self.result, of)
        return event("EXTERNAL_EXECUTION_RESULT", execution_results=results)

    def single(self) -> Json:
        """An event that is about no block."""
        made: tuple[Callable[[], Json], ...] = (
            lambda: event("REPLY_START", session_id="s", name=self.text(), role="assistant"),
            lambda: event("REPLY_END", session_id="s"),
            lambda: event("REPLY_END", session_id="s", finished_reason="completed"),
            lambda: event("MODEL_CALL_START", model_name=self.text()),
            lambda: event(
                "MODEL_CALL_END", input_tokens=self.tokens(), output_tokens=self.tokens()
            ),
            lambda: event(
                "MODEL_CALL_END", input_tokens=1, output_tokens=2, cache_input_tokens=self.tokens()
            ),
            lambda: event("HINT_BLOCK", block_id=self.id(), hint=self.nested(), source=None),
            lambda: event("EXCEED_MAX_ITERS", name=self.text()),
            lambda: event("USER_INTERRUPT"),
            lambda: event("AUDIO_CHUNK", data="QUJD"),
            lambda: {"type": "CUSTOM", "name": self.text(), "value": self.pick(METADATA)},
        )
        made_at = self._random.randrange(len(made) if self._odd else len(made) - 2)
        return made[made_at]()

    # ------------------------------------------------------------ streams
    def story(self) -> Iterator[Json]:
        """The events of one block or call, at most eight; one in four without its opening."""
        of = self.id()
        told: Any = self.pick(
            (
                lambda: self.block("TEXT", of),
                lambda: self.block("THINKING", of),
                lambda: self.data_block(of),
                lambda: self.asked(of),
                lambda: self.answered(of),
            )
        )()
        length = 1 + self._random.randrange(8)
        if self.chance(4):
            next(told)
        for _ in range(length):
            yield next(told)

    def events(self) -> list[Json]:
        """Events of the reply ``r1``, with ids and times."""
        stories = [self.story() for _ in range(1 + self._random.randrange(4))]
        stories += [iter([self.single()]) for _ in range(self._random.randrange(4))]
        found: list[Json] = []
        while stories:
            self._faultless = False
            at = self._random.randrange(len(stories))
            told = next(stories[at], None)
            if told is None:
                stories.pop(at)
            else:
                found.append(self.stamped(told, len(found)))
        return found

    def stamped(self, told: Json, number: int) -> Json:
        """The event with its id and time, and with what goes wrong on the way."""
        stamps = {"id": f"e{number}", "created_at": f"2026-07-07T10:00:{number:02}"}
        if self._odd and self.chance(20):
            del stamps[self.pick(("id", "created_at"))]
        if self.chance(30) and "reply_id" in told:
            told = {**told, "reply_id": OTHER}
        whole = {**stamps, **told}
        if self.fault(30):
            name = self.pick(sorted(told))
            if self.chance(2):
                return {k: v for k, v in whole.items() if k != name}
            return {**whole, name: self.pick((None, 7, True, "x", [], {}, [7], {"a": 1}))}
        return whole

    def msg(self) -> Json:
        """A Msg to begin with: the assistant's, with blocks now and then."""
        self._faultless = True
        blocks = [self._block() for _ in range(self._random.randrange(4))] if self.chance(2) else []
        return {**EMPTY, "content": blocks, "metadata": self.pick(METADATA)}

    def _block(self) -> Json:
        kind = self._random.randrange(6)
        of = self.id()
        if kind == 0:
            return {"type": "thinking", "thinking": self.text(), "id": of}
        if kind == 1:
            source = {"type": "base64", "data": self.data(), "media_type": self.pick(MEDIA)}
            return {"type": "data", "id": of, "name": None, "source": source}
        if kind == 2:
            state = self.pick(("pending", "asking", "allowed", "submitted", "finished"))
            return {**self.call(of), "state": state}
        if kind == 3:
            return {**self.result(of), "output": self.text()}
        return self.text_block()

    def given(self) -> Json:
        """The input of a fold."""
        if self.chance(3):
            start = event("REPLY_START", session_id="s", name=self.text(), role="assistant")
            start = {"id": "e", "created_at": "2026-07-07T09:59:59", **start}
            found: Json = {"msg": None, "events": [start, *self.events()]}
        else:
            found = {"msg": self.msg(), "events": self.events()}
        if self._odd and self.chance(2):
            found["errors"] = "skip"
        return found


EMPTY: Json = {
    "name": "n",
    "content": [],
    "role": "assistant",
    "id": "r1",
    "metadata": {},
    "created_at": "2026-07-07T09:59:59",
    "finished_at": None,
    "usage": None,
}
"""A Msg without anything in it."""


def event(kind: str, **members: Any) -> Json:
    """An event of the reply ``r1``, without its id and time."""
    return {"type": kind, "reply_id": "r1", **members}
