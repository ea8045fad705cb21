# Generated from schemas/ by `msgfold generate --only models`. DO NOT EDIT.
from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from msgfold.model.base import Model
from msgfold.model.mint import new_id, now
from msgfold.model.absent import ABSENT_COUNT, ABSENT_TEXT, is_absent
from msgfold.model.base64_source import Base64SourceBehaviour
from msgfold.model.tool_result import ToolResultBehaviour
from msgfold.model.msg import MsgBehaviour
from msgfold.model.events import ReplyEndBehaviour
from msgfold.model.events import ExceedMaxItersBehaviour
from msgfold.model.events import UserInterruptBehaviour
from msgfold.model.events import DataOrUrlBehaviour
from msgfold.model.events import DataOrUrlBehaviour
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr
from typing_extensions import TypeAliasType


class Base64Source(Base64SourceBehaviour, Model):
    """
    Binary content carried inline.
    """

    type: Literal['base64'] = 'base64'
    """
    The tag of an inline source, always "base64".
    """
    data: Annotated[
        StrictStr,
        Field(
            pattern='^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$'
        ),
    ]
    """
    The content.
    """
    media_type: StrictStr
    """
    What the content is, for example image/png.
    """


class ContentBlockType(StrEnum):
    """
    The six kinds of content block. The value of a block's type member. text: text. thinking: a model's reasoning. hint: a hint to the model. tool_call: a call of a tool. tool_result: what a tool gave back. data: binary data.
    """

    TEXT = 'text'
    THINKING = 'thinking'
    HINT = 'hint'
    TOOL_CALL = 'tool_call'
    TOOL_RESULT = 'tool_result'
    DATA = 'data'


class ErrorType(StrEnum):
    """
    What kind of error ended a reply. authentication: a credential is missing or wrong (HTTP 401). permission: not allowed (403). rate_limit: a rate or a quota is used up (429). invalid_request: a malformed request (400, 422). upstream: a service behind the agent failed (5xx). connection: the network failed or timed out. internal: a fault of the agent's own. setup: the run failed before the agent could reply. unknown: none of these.
    """

    AUTHENTICATION = 'authentication'
    PERMISSION = 'permission'
    RATE_LIMIT = 'rate_limit'
    INVALID_REQUEST = 'invalid_request'
    UPSTREAM = 'upstream'
    CONNECTION = 'connection'
    INTERNAL = 'internal'
    SETUP = 'setup'
    UNKNOWN = 'unknown'


class EventBase(Model):
    """
    What every event has.
    """

    id: StrictStr = Field(default_factory=new_id)
    """
    The event's id, unique in its stream.
    """
    created_at: StrictStr = Field(default_factory=now)
    """
    When the event was made.
    """
    metadata: dict[str, Any] = {}
    """
    Facts about the event, free-form.
    """


class EventType(StrEnum):
    """
    The 28 event types. The value of an event's type member; upper case, matched exactly (rule fold.unknown-event).
    """

    REPLY_START = 'REPLY_START'
    REPLY_END = 'REPLY_END'
    MODEL_CALL_START = 'MODEL_CALL_START'
    MODEL_CALL_END = 'MODEL_CALL_END'
    TEXT_BLOCK_START = 'TEXT_BLOCK_START'
    TEXT_BLOCK_DELTA = 'TEXT_BLOCK_DELTA'
    TEXT_BLOCK_END = 'TEXT_BLOCK_END'
    DATA_BLOCK_START = 'DATA_BLOCK_START'
    DATA_BLOCK_DELTA = 'DATA_BLOCK_DELTA'
    DATA_BLOCK_END = 'DATA_BLOCK_END'
    THINKING_BLOCK_START = 'THINKING_BLOCK_START'
    THINKING_BLOCK_DELTA = 'THINKING_BLOCK_DELTA'
    THINKING_BLOCK_END = 'THINKING_BLOCK_END'
    HINT_BLOCK = 'HINT_BLOCK'
    TOOL_CALL_START = 'TOOL_CALL_START'
    TOOL_CALL_DELTA = 'TOOL_CALL_DELTA'
    TOOL_CALL_END = 'TOOL_CALL_END'
    TOOL_RESULT_START = 'TOOL_RESULT_START'
    TOOL_RESULT_TEXT_DELTA = 'TOOL_RESULT_TEXT_DELTA'
    TOOL_RESULT_DATA_DELTA = 'TOOL_RESULT_DATA_DELTA'
    TOOL_RESULT_END = 'TOOL_RESULT_END'
    EXCEED_MAX_ITERS = 'EXCEED_MAX_ITERS'
    REQUIRE_USER_CONFIRM = 'REQUIRE_USER_CONFIRM'
    REQUIRE_EXTERNAL_EXECUTION = 'REQUIRE_EXTERNAL_EXECUTION'
    USER_CONFIRM_RESULT = 'USER_CONFIRM_RESULT'
    USER_INTERRUPT = 'USER_INTERRUPT'
    EXTERNAL_EXECUTION_RESULT = 'EXTERNAL_EXECUTION_RESULT'
    CUSTOM = 'CUSTOM'


