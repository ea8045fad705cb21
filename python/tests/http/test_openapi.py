"""The OpenAPI document is valid, and the server does what it says."""

from __future__ import annotations

import json
import re

import pytest
from agents import hurried
from jsonschema import Draft202012Validator
from msgfold.message import UserMsg
from openapi_spec_validator import OpenAPIV31SpecValidator
from web import saying

pytestmark = pytest.mark.anyio


@pytest.fixture
async def server(web):
    return await web(hurried)


@pytest.fixture
async def document(server):
    found = await server.client.get("/openapi.json")
    assert found.headers["content-type"] == "application/json"
    return found.json()


def whole(text, **more):
    """A request whose Msg has all members; the server makes up those that may be left out."""
    return {"messages": [UserMsg("alice", text).model_dump(mode="json")], **more}


def schema_of(document, path, method, status, media="application/json"):
    """What the document says of a body, its references still leading into the document."""
    responses = document["paths"][path][method]["responses"]
    said = responses.get(str(status), responses["default"])
    if "$ref" in said:
        said = document["components"]["responses"][said["$ref"].rpartition("/")[2]]
    return {"components": document["components"], **said["content"][media]["schema"]}


async def test_it_is_valid_openapi(document):
    assert document["openapi"].startswith("3.1.")
    OpenAPIV31SpecValidator(document).validate()


async def test_it_has_every_path_and_no_other(document, server):
    routes = server.app.routes
    ours = {
        (re.sub(r":text\}", "}", route.path), method.lower())
        for route in routes
        for method in route.methods - {"HEAD"}
        if route.path.startswith("/replies")
    }
    assert ours == {(path, m) for path, each in document["paths"].items() for m in each} - {
        (path, "parameters") for path in document["paths"]
    }


async def test_every_answer_is_what_it_says(document, server):
    made = await server.client.post("/replies", json=saying("hello"))
    where = f"/replies/{made.json()['reply_id']}"
    waiting = await server.client.get(where, timeout=60)
    stopped = await server.client.delete(where)
    missing = await server.client.get("/replies/nothing")
    wrong = await server.client.post("/replies", json={"messages": 5})
    for path, answer in (
        ("/replies", made),
        ("/replies/{reply_id}", waiting),
        ("/replies/{reply_id}", stopped),
        ("/replies/{reply_id}", missing),
        ("/replies", wrong),
    ):
        method = answer.request.method.lower()
        schema = schema_of(document, path, method, answer.status_code)
        faults = list(Draft202012Validator(schema).iter_errors(answer.json()))
        assert faults == [], answer.text


@pytest.mark.parametrize(
    ("body", "good"),
    [
        (whole("hello"), True),
        (whole("hello", session_id="s", request_id="q", linger_seconds=1.5), True),
        ({"answer": {"type": "USER_INTERRUPT", "reply_id": "r", "id": "e", "created_at": "t"}}, 1),
        ({}, False),
        ({**whole("hello"), "answer": {}}, False),
        (whole("hello", linger_seconds=-1), False),
        (whole("hello", session_id=5), False),
        (whole("hello", no_such=1), False),
        ({"messages": []}, False),
    ],
)
async def test_a_request_is_taken_when_it_says_so(document, server, body, good):
    schema = document["components"]["schemas"]["NewReply"]
    schema = {"components": document["components"], **schema}
    assert Draft202012Validator(schema).is_valid(body) == bool(good), json.dumps(body)
    found = await server.client.post("/replies", json=body)
    assert (found.status_code != 400) == bool(good), found.text
