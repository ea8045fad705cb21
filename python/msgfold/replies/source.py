"""Where replies come from: anything with AgentScope's ``reply_stream(inputs)``.

A factory makes the agent of a session.  It is called once for a session, and again after a restart
or on another server, so what an agent must remember it keeps where its factory finds it.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from msgfold._generated.models import EventBase, Msg

Inputs = Any
"""``Msg | list[Msg] | UserConfirmResultEvent | ExternalExecutionResultEvent | UserInterruptEvent``,
in the models of :mod:`msgfold.message` and :mod:`msgfold.event`."""


@runtime_checkable
class Agent(Protocol):
    """What replies."""

    def reply_stream(self, inputs: Inputs) -> AsyncIterator[Any]:
        """The events of a reply to ``inputs``, as they happen.

        An event is a model of :mod:`msgfold.event`, AgentScope's own, or the JSON object.  It is
        encoded before the next is asked for, so that it may be changed after that.  When the caller
        is cancelled, ``asyncio.CancelledError`` is raised at the ``yield`` or inside an ``await``;
        an agent may catch it, and yield what ends the reply in good order.
        """


@runtime_checkable
class ResumableAgent(Agent, Protocol):
    """An agent that can go on with a reply that its server did not live to end."""

    def resume_stream(self, messages: list[Msg], events: list[EventBase]) -> AsyncIterator[Any]:
        """The events that follow ``events``.

        Args:
            messages: what the reply was started with.
            events: everything that is out already, answers that were given included.
        """


AgentFactory = Callable[[str], Agent | Awaitable[Agent]]
"""Session id to its agent.  Where callers are known, the id is ``<principal>/<session id>``, with a
slash in a principal written as ``%2F``: two of them never share an agent."""


def load_factory(spec: str) -> AgentFactory:
    """The factory that ``MODULE:FACTORY`` or ``FILE.py:FACTORY`` names.

    Raises:
        ValueError: there is none; the message says why.

    Example:
        >>> load_factory("msgfold.replies.scripted:scripted_agent").__name__
        'scripted_agent'
    """
    module_name, _, attribute = spec.rpartition(":")
    if not module_name or not attribute:
        raise ValueError(
            f"{spec!r} names no factory; expected MODULE:FACTORY, as in app:make_agent"
        )
    path = Path(module_name)
    if path.suffix == ".py":
        if not path.is_file():
            raise ValueError(f"{module_name}: no such file")
        sys.path.insert(0, str(path.resolve().parent))
        module_name = path.stem
    else:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # whatever its own code does
        raise ValueError(
            f"{module_name!r} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    factory: Any = module
    for name in attribute.split("."):
        factory = getattr(factory, name, None)
    if not callable(factory):
        known = [
            name
            for name, each in vars(module).items()
            if callable(each) and name[0] != "_" and each.__module__ == module.__name__
        ]
        raise ValueError(
            f"{module_name!r} has no factory {attribute!r}; it has {', '.join(known) or 'none'}"
        )
    return factory  # type: ignore[no-any-return]


def _is_agentscope(agent: object) -> bool:
    return any(base.__module__.split(".")[0] == "agentscope" for base in type(agent).__mro__)


async def make_agent(factory: AgentFactory, session_id: str) -> Agent:
    """The agent of a session; one of AgentScope's is bridged.

    Raises:
        TypeError: what the factory made has no ``reply_stream``.
    """
    made = factory(session_id)
    agent = await made if inspect.isawaitable(made) else made
    if _is_agentscope(agent):
        from msgfold.bridge.agentscope import bridged

        return bridged(agent)
    if not hasattr(agent, "reply_stream"):
        raise TypeError(
            f"the factory made a {type(agent).__name__} without reply_stream; expected an agent"
        )
    return agent


async def nobody() -> AsyncIterator[Any]:
    """The events of an agent that cannot go on."""
    for event in list[Any]():
        yield event
