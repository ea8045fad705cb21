# Generated from proto/ by `msgfold generate --only protobuf`. DO NOT EDIT.
"""Protobuf messages of the package msgfold.v1."""
