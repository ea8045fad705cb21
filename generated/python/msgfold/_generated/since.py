# Generated from schemas/ by `msgfold generate --only models`. DO NOT EDIT.
"""What came after the first release, and with which."""

from __future__ import annotations

DEFINITIONS: dict[str, str] = {'ErrorInfo': '2.0.5', 'ErrorType': '2.0.5'}
"""Definition to the release that it came with."""

MEMBERS: dict[str, dict[str, str]] = {'DataBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'DataBlockDeltaEvent': {'url': '2.0.8'},
 'DataBlockStartEvent': {'name': '2.0.8'},
 'HintBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'ModelCallEndEvent': {'cache_creation_input_tokens': '2.0.7', 'cache_input_tokens': '2.0.7'},
 'Msg': {'error': '2.0.5', 'finished_reason': '2.0.5', 'structured_output': '2.0.5'},
 'ReplyEndEvent': {'error': '2.0.5'},
 'TextBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'TextBlockEndEvent': {'text': '2.0.8'},
 'ThinkingBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'ToolCallBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'ToolResultBlock': {'created_at': '2.0.6', 'finished_at': '2.0.6'},
 'Usage': {'cache_creation_input_tokens': '2.0.7', 'cache_input_tokens': '2.0.7'}}
"""Definition to its members that came later than it did, and their releases."""

WORDS: dict[str, dict[str, dict[str, str]]] = {'ErrorInfo': {'type': {'setup': '2.0.6'}},
 'Msg': {'finished_reason': {'error': '2.0.5'}},
 'ReplyEndEvent': {'finished_reason': {'error': '2.0.5'}}}
"""Definition to its members that take words, and the words that came later, with their releases."""
