"""The generated msgspec structs take every valid event, and leave to the fold only what is listed.

The structs are the hot path: they hold the shape of an event and the words of its enums.  What
costs time, or needs the Msg, is checked by the fold where it is used.
"""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

import msgspec
import pytest
from contract_examples import (
    DEFINITIONS,
    EVENTS,
    INVALID,
    VALID,
    Invalid,
    members,
    required,
    resolve,
    same,
    valid,
)
from msgfold._generated import structs
from msgfold.errors import MsgfoldError
from msgfold.fold import append_event
from msgfold.message import AssistantMsg, Base64Source, DataBlock, ToolCallBlock, ToolResultBlock
from msgfold.revisions import NEWEST
from msgfold.wire.decode import decode_event

DECODER = msgspec.json.Decoder(structs.AgentEvent)
TITLES = {*EVENTS, "AgentEvent"}

NOT_MINTED = "An absent member stays absent: the fold makes nothing up (fold.deterministic)."
BASE64 = "Base64 is decoded once, by the fold (fold.data.base64)."
URL = "The URL is checked when the data block is made, once (wire.json.url)."
NESTED = "What an event carries is checked when it becomes part of the Msg, once."
ONE_OF = "Exactly one of data and url is a rule over two members; the fold holds it."

LEFT_TO_THE_FOLD = {
    "*Event/invalid/missing-id": NOT_MINTED,
    "AgentEvent/invalid/missing-created-at": NOT_MINTED,
    "ToolResultDataDeltaEvent/invalid/missing-block-id": NOT_MINTED,
    "DataBlockDeltaEvent/invalid/data-not-base64": BASE64,
    "DataBlockDeltaEvent/invalid/url-empty": URL,
    "DataBlockDeltaEvent/invalid/url-not-absolute": URL,
    "DataBlockDeltaEvent/invalid/neither-data-nor-url": ONE_OF,
    "DataBlockDeltaEvent/invalid/both-data-and-url": ONE_OF,
    "DataBlockDeltaEvent/invalid/empty-data-and-url": ONE_OF,
    "DataBlockDeltaEvent/invalid/data-and-url-null": ONE_OF,
    "DataBlockDeltaEvent/invalid/data-null-without-url": ONE_OF,
    "ReplyEndEvent/invalid/error-*": NESTED,
    "AgentEvent/invalid/data-not-base64": BASE64,
    "ToolResultDataDeltaEvent/invalid/data-not-base64": BASE64,
    "ToolResultDataDeltaEvent/invalid/url-empty": URL,
    "ToolResultDataDeltaEvent/invalid/url-not-absolute": URL,
    "HintBlockEvent/invalid/hint-*": NESTED,
    "Require*Event/invalid/tool-calls-*": NESTED,
    "ExternalExecutionResultEvent/invalid/execution-results-*": NESTED,
    "UserConfirmResultEvent/invalid/confirm-results-*": NESTED,
    "AgentEvent/invalid/nested-at-fault": NESTED,
    "ToolResultDataDeltaEvent/invalid/neither-data-nor-url": ONE_OF,
    "ToolResultDataDeltaEvent/invalid/both-data-and-url": ONE_OF,
    "ToolResultDataDeltaEvent/invalid/empty-data-and-url": ONE_OF,
    "ToolResultDataDeltaEvent/invalid/data-and-url-null": ONE_OF,
    "ToolResultDataDeltaEvent/invalid/data-null-without-url": ONE_OF,
    "AgentEvent/invalid/data-and-url": ONE_OF,
}
"""Invalid examples that the structs accept, as patterns over their ids, and why."""


MENDED_BY_THE_FOLD = {
    "RequireUserConfirmEvent/invalid/tool-calls-item-without-type",
    "RequireExternalExecutionEvent/invalid/tool-calls-item-without-type",
    "ExternalExecutionResultEvent/invalid/execution-results-item-without-type",
}
"""What the fold takes, too: where one kind of block fits, the models' tag is a default."""


def reason(example_id: str) -> str | None:
    found = [why for pattern, why in LEFT_TO_THE_FOLD.items() if fnmatchcase(example_id, pattern)]
    return found[0] if found else None


