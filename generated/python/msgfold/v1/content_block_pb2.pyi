# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from google.protobuf import struct_pb2 as _struct_pb2
from msgfold.v1 import permission_pb2 as _permission_pb2
from msgfold.v1 import since_pb2 as _since_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ToolCallState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOOL_CALL_STATE_UNSPECIFIED: _ClassVar[ToolCallState]
    TOOL_CALL_STATE_PENDING: _ClassVar[ToolCallState]
    TOOL_CALL_STATE_ASKING: _ClassVar[ToolCallState]
    TOOL_CALL_STATE_ALLOWED: _ClassVar[ToolCallState]
    TOOL_CALL_STATE_SUBMITTED: _ClassVar[ToolCallState]
    TOOL_CALL_STATE_FINISHED: _ClassVar[ToolCallState]

class ToolResultState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOOL_RESULT_STATE_UNSPECIFIED: _ClassVar[ToolResultState]
    TOOL_RESULT_STATE_SUCCESS: _ClassVar[ToolResultState]
    TOOL_RESULT_STATE_ERROR: _ClassVar[ToolResultState]
    TOOL_RESULT_STATE_INTERRUPTED: _ClassVar[ToolResultState]
    TOOL_RESULT_STATE_DENIED: _ClassVar[ToolResultState]
    TOOL_RESULT_STATE_RUNNING: _ClassVar[ToolResultState]
TOOL_CALL_STATE_UNSPECIFIED: ToolCallState
TOOL_CALL_STATE_PENDING: ToolCallState
TOOL_CALL_STATE_ASKING: ToolCallState
TOOL_CALL_STATE_ALLOWED: ToolCallState
TOOL_CALL_STATE_SUBMITTED: ToolCallState
TOOL_CALL_STATE_FINISHED: ToolCallState
TOOL_RESULT_STATE_UNSPECIFIED: ToolResultState
TOOL_RESULT_STATE_SUCCESS: ToolResultState
TOOL_RESULT_STATE_ERROR: ToolResultState
TOOL_RESULT_STATE_INTERRUPTED: ToolResultState
TOOL_RESULT_STATE_DENIED: ToolResultState
TOOL_RESULT_STATE_RUNNING: ToolResultState

class TextBlock(_message.Message):
    __slots__ = ("text", "id", "created_at", "finished_at_value", "finished_at_null")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    text: str
    id: str
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, text: _Optional[str] = ..., id: _Optional[str] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ThinkingBlock(_message.Message):
    __slots__ = ("thinking", "id", "extra_json", "created_at", "finished_at_value", "finished_at_null")
    THINKING_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    EXTRA_JSON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    thinking: str
    id: str
    extra_json: str
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, thinking: _Optional[str] = ..., id: _Optional[str] = ..., extra_json: _Optional[str] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class Base64Source(_message.Message):
    __slots__ = ("data", "media_type")
    DATA_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    media_type: str
    def __init__(self, data: _Optional[bytes] = ..., media_type: _Optional[str] = ...) -> None: ...

class URLSource(_message.Message):
    __slots__ = ("url", "media_type")
    URL_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    url: str
    media_type: str
    def __init__(self, url: _Optional[str] = ..., media_type: _Optional[str] = ...) -> None: ...

class DataSource(_message.Message):
    __slots__ = ("base64", "url")
    BASE64_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    base64: Base64Source
    url: URLSource
    def __init__(self, base64: _Optional[_Union[Base64Source, _Mapping]] = ..., url: _Optional[_Union[URLSource, _Mapping]] = ...) -> None: ...

class DataBlock(_message.Message):
    __slots__ = ("id", "source", "name_value", "name_null", "created_at", "finished_at_value", "finished_at_null")
    ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    NAME_VALUE_FIELD_NUMBER: _ClassVar[int]
    NAME_NULL_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    id: str
    source: DataSource
    name_value: str
    name_null: _struct_pb2.NullValue
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, id: _Optional[str] = ..., source: _Optional[_Union[DataSource, _Mapping]] = ..., name_value: _Optional[str] = ..., name_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class MediaBlock(_message.Message):
    __slots__ = ("text", "data")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    text: TextBlock
    data: DataBlock
    def __init__(self, text: _Optional[_Union[TextBlock, _Mapping]] = ..., data: _Optional[_Union[DataBlock, _Mapping]] = ...) -> None: ...

class MediaBlocks(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[MediaBlock]
    def __init__(self, items: _Optional[_Iterable[_Union[MediaBlock, _Mapping]]] = ...) -> None: ...

class HintBlock(_message.Message):
    __slots__ = ("hint_text", "hint_blocks", "id", "source_value", "source_null", "created_at", "finished_at_value", "finished_at_null")
    HINT_TEXT_FIELD_NUMBER: _ClassVar[int]
    HINT_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NULL_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    hint_text: str
    hint_blocks: MediaBlocks
    id: str
    source_value: str
    source_null: _struct_pb2.NullValue
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, hint_text: _Optional[str] = ..., hint_blocks: _Optional[_Union[MediaBlocks, _Mapping]] = ..., id: _Optional[str] = ..., source_value: _Optional[str] = ..., source_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ToolCallBlock(_message.Message):
    __slots__ = ("id", "name", "input", "state", "suggested_rules", "created_at", "finished_at_value", "finished_at_null")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_RULES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    input: str
    state: ToolCallState
    suggested_rules: _permission_pb2.PermissionRules
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., input: _Optional[str] = ..., state: _Optional[_Union[ToolCallState, str]] = ..., suggested_rules: _Optional[_Union[_permission_pb2.PermissionRules, _Mapping]] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ToolResultBlock(_message.Message):
    __slots__ = ("id", "name", "output_text", "output_blocks", "state", "metadata_json", "created_at", "finished_at_value", "finished_at_null")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TEXT_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    METADATA_JSON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    output_text: str
    output_blocks: MediaBlocks
    state: ToolResultState
    metadata_json: str
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., output_text: _Optional[str] = ..., output_blocks: _Optional[_Union[MediaBlocks, _Mapping]] = ..., state: _Optional[_Union[ToolResultState, str]] = ..., metadata_json: _Optional[str] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...

class ContentBlock(_message.Message):
    __slots__ = ("text", "thinking", "hint", "tool_call", "tool_result", "data")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    THINKING_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    text: TextBlock
    thinking: ThinkingBlock
    hint: HintBlock
    tool_call: ToolCallBlock
    tool_result: ToolResultBlock
    data: DataBlock
    def __init__(self, text: _Optional[_Union[TextBlock, _Mapping]] = ..., thinking: _Optional[_Union[ThinkingBlock, _Mapping]] = ..., hint: _Optional[_Union[HintBlock, _Mapping]] = ..., tool_call: _Optional[_Union[ToolCallBlock, _Mapping]] = ..., tool_result: _Optional[_Union[ToolResultBlock, _Mapping]] = ..., data: _Optional[_Union[DataBlock, _Mapping]] = ...) -> None: ...
