"""The face of the reducer: what a caller may hand in, gets back, and is told."""

from __future__ import annotations

import io
import json
import logging
import re

import msgfold
import pytest
from msgfold.errors import ErrorCode, Place
from msgfold.event import (
    ExternalExecutionResultEvent,
    HintBlockEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    TextBlockDeltaEvent,
    TextBlockStartEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
)
from msgfold.message import AssistantMsg, TextBlock, ToolResultBlock
from msgfold.types import ErrorInfo
from pydantic import BaseModel

START = {
    "type": "REPLY_START",
    "id": "e0",
    "created_at": "t0",
    "session_id": "s",
    "reply_id": "r",
    "name": "n",
}
TEXT = {
    "type": "TEXT_BLOCK_START",
    "id": "e1",
    "created_at": "t1",
    "reply_id": "r",
    "block_id": "b",
}
END = {"type": "REPLY_END", "id": "e9", "created_at": "t9", "session_id": "s", "reply_id": "r"}


def delta(text, **members):
    return {
        "type": "TEXT_BLOCK_DELTA",
        "id": "e2",
        "created_at": "t2",
        "reply_id": "r",
        "block_id": "b",
        "delta": text,
    } | members


def ndjson(*events):
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def test_append_event_changes_the_msg_and_returns_it():
    msg = AssistantMsg(name="n", content=[], id="r")
    assert msg.append_event(TextBlockStartEvent(reply_id="r", block_id="b")) is msg
    assert msgfold.append_event(msg, delta("Hi")) is msg
    assert msg.get_text_content() == "Hi"


def test_append_event_reports_to_whom_it_is_told_and_knows_of_no_stream():
    seen = []
    msg = AssistantMsg(name="n", content=[], id="r")
    msgfold.append_event(msg, delta("lost"), on_diagnostic=seen.append)
    assert [(d.code, d.place.event_index) for d in seen] == [("block_not_found", None)]
    with pytest.raises(msgfold.InvalidEventError) as caught:
        msgfold.append_event(msg, delta(7))
    assert caught.value.place.event_index is None


def test_fold_is_the_package_and_the_function():
    assert msgfold.fold([START, TEXT, delta("Hi"), END]).get_text_content() == "Hi"
    from msgfold.fold import Folder, fold

    assert fold([START, END]).finished_at == "t9"
    assert msgfold.fold.Folder is Folder


def test_a_subclass_of_an_event_folds_as_its_parent():
    class Mine(TextBlockDeltaEvent):
        extra: int = 1

    msg = AssistantMsg(name="n", content=[], id="r")
    msg.append_event(TextBlockStartEvent(reply_id="r", block_id="b"))
    msg.append_event(Mine(reply_id="r", block_id="b", delta="x"))
    assert msg.get_text_content() == "x"


def test_what_came_later_is_told_of_models_too():
    error = ErrorInfo(type="rate_limit", message="late")
    failed = ReplyEndEvent(session_id="s", reply_id="r", error=error)
    plain = ReplyEndEvent(session_id="s", reply_id="r")
    for errors in ("raise", "skip"):
        seen = []
        old = msgfold.fold([START, failed], errors=errors, on_diagnostic=seen.append)
        assert [(d.code, d.place.pointer) for d in seen] == [("newer_member", "/error")]
        assert old.error is None
        new = msgfold.fold([START, failed], revision="2.0.11", errors=errors)
        assert new.error == error
        assert new.error is not error
        seen.clear()
        msgfold.fold([START, plain], errors=errors, on_diagnostic=seen.append)
        assert seen == []


def test_an_event_of_another_package_folds_as_its_json():
    class Theirs(BaseModel):
        type: str = "TEXT_BLOCK_DELTA"
        id: str = "e2"
        created_at: str = "t2"
        reply_id: str = "r"
        block_id: str = "b"
        delta: str = "Hi"

    assert msgfold.fold([START, TEXT, Theirs(), END]).get_text_content() == "Hi"


def test_lists_that_somebody_swapped_are_folded_into():
    result = {"type": "TOOL_RESULT_START", "id": "e3", "created_at": "t3", "reply_id": "r"}
    result |= {"tool_call_id": "c", "tool_call_name": "ls"}
    said = {**result, "type": "TOOL_RESULT_TEXT_DELTA", "delta": "a"}
    del said["tool_call_name"]
    msg = msgfold.fold([START, TEXT, delta("Hi"), result, said])
    vars(msg)["content"] = list(msg.content)
    vars(msg.content[1])["output"] = list(msg.content[1].output)
    msgfold.append_event(msg, delta("!"))
    msgfold.append_event(msg, said)
    assert msg.get_text_content() == "Hi!"
    assert [block.text for block in msg.content[1].output] == ["aa"]


