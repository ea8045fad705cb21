# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PermissionBehavior(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERMISSION_BEHAVIOR_UNSPECIFIED: _ClassVar[PermissionBehavior]
    PERMISSION_BEHAVIOR_ALLOW: _ClassVar[PermissionBehavior]
    PERMISSION_BEHAVIOR_DENY: _ClassVar[PermissionBehavior]
    PERMISSION_BEHAVIOR_ASK: _ClassVar[PermissionBehavior]
    PERMISSION_BEHAVIOR_PASSTHROUGH: _ClassVar[PermissionBehavior]
PERMISSION_BEHAVIOR_UNSPECIFIED: PermissionBehavior
PERMISSION_BEHAVIOR_ALLOW: PermissionBehavior
PERMISSION_BEHAVIOR_DENY: PermissionBehavior
PERMISSION_BEHAVIOR_ASK: PermissionBehavior
PERMISSION_BEHAVIOR_PASSTHROUGH: PermissionBehavior

class PermissionRule(_message.Message):
    __slots__ = ("tool_name", "rule_content_value", "rule_content_null", "behavior", "source")
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_CONTENT_VALUE_FIELD_NUMBER: _ClassVar[int]
    RULE_CONTENT_NULL_FIELD_NUMBER: _ClassVar[int]
    BEHAVIOR_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    tool_name: str
    rule_content_value: str
    rule_content_null: _struct_pb2.NullValue
    behavior: PermissionBehavior
    source: str
    def __init__(self, tool_name: _Optional[str] = ..., rule_content_value: _Optional[str] = ..., rule_content_null: _Optional[_Union[_struct_pb2.NullValue, str]] = ..., behavior: _Optional[_Union[PermissionBehavior, str]] = ..., source: _Optional[str] = ...) -> None: ...

class PermissionRules(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[PermissionRule]
    def __init__(self, items: _Optional[_Iterable[_Union[PermissionRule, _Mapping]]] = ...) -> None: ...