class ExceedMaxItersEvent(ExceedMaxItersBehaviour, EventBase):
    """
    The agent used up its iterations. Changes nothing in the Msg. metadata.iterations and metadata.max_iters may give the counts (rule wire.meta.iterations).
    """

    type: Literal['EXCEED_MAX_ITERS'] = 'EXCEED_MAX_ITERS'
    """
    The tag of this event, always "EXCEED_MAX_ITERS".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    name: StrictStr
    """
    The agent's name.
    """


class FinishedReason(StrEnum):
    """
    Why a model call ended. completed: it came to its end. interrupted: it was stopped.
    """

    COMPLETED = 'completed'
    INTERRUPTED = 'interrupted'


class ModelCallEndEvent(EventBase):
    """
    A model call is over. Its tokens are added to the Msg's usage (rule fold.usage).
    """

    type: Literal['MODEL_CALL_END'] = 'MODEL_CALL_END'
    """
    The tag of this event, always "MODEL_CALL_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    input_tokens: StrictInt
    """
    Tokens read by this call, a count.
    """
    output_tokens: StrictInt
    """
    Tokens written by this call, a count.
    """
    cache_input_tokens: StrictInt = Field(default=ABSENT_COUNT, exclude_if=is_absent)
    """
    Tokens that this call read from the prompt cache, a count.
    """
    cache_creation_input_tokens: StrictInt = Field(default=ABSENT_COUNT, exclude_if=is_absent)
    """
    Tokens that this call read in order to fill the prompt cache, a count.
    """
    finished_reason: FinishedReason = FinishedReason.COMPLETED
    """
    Why the call ended.
    """


class ModelCallStartEvent(EventBase):
    """
    A model is about to be called. Changes nothing in the Msg.
    """

    type: Literal['MODEL_CALL_START'] = 'MODEL_CALL_START'
    """
    The tag of this event, always "MODEL_CALL_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    model_name: StrictStr
    """
    The model's name.
    """


class PermissionBehavior(StrEnum):
    """
    What a permission rule does. allow: the tool may run. deny: the tool may not run. ask: a person decides. passthrough: this rule has no opinion.
    """

    ALLOW = 'allow'
    DENY = 'deny'
    ASK = 'ask'
    PASSTHROUGH = 'passthrough'


class PermissionRule(Model):
    """
    A rule that allows, denies or asks about the use of a tool.
    """

    tool_name: StrictStr
    """
    The tool that the rule is about.
    """
    rule_content: StrictStr | None
    """
    A filter whose meaning depends on the tool: a part of a command, a glob over paths; null for every use of the tool.
    """
    behavior: PermissionBehavior
    """
    What the rule does.
    """
    source: StrictStr
    """
    Where the rule comes from, such as userSettings, session or suggested.
    """


class ReplyFinishedReason(StrEnum):
    """
    Why a reply ended. completed: it came to its end. interrupted: it was stopped. exceed_max_iters: the agent used up its iterations. error: it failed, and error says how. AgentScope 2.0.4 calls this list ReplyEndReason.
    """

    COMPLETED = 'completed'
    INTERRUPTED = 'interrupted'
    EXCEED_MAX_ITERS = 'exceed_max_iters'
    ERROR = 'error'


class ReplyStartEvent(EventBase):
    """
    A reply begins. Makes an empty assistant Msg (rule fold.reply-start.new); for a reply already there it changes nothing.
    """

    type: Literal['REPLY_START'] = 'REPLY_START'
    """
    The tag of this event, always "REPLY_START".
    """
    session_id: StrictStr
    """
    The id of the session that the reply belongs to.
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    name: StrictStr
    """
    The agent's name, which becomes the Msg's.
    """
    role: Literal['user', 'assistant', 'system'] = 'assistant'
    """
    The agent's role. The fold does not read it.
    """


