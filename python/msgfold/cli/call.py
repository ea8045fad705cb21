"""``msgfold call``: talk to an agent that ``msgfold serve`` serves."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold.cli import common
from msgfold.cli.live import Live
from msgfold.replies.auth import is_loopback
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
    if (cert is None) != (key is None):
        raise common.Failure("--cert and --key go together", common.USAGE)
    secure = ClientTls(ca, cert, key) if tls or ca or cert else None
    targets = target or ["127.0.0.1:50051"]
    if token and not secure and not all(map(is_loopback, targets)):
        raise common.Failure(
            "the token would go over the network in the clear; say --tls, or --ca", common.USAGE
        )

    async def talk() -> Any:
        async with ReplyClient(
            targets, token=token, tls=secure, on_diagnostic=lambda _: None
        ) as client:
            return await _talk(client, text, session, yes, result, timeout)

    try:
        stream = asyncio.run(talk())
    except ServiceError as error:
        raise common.Failure(str(error)) from None
    except (OSError, ValueError) as error:
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
    calls: dict[str, dict[str, Any]] = {kind: {} for kind in _ASKED}
    while True:
        stream = client.reply_stream(
            inputs, session_id=session, msg=msg, fold=True, timeout=timeout
        )
        live = Live()
        async for event in stream:
            live.show(event)
            if event.type in _ASKED:
                last = event
                calls[event.type] |= {call.id: call for call in event.tool_calls}
        live.end()
        msg = stream.msg
        kind = _WAITS_FOR.get(stream.state.name)
        if kind is None or not calls[kind]:
            return stream
        # An agent may ask about each call by itself; they are answered together.
        question = last.model_copy(update={"tool_calls": [*calls[kind].values()], "type": kind})
        try:
            inputs = _ASKED[kind](question, yes, result)
        except typer.Abort:
            await client.cancel(stream.reply_id)
            raise
        if inputs is None:
            return stream
        calls[kind].clear()


def _confirm(question: Any, yes: bool | None, result: str | None) -> Any:
    from msgfold.rpc import confirm

    answers = {}
    for call in question.tool_calls:
        if yes is None and not sys.stdin.isatty():
            return None
        said = f"Allow {call.name}({call.input})?"
        answers[call.id] = yes if yes is not None else _prompt(typer.confirm, said)
    return confirm(question, answers)


def _execute(question: Any, yes: bool | None, result: str | None) -> Any:
    from msgfold.rpc import executed

    outputs = {}
    for call in question.tool_calls:
        if result is None and not sys.stdin.isatty():
            return None
        said = f"Result of {call.name}({call.input})"
        outputs[call.id] = result if result is not None else _prompt(typer.prompt, said)
    return executed(question, outputs)


def _prompt(ask: Callable[..., Any], said: str) -> Any:
    """Ask the person.  The reply waits, so the event loop may stand still.

    Raises:
        typer.Abort: Ctrl-C, or the end of the input.
    """
    loops = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        # Despite err=True, a question's last character goes to stdout, which is the Msg's.
        with redirect_stdout(sys.stderr):
            return ask(common.visible(said), err=True)
    finally:
        signal.signal(signal.SIGINT, loops)


_ASKED = {"REQUIRE_USER_CONFIRM": _confirm, "REQUIRE_EXTERNAL_EXECUTION": _execute}
"""Type of a question to what asks the person at the terminal."""

_WAITS_FOR = {
    "WAITING_CONFIRMATION": "REQUIRE_USER_CONFIRM",
    "WAITING_EXECUTION": "REQUIRE_EXTERNAL_EXECUTION",
}
"""Where a reply stands to the type of the question that is to be answered now."""
