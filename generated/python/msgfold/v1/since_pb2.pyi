# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
MESSAGE_SINCE_FIELD_NUMBER: _ClassVar[int]
message_since: _descriptor.FieldDescriptor
FIELD_SINCE_FIELD_NUMBER: _ClassVar[int]
field_since: _descriptor.FieldDescriptor
ENUM_SINCE_FIELD_NUMBER: _ClassVar[int]
enum_since: _descriptor.FieldDescriptor
VALUE_SINCE_FIELD_NUMBER: _ClassVar[int]
value_since: _descriptor.FieldDescriptor
