# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from msgfold.v1 import since_pb2 as _since_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReplyFinishedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPLY_FINISHED_REASON_UNSPECIFIED: _ClassVar[ReplyFinishedReason]
    REPLY_FINISHED_REASON_COMPLETED: _ClassVar[ReplyFinishedReason]
    REPLY_FINISHED_REASON_INTERRUPTED: _ClassVar[ReplyFinishedReason]
    REPLY_FINISHED_REASON_EXCEED_MAX_ITERS: _ClassVar[ReplyFinishedReason]
    REPLY_FINISHED_REASON_ERROR: _ClassVar[ReplyFinishedReason]

class ErrorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_TYPE_UNSPECIFIED: _ClassVar[ErrorType]
    ERROR_TYPE_AUTHENTICATION: _ClassVar[ErrorType]
    ERROR_TYPE_PERMISSION: _ClassVar[ErrorType]
    ERROR_TYPE_RATE_LIMIT: _ClassVar[ErrorType]
    ERROR_TYPE_INVALID_REQUEST: _ClassVar[ErrorType]
    ERROR_TYPE_UPSTREAM: _ClassVar[ErrorType]
    ERROR_TYPE_CONNECTION: _ClassVar[ErrorType]
    ERROR_TYPE_INTERNAL: _ClassVar[ErrorType]
    ERROR_TYPE_SETUP: _ClassVar[ErrorType]
    ERROR_TYPE_UNKNOWN: _ClassVar[ErrorType]
REPLY_FINISHED_REASON_UNSPECIFIED: ReplyFinishedReason
REPLY_FINISHED_REASON_COMPLETED: ReplyFinishedReason
REPLY_FINISHED_REASON_INTERRUPTED: ReplyFinishedReason
REPLY_FINISHED_REASON_EXCEED_MAX_ITERS: ReplyFinishedReason
REPLY_FINISHED_REASON_ERROR: ReplyFinishedReason
ERROR_TYPE_UNSPECIFIED: ErrorType
ERROR_TYPE_AUTHENTICATION: ErrorType
ERROR_TYPE_PERMISSION: ErrorType
ERROR_TYPE_RATE_LIMIT: ErrorType
ERROR_TYPE_INVALID_REQUEST: ErrorType
ERROR_TYPE_UPSTREAM: ErrorType
ERROR_TYPE_CONNECTION: ErrorType
ERROR_TYPE_INTERNAL: ErrorType
ERROR_TYPE_SETUP: ErrorType
ERROR_TYPE_UNKNOWN: ErrorType

class ErrorInfo(_message.Message):
    __slots__ = ("type", "message")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    type: ErrorType
    message: str
    def __init__(self, type: _Optional[_Union[ErrorType, str]] = ..., message: _Optional[str] = ...) -> None: ...