def test_an_error_says_where_and_leaves_the_msg_as_it_was():
    msg = AssistantMsg(name="n", content=[], id="r")
    data = {
        "type": "DATA_BLOCK_START",
        "id": "e",
        "created_at": "t",
        "reply_id": "r",
        "block_id": "d",
        "media_type": "image/png",
    }
    bad = {**data, "type": "DATA_BLOCK_DELTA", "data": "bm8=cGU="}
    with pytest.raises(msgfold.InvalidBase64Error) as caught:
        msgfold.fold([data, bad], msg=msg)
    assert caught.value.place == msgfold.Place(event_index=1, pointer="/data")
    assert caught.value.code == ErrorCode.INVALID_BASE64
    assert "event 1" in str(caught.value)
    assert msg.content[0].source.data == ""


def test_skipped_errors_become_diagnostics_and_the_rest_is_folded():
    seen = []
    msg = msgfold.fold(
        [START, TEXT, delta("a"), delta(7), delta("b"), END],
        errors="skip",
        on_diagnostic=seen.append,
    )
    assert msg.get_text_content() == "ab"
    assert [(d.code, d.place.event_index, d.place.pointer) for d in seen] == [
        ("invalid_event", 3, "/delta")
    ]


def test_diagnostics_are_logged_when_nobody_asked_for_them(caplog):
    with caplog.at_level(logging.WARNING, logger="msgfold"):
        msgfold.fold([START, delta("lost"), END])
    assert "block_not_found" in caplog.text


def test_a_stream_without_a_reply_is_an_error():
    with pytest.raises(msgfold.NoReplyError, match="none of them a REPLY_START"):
        msgfold.fold([])


def test_an_unknown_revision_lists_the_known_ones():
    asked = [
        lambda: msgfold.fold([START], revision="1.0.0"),
        lambda: msgfold.fold_all([START], revision="1.0.0"),
        lambda: msgfold.fold_ndjson(ndjson(START), revision="1.0.0"),
        lambda: msgfold.append_event(AssistantMsg("n", content=[]), START, revision="1.0.0"),
    ]
    for ask in asked:
        with pytest.raises(msgfold.UnknownRevisionError, match=r"2\.0\.4"):
            ask()


def test_fold_all_keeps_the_order_of_first_appearance():
    other = {**START, "reply_id": "q"}
    end_other = {**END, "reply_id": "q"}
    msgs = msgfold.fold_all([START, other, end_other, TEXT, delta("x"), END])
    assert [msg.id for msg in msgs] == ["r", "q"]
    assert msgs[0].get_text_content() == "x"


def test_fold_ndjson_reads_bytes_and_files_and_names_the_line():
    text = ndjson(START, TEXT, delta("Hi"), END)
    assert msgfold.fold_ndjson(text) == msgfold.fold_ndjson(io.BytesIO(text))
    with pytest.raises(msgfold.InvalidJsonError) as caught:
        msgfold.fold_ndjson(text + b"{oops}\n")
    assert caught.value.place.line == 5


def test_fold_ndjson_reads_a_file_piece_by_piece():
    class Counted(io.BytesIO):
        pieces = 0

        def read(self, size=-1):
            assert size > 0
            Counted.pieces += 1
            return super().read(size)

    deltas = [delta("x" * 1000) for _ in range(1000)]
    msg = msgfold.fold_ndjson(Counted(ndjson(START, TEXT, *deltas, END)))
    assert len(msg.get_text_content()) == 1_000_000
    assert Counted.pieces > 2


def test_one_msg_is_that_of_the_first_reply():
    events = (START, END, {**START, "reply_id": "q"})
    for fold, given in ((msgfold.fold, events), (msgfold.fold_ndjson, ndjson(*events))):
        seen = []
        assert fold(given, on_diagnostic=seen.append).id == "r"
        assert [d.code for d in seen] == ["reply_id_mismatch"]


def test_errors_are_skipped_only_when_asked():
    for wrong in ([START, TEXT, delta(7), END], [START, TEXT, delta("a"), {"type": 7}, END]):
        for fold, given in (
            (msgfold.fold, wrong),
            (msgfold.fold_all, wrong),
            (msgfold.fold_ndjson, ndjson(*wrong)),
        ):
            seen = []
            with pytest.raises(msgfold.MsgfoldError):
                fold(given, on_diagnostic=seen.append)
            assert seen == []
            fold(given, errors="skip", on_diagnostic=seen.append)
            assert len(seen) == 1


