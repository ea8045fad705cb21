"""The OpenAPI document of the HTTP service: paths written here, all values from the schemas.

OpenAPI 3.1 speaks JSON Schema 2020-12, so the definitions of the contract go in as they are, with
their references led to ``#/components/schemas``.
"""

from __future__ import annotations

import json
from typing import Any

from msgfold.contract import bundle

_DEFS = "#/$defs/"
_SCHEMAS = "#/components/schemas/"


def document() -> dict[str, Any]:
    """The whole document."""
    schemas = {**_led(bundle()["$defs"]), **_OWN}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "msgfold replies",
            "version": "1",
            "description": "Replies of agents, streamed as server-sent events or NDJSON, with "
            "answers and resume. The same as the gRPC service msgfold.v1.ReplyService.",
        },
        "paths": _PATHS,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "responses": {
                "Error": {
                    "description": "The request came to nothing; the code says why.",
                    "content": {"application/json": {"schema": _ref("Error")}},
                }
            },
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"bearer": []}],
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{_SCHEMAS}{name}"}


def _led(value: Any) -> Any:
    """With references, and the keys of discriminators, led to where the schemas stand here."""
    return json.loads(json.dumps(value).replace(f'"{_DEFS}', f'"{_SCHEMAS}'))


def _string(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


_STATE = {
    "type": "string",
    "description": "Where the reply stands.",
    "enum": ["running", "waiting_confirmation", "waiting_execution", "finished", "broken_off"],
}

_OWN: dict[str, Any] = {
    "NewReply": {
        "description": "What an agent is to reply to: messages, or an answer.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "session_id": _string("The session; left out: a new one. Not for an answer."),
            "messages": {
                "description": "New messages, for a new reply.",
                "type": "array",
                "minItems": 1,
                "items": _ref("Msg"),
            },
            "answer": {
                "description": "USER_CONFIRM_RESULT, EXTERNAL_EXECUTION_RESULT or USER_INTERRUPT, "
                "for the reply that its reply_id names.",
                **_ref("AgentEvent"),
            },
            "request_id": _string(
                "Made up by the caller. A request that is sent again with the same one joins the "
                "reply that the first has started."
            ),
            "linger_seconds": {
                "description": "How long the agent goes on when nobody listens.",
                "type": "number",
                "minimum": 0,
            },
        },
        "oneOf": [{"required": ["messages"]}, {"required": ["answer"]}],
    },
    "ReplyRef": {
        "description": "A reply that has started.",
        "type": "object",
        "required": ["reply_id", "session_id", "events"],
        "properties": {
            "reply_id": _string("The reply."),
            "session_id": _string("Its session."),
            "events": _string("Where its events are streamed.", format="uri-reference"),
        },
    },
    "Reply": {
        "description": "A reply as it is now.",
        "type": "object",
        "required": ["reply_id", "session_id", "state", "last_event_id", "msg"],
        "properties": {
            "reply_id": _string("The reply."),
            "session_id": _string("Its session."),
            "state": _STATE,
            "last_event_id": _string("What to send as Last-Event-ID to go on."),
            "msg": {
                "description": "Its events so far, folded; null before the first.",
                "oneOf": [_ref("Msg"), {"type": "null"}],
            },
        },
    },
    "Cancelled": {
        "description": "What became of a reply that was to be stopped.",
        "type": "object",
        "required": ["reply_id", "state"],
        "properties": {"reply_id": _string("The reply."), "state": _STATE},
    },
    "Error": {
        "description": "Why a request came to nothing.",
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": _string("What went wrong, for programs."),
                    "message": _string("What went wrong, for people."),
                    "pointer": _string("JSON Pointer into the request."),
                },
            }
        },
    },
}

_REPLY_ID = {
    "name": "reply_id",
    "in": "path",
    "required": True,
    "description": "The reply.",
    "schema": {"type": "string"},
}
_ERROR = {"default": {"$ref": "#/components/responses/Error"}}
_STREAMS = {
    "text/event-stream": {
        "schema": _string(
            "Server-sent events: id is the event's id, event its type, data its JSON. Comments "
            "keep the connection awake."
        )
    },
    "application/x-ndjson": {"schema": _string("One event a line.")},
}


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": _ref(name)}}


_PATHS: dict[str, Any] = {
    "/replies": {
        "post": {
            "operationId": "startReply",
            "summary": "Start a reply, or answer a waiting one",
            "description": "With Accept: text/event-stream or application/x-ndjson the events come "
            "at once, up to where the reply waits or is over.",
            "requestBody": {"required": True, "content": _json("NewReply")},
            "responses": {
                "201": {"description": "It has started.", "content": _json("ReplyRef")},
                "200": {"description": "Its events.", "content": _STREAMS},
                **_ERROR,
            },
        }
    },
    "/replies/{reply_id}": {
        "parameters": [_REPLY_ID],
        "get": {
            "operationId": "getReply",
            "summary": "The Msg so far",
            "responses": {"200": {"description": "It.", "content": _json("Reply")}, **_ERROR},
        },
        "delete": {
            "operationId": "cancelReply",
            "summary": "Stop a reply",
            "responses": {
                "200": {"description": "It is stopped.", "content": _json("Cancelled")},
                **_ERROR,
            },
        },
    },
    "/replies/{reply_id}/events": {
        "parameters": [_REPLY_ID],
        "get": {
            "operationId": "streamEvents",
            "summary": "What came after an event, then what comes",
            "parameters": [
                {
                    "name": "Last-Event-ID",
                    "in": "header",
                    "description": "The last event that the caller has, as EventSource sends it.",
                    "schema": {"type": "string"},
                },
                {
                    "name": "after",
                    "in": "query",
                    "description": "The same, for callers that cannot send a header.",
                    "schema": {"type": "string"},
                },
                {
                    "name": "follow",
                    "in": "query",
                    "description": "Stay while the reply waits for an answer. Left out: yes for "
                    "server-sent events, no for NDJSON.",
                    "schema": {"type": "boolean"},
                },
            ],
            "responses": {
                "200": {"description": "The events.", "content": _STREAMS},
                "204": {"description": "Nothing more will come: an EventSource stops asking."},
                **_ERROR,
            },
        },
    },
}