class TextBlock(Model):
    """
    Plain text.
    """

    type: Literal['text'] = 'text'
    """
    The tag of a text block, always "text".
    """
    text: StrictStr
    """
    The text.
    """
    id: StrictStr = Field(default_factory=new_id)
    """
    The block's id.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished, as its TEXT_BLOCK_END stamped it (rule fold.block.finished-at); null while it streams.
    """


class TextBlockDeltaEvent(EventBase):
    """
    More text for a text block (rule fold.text.delta).
    """

    type: Literal['TEXT_BLOCK_DELTA'] = 'TEXT_BLOCK_DELTA'
    """
    The tag of this event, always "TEXT_BLOCK_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the text block.
    """
    delta: StrictStr
    """
    The text to append, as it is.
    """


class TextBlockEndEvent(EventBase):
    """
    A text block ends. Stamps the block's finished_at from 2.0.6 on; text replaces what the deltas built, from 2.0.8 on (rule fold.text.end).
    """

    type: Literal['TEXT_BLOCK_END'] = 'TEXT_BLOCK_END'
    """
    The tag of this event, always "TEXT_BLOCK_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the text block.
    """
    text: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    The whole text when it is not what the deltas joined to, such as a spoken reply that was cut short; else null.
    """


class TextBlockStartEvent(EventBase):
    """
    A text block begins, empty (rule fold.text.start).
    """

    type: Literal['TEXT_BLOCK_START'] = 'TEXT_BLOCK_START'
    """
    The tag of this event, always "TEXT_BLOCK_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the text block.
    """


class ThinkingBlock(Model):
    """
    A model's reasoning. Extra members hold what a provider needs back unchanged, such as signature or redacted_thinking_data; they are data and are kept everywhere (rule wire.json.thinking-extra).
    """

    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['thinking'] = 'thinking'
    """
    The tag of a thinking block, always "thinking".
    """
    thinking: StrictStr
    """
    The reasoning, empty when the provider hides it.
    """
    id: StrictStr = Field(default_factory=new_id)
    """
    The block's id.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished, as its THINKING_BLOCK_END stamped it (rule fold.block.finished-at); null while it streams.
    """


class ThinkingBlockDeltaEvent(EventBase):
    """
    More reasoning for a thinking block (rule fold.thinking.delta).
    """

    type: Literal['THINKING_BLOCK_DELTA'] = 'THINKING_BLOCK_DELTA'
    """
    The tag of this event, always "THINKING_BLOCK_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the thinking block.
    """
    delta: StrictStr
    """
    The text to append, as it is.
    """


class ThinkingBlockEndEvent(EventBase):
    """
    A thinking block ends. Stamps the block's finished_at from 2.0.6 on (rule fold.block.finished-at).
    """

    type: Literal['THINKING_BLOCK_END'] = 'THINKING_BLOCK_END'
    """
    The tag of this event, always "THINKING_BLOCK_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the thinking block.
    """


class ThinkingBlockStartEvent(EventBase):
    """
    A thinking block begins, empty (rule fold.thinking.start).
    """

    type: Literal['THINKING_BLOCK_START'] = 'THINKING_BLOCK_START'
    """
    The tag of this event, always "THINKING_BLOCK_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the thinking block.
    """


class ToolCallDeltaEvent(EventBase):
    """
    More of a tool call's arguments (rule fold.tool-call.delta).
    """

    type: Literal['TOOL_CALL_DELTA'] = 'TOOL_CALL_DELTA'
    """
    The tag of this event, always "TOOL_CALL_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    delta: StrictStr
    """
    A piece of the arguments' JSON text; by itself rarely valid JSON.
    """


class ToolCallEndEvent(EventBase):
    """
    The arguments of a tool call are complete. Stamps the call's finished_at from 2.0.6 on (rule fold.block.finished-at).
    """

    type: Literal['TOOL_CALL_END'] = 'TOOL_CALL_END'
    """
    The tag of this event, always "TOOL_CALL_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """


