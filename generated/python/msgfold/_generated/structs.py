# Generated from schemas/ by `msgfold generate --only models`. DO NOT EDIT.
from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType


class EventBase(Struct, kw_only=True):
    id: str | UnsetType = UNSET
    created_at: str | UnsetType = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET


class ExceedMaxItersEvent(EventBase, kw_only=True, tag_field='type', tag='EXCEED_MAX_ITERS'):
    reply_id: str
    name: str


class ExternalExecutionResultEvent(EventBase, kw_only=True, tag_field='type', tag='EXTERNAL_EXECUTION_RESULT'):
    reply_id: str
    execution_results: Any


class HintBlockEvent(EventBase, kw_only=True, tag_field='type', tag='HINT_BLOCK'):
    reply_id: str
    block_id: str
    hint: Any
    source: str | None | UnsetType = UNSET


class ModelCallStartEvent(EventBase, kw_only=True, tag_field='type', tag='MODEL_CALL_START'):
    reply_id: str
    model_name: str


class Role(StrEnum):
    USER = 'user'
    ASSISTANT = 'assistant'
    SYSTEM = 'system'


class ReplyStartEvent(EventBase, kw_only=True, tag_field='type', tag='REPLY_START'):
    session_id: str
    reply_id: str
    name: str
    role: Role | UnsetType = UNSET


class RequireExternalExecutionEvent(EventBase, kw_only=True, tag_field='type', tag='REQUIRE_EXTERNAL_EXECUTION'):
    reply_id: str
    tool_calls: Any


class RequireUserConfirmEvent(EventBase, kw_only=True, tag_field='type', tag='REQUIRE_USER_CONFIRM'):
    reply_id: str
    tool_calls: Any


class TextBlockDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='TEXT_BLOCK_DELTA'):
    reply_id: str
    block_id: str
    delta: str


class TextBlockEndEvent(EventBase, kw_only=True, tag_field='type', tag='TEXT_BLOCK_END'):
    reply_id: str
    block_id: str
    text: str | None | UnsetType = UNSET


class TextBlockStartEvent(EventBase, kw_only=True, tag_field='type', tag='TEXT_BLOCK_START'):
    reply_id: str
    block_id: str


class ThinkingBlockDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='THINKING_BLOCK_DELTA'):
    reply_id: str
    block_id: str
    delta: str


class ThinkingBlockEndEvent(EventBase, kw_only=True, tag_field='type', tag='THINKING_BLOCK_END'):
    reply_id: str
    block_id: str


class ThinkingBlockStartEvent(EventBase, kw_only=True, tag_field='type', tag='THINKING_BLOCK_START'):
    reply_id: str
    block_id: str


class ToolCallDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_CALL_DELTA'):
    reply_id: str
    tool_call_id: str
    delta: str


class ToolCallEndEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_CALL_END'):
    reply_id: str
    tool_call_id: str


class ToolCallStartEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_CALL_START'):
    reply_id: str
    tool_call_id: str
    tool_call_name: str


class ToolResultDataDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_RESULT_DATA_DELTA'):
    reply_id: str
    tool_call_id: str
    media_type: str
    block_id: str | UnsetType = UNSET
    data: str | None | UnsetType = UNSET
    url: str | None | UnsetType = UNSET


class ToolResultStartEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_RESULT_START'):
    reply_id: str
    tool_call_id: str
    tool_call_name: str


class ToolResultTextDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_RESULT_TEXT_DELTA'):
    reply_id: str
    tool_call_id: str
    delta: str


class UserConfirmResultEvent(EventBase, kw_only=True, tag_field='type', tag='USER_CONFIRM_RESULT'):
    reply_id: str
    confirm_results: Any


class UserInterruptEvent(EventBase, kw_only=True, tag_field='type', tag='USER_INTERRUPT'):
    reply_id: str


class ContentBlockType(StrEnum):
    TEXT = 'text'
    THINKING = 'thinking'
    HINT = 'hint'
    TOOL_CALL = 'tool_call'
    TOOL_RESULT = 'tool_result'
    DATA = 'data'


