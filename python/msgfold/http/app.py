"""The HTTP service, a Starlette application; mount it, or let ``msgfold serve`` run it.

``POST /replies`` starts a reply or answers one, ``GET /replies/{id}/events`` streams it,
``GET /replies/{id}`` is the Msg so far, ``DELETE /replies/{id}`` stops it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from msgfold.errors import MsgfoldError
from msgfold.http.streams import Media, body, wanted
from msgfold.replies import Replies, ServiceCode, ServiceError
from msgfold.replies.auth import ANYBODY, Tokens
from msgfold.replies.errors import ON_THE_WIRE, told
from msgfold.replies.inputs import invalid
from msgfold.replies.log import LogDownError
from msgfold.replies.reader import Reader
from msgfold.resources import OPENAPI
from msgfold.wire import json
from msgfold.wire.encode import dump

logger = logging.getLogger("msgfold.http")

LINGER = 30.0
"""Seconds that an agent goes on when nobody listens, unless asked: a client of ``POST`` has yet to
come for the events, and an ``EventSource`` comes back some seconds after its connection is cut."""

HEARTBEAT = 15.0
"""Seconds of silence after which a stream shows that it lives; proxies cut at 30 to 60."""

_MEMBERS = {"session_id": str, "messages": list, "answer": dict, "request_id": str}

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_JSON = "application/json"


class _Text(PathConvertor):
    """Any text: the dot of Starlette's ``path`` is no line break."""

    regex = r"[\s\S]*"


register_url_convertor("text", _Text())


def create_app(
    replies: Replies,
    *,
    tokens: Tokens | None = None,
    cors_origins: Sequence[str] = (),
    heartbeat: float = HEARTBEAT,
) -> Starlette:
    """The application.

    Args:
        replies: what to serve; opened and closed by the caller.
        tokens: who may come; ``None``: anybody.
        cors_origins: origins whose pages may read answers, ``"*"`` for all.
        heartbeat: seconds of silence after which a stream shows that it lives.
    """
    service = _Service(replies, tokens, heartbeat)
    return Starlette(
        routes=[
            Route("/replies", service.start, methods=["POST"]),
            Route("/replies/{reply_id:text}/events", service.events, methods=["GET"]),
            Route("/replies/{reply_id:text}", service.get, methods=["GET"]),
            Route("/replies/{reply_id:text}", service.cancel, methods=["DELETE"]),
            Route("/openapi.json", _openapi, methods=["GET"]),
            Route("/healthz", service.health, methods=["GET"]),
        ],
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=list(cors_origins),
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
                expose_headers=["Location"],
            )
        ],
        exception_handlers={
            ServiceError: _refused,
            LogDownError: _refused,
            HTTPException: _not_there,
            ClientDisconnect: _gone,
            Exception: _broken,
        },
    )