class ToolCallStartEvent(EventBase):
    """
    The model begins a tool call (rule fold.tool-call.start).
    """

    type: Literal['TOOL_CALL_START'] = 'TOOL_CALL_START'
    """
    The tag of this event, always "TOOL_CALL_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    tool_call_name: StrictStr
    """
    The name of the tool.
    """


class ToolCallState(StrEnum):
    """
    Where a tool call stands: pending, then asking, allowed or submitted, then finished. pending: not yet seen by the permission system. asking: waits for a person to confirm. allowed: may run. submitted: handed to an outside executor, waits for its result. finished: over: run, denied or interrupted.
    """

    PENDING = 'pending'
    ASKING = 'asking'
    ALLOWED = 'allowed'
    SUBMITTED = 'submitted'
    FINISHED = 'finished'


class ToolResultDataDeltaEvent(DataOrUrlBehaviour, EventBase):
    """
    A data block of a tool's result. Exactly one of data and url is given (rule wire.json.data-or-url).
    """

    type: Literal['TOOL_RESULT_DATA_DELTA'] = 'TOOL_RESULT_DATA_DELTA'
    """
    The tag of this event, always "TOOL_RESULT_DATA_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    block_id: StrictStr = Field(default_factory=new_id)
    """
    The id of the data block that this event makes.
    """
    media_type: StrictStr
    """
    What the data is, for example image/png.
    """
    data: Annotated[
        StrictStr | None,
        Field(
            pattern='^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$'
        ),
    ] = None
    """
    The bytes, inline; null or absent when url is given. Empty counts as given.
    """
    url: Annotated[
        StrictStr | None,
        Field(pattern='^[A-Za-z][A-Za-z0-9+.-]*:[\\s\\S]*[^\\x00-\\x20/:?#]'),
    ] = None
    """
    Where the bytes are; null or absent when data is given.
    """


class ToolResultStartEvent(EventBase):
    """
    A tool begins to give its result (rule fold.tool-result.start).
    """

    type: Literal['TOOL_RESULT_START'] = 'TOOL_RESULT_START'
    """
    The tag of this event, always "TOOL_RESULT_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    tool_call_name: StrictStr
    """
    The name of the tool.
    """


class ToolResultState(StrEnum):
    """
    How a tool run ended, or that it has not. success: it worked. error: it failed. interrupted: it was stopped. denied: it was not allowed to run. running: it has not ended.
    """

    SUCCESS = 'success'
    ERROR = 'error'
    INTERRUPTED = 'interrupted'
    DENIED = 'denied'
    RUNNING = 'running'


class ToolResultTextDeltaEvent(EventBase):
    """
    More text of a tool's result (rule fold.tool-result.text).
    """

    type: Literal['TOOL_RESULT_TEXT_DELTA'] = 'TOOL_RESULT_TEXT_DELTA'
    """
    The tag of this event, always "TOOL_RESULT_TEXT_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    delta: StrictStr
    """
    The text to append, as it is.
    """


class URLSource(Model):
    """
    Binary content behind a URL.
    """

    type: Literal['url'] = 'url'
    """
    The tag of a URL source, always "url".
    """
    url: Annotated[
        StrictStr, Field(pattern='^[A-Za-z][A-Za-z0-9+.-]*:[\\s\\S]*[^\\x00-\\x20/:?#]')
    ]
    """
    Where the content is.
    """
    media_type: StrictStr
    """
    What the content is, for example image/png.
    """


class Usage(Model):
    """
    Tokens spent, summed over the model calls of a reply (rule fold.usage).
    """

    input_tokens: StrictInt
    """
    Tokens read, a count.
    """
    output_tokens: StrictInt
    """
    Tokens written, a count.
    """
    cache_input_tokens: StrictInt = Field(default=ABSENT_COUNT, exclude_if=is_absent)
    """
    Tokens read from the prompt cache, a count.
    """
    cache_creation_input_tokens: StrictInt = Field(default=ABSENT_COUNT, exclude_if=is_absent)
    """
    Tokens read in order to fill the prompt cache, a count.
    """


