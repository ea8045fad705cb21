"""``msgfold call``: talk to an agent that ``msgfold serve`` serves."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold.cli import common
from msgfold.cli.live import Live
from msgfold.wire import json
from msgfold.wire.encode import dump


def command(
    text: Annotated[str, typer.Argument(help="What to say.")],
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDR", help="The server, or several that share a log."),
    ] = None,
    session: Annotated[str, typer.Option(metavar="ID", help="The session; none: a new one.")] = "",
    yes: Annotated[
        bool | None, typer.Option("--yes/--no", help="Answer every question, without asking.")
    ] = None,
    result: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The result of what an outside executor has to do."),
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="MSGFOLD_TOKEN", help="The bearer token.")
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(metavar="PEM", help="Use TLS, and trust this authority.")
    ] = None,
    tls: Annotated[bool, typer.Option("--tls", help="Use TLS.")] = False,
    cert: Annotated[Path | None, typer.Option(metavar="PEM", help="Your certificate.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="PEM", help="Its private key.")] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For each part of the reply.")
    ] = None,
) -> None:
    """Say something to an agent, watch it reply, answer what it asks.

    What happens is shown on stderr, as it happens. The Msg that its events fold into is printed on
    stdout in the end. Exits with 3 when the reply still waits for an answer.

    Examples:

    - `msgfold call "hello"`
    - `msgfold call "hello" --yes --result clicked > msg.json`
    - `msgfold call "hello" --target a:50051 --target b:50051 --ca ca.pem`
    """
    try:
        from msgfold.rpc import ClientTls, ReplyClient, ServiceError
    except ImportError as error:
        raise common.Failure(str(error), common.USAGE) from None
    secure = ClientTls(ca, cert, key) if tls or ca or cert else None

    async def talk() -> Any:
        targets = target or ["127.0.0.1:50051"]
        async with ReplyClient(
            targets, token=token, tls=secure, on_diagnostic=lambda _: None
        ) as client:
            return await _talk(client, text, session, yes, result, timeout)

    try:
        stream = asyncio.run(talk())
    except ServiceError as error:
        raise common.Failure(str(error)) from None
    except OSError as error:
        raise common.Failure(str(error), common.USAGE) from None
    except KeyboardInterrupt:
        raise common.Failure("interrupted; the agent was told to stop", common.FAULTY) from None
    if stream.msg is not None:
        typer.echo(json.dumps(dump(stream.msg)))
    if stream.state.waiting:
        raise common.Failure(
            f"reply {stream.reply_id} waits for an answer; say --yes, --no or --result, or run "
            "this in a terminal",
            common.INCOMPLETE,
        )


async def _talk(
    client: Any,
    text: str,
    session: str,
    yes: bool | None,
    result: str | None,
    timeout: float | None,
) -> Any:
    inputs: Any = text
    msg = None
    while True:
        stream = client.reply_stream(
            inputs, session_id=session, msg=msg, fold=True, timeout=timeout
        )
        last: Any = None
        live = Live()
        async for event in stream:
            live.show(event)
            if event.type in _ASKED:
                last = event
        live.end()
        msg = stream.msg
        if last is None or not stream.state.waiting:
            return stream
        inputs = await asyncio.to_thread(_ASKED[last.type], last, yes, result)
        if inputs is None:
            return stream


def _confirm(question: Any, yes: bool | None, result: str | None) -> Any:
    from msgfold.rpc import confirm

    answers = {}
    for call in question.tool_calls:
        if yes is None and not sys.stdin.isatty():
            return None
        said = f"Allow {call.name}({call.input})?"
        answers[call.id] = yes if yes is not None else typer.confirm(said, err=True)
    return confirm(question, answers)


def _execute(question: Any, yes: bool | None, result: str | None) -> Any:
    from msgfold.rpc import executed

    outputs = {}
    for call in question.tool_calls:
        if result is None and not sys.stdin.isatty():
            return None
        said = f"Result of {call.name}({call.input})"
        outputs[call.id] = result if result is not None else typer.prompt(said, err=True)
    return executed(question, outputs)


_ASKED = {"REQUIRE_USER_CONFIRM": _confirm, "REQUIRE_EXTERNAL_EXECUTION": _execute}
"""Type of a question to what asks the person at the terminal."""