class ErrorType(StrEnum):
    AUTHENTICATION = 'authentication'
    PERMISSION = 'permission'
    RATE_LIMIT = 'rate_limit'
    INVALID_REQUEST = 'invalid_request'
    UPSTREAM = 'upstream'
    CONNECTION = 'connection'
    INTERNAL = 'internal'
    SETUP = 'setup'
    UNKNOWN = 'unknown'


class EventType(StrEnum):
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


class FinishedReason(StrEnum):
    COMPLETED = 'completed'
    INTERRUPTED = 'interrupted'


class PermissionBehavior(StrEnum):
    ALLOW = 'allow'
    DENY = 'deny'
    ASK = 'ask'
    PASSTHROUGH = 'passthrough'


class ReplyFinishedReason(StrEnum):
    COMPLETED = 'completed'
    INTERRUPTED = 'interrupted'
    EXCEED_MAX_ITERS = 'exceed_max_iters'
    ERROR = 'error'


class ToolCallState(StrEnum):
    PENDING = 'pending'
    ASKING = 'asking'
    ALLOWED = 'allowed'
    SUBMITTED = 'submitted'
    FINISHED = 'finished'


class ToolResultState(StrEnum):
    SUCCESS = 'success'
    ERROR = 'error'
    INTERRUPTED = 'interrupted'
    DENIED = 'denied'
    RUNNING = 'running'


class CustomEvent(EventBase, kw_only=True, tag_field='type', tag='CUSTOM'):
    name: str
    value: dict[str, Any] | UnsetType = UNSET


class DataBlockDeltaEvent(EventBase, kw_only=True, tag_field='type', tag='DATA_BLOCK_DELTA'):
    reply_id: str
    block_id: str
    media_type: str
    data: str | None | UnsetType = UNSET
    url: str | None | UnsetType = UNSET


class DataBlockEndEvent(EventBase, kw_only=True, tag_field='type', tag='DATA_BLOCK_END'):
    reply_id: str
    block_id: str


class DataBlockStartEvent(EventBase, kw_only=True, tag_field='type', tag='DATA_BLOCK_START'):
    reply_id: str
    block_id: str
    media_type: str
    name: str | None | UnsetType = UNSET


class ModelCallEndEvent(EventBase, kw_only=True, tag_field='type', tag='MODEL_CALL_END'):
    reply_id: str
    input_tokens: int
    output_tokens: int
    cache_input_tokens: int | UnsetType = UNSET
    cache_creation_input_tokens: int | UnsetType = UNSET
    finished_reason: FinishedReason | UnsetType = UNSET


class ReplyEndEvent(EventBase, kw_only=True, tag_field='type', tag='REPLY_END'):
    session_id: str
    reply_id: str
    finished_reason: ReplyFinishedReason | UnsetType = UNSET
    error: Any | UnsetType = UNSET


class ToolResultEndEvent(EventBase, kw_only=True, tag_field='type', tag='TOOL_RESULT_END'):
    reply_id: str
    tool_call_id: str
    state: ToolResultState


AgentEvent: TypeAlias = Annotated[
    ReplyStartEvent | ReplyEndEvent | ModelCallStartEvent | ModelCallEndEvent | TextBlockStartEvent | TextBlockDeltaEvent | TextBlockEndEvent | DataBlockStartEvent | DataBlockDeltaEvent | DataBlockEndEvent | ThinkingBlockStartEvent | ThinkingBlockDeltaEvent | ThinkingBlockEndEvent | HintBlockEvent | ToolCallStartEvent | ToolCallDeltaEvent | ToolCallEndEvent | ToolResultStartEvent | ToolResultTextDeltaEvent | ToolResultDataDeltaEvent | ToolResultEndEvent | ExceedMaxItersEvent | RequireUserConfirmEvent | RequireExternalExecutionEvent | UserConfirmResultEvent | UserInterruptEvent | ExternalExecutionResultEvent | CustomEvent,
    Meta(title='AgentEvent'),
]