def test_reports_name_the_line_and_the_event_whatever_lies_between():
    lines = [
        ndjson(START),
        b"\n",
        ndjson(delta("lost"), {**TEXT, "block_id": "c"}),
        b" \r\n",
        ndjson(delta("a", block_id="c"), {"type": "LATER", "reply_id": "r"}),
        ndjson({**END, "finished_reason": "tired"}),
        ndjson({**TEXT, "reply_id": "q"}, delta(7), END),
    ]
    seen = []
    msg = msgfold.fold_ndjson(b"".join(lines), errors="skip", on_diagnostic=seen.append)
    assert msg.get_text_content() == "a"
    assert [(d.code, d.place.line, d.place.event_index) for d in seen] == [
        ("block_not_found", 3, 1),
        ("unknown_event", 7, 4),
        ("unknown_enum_value", 8, 5),
        ("reply_id_mismatch", 9, 6),
        ("invalid_event", 10, 7),
    ]


def test_deltas_side_by_side_go_to_their_own_blocks():
    other = {"reply_id": "q"}
    events = [START, START | other, TEXT, TEXT | other, TEXT | {"block_id": "c"}]
    events += [delta("1"), delta("2", block_id="c"), delta("3"), delta("4", **other), delta("5")]
    folder = msgfold.fold.NdjsonFolder()
    folder.feed_chunk(ndjson(*events))
    texts = [[block.text for block in msg.content] for msg in folder.msgs]
    assert texts == [["135", "2"], ["4"]]


def test_a_line_that_is_cut_off_is_reported_with_its_number(caplog):
    seen = []
    text = ndjson(START, END) + b'{"type": "CUST'
    msgfold.fold_ndjson(text, on_diagnostic=seen.append)
    assert [(d.code, d.place.line) for d in seen] == [("truncated_frame", 3)]
    assert seen[0].details == {"pending_bytes": 14}
    assert seen[0].rule == "wire.ndjson.last-line"
    with caplog.at_level(logging.WARNING, logger="msgfold"):
        msgfold.fold_ndjson(text)
    assert "truncated_frame" in caplog.text


def test_a_finished_reply_is_handed_over_when_another_starts():
    seen, reports = [], []
    folder = msgfold.Folder(on_reply=lambda msg: seen.append(msg.id), on_diagnostic=reports.append)
    for event in (START, END):
        folder.feed(event)
    assert seen == []
    folder.feed({**START, "reply_id": "q"})
    assert seen == ["r"]
    folder.feed(TEXT)
    assert [report.code for report in reports] == ["reply_closed"]


def test_a_replys_start_is_taken_from_the_event():
    event = ReplyStartEvent(session_id="s", reply_id="r", name="n")
    msg = msgfold.fold([event])
    assert (msg.id, msg.name, msg.created_at) == ("r", "n", event.created_at)


def test_deeply_nested_json_is_refused_on_every_path():
    value: object = 1
    for _ in range(200):
        value = {"k": value}
    event = {**END, "metadata": value}
    import json

    with pytest.raises(msgfold.TooDeepError):
        msgfold.parse_event(json.dumps(event))
    with pytest.raises(msgfold.TooDeepError):
        msgfold.fold_ndjson(json.dumps(START).encode() + b"\n" + json.dumps(event).encode())


def deep(levels):
    value: object = 1
    for _ in range(levels):
        value = {"k": value}
    return value


RESULT = {"reply_id": "r", "tool_call_id": "t1"}


