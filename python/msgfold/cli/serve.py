"""``msgfold serve``: replies of an agent over gRPC and HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold.cli import common
from msgfold.replies.auth import Tokens
from msgfold.replies.hub import Replies
from msgfold.replies.limits import Limits
from msgfold.replies.log import EventLog
from msgfold.replies.source import load_factory
from msgfold.revisions import DEFAULT_REVISION

_OFF = "off"


def command(
    factory: Annotated[
        str,
        typer.Argument(metavar="[MODULE:FACTORY]", help="What makes the agent of a session."),
    ] = "msgfold.replies.scripted:scripted_agent",
    grpc: Annotated[
        str, typer.Option("--grpc", metavar="ADDR", help="Where to listen; off: not at all.")
    ] = "127.0.0.1:50051",
    http: Annotated[
        str, typer.Option("--http", metavar="ADDR", help="Where to listen; off: not at all.")
    ] = "127.0.0.1:8080",
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="FILE|redis://...",
            help="Where events are kept: a SQLite file, or a Redis that several servers share.",
        ),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Who may come: {"principal": "token"}.'),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="PEM", help="The server's certificate.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="PEM", help="Its private key.")] = None,
    client_ca: Annotated[
        Path | None,
        typer.Option(metavar="PEM", help="Whose certificates a client must show (mTLS, gRPC)."),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Listen beyond this machine without TLS.")
    ] = False,
    cors: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="Pages that may read; * for all.")
    ] = None,
    revision: Annotated[
        str, typer.Option(help="The AgentScope release to fold as.")
    ] = DEFAULT_REVISION,
    linger: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="An agent goes on when nobody listens.")
    ] = Limits.linger,
    retention: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="A reply is kept after its end.")
    ] = Limits.retention,
    lease: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.1, help="A dead server's replies are taken over."),
    ] = Limits.lease,
    grace: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Replies may finish after SIGTERM.")
    ] = 30.0,
    keepalive: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Of silence, until a client is asked.")
    ] = 20.0,
    max_message: Annotated[
        int,
        typer.Option(
            metavar="BYTES", min=1024, max=(1 << 31) - 1, help="Of one message, either way."
        ),
    ] = Limits.max_message,
    max_reply: Annotated[
        int, typer.Option(metavar="BYTES", min=1024, help="Of all events of a reply.")
    ] = Limits.max_reply,
    max_streams: Annotated[
        int, typer.Option(metavar="N", min=1, help="Open streams of one principal.")
    ] = Limits.max_streams,
    max_replies: Annotated[
        int, typer.Option(metavar="N", min=1, help="Unfinished replies of one principal.")
    ] = Limits.max_replies,
) -> None:
    """Serve the replies of an agent over gRPC, and over HTTP beside it.

    FACTORY takes a session id and makes its agent: anything with AgentScope's
    `reply_stream(inputs)`, AgentScope's own agents included. Without one, a built-in agent plays a
    script with everything a reply can do; talk to it with `msgfold call`.

    Events are kept before they are sent, so a client that lost its connection, or this server,
    goes on where it was. SIGTERM lets replies finish.

    Examples:

    - `msgfold serve`
    - `msgfold serve app:make_agent --http off`
    - `msgfold serve app:make_agent --log redis://localhost:6379 --lease 2`
    - `msgfold serve app:make_agent --grpc 0.0.0.0:50051 --tls-cert a.pem --tls-key a.key`
    """
    try:
        made = load_factory(factory)
        known = Tokens.from_file(tokens) if tokens else None
    except ValueError as error:
        raise common.Failure(str(error), common.USAGE) from None
    common.known_revision(revision)
    if (tls_cert is None) != (tls_key is None):
        raise common.Failure("--tls-cert and --tls-key go together", common.USAGE)
    if client_ca is not None and tls_cert is None:
        raise common.Failure("--client-ca needs --tls-cert and --tls-key", common.USAGE)
    if client_ca is not None and http != _OFF and tokens is None:
        raise common.Failure(
            "HTTP asks for no certificate, so anybody could come; say --http off, or --tokens",
            common.USAGE,
        )
    limits = Limits(
        max_message=max_message,
        max_reply=max_reply,
        max_streams=max_streams,
        max_replies=max_replies,
        linger=linger,
        retention=retention,
        lease=lease,
    )
    replies = Replies(made, _log(log, retention), limits=limits, revision=revision)
    settings = {"tokens": known, "insecure": insecure}
    try:
        servers: list[Any] = []
        if grpc != _OFF:
            servers.append(_grpc(replies, grpc, tls_cert, tls_key, client_ca, keepalive, settings))
        if http != _OFF:
            servers.append(_http(replies, http, tls_cert, tls_key, cors or [], settings))
        if not servers:
            raise common.Failure("nothing to serve: both --grpc and --http are off", common.USAGE)
        asyncio.run(_serve(replies, servers, grace, factory))
    except (ValueError, ImportError) as error:
        raise common.Failure(str(error), common.USAGE) from None
    except OSError as error:  # an address in use, a log that cannot be kept, a file not there
        raise common.Failure(str(error)) from None


async def _serve(replies: Replies, servers: list[Any], grace: float, factory: str) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    hurry = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, lambda: (hurry if stop.is_set() else stop).set())
    await replies.open()
    try:
        for server in servers:
            common.note(await server.start())
        common.note(f"serving {factory}; stop with Ctrl-C")
        await stop.wait()
        common.note(f"draining, for {grace:g} seconds at most; once more, and it is at once")
        for server in servers:
            await server.retire()
        draining = asyncio.create_task(replies.drain(grace))
        told = asyncio.create_task(hurry.wait())
        await asyncio.wait({draining, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        await replies.drain()
        await draining
        for server in servers:
            await server.stop()
    finally:
        await replies.close()


class _Grpc:
    def __init__(self, server: Any, host: str, scheme: str) -> None:
        self._server, self._host, self._scheme = server, host, scheme

    async def start(self) -> str:
        port = await self._server.start()
        return f"gRPC  {self._scheme}{self._host}:{port}"

    async def retire(self) -> None:
        await self._server.retire()

    async def stop(self) -> None:
        await self._server.stop(0)


def _grpc(
    replies: Replies,
    address: str,
    cert: Path | None,
    key: Path | None,
    ca: Path | None,
    keepalive: float,
    settings: dict[str, Any],
) -> _Grpc:
    from msgfold.rpc import ReplyServer, ServerTls

    if not address.startswith(("unix:", "unix-abstract:")):
        _host_and_port("--grpc", address)
    tls = ServerTls(cert, key, ca) if cert and key else None
    server = ReplyServer(replies, address, tls=tls, keepalive=keepalive, **settings)
    return _Grpc(server, address.rpartition(":")[0], "tls://" if tls else "")


class _Http:
    def __init__(self, server: Any, host: str, port: int, scheme: str) -> None:
        self._server, self._host, self._port, self._scheme = server, host, port, scheme

    async def start(self) -> str:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            listening = socket.create_server((self._host, self._port), family=family)
        except OSError as error:
            where = f"{self._host}:{self._port}"
            raise OSError(f"{where}: cannot be listened on: {error.strerror or error}") from None
        self._task = asyncio.create_task(self._server.serve([listening]))
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"HTTP  {self._scheme}://{host}:{listening.getsockname()[1]}/replies"

    async def retire(self) -> None:
        """``/healthz`` sees by itself that the replies drain."""

    async def stop(self) -> None:
        self._server.should_exit = True
        await self._task


def _http(
    replies: Replies,
    address: str,
    cert: Path | None,
    key: Path | None,
    cors: list[str],
    settings: dict[str, Any],
) -> _Http:
    import uvicorn

    from msgfold.http import create_app
    from msgfold.replies.auth import check_certificate, refuse_open_door

    host, port = _host_and_port("--http", address)
    refuse_open_door(address, cert is not None, settings["insecure"])
    if cert is not None and key is not None:
        check_certificate(cert, key)
    config = uvicorn.Config(
        create_app(replies, tokens=settings["tokens"], cors_origins=cors),
        ssl_certfile=cert,
        ssl_keyfile=key,
        log_level="warning",
        timeout_graceful_shutdown=1,
        lifespan="off",
    )

    class Server(uvicorn.Server):
        def capture_signals(self) -> Any:  # they are ours, for both servers
            from contextlib import nullcontext

            return nullcontext()

    return _Http(Server(config), host, port, "https" if cert else "http")


def _host_and_port(option: str, address: str) -> tuple[str, int]:
    """The parts of an address, as of ``127.0.0.1:8080`` or ``[::1]:0``.

    Raises:
        ValueError: it is none.
    """
    host, _, port = address.rpartition(":")
    number = int(port) if port.isascii() and port.isdigit() else -1
    bare = ":" in host and not (host[0] == "[" and host[-1] == "]")
    if not host or bare or not 0 <= number < 1 << 16:
        raise ValueError(f"{option} {address}: expected HOST:PORT, as in 127.0.0.1:8080 or [::1]:0")
    return host.strip("[]"), number


def _log(where: str | None, retention: float) -> EventLog:
    if where is not None and where.startswith(("redis://", "rediss://", "unix://")):
        try:
            from msgfold.replies.redis_log import RedisLog
        except ImportError:
            raise common.Failure("Redis needs: pip install 'msgfold[redis]'", 2) from None
        return RedisLog(where, retention=retention)
    from msgfold.replies.sqlite_log import SqliteLog

    if where is None:
        state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        return SqliteLog(Path(state, "msgfold", "replies.db"))
    return SqliteLog(where)