class UserInterruptEvent(UserInterruptBehaviour, EventBase):
    """
    A person stops a waiting reply. Changes nothing in the Msg; the agent closes the calls with events of their own. metadata.interrupt may give the context (rule wire.meta.interrupt).
    """

    type: Literal['USER_INTERRUPT'] = 'USER_INTERRUPT'
    """
    The tag of this event, always "USER_INTERRUPT".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """


class CustomEvent(EventBase):
    """
    A signal of an application's own. Changes nothing in the Msg; has no reply_id (rule fold.custom). Unknown names are to be passed over.
    """

    type: Literal['CUSTOM'] = 'CUSTOM'
    """
    The tag of this event, always "CUSTOM".
    """
    name: StrictStr
    """
    What kind of signal, for example state_updated, team_updated.
    """
    value: dict[str, Any] = {}
    """
    What the signal says, free-form.
    """


class DataBlock(Model):
    """
    Binary data: an image, a sound, a film, a document.
    """

    type: Literal['data'] = 'data'
    """
    The tag of a data block, always "data".
    """
    id: StrictStr = Field(default_factory=new_id)
    """
    The block's id.
    """
    source: Annotated[Base64Source | URLSource, Field(discriminator='type')]
    """
    Where the bytes are: inline, or behind a URL.
    """
    name: StrictStr | None = None
    """
    A name for people, such as chart.png, or null.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished, as its DATA_BLOCK_END stamped it (rule fold.block.finished-at); null while it streams.
    """


class DataBlockDeltaEvent(DataOrUrlBehaviour, EventBase):
    """
    More bytes for a data block, or the URL of all of it. Each piece of data is base64 by itself, padded; the fold joins bytes, not strings (rule fold.data.delta). Exactly one of data and url is given (rule wire.json.data-or-url).
    """

    type: Literal['DATA_BLOCK_DELTA'] = 'DATA_BLOCK_DELTA'
    """
    The tag of this event, always "DATA_BLOCK_DELTA".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the data block.
    """
    data: Annotated[
        StrictStr | None,
        Field(
            pattern='^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$'
        ),
    ] = None
    """
    The next bytes; empty changes nothing. Null or absent when url is given.
    """
    media_type: StrictStr
    """
    What the data is. The block keeps the one of its start (rule fold.data.media-type).
    """
    url: Annotated[
        StrictStr | None,
        Field(pattern='^[A-Za-z][A-Za-z0-9+.-]*:[\\s\\S]*[^\\x00-\\x20/:?#]'),
    ] = Field(default=None, exclude_if=is_absent)
    """
    Where all of the data is; replaces what the block holds (rule fold.data.url). Null or absent when data is given.
    """


class DataBlockEndEvent(EventBase):
    """
    A data block ends. Stamps the block's finished_at from 2.0.6 on (rule fold.block.finished-at).
    """

    type: Literal['DATA_BLOCK_END'] = 'DATA_BLOCK_END'
    """
    The tag of this event, always "DATA_BLOCK_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the data block.
    """


class DataBlockStartEvent(EventBase):
    """
    A data block begins, empty (rule fold.data.start).
    """

    type: Literal['DATA_BLOCK_START'] = 'DATA_BLOCK_START'
    """
    The tag of this event, always "DATA_BLOCK_START".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the data block.
    """
    media_type: StrictStr
    """
    What the data is, for example image/png.
    """
    name: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    A name for people, such as a file name, or null. The block takes it (rule fold.data.start).
    """


class ErrorInfo(Model):
    """
    What ended a reply in error, for people and for programs that show it to people.
    """

    type: ErrorType = ErrorType.UNKNOWN
    """
    What kind of error it was.
    """
    message: StrictStr
    """
    What happened, in a short sentence for people.
    """


class HintBlock(Model):
    """
    A hint to the model in the middle of a reply: a team message, the result of a background tool, a system notice. It goes to the model as a user message.
    """

    type: Literal['hint'] = 'hint'
    """
    The tag of a hint block, always "hint".
    """
    hint: StrictStr | list[Annotated[TextBlock | DataBlock, Field(discriminator='type')]]
    """
    The hint: text, or a list of text and data blocks.
    """
    id: StrictStr = Field(default_factory=new_id)
    """
    The block's id.
    """
    source: StrictStr | None = None
    """
    Who the hint is from, such as a team member's name or system, or null.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished; a hint is finished when it comes (rule fold.hint).
    """


class HintBlockEvent(EventBase):
    """
    A whole hint block in one event (rule fold.hint).
    """

    type: Literal['HINT_BLOCK'] = 'HINT_BLOCK'
    """
    The tag of this event, always "HINT_BLOCK".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    block_id: StrictStr
    """
    The id of the hint block.
    """
    source: StrictStr | None = None
    """
    Who the hint is from, or null.
    """
    hint: StrictStr | list[Annotated[TextBlock | DataBlock, Field(discriminator='type')]]
    """
    The hint: text, or a list of text and data blocks.
    """