def ids(examples):
    return [pytest.param(example, id=example.id) for example in examples]


def text(value: Any) -> bytes:
    return msgspec.json.encode(value)


EVENT_VALID = [one for one in VALID if one.title in TITLES]
EVENT_INVALID = [one for one in INVALID if one.title in TITLES and one.title != "EventBase"]


@pytest.mark.parametrize("example", ids(EVENT_VALID))
def test_a_valid_event_is_accepted_with_its_members(example):
    event = DECODER.decode(text(example.instance))
    assert type(event).__struct_config__.tag == example.instance["type"]
    assert same(msgspec.to_builtins(event), example.instance)


@pytest.mark.parametrize("example", ids(one for one in EVENT_INVALID if not reason(one.id)))
def test_an_invalid_event_is_refused(example):
    with pytest.raises(msgspec.ValidationError):
        DECODER.decode(text(example.instance))


@pytest.mark.parametrize("example", ids(one for one in EVENT_INVALID if reason(one.id)))
def test_what_the_structs_let_pass_is_only_what_is_listed(example):
    event = DECODER.decode(text(example.instance))
    assert same(msgspec.to_builtins(event), example.instance)


def left_to_the_fold() -> list[Invalid]:
    """Invalid events that the structs accept, but for those that only lack what is never minted."""
    return [one for one in EVENT_INVALID if reason(one.id) not in {None, NOT_MINTED}]


@pytest.mark.parametrize(
    "example", ids(one for one in left_to_the_fold() if one.id not in MENDED_BY_THE_FOLD)
)
def test_the_fold_refuses_what_was_left_to_it(example):
    msg = waiting_msg()
    before = msg.model_dump()
    event = decode_event(text(example.instance))
    with pytest.raises(MsgfoldError):
        append_event(msg, event, revision=NEWEST)
    assert msg.model_dump() == before


def test_what_the_fold_mends_is_only_what_is_listed():
    mended = set()
    for one in left_to_the_fold():
        with suppress(MsgfoldError):
            append_event(waiting_msg(), decode_event(text(one.instance)), revision=NEWEST)
            mended.add(one.id)
    assert mended == MENDED_BY_THE_FOLD


def waiting_msg():
    """A Msg with every block that the examples' events name, in a state in which they apply."""
    return AssistantMsg(
        "friday",
        [
            DataBlock(id="b1", source=Base64Source(data="", media_type="image/png")),
            ToolCallBlock(id="call_1", name="Bash", input="", state="asking"),
            ToolResultBlock(id="call_1", name="Bash", output=[]),
            ToolCallBlock(id="call_2", name="Bash", input="", state="asking"),
        ],
        id="r1",
    )


def test_every_entry_of_the_table_is_needed():
    for pattern in LEFT_TO_THE_FOLD:
        assert any(fnmatchcase(one.id, pattern) for one in EVENT_INVALID), pattern


@pytest.mark.parametrize("title", EVENTS)
def test_a_struct_has_the_members_of_its_schema(title):
    struct = getattr(structs, title)
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    assert set(fields) | {"type"} == set(members(EVENTS[title]))
    assert struct.__struct_config__.tag == EVENTS[title]["properties"]["type"]["const"]
    assert {name for name, field in fields.items() if field.default is msgspec.UNSET} == {
        name
        for name, member in members(EVENTS[title]).items()
        if "x-mint" in member or "default" in member or name not in required(EVENTS[title])
    }


def test_structs_have_the_words_of_the_schema():
    enums = {
        name: found
        for name, found in vars(structs).items()
        if hasattr(found, "__members__") and found.__module__ == structs.__name__
    }
    assert enums
    for name, words in enums.items():
        assert list(words) == DEFINITIONS[name]["enum"], name


def test_structs_refuse_an_unknown_word_in_every_member_that_has_words():
    for title, schema in EVENTS.items():
        for name, member in members(schema).items():
            if "enum" in resolve(member):
                for word in resolve(member)["enum"]:
                    DECODER.decode(text({**valid(title, "full"), name: word}))
                with pytest.raises(msgspec.ValidationError):
                    DECODER.decode(text({**valid(title, "full"), name: "another"}))