class _Service:
    def __init__(self, replies: Replies, tokens: Tokens | None, heartbeat: float) -> None:
        self._replies = replies
        self._tokens = tokens
        self._heartbeat = heartbeat

    async def start(self, request: Request) -> Response:
        principal = self._principal(request)
        given = await self._read(request)
        linger = given.pop("linger_seconds", LINGER)
        if "answer" in given:
            reader = await self._replies.answer(principal, given["answer"], linger=linger)
        else:
            reader = await self._replies.start(principal, linger=linger, **given)
        media = wanted(request.headers.get("accept", ""))
        if media is not None:
            return self._streaming(reader, media)
        await reader.close()
        record = await self._replies.find(principal, reader.reply_id)
        # An id may be any text, and a path may not.
        events = request.url_for("events", reply_id=quote(reader.reply_id, safe="")).path
        found = {"reply_id": reader.reply_id, "session_id": record.session_id, "events": events}
        return JSONResponse(found, 201, {"Location": events.removesuffix("/events")})

    async def events(self, request: Request) -> Response:
        principal = self._principal(request)
        reply_id = request.path_params["reply_id"]
        media = wanted(request.headers.get("accept", "")) or Media.SSE
        after = _utf8(request.headers.get("last-event-id", ""))
        after = after or request.query_params.get("after", "")
        asked = request.query_params.get("follow", str(media is Media.SSE)).lower()
        follow = _BOOLEANS.get(asked)
        if follow is None:
            raise _invalid(f"follow is {asked!r}; expected true or false")
        record = await self._replies.find(principal, reply_id)
        if record.state.over and after and after == record.last_event_id:
            return Response(status_code=204)
        if request.method == "HEAD":
            return Response(media_type=media)
        reader = await self._replies.resume(principal, reply_id, after, follow=follow)
        return self._streaming(reader, media)

    async def get(self, request: Request) -> Response:
        record, msg = await self._replies.get(
            self._principal(request), request.path_params["reply_id"]
        )
        found = {
            "reply_id": record.reply_id,
            "session_id": record.session_id,
            "state": record.state.name.lower(),
            "last_event_id": record.last_event_id,
            "msg": dump(msg, revision=self._replies.revision) if msg is not None else None,
        }
        return Response(json.dumps(found), media_type=_JSON)

    async def cancel(self, request: Request) -> Response:
        reply_id = request.path_params["reply_id"]
        state = await self._replies.cancel(self._principal(request), reply_id)
        return JSONResponse({"reply_id": reply_id, "state": state.name.lower()})

    async def health(self, request: Request) -> Response:
        if self._replies.draining:
            return JSONResponse({"status": "draining"}, 503)
        return JSONResponse({"status": "serving"})

    def _principal(self, request: Request) -> str:
        if self._tokens is None:
            return ANYBODY
        return self._tokens.principal_of(request.headers.get("authorization"))

    def _streaming(self, reader: Reader, media: Media) -> Response:
        def broken(error: ServiceError) -> None:
            logger.warning("reply %s: its stream ends: %s", reader.reply_id, error)

        return StreamingResponse(
            body(reader, media, self._heartbeat, broken),
            media_type=media,
            # A proxy that gathers before it sends would hold events back.
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _read(self, request: Request) -> dict[str, Any]:
        """The body of a request for a reply.

        Raises:
            ServiceError: it is none.
        """
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != _JSON:
            # Others a page of anybody's may send here without the browser asking us first.
            raise _invalid(f"the body is {kind or 'of no kind'}; expected Content-Type: {_JSON}")
        limit, data = self._replies.limits.max_message, bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > limit:
                raise ServiceError(
                    ServiceCode.TOO_LARGE,
                    f"the body has more than {limit} bytes, which is the server's max_message",
                )
        try:
            given = json.loads(bytes(data))
        except MsgfoldError as error:
            raise invalid(error) from None
        if not isinstance(given, dict):
            raise _invalid("the body is no JSON object; expected messages or an answer in it", "")
        for name, value in given.items():
            if name == "linger_seconds":
                right = isinstance(value, int | float) and not isinstance(value, bool)
                right = right and value >= 0
            else:
                right = isinstance(value, _MEMBERS.get(name, ()))
            if not right:
                known = ", ".join([*_MEMBERS, "linger_seconds"])
                raise _invalid(f"{name} is not what it should be, of {known}", f"/{name}")
        if ("messages" in given) == ("answer" in given):
            raise _invalid("expected either messages or an answer", "")
        return given


def _invalid(reason: str, pointer: str | None = None) -> ServiceError:
    return ServiceError(ServiceCode.INVALID_REQUEST, reason, pointer=pointer)


def _utf8(header: str) -> str:
    """A header's text: Starlette reads bytes as Latin-1, an ``EventSource`` sends UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


async def _refused(request: Request, met: Any) -> Response:
    error = told(met)
    assert error is not None
    headers = {"WWW-Authenticate": "Bearer"} if error.code is ServiceCode.UNAUTHENTICATED else None
    return _said(error, ON_THE_WIRE[error.code].http, headers)


async def _not_there(request: Request, error: Any) -> Response:
    what = f"{request.method} {request.url.path}: {error.detail}; /openapi.json has what there is"
    return _said(_invalid(what), error.status_code, error.headers)


async def _broken(request: Request, error: Any) -> Response:
    """Starlette raises it again behind this, so that the server logs it."""
    said = ServiceError(ServiceCode.INTERNAL, "a fault of the server's; its log has more")
    return _said(said, ON_THE_WIRE[said.code].http)


def _said(error: ServiceError, status: int, headers: Any = None) -> Response:
    said = {"code": error.code, "message": error.reason}
    if error.pointer is not None:
        said["pointer"] = error.pointer
    return JSONResponse({"error": said}, status, headers)


async def _gone(request: Request, error: Any) -> Response:
    return Response(status_code=499)


async def _openapi(request: Request) -> Response:
    return FileResponse(OPENAPI, media_type=_JSON)