class ReplyEndEvent(ReplyEndBehaviour, EventBase):
    """
    A reply ends. Stamps finished_at, from 2.0.5 on finished_reason and error, too (rule fold.reply-end).
    """

    type: Literal['REPLY_END'] = 'REPLY_END'
    """
    The tag of this event, always "REPLY_END".
    """
    session_id: StrictStr
    """
    The id of the session that the reply belongs to.
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    finished_reason: ReplyFinishedReason = ReplyFinishedReason.COMPLETED
    """
    Why it ended.
    """
    error: ErrorInfo | None = Field(default=None, exclude_if=is_absent)
    """
    What went wrong, when finished_reason is error; else null.
    """


class ToolCallBlock(Model):
    """
    A call of a tool.
    """

    type: Literal['tool_call'] = 'tool_call'
    """
    The tag of a tool call, always "tool_call".
    """
    id: StrictStr
    """
    The call's id, given by the model; the result carries the same one.
    """
    name: StrictStr
    """
    The tool's name.
    """
    input: StrictStr
    """
    The arguments as raw JSON text, as the model wrote it. Half a JSON value while it streams; nobody parses it before the end (rule fold.tool-call.delta).
    """
    state: ToolCallState = ToolCallState.PENDING
    """
    Where the call stands.
    """
    suggested_rules: Annotated[list[PermissionRule], Field(validate_default=True)] = []
    """
    Rules that a person may adopt while confirming the call.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished, as its TOOL_CALL_END stamped it (rule fold.block.finished-at); null while it streams.
    """


class ToolResultBlock(ToolResultBehaviour, Model):
    """
    What a tool gave back.
    """

    type: Literal['tool_result'] = 'tool_result'
    """
    The tag of a tool result, always "tool_result".
    """
    id: StrictStr
    """
    The id of the call that this is the result of.
    """
    name: StrictStr
    """
    The tool's name.
    """
    output: StrictStr | list[Annotated[TextBlock | DataBlock, Field(discriminator='type')]]
    """
    The result: text, or a list of text and data blocks. A string and a list are different values.
    """
    state: ToolResultState = ToolResultState.RUNNING
    """
    How the run ended, or running.
    """
    metadata: dict[str, Any] = {}
    """
    Facts about the run, free-form.
    """
    created_at: StrictStr = Field(default=ABSENT_TEXT, exclude_if=is_absent)
    """
    When the block was begun, as the event that made it stamped it (rule fold.block.created-at); left out when nobody knows.
    """
    finished_at: StrictStr | None = Field(default=None, exclude_if=is_absent)
    """
    When the block was finished, as its TOOL_RESULT_END stamped it (rule fold.block.finished-at); null while it streams.
    """


class ToolResultEndEvent(EventBase):
    """
    A tool's result is complete: sets state and metadata of the result, and finishes the call (rules fold.tool-result.end, fold.tool-result.end.call). The event's metadata is the result's.
    """

    type: Literal['TOOL_RESULT_END'] = 'TOOL_RESULT_END'
    """
    The tag of this event, always "TOOL_RESULT_END".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_call_id: StrictStr
    """
    The id of the tool call.
    """
    state: ToolResultState
    """
    How the run ended.
    """


class ConfirmResult(Model):
    """
    A person's answer about one tool call.
    """

    confirmed: StrictBool
    """
    true: the call may run. false: it may not.
    """
    tool_call: ToolCallBlock
    """
    The call that the answer is about.
    """
    rules: list[PermissionRule] | None = None
    """
    Rules that the person adopted with a yes, or null.
    """


