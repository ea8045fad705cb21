# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from msgfold.v1 import agent_event_pb2 as _agent_event_pb2
from msgfold.v1 import msg_pb2 as _msg_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReplyState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPLY_STATE_UNSPECIFIED: _ClassVar[ReplyState]
    REPLY_STATE_RUNNING: _ClassVar[ReplyState]
    REPLY_STATE_WAITING_CONFIRMATION: _ClassVar[ReplyState]
    REPLY_STATE_WAITING_EXECUTION: _ClassVar[ReplyState]
    REPLY_STATE_FINISHED: _ClassVar[ReplyState]
    REPLY_STATE_BROKEN_OFF: _ClassVar[ReplyState]
REPLY_STATE_UNSPECIFIED: ReplyState
REPLY_STATE_RUNNING: ReplyState
REPLY_STATE_WAITING_CONFIRMATION: ReplyState
REPLY_STATE_WAITING_EXECUTION: ReplyState
REPLY_STATE_FINISHED: ReplyState
REPLY_STATE_BROKEN_OFF: ReplyState

class Messages(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_msg_pb2.Msg]
    def __init__(self, items: _Optional[_Iterable[_Union[_msg_pb2.Msg, _Mapping]]] = ...) -> None: ...

class StreamReplyRequest(_message.Message):
    __slots__ = ("session_id", "messages", "answer", "request_id", "linger")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    LINGER_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    messages: Messages
    answer: _agent_event_pb2.AgentEvent
    request_id: str
    linger: _duration_pb2.Duration
    def __init__(self, session_id: _Optional[str] = ..., messages: _Optional[_Union[Messages, _Mapping]] = ..., answer: _Optional[_Union[_agent_event_pb2.AgentEvent, _Mapping]] = ..., request_id: _Optional[str] = ..., linger: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class StreamReplyResponse(_message.Message):
    __slots__ = ("events", "state")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_agent_event_pb2.AgentEvent]
    state: ReplyState
    def __init__(self, events: _Optional[_Iterable[_Union[_agent_event_pb2.AgentEvent, _Mapping]]] = ..., state: _Optional[_Union[ReplyState, str]] = ...) -> None: ...

class ResumeReplyRequest(_message.Message):
    __slots__ = ("reply_id", "after_event_id", "follow")
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    FOLLOW_FIELD_NUMBER: _ClassVar[int]
    reply_id: str
    after_event_id: str
    follow: bool
    def __init__(self, reply_id: _Optional[str] = ..., after_event_id: _Optional[str] = ..., follow: _Optional[bool] = ...) -> None: ...

class ResumeReplyResponse(_message.Message):
    __slots__ = ("events", "state")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_agent_event_pb2.AgentEvent]
    state: ReplyState
    def __init__(self, events: _Optional[_Iterable[_Union[_agent_event_pb2.AgentEvent, _Mapping]]] = ..., state: _Optional[_Union[ReplyState, str]] = ...) -> None: ...

class GetReplyRequest(_message.Message):
    __slots__ = ("reply_id",)
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    reply_id: str
    def __init__(self, reply_id: _Optional[str] = ...) -> None: ...

class GetReplyResponse(_message.Message):
    __slots__ = ("msg", "state", "last_event_id", "session_id")
    MSG_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    msg: _msg_pb2.Msg
    state: ReplyState
    last_event_id: str
    session_id: str
    def __init__(self, msg: _Optional[_Union[_msg_pb2.Msg, _Mapping]] = ..., state: _Optional[_Union[ReplyState, str]] = ..., last_event_id: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class CancelReplyRequest(_message.Message):
    __slots__ = ("reply_id",)
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    reply_id: str
    def __init__(self, reply_id: _Optional[str] = ...) -> None: ...

class CancelReplyResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: ReplyState
    def __init__(self, state: _Optional[_Union[ReplyState, str]] = ...) -> None: ...
