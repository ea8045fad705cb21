# Generated from schemas/ by `msgfold generate --only models`. DO NOT EDIT.
"""Classes generated from the schemas."""
