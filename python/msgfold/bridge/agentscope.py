"""Real AgentScope agents as a source of replies.

::

    from msgfold.bridge.agentscope import bridged

    def make_agent(session_id):
        return bridged(Agent(name="friday", ...))

``msgfold serve app:make_agent`` bridges an AgentScope agent by itself.  AgentScope goes on changing
the blocks that it has put into an event; here every event becomes a value of its own before the
agent goes on, and every input a value of AgentScope's.  Needs the extra ``msgfold[agentscope]``,
2.0.4 or newer.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from functools import cache
from importlib import import_module, metadata
from typing import Any

from pydantic_core import PydanticSerializationError

from msgfold.errors import MsgfoldError
from msgfold.message import Msg
from msgfold.revisions import RELEASES
from msgfold.wire.decode import parse_event
from msgfold.wire.encode import dump

logger = logging.getLogger("msgfold.bridge")


class BridgedAgent:
    """An AgentScope agent that speaks msgfold.

    Args:
        agent: an ``agentscope.agent.Agent``.
        revision: the AgentScope release; left out: the one that is installed.

    Attributes:
        agent: as given.
        revision: the release whose shapes go in.
    """

    def __init__(self, agent: Any, *, revision: str | None = None) -> None:
        self.agent = agent
        self.revision = revision or installed_revision()

    async def reply_stream(self, inputs: Any) -> AsyncGenerator[Any, None]:
        """The agent's events as models of :mod:`msgfold.event`.

        Raises:
            ValueError: the agent does not take the input, as AgentScope says it.
        """
        stream = self.agent.reply_stream(to_agentscope(inputs, self.revision))
        try:
            async for event in stream:
                value = from_agentscope(event)
                if value is not None:
                    yield value
        except GeneratorExit:
            await stream.aclose()
            raise


def bridged(agent: Any) -> BridgedAgent:
    """An AgentScope agent as a source of replies."""
    return BridgedAgent(agent)


def from_agentscope(event: Any) -> Any:
    """An event of AgentScope's as a value of ours; ``None`` when JSON cannot hold it.

    An event that this version does not know comes as its JSON object.
    """
    try:
        value = event.model_dump(mode="json")
    except PydanticSerializationError as error:
        logger.warning("an event is left out, JSON cannot hold it: %s", error)
        return None
    try:
        return parse_event(value)
    except MsgfoldError:
        return value


def to_agentscope(inputs: Any, revision: str) -> Any:
    """Inputs as values of AgentScope's: a Msg, a list of them, or the event that is an answer."""
    if isinstance(inputs, list):
        return [to_agentscope(each, revision) for each in inputs]
    module = _module("message" if isinstance(inputs, Msg) else "event")
    name = "Msg" if isinstance(inputs, Msg) else type(inputs).__name__
    return getattr(module, name).model_validate(dump(inputs, revision=revision))


def installed_revision() -> str:
    """The revision of the AgentScope that is installed; of a newer one, the newest that we know."""
    version: str = metadata.version("agentscope")
    release = ".".join(version.split(".")[:3])
    return release if release in RELEASES else RELEASES[-1]


@cache
def _module(name: str) -> Any:
    try:
        return import_module(f"agentscope.{name}")
    except ImportError as error:
        raise ImportError(
            "the bridge needs AgentScope: pip install 'msgfold[agentscope]'"
        ) from error
