"""Shrinking: from a stream that fails to the fewest events and the smallest values that still do.

What is tried, in this order, as long as something gets smaller:

1. the stream begins later, with the reference's Msg of that moment: often one event is left;
2. events are left out, in halves, then quarters, and so on (Zeller's *ddmin*);
3. blocks of the Msg to begin with are left out, likewise;
4. values: a text becomes empty or half as long, a number 0, a list or an object loses a member.

A smaller input counts only when it fails in the same way: the same part of the answer is wrong, at
a place of the same kind, and the reference refuses as much or as little as before.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from msgfold.conformance import made, reference
from msgfold.conformance.compare import members_of
from msgfold.conformance.prefix import Ask
from msgfold.conformance.runner import Result, judge
from msgfold.errors import MsgfoldError

Json = dict[str, Any]
Way = tuple[Any, ...]
"""How an input fails."""

BUDGET = 1500
"""How many smaller inputs are tried at most."""

SECONDS = 30.0
"""How long is tried at most: one that hangs on an input takes its whole time for each."""

_KEPT = frozenset({"type", "id", "created_at", "reply_id", "role"})
"""Members that are never left out: without them it is another story (``fold.missing-stamp``)."""

_WORDS = frozenset({"type", "role", "state", "behavior", "created_at"})
"""Members whose text is a word or a time, which has no half; nor has an id."""


def judged(given: Json, revision: str, testee: Ask, features: frozenset[str]) -> Result:
    """The implementation's answer to an input, held against the reference's.

    Raises:
        MsgfoldError: the Msg to begin with is none.
        BrokenTesteeError: there is no testee left to ask.
    """
    return judge(made.case(given, revision), revision, testee, features=features)


def way_of(result: Result) -> Way:
    """How a result fails: what of two results is the same when one fault is behind them."""
    place = re.sub(r"/\d+", "/*", result.difference.pointer) if result.difference else ""
    return result.outcome, result.what, place, result.case.expect.get("error", {}).get("code")


def shrink(
    given: Json,
    revision: str,
    testee: Ask,
    features: frozenset[str],
    *,
    budget: int = BUDGET,
    seconds: float = SECONDS,
) -> Json:
    """The smallest input found that fails as ``given`` does.

    Args:
        given: the input of a fold that fails.
        revision: the release to judge by.
        testee: what answers.
        features: what it can beyond folding one reply.
        budget: how many smaller inputs are tried at most.
        seconds: how long is tried at most.

    Raises:
        BrokenTesteeError: there is no testee left to ask.
    """
    # The event is asked for once, at the end: halving prefixes for every try would be dear.
    plain = features - {"steps"}

    def way(tried: Json) -> Way | None:
        try:
            case = made.case(tried, revision)
        except MsgfoldError:
            return None
        result = judge(case, revision, testee, features=plain, locate=False)
        return None if result.outcome == "passed" else way_of(result)

    return _Shrinking(given, revision, way, budget, time.monotonic() + seconds).run()


class _Shrinking:
    """One search.  ``best`` is the smallest input so far that fails in the same way."""

    def __init__(
        self,
        given: Json,
        revision: str,
        way: Callable[[Json], Way | None],
        budget: int,
        until: float,
    ) -> None:
        self._revision = revision
        self._way = way
        self._wanted = way(given)
        self._left = budget
        self._until = until
        self.best = given

    def run(self) -> Json:
        """Shrink until nothing gets smaller, or the budget is spent."""
        if self._wanted is None or "events" not in self.best:
            return self.best
        before = None
        while before != self.best and self._may_go_on():
            before = self.best
            self._begin_later()
            self._leave_out("events")
            if self.best["msg"]:
                self._leave_out("msg", "content")
            for simpler in (self._without_options, self._smaller_values):
                simpler()
        return self.best

    def _may_go_on(self) -> bool:
        return self._left > 0 and time.monotonic() < self._until

    def _take(self, tried: Json) -> bool:
        """Whether the input fails in the same way; it is the best from then on."""
        if tried == self.best or not self._may_go_on():
            return False
        self._left -= 1
        if self._way(tried) != self._wanted:
            return False
        self.best = tried
        return True

    def _begin_later(self) -> None:
        events = self.best["events"]
        after = reference.answer("fold", self.best, self._revision, steps=True)["steps"]
        for count in range(min(len(after), len(events) - 1), 0, -1):
            msg = after[count - 1]
            if msg and self._take({**self.best, "msg": msg, "events": events[count:]}):
                return

    def _leave_out(self, *path: str) -> None:
        """Fewer items of a list: larger parts first."""
        parts = 2
        while len(items := _at(self.best, path)) and self._may_go_on():
            size = -(-len(items) // parts)
            cuts = range(0, len(items), size)
            smaller = (items[:cut] + items[cut + size :] for cut in cuts)
            if any(self._take(_with(self.best, path, some)) for some in smaller):
                parts = max(2, parts - 1)
            elif size == 1:
                return
            else:
                parts = min(len(items), parts * 2)

    def _without_options(self) -> None:
        for name in ("errors", "repeat", "ends"):
            if name in self.best:
                self._take({k: v for k, v in self.best.items() if k != name})

    def _smaller_values(self) -> None:
        """Try every simpler value at every place, the places of the Msg last."""
        for root in ("events", "msg"):
            for path in list(_places(self.best[root], (root,))):
                self._smaller_at(path)

    def _smaller_at(self, path: Way) -> None:
        while True:
            try:
                value = _at(self.best, path)
            except (KeyError, IndexError, TypeError):
                return  # it went with a place above it
            if not any(
                self._take(_with(self.best, path, each)) for each in _simpler(value, path[-1])
            ):
                return


def _simpler(value: Any, name: Any) -> Iterator[Any]:
    """Simpler values in place of one, the simplest first."""
    if isinstance(value, str):
        if value and name not in _WORDS and not str(name).endswith("id"):
            yield ""
            if len(value) > 1 or value > "a":
                yield "a"
            yield from (half for half in (value[: len(value) // 2], value[len(value) // 2 :]))
            yield from (value[:-1], value[1:])
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int) and value not in (0, 1):
        yield from (0, 1)
    elif isinstance(value, list):
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
    elif isinstance(value, dict):
        for member in [member for member in value if member not in _KEPT]:
            yield {k: v for k, v in value.items() if k != member}


def _places(value: Any, path: Way) -> Iterator[Way]:
    """Every place of a JSON value, but for the list of events and the Msg themselves."""
    if len(path) > 1:
        yield path
    for key, member in members_of(value):
        yield from _places(member, (*path, key))


def _at(value: Any, path: Way) -> Any:
    for part in path:
        value = value[part]
    return value


def _with(value: Any, path: Way, member: Any) -> Any:
    """A copy of the value with another member at a place."""
    if not path:
        return member
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _with(value[path[0]], path[1:], member)
    return changed
