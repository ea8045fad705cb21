"""Prefix judgement: the first event after which a Msg departs from what the rules make of it.

A wrong Msg at the end of a long stream says little.  The event that made it wrong says nearly all.
An error or a diagnostic names its event itself.  For a Msg there are two ways:

* a testee with the feature ``steps`` gives the Msg after every event, and the first that is not the
  reference's ends the search;
* any other is asked to fold prefixes of the stream, halving what is left each time: ten more folds
  for a thousand events.

So is one that crashes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from msgfold.conformance import reference
from msgfold.conformance.compare import Difference, differences
from msgfold.conformance.corpus import Case
from msgfold.conformance.process import BrokenTesteeError

Ask = Callable[..., dict[str, Any]]
"""Answers ``(op, input, revision)``, and with ``steps=True`` gives the Msg after every event."""


def events_of(given: dict[str, Any]) -> list[Any]:
    """The events of a fold's input: JSON values, or lines where the text is the point."""
    if "events" in given:
        return list(given["events"])
    return [line for line in given["text"].split("\n") if line.strip()]


def prefix(given: dict[str, Any], count: int) -> dict[str, Any]:
    """The input, cut off behind its first ``count`` events, as if the stream went on."""
    cut = {name: value for name, value in given.items() if name != "ends"}
    first = events_of(given)[:count]
    return cut | ({"events": first} if "events" in given else {"text": "\n".join(first)})


def departure(
    case: Case,
    revision: str,
    testee: Ask,
    what: str,
    difference: Difference,
    *,
    features: Collection[str],
) -> int | None:
    """The index of the first event after which the testee departs; ``None`` when it is not known.

    Args:
        case: a case of a fold, which failed.
        revision: the release that it was judged by.
        testee: what answered.
        what: the part of its answer that is wrong.
        difference: where that part is wrong.
        features: what it can: with ``steps``, the Msg after every event; without ``numbers``,
            doubles only.

    Raises:
        BrokenTesteeError: there is no testee left to ask.
    """
    if what in {"msg", "msgs"}:
        exact = "numbers" in features
        if "steps" in features and what == "msg" and "repeat" not in case.input:
            found = _by_steps(case, revision, testee, exact)
            if found is not None:
                return found
        return _by_halving(case, revision, testee, exact)
    if what in {"error", "diagnostics"}:
        return _named(difference)
    return len(events_of(case.input)) - 1 if what == "status" else None


def silence(case: Case, revision: str, testee: Ask) -> int | None:
    """The index of the event at which a testee gives no answer; ``None`` when it is not known.

    Args:
        case: a case of a fold that the testee did not answer.
        revision: the release that it was judged by.
        testee: what did not answer.

    Raises:
        BrokenTesteeError: there is no testee left to ask.
    """
    if _asked(testee, case.input, revision) is not None:
        return None  # another time it does: no event is to blame
    return _halved(case, lambda count: _asked(testee, prefix(case.input, count), revision) is None)


def _named(difference: Difference) -> int | None:
    """The event that an error or a diagnostic is about; of two, the earlier."""
    sides = (difference.expected, difference.got)
    named = [side.get("event") for side in sides if isinstance(side, dict)]
    return min((event for event in named if isinstance(event, int)), default=None)


def _by_steps(case: Case, revision: str, testee: Ask, exact: bool) -> int | None:
    answer = _asked(testee, case.input, revision, steps=True)
    got = [] if answer is None else answer.get("steps", [])
    expected = reference.answer("fold", case.input, revision, steps=True)["steps"]
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        if differences(left, right, "Msg", _there(case.volatile, left), exact=exact):
            return index
    return None


def _by_halving(case: Case, revision: str, testee: Ask, exact: bool) -> int | None:
    return _halved(case, lambda count: _is_wrong(case, count, revision, testee, exact))


def _halved(case: Case, is_wrong: Callable[[int], bool]) -> int | None:
    """Between a prefix that is right and one that is wrong, until they are one event apart."""
    right, wrong = 0, len(events_of(case.input))
    if not wrong or is_wrong(0):
        return None  # wrong before the first event: the Msg that came in was misread
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if is_wrong(middle):
            wrong = middle
        else:
            right = middle
    return wrong - 1


def _is_wrong(case: Case, count: int, revision: str, testee: Ask, exact: bool) -> bool:
    given = prefix(case.input, count)
    expected = reference.answer("fold", given, revision)
    got = _asked(testee, given, revision)
    if got is None:
        return True
    what = "msgs" if "msgs" in expected else "msg"
    volatile = _there(case.volatile, expected[what]) if what == "msg" else ()
    return bool(differences(expected[what], got.get(what), "Msg", volatile, exact=exact))


def _asked(testee: Ask, *asked: Any, **how: Any) -> dict[str, Any] | None:
    """Its answer, or ``None`` when it has none."""
    try:
        return testee("fold", *asked, **how)
    except BrokenTesteeError:
        raise
    except Exception:  # whatever an implementation throws
        return None


def _there(pointers: tuple[str, ...], msg: Any) -> tuple[str, ...]:
    """The pointers that lead to something: what may be chosen may not be there yet."""
    return tuple(pointer for pointer in pointers if _leads(pointer, msg))


def _leads(pointer: str, value: Any) -> bool:
    for part in pointer[1:].split("/"):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return False
    return True