@pytest.mark.parametrize(
    ("event", "error", "pointer"),
    [
        (ToolResultEndEvent(**RESULT, state="success", metadata=deep(200)), "too_deep", None),
        (ToolResultEndEvent(**RESULT, state="success", metadata=deep(5000)), "too_deep", None),
        (ToolResultEndEvent(**RESULT, state="success", metadata=deep(126)), "too_deep", None),
        (
            ToolResultEndEvent(**RESULT, state="success", metadata={"a": [float("nan")]}),
            "invalid_json",
            "/metadata/a/0",
        ),
        (ToolResultTextDeltaEvent(**RESULT, delta="\ud83d"), "invalid_json", "/delta"),
        (ReplyEndEvent(reply_id="r", session_id="s", mood=deep(200)), "too_deep", None),
        (
            ToolResultTextDeltaEvent(**RESULT, delta="all text, but for", mood=deep(200)),
            "too_deep",
            None,
        ),
        (
            ExternalExecutionResultEvent(
                reply_id="r",
                execution_results=[
                    ToolResultBlock(id="t2", name="n", output="", metadata={"a": float("inf")})
                ],
            ),
            "invalid_json",
            "/execution_results/0/metadata/a",
        ),
        (
            HintBlockEvent(reply_id="r", block_id="h", hint=[TextBlock(text="", more=deep(125))]),
            "too_deep",
            None,
        ),
    ],
)
def test_an_event_that_a_program_made_is_held_to_what_json_can_hold(event, error, pointer):
    msg = AssistantMsg(name="n", content=[], id="r")
    msg.append_event(ToolResultStartEvent(**RESULT, tool_call_name="n"))
    before = msgfold.dump(msg)
    with pytest.raises(msgfold.MsgfoldError) as caught:
        msg.append_event(event)
    assert caught.value.code == error
    assert pointer in {None, caught.value.place.pointer}
    assert msgfold.dump(msg) == before


def test_a_msg_that_was_folded_can_be_read_back():
    msg = AssistantMsg(name="n", content=[], id="r")
    msg.append_event(ToolResultStartEvent(**RESULT, tool_call_name="n"))
    msg.append_event(ToolResultEndEvent(**RESULT, state="success", metadata=deep(125)))
    assert msgfold.parse_msg(msg.model_dump_json()) == msg


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: msgfold.fold_ndjson("reply.ndjson"), 'open(path, "rb")'),
        (lambda: msgfold.fold_ndjson(io.StringIO("{}")), 'mode "rb"'),
        (lambda: msgfold.fold(ndjson(START)), "fold_ndjson"),
        (lambda: msgfold.fold_all(START), "append_event"),
    ],
)
def test_the_wrong_kind_of_argument_is_told_the_right_one(call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call()


@pytest.mark.parametrize("event", [json.dumps(START), ndjson(START)])
def test_text_in_place_of_an_event_is_told_who_reads_text(event):
    with pytest.raises(msgfold.InvalidEventError, match="parse_event") as caught:
        msgfold.fold([event])
    assert caught.value.place == Place(event_index=0, pointer="")


def test_an_event_of_another_package_that_is_no_json_is_refused():
    class Theirs(BaseModel):
        type: str = "CUSTOM"
        name: str = "n"
        value: dict

    with pytest.raises(msgfold.InvalidEventError, match="cannot be written as JSON") as caught:
        msgfold.fold([START, Theirs(value=deep(5000))])
    assert caught.value.place == Place(event_index=1, pointer="")


def test_errors_are_raised_or_skipped_and_nothing_else():
    with pytest.raises(ValueError, match="raise, skip"):
        msgfold.fold([START], errors="ignore")


@pytest.mark.parametrize(("data", "pointer"), [({}, ""), ({"data": None}, "/data")])
def test_a_url_that_came_later_leads_to_the_same_place_however_it_is_given(data, pointer):
    event = {"type": "DATA_BLOCK_DELTA", "id": "e3", "created_at": "t", "reply_id": "r"}
    event |= {"block_id": "b", "media_type": "a/b", "url": "https://x.example/y", **data}
    begun = {**TEXT, "type": "DATA_BLOCK_START", "media_type": "a/b"}
    for given in (event, msgfold.parse_event(event)):
        with pytest.raises(msgfold.InvalidEventError) as caught:
            msgfold.fold([START, begun, given], revision="2.0.7")
        assert caught.value.place.pointer == pointer


@pytest.mark.parametrize(
    ("event", "pointer"),
    [
        (ToolResultEndEvent(**RESULT, state="success", metadata=deep(126)), "/metadata/k/k/"),
        (
            HintBlockEvent(reply_id="r", block_id="h", hint=[TextBlock(text="", more=deep(124))]),
            "/hint/0/more/k/",
        ),
    ],
)
def test_what_is_too_deep_for_a_msg_leads_into_the_event(event, pointer):
    msg = AssistantMsg(name="n", content=[], id="r")
    msg.append_event(ToolResultStartEvent(**RESULT, tool_call_name="n"))
    with pytest.raises(msgfold.TooDeepError) as caught:
        msg.append_event(event)
    assert caught.value.place.pointer.startswith(pointer)


def test_a_folder_gives_the_msg_of_a_reply_by_its_id():
    folder = msgfold.Folder()
    folder.feed(START)
    folder.feed({**START, "reply_id": "r2"})
    assert [folder.msg("r"), folder.msg("r2")] == folder.msgs
    assert folder.msg("r3") is None