class ExternalExecutionResultEvent(EventBase):
    """
    Results from an outside executor (rule fold.external.result).
    """

    type: Literal['EXTERNAL_EXECUTION_RESULT'] = 'EXTERNAL_EXECUTION_RESULT'
    """
    The tag of this event, always "EXTERNAL_EXECUTION_RESULT".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    execution_results: list[ToolResultBlock]
    """
    The results, each under the id of its call.
    """


class Msg(MsgBehaviour, Model):
    """
    A message: who said what, and how many tokens it took. What events fold into, what is stored, and what agents send each other.
    """

    name: StrictStr
    """
    The sender's name.
    """
    content: list[
        Annotated[
            TextBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock | DataBlock,
            Field(discriminator='type'),
        ]
    ]
    """
    The blocks, in the order in which they began.
    """
    role: Literal['user', 'assistant', 'system']
    """
    Who speaks.
    """
    id: StrictStr = Field(default_factory=new_id)
    """
    The message's id; for a streamed reply it is the reply_id of its events.
    """
    metadata: dict[str, Any] = {}
    """
    Facts about the message, free-form.
    """
    created_at: StrictStr = Field(default_factory=now)
    """
    When the message was begun.
    """
    finished_at: StrictStr | None = None
    """
    When the message was finished, as its REPLY_END stamped it; null while it streams.
    """
    usage: Usage | None = None
    """
    Tokens spent, or null when no model call has ended.
    """
    finished_reason: ReplyFinishedReason | None = Field(default=None, exclude_if=is_absent)
    """
    Why the reply ended, as its REPLY_END said; null while it streams.
    """
    structured_output: dict[str, Any] | None = Field(default=None, exclude_if=is_absent)
    """
    The reply as an object of the schema that was asked for; null when none was asked for, or none came. No event sets it.
    """
    error: ErrorInfo | None = Field(default=None, exclude_if=is_absent)
    """
    What ended the reply, when finished_reason is error; else null.
    """


class RequireExternalExecutionEvent(EventBase):
    """
    Tool calls are handed to an outside executor (rule fold.external.require). The stream may end here: the reply waits.
    """

    type: Literal['REQUIRE_EXTERNAL_EXECUTION'] = 'REQUIRE_EXTERNAL_EXECUTION'
    """
    The tag of this event, always "REQUIRE_EXTERNAL_EXECUTION".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_calls: list[ToolCallBlock]
    """
    The calls to execute.
    """


class RequireUserConfirmEvent(EventBase):
    """
    Tool calls wait for a person to confirm them (rule fold.confirm.require). The stream may end here: the reply waits.
    """

    type: Literal['REQUIRE_USER_CONFIRM'] = 'REQUIRE_USER_CONFIRM'
    """
    The tag of this event, always "REQUIRE_USER_CONFIRM".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    tool_calls: list[ToolCallBlock]
    """
    The calls that wait, each with the rules it suggests.
    """


class UserConfirmResultEvent(EventBase):
    """
    A person's answers (rule fold.confirm.result).
    """

    type: Literal['USER_CONFIRM_RESULT'] = 'USER_CONFIRM_RESULT'
    """
    The tag of this event, always "USER_CONFIRM_RESULT".
    """
    reply_id: StrictStr
    """
    The id of the reply, and of the Msg that it builds.
    """
    confirm_results: list[ConfirmResult]
    """
    An answer a call. A call that is left out goes on waiting.
    """


AgentEvent = TypeAliasType(
    "AgentEvent",
    Annotated[
        ReplyStartEvent | ReplyEndEvent | ModelCallStartEvent | ModelCallEndEvent | TextBlockStartEvent | TextBlockDeltaEvent | TextBlockEndEvent | DataBlockStartEvent | DataBlockDeltaEvent | DataBlockEndEvent | ThinkingBlockStartEvent | ThinkingBlockDeltaEvent | ThinkingBlockEndEvent | HintBlockEvent | ToolCallStartEvent | ToolCallDeltaEvent | ToolCallEndEvent | ToolResultStartEvent | ToolResultTextDeltaEvent | ToolResultDataDeltaEvent | ToolResultEndEvent | ExceedMaxItersEvent | RequireUserConfirmEvent | RequireExternalExecutionEvent | UserConfirmResultEvent | UserInterruptEvent | ExternalExecutionResultEvent | CustomEvent,
        Field(discriminator='type', title='AgentEvent'),
    ],
)
"""
One event of a reply stream, told apart by its type.
"""
