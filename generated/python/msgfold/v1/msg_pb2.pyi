# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from google.protobuf import struct_pb2 as _struct_pb2
from msgfold.v1 import content_block_pb2 as _content_block_pb2
from msgfold.v1 import reply_pb2 as _reply_pb2
from msgfold.v1 import since_pb2 as _since_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_USER: _ClassVar[Role]
    ROLE_ASSISTANT: _ClassVar[Role]
    ROLE_SYSTEM: _ClassVar[Role]
ROLE_UNSPECIFIED: Role
ROLE_USER: Role
ROLE_ASSISTANT: Role
ROLE_SYSTEM: Role

class Usage(_message.Message):
    __slots__ = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHE_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHE_CREATION_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    output_tokens: int
    cache_input_tokens: int
    cache_creation_input_tokens: int
    def __init__(self, input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., cache_input_tokens: _Optional[int] = ..., cache_creation_input_tokens: _Optional[int] = ...) -> None: ...

class Msg(_message.Message):
    __slots__ = ("name", "content", "role", "id", "metadata_json", "created_at", "finished_at_value", "finished_at_null", "usage_value", "usage_null", "finished_reason_value", "finished_reason_null", "structured_output_json", "structured_output_null", "error_value", "error_null")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    METADATA_JSON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_NULL_FIELD_NUMBER: _ClassVar[int]
    USAGE_VALUE_FIELD_NUMBER: _ClassVar[int]
    USAGE_NULL_FIELD_NUMBER: _ClassVar[int]
    FINISHED_REASON_VALUE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_REASON_NULL_FIELD_NUMBER: _ClassVar[int]
    STRUCTURED_OUTPUT_JSON_FIELD_NUMBER: _ClassVar[int]
    STRUCTURED_OUTPUT_NULL_FIELD_NUMBER: _ClassVar[int]
    ERROR_VALUE_FIELD_NUMBER: _ClassVar[int]
    ERROR_NULL_FIELD_NUMBER: _ClassVar[int]
    name: str
    content: _containers.RepeatedCompositeFieldContainer[_content_block_pb2.ContentBlock]
    role: Role
    id: str
    metadata_json: str
    created_at: str
    finished_at_value: str
    finished_at_null: _struct_pb2.NullValue
    usage_value: Usage
    usage_null: _struct_pb2.NullValue
    finished_reason_value: _reply_pb2.ReplyFinishedReason
    finished_reason_null: _struct_pb2.NullValue
    structured_output_json: str
    structured_output_null: _struct_pb2.NullValue
    error_value: _reply_pb2.ErrorInfo
    error_null: _struct_pb2.NullValue
    def __init__(self, name: _Optional[str] = ..., content: _Optional[_Iterable[_Union[_content_block_pb2.ContentBlock, _Mapping]]] = ..., role: _Optional[_Union[Role, str]] = ..., id: _Optional[str] = ..., metadata_json: _Optional[str] = ..., created_at: _Optional[str] = ..., finished_at_value: _Optional[str] = ..., finished_at_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., usage_value: _Optional[_Union[Usage, _Mapping]] = ..., usage_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., finished_reason_value: _Optional[_Union[_reply_pb2.ReplyFinishedReason, str]] = ..., finished_reason_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., structured_output_json: _Optional[str] = ..., structured_output_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., error_value: _Optional[_Union[_reply_pb2.ErrorInfo, _Mapping]] = ..., error_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ...) -> None: ...
