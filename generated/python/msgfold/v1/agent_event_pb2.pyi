# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from google.protobuf import struct_pb2 as _struct_pb2
from msgfold.v1 import content_block_pb2 as _content_block_pb2
from msgfold.v1 import msg_pb2 as _msg_pb2
from msgfold.v1 import permission_pb2 as _permission_pb2
from msgfold.v1 import reply_pb2 as _reply_pb2
from msgfold.v1 import since_pb2 as _since_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FinishedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINISHED_REASON_UNSPECIFIED: _ClassVar[FinishedReason]
    FINISHED_REASON_COMPLETED: _ClassVar[FinishedReason]
    FINISHED_REASON_INTERRUPTED: _ClassVar[FinishedReason]
FINISHED_REASON_UNSPECIFIED: FinishedReason
FINISHED_REASON_COMPLETED: FinishedReason
FINISHED_REASON_INTERRUPTED: FinishedReason

class ConfirmResult(_message.Message):
    __slots__ = ("confirmed", "tool_call", "rules_value", "rules_null")
    CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    RULES_VALUE_FIELD_NUMBER: _ClassVar[int]
    RULES_NULL_FIELD_NUMBER: _ClassVar[int]
    confirmed: bool
    tool_call: _content_block_pb2.ToolCallBlock
    rules_value: _permission_pb2.PermissionRules
    rules_null: _struct_pb2.NullValue
    def __init__(self, confirmed: _Optional[bool] = ..., tool_call: _Optional[_Union[_content_block_pb2.ToolCallBlock, _Mapping]] = ..., rules_value: _Optional[_Union[_permission_pb2.PermissionRules, _Mapping]] = ..., rules_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ReplyStartEvent(_message.Message):
    __slots__ = ("session_id", "name", "role")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    name: str
    role: _msg_pb2.Role
    def __init__(self, session_id: _Optional[str] = ..., name: _Optional[str] = ..., role: _Optional[_Union[_msg_pb2.Role, str]] = ...) -> None: ...

class ReplyEndEvent(_message.Message):
    __slots__ = ("session_id", "finished_reason", "error_value", "error_null")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    FINISHED_REASON_FIELD_NUMBER: _ClassVar[int]
    ERROR_VALUE_FIELD_NUMBER: _ClassVar[int]
    ERROR_NULL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    finished_reason: _reply_pb2.ReplyFinishedReason
    error_value: _reply_pb2.ErrorInfo
    error_null: _struct_pb2.NullValue
    def __init__(self, session_id: _Optional[str] = ..., finished_reason: _Optional[_Union[_reply_pb2.ReplyFinishedReason, str]] = ..., error_value: _Optional[_Union[_reply_pb2.ErrorInfo, _Mapping]] = ..., error_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ModelCallStartEvent(_message.Message):
    __slots__ = ("model_name",)
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    model_name: str
    def __init__(self, model_name: _Optional[str] = ...) -> None: ...

class ModelCallEndEvent(_message.Message):
    __slots__ = ("input_tokens", "output_tokens", "finished_reason", "cache_input_tokens", "cache_creation_input_tokens")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_REASON_FIELD_NUMBER: _ClassVar[int]
    CACHE_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHE_CREATION_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    output_tokens: int
    finished_reason: FinishedReason
    cache_input_tokens: int
    cache_creation_input_tokens: int
    def __init__(self, input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., finished_reason: _Optional[_Union[FinishedReason, str]] = ..., cache_input_tokens: _Optional[int] = ..., cache_creation_input_tokens: _Optional[int] = ...) -> None: ...

class TextBlockStartEvent(_message.Message):
    __slots__ = ("block_id",)
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    def __init__(self, block_id: _Optional[str] = ...) -> None: ...

class TextBlockDeltaEvent(_message.Message):
    __slots__ = ("block_id", "delta")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    delta: str
    def __init__(self, block_id: _Optional[str] = ..., delta: _Optional[str] = ...) -> None: ...

class TextBlockEndEvent(_message.Message):
    __slots__ = ("block_id", "text_value", "text_null")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_VALUE_FIELD_NUMBER: _ClassVar[int]
    TEXT_NULL_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    text_value: str
    text_null: _struct_pb2.NullValue
    def __init__(self, block_id: _Optional[str] = ..., text_value: _Optional[str] = ..., text_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class DataBlockStartEvent(_message.Message):
    __slots__ = ("block_id", "media_type", "name_value", "name_null")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_VALUE_FIELD_NUMBER: _ClassVar[int]
    NAME_NULL_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    media_type: str
    name_value: str
    name_null: _struct_pb2.NullValue
    def __init__(self, block_id: _Optional[str] = ..., media_type: _Optional[str] = ..., name_value: _Optional[str] = ..., name_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class DataBlockDeltaEvent(_message.Message):
    __slots__ = ("block_id", "data_value", "data_null", "media_type", "url_value", "url_null")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    DATA_VALUE_FIELD_NUMBER: _ClassVar[int]
    DATA_NULL_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    URL_VALUE_FIELD_NUMBER: _ClassVar[int]
    URL_NULL_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    data_value: bytes
    data_null: _struct_pb2.NullValue
    media_type: str
    url_value: str
    url_null: _struct_pb2.NullValue
    def __init__(self, block_id: _Optional[str] = ..., data_value: _Optional[bytes] = ..., data_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., media_type: _Optional[str] = ..., url_value: _Optional[str] = ..., url_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class DataBlockEndEvent(_message.Message):
    __slots__ = ("block_id",)
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    def __init__(self, block_id: _Optional[str] = ...) -> None: ...

class ThinkingBlockStartEvent(_message.Message):
    __slots__ = ("block_id",)
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    def __init__(self, block_id: _Optional[str] = ...) -> None: ...

class ThinkingBlockDeltaEvent(_message.Message):
    __slots__ = ("block_id", "delta")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    delta: str
    def __init__(self, block_id: _Optional[str] = ..., delta: _Optional[str] = ...) -> None: ...

class ThinkingBlockEndEvent(_message.Message):
    __slots__ = ("block_id",)
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    def __init__(self, block_id: _Optional[str] = ...) -> None: ...

class HintBlockEvent(_message.Message):
    __slots__ = ("block_id", "source_value", "source_null", "hint_text", "hint_blocks")
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NULL_FIELD_NUMBER: _ClassVar[int]
    HINT_TEXT_FIELD_NUMBER: _ClassVar[int]
    HINT_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    block_id: str
    source_value: str
    source_null: _struct_pb2.NullValue
    hint_text: str
    hint_blocks: _content_block_pb2.MediaBlocks
    def __init__(self, block_id: _Optional[str] = ..., source_value: _Optional[str] = ..., source_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., hint_text: _Optional[str] = ..., hint_blocks: _Optional[_Union[_content_block_pb2.MediaBlocks, _Mapping]] = ...) -> None: ...

class ToolCallStartEvent(_message.Message):
    __slots__ = ("tool_call_id", "tool_call_name")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_NAME_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    tool_call_name: str
    def __init__(self, tool_call_id: _Optional[str] = ..., tool_call_name: _Optional[str] = ...) -> None: ...

class ToolCallDeltaEvent(_message.Message):
    __slots__ = ("tool_call_id", "delta")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    delta: str
    def __init__(self, tool_call_id: _Optional[str] = ..., delta: _Optional[str] = ...) -> None: ...

class ToolCallEndEvent(_message.Message):
    __slots__ = ("tool_call_id",)
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    def __init__(self, tool_call_id: _Optional[str] = ...) -> None: ...

class ToolResultStartEvent(_message.Message):
    __slots__ = ("tool_call_id", "tool_call_name")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_NAME_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    tool_call_name: str
    def __init__(self, tool_call_id: _Optional[str] = ..., tool_call_name: _Optional[str] = ...) -> None: ...

class ToolResultTextDeltaEvent(_message.Message):
    __slots__ = ("tool_call_id", "delta")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    delta: str
    def __init__(self, tool_call_id: _Optional[str] = ..., delta: _Optional[str] = ...) -> None: ...

class ToolResultDataDeltaEvent(_message.Message):
    __slots__ = ("tool_call_id", "block_id", "media_type", "data_value", "data_null", "url_value", "url_null")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    DATA_VALUE_FIELD_NUMBER: _ClassVar[int]
    DATA_NULL_FIELD_NUMBER: _ClassVar[int]
    URL_VALUE_FIELD_NUMBER: _ClassVar[int]
    URL_NULL_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    block_id: str
    media_type: str
    data_value: bytes
    data_null: _struct_pb2.NullValue
    url_value: str
    url_null: _struct_pb2.NullValue
    def __init__(self, tool_call_id: _Optional[str] = ..., block_id: _Optional[str] = ..., media_type: _Optional[str] = ..., data_value: _Optional[bytes] = ..., data_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., url_value: _Optional[str] = ..., url_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ToolResultEndEvent(_message.Message):
    __slots__ = ("tool_call_id", "state")
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    tool_call_id: str
    state: _content_block_pb2.ToolResultState
    def __init__(self, tool_call_id: _Optional[str] = ..., state: _Optional[_Union[_content_block_pb2.ToolResultState, str]] = ...) -> None: ...

class ExceedMaxItersEvent(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RequireUserConfirmEvent(_message.Message):
    __slots__ = ("tool_calls",)
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    tool_calls: _containers.RepeatedCompositeFieldContainer[_content_block_pb2.ToolCallBlock]
    def __init__(self, tool_calls: _Optional[_Iterable[_Union[_content_block_pb2.ToolCallBlock, _Mapping]]] = ...) -> None: ...

class RequireExternalExecutionEvent(_message.Message):
    __slots__ = ("tool_calls",)
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    tool_calls: _containers.RepeatedCompositeFieldContainer[_content_block_pb2.ToolCallBlock]
    def __init__(self, tool_calls: _Optional[_Iterable[_Union[_content_block_pb2.ToolCallBlock, _Mapping]]] = ...) -> None: ...

class UserConfirmResultEvent(_message.Message):
    __slots__ = ("confirm_results",)
    CONFIRM_RESULTS_FIELD_NUMBER: _ClassVar[int]
    confirm_results: _containers.RepeatedCompositeFieldContainer[ConfirmResult]
    def __init__(self, confirm_results: _Optional[_Iterable[_Union[ConfirmResult, _Mapping]]] = ...) -> None: ...

class UserInterruptEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExternalExecutionResultEvent(_message.Message):
    __slots__ = ("execution_results",)
    EXECUTION_RESULTS_FIELD_NUMBER: _ClassVar[int]
    execution_results: _containers.RepeatedCompositeFieldContainer[_content_block_pb2.ToolResultBlock]
    def __init__(self, execution_results: _Optional[_Iterable[_Union[_content_block_pb2.ToolResultBlock, _Mapping]]] = ...) -> None: ...

class CustomEvent(_message.Message):
    __slots__ = ("name", "value_json")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_JSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    value_json: str
    def __init__(self, name: _Optional[str] = ..., value_json: _Optional[str] = ...) -> None: ...

class AgentEvent(_message.Message):
    __slots__ = ("id", "created_at", "metadata_json", "reply_id", "reply_start", "reply_end", "model_call_start", "model_call_end", "text_block_start", "text_block_delta", "text_block_end", "data_block_start", "data_block_delta", "data_block_end", "thinking_block_start", "thinking_block_delta", "thinking_block_end", "hint_block", "tool_call_start", "tool_call_delta", "tool_call_end", "tool_result_start", "tool_result_text_delta", "tool_result_data_delta", "tool_result_end", "exceed_max_iters", "require_user_confirm", "require_external_execution", "user_confirm_result", "user_interrupt", "external_execution_result", "custom")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    METADATA_JSON_FIELD_NUMBER: _ClassVar[int]
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    REPLY_START_FIELD_NUMBER: _ClassVar[int]
    REPLY_END_FIELD_NUMBER: _ClassVar[int]
    MODEL_CALL_START_FIELD_NUMBER: _ClassVar[int]
    MODEL_CALL_END_FIELD_NUMBER: _ClassVar[int]
    TEXT_BLOCK_START_FIELD_NUMBER: _ClassVar[int]
    TEXT_BLOCK_DELTA_FIELD_NUMBER: _ClassVar[int]
    TEXT_BLOCK_END_FIELD_NUMBER: _ClassVar[int]
    DATA_BLOCK_START_FIELD_NUMBER: _ClassVar[int]
    DATA_BLOCK_DELTA_FIELD_NUMBER: _ClassVar[int]
    DATA_BLOCK_END_FIELD_NUMBER: _ClassVar[int]
    THINKING_BLOCK_START_FIELD_NUMBER: _ClassVar[int]
    THINKING_BLOCK_DELTA_FIELD_NUMBER: _ClassVar[int]
    THINKING_BLOCK_END_FIELD_NUMBER: _ClassVar[int]
    HINT_BLOCK_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_START_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_DELTA_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_END_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_START_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_TEXT_DELTA_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_DATA_DELTA_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_END_FIELD_NUMBER: _ClassVar[int]
    EXCEED_MAX_ITERS_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_USER_CONFIRM_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_EXTERNAL_EXECUTION_FIELD_NUMBER: _ClassVar[int]
    USER_CONFIRM_RESULT_FIELD_NUMBER: _ClassVar[int]
    USER_INTERRUPT_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_EXECUTION_RESULT_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_FIELD_NUMBER: _ClassVar[int]
    id: str
    created_at: str
    metadata_json: str
    reply_id: str
    reply_start: ReplyStartEvent
    reply_end: ReplyEndEvent
    model_call_start: ModelCallStartEvent
    model_call_end: ModelCallEndEvent
    text_block_start: TextBlockStartEvent
    text_block_delta: TextBlockDeltaEvent
    text_block_end: TextBlockEndEvent
    data_block_start: DataBlockStartEvent
    data_block_delta: DataBlockDeltaEvent
    data_block_end: DataBlockEndEvent
    thinking_block_start: ThinkingBlockStartEvent
    thinking_block_delta: ThinkingBlockDeltaEvent
    thinking_block_end: ThinkingBlockEndEvent
    hint_block: HintBlockEvent
    tool_call_start: ToolCallStartEvent
    tool_call_delta: ToolCallDeltaEvent
    tool_call_end: ToolCallEndEvent
    tool_result_start: ToolResultStartEvent
    tool_result_text_delta: ToolResultTextDeltaEvent
    tool_result_data_delta: ToolResultDataDeltaEvent
    tool_result_end: ToolResultEndEvent
    exceed_max_iters: ExceedMaxItersEvent
    require_user_confirm: RequireUserConfirmEvent
    require_external_execution: RequireExternalExecutionEvent
    user_confirm_result: UserConfirmResultEvent
    user_interrupt: UserInterruptEvent
    external_execution_result: ExternalExecutionResultEvent
    custom: CustomEvent
    def __init__(self, id: _Optional[str] = ..., created_at: _Optional[str] = ..., metadata_json: _Optional[str] = ..., reply_id: _Optional[str] = ..., reply_start: _Optional[_Union[ReplyStartEvent, _Mapping]] = ..., reply_end: _Optional[_Union[ReplyEndEvent, _Mapping]] = ..., model_call_start: _Optional[_Union[ModelCallStartEvent, _Mapping]] = ..., model_call_end: _Optional[_Union[ModelCallEndEvent, _Mapping]] = ..., text_block_start: _Optional[_Union[TextBlockStartEvent, _Mapping]] = ..., text_block_delta: _Optional[_Union[TextBlockDeltaEvent, _Mapping]] = ..., text_block_end: _Optional[_Union[TextBlockEndEvent, _Mapping]] = ..., data_block_start: _Optional[_Union[DataBlockStartEvent, _Mapping]] = ..., data_block_delta: _Optional[_Union[DataBlockDeltaEvent, _Mapping]] = ..., data_block_end: _Optional[_Union[DataBlockEndEvent, _Mapping]] = ..., thinking_block_start: _Optional[_Union[ThinkingBlockStartEvent, _Mapping]] = ..., thinking_block_delta: _Optional[_Union[ThinkingBlockDeltaEvent, _Mapping]] = ..., thinking_block_end: _Optional[_Union[ThinkingBlockEndEvent, _Mapping]] = ..., hint_block: _Optional[_Union[HintBlockEvent, _Mapping]] = ..., tool_call_start: _Optional[_Union[ToolCallStartEvent, _Mapping]] = ..., tool_call_delta: _Optional[_Union[ToolCallDeltaEvent, _Mapping]] = ..., tool_call_end: _Optional[_Union[ToolCallEndEvent, _Mapping]] = ..., tool_result_start: _Optional[_Union[ToolResultStartEvent, _Mapping]] = ..., tool_result_text_delta: _Optional[_Union[ToolResultTextDeltaEvent, _Mapping]] = ..., tool_result_data_delta: _Optional[_Union[ToolResultDataDeltaEvent, _Mapping]] = ..., tool_result_end: _Optional[_Union[ToolResultEndEvent, _Mapping]] = ..., exceed_max_iters: _Optional[_Union[ExceedMaxItersEvent, _Mapping]] = ..., require_user_confirm: _Optional[_Union[RequireUserConfirmEvent, _Mapping]] = ..., require_external_execution: _Optional[_Union[RequireExternalExecutionEvent, _Mapping]] = ..., user_confirm_result: _Optional[_Union[UserConfirmResultEvent, _Mapping]] = ..., user_interrupt: _Optional[_Union[UserInterruptEvent, _Mapping]] = ..., external_execution_result: _Optional[_Union[ExternalExecutionResultEvent, _Mapping]] = ..., custom: _Optional[_Union[CustomEvent, _Mapping]] = ...) -> None: ...
