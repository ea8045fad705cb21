"""Sessions: an agent each, at work on one reply at a time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import Any

from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.limits import Limits
from msgfold.replies.log import Record
from msgfold.replies.run import Run
from msgfold.replies.source import Agent, AgentFactory, make_agent

logger = logging.getLogger("msgfold.replies")


class Session:
    """An agent and what it is doing.

    Attributes:
        agent: the agent.
        fresh: it has replied to nothing yet, so what it knows is what its factory gave it.
        working: it is at work now.
        waiting: the reply that it waits for an answer about.
        last: the number of the last event of that reply when it began to wait.
        run: its reply, the last one.
        task: what watches that, until the session is left.
    """

    def __init__(self, key: tuple[str, str], agent: Agent) -> None:
        self.key = key
        self.agent = agent
        self.fresh = True
        self.working = False
        self.waiting: str | None = None
        self.last = 0
        self.run: Run | None = None
        self.task: asyncio.Task[None]
        self.used = time.monotonic()


class Sessions:
    """The sessions that this server has an agent for.

    Args:
        factory: session id to agent.
        limits: how long an idle one is kept.
    """

    def __init__(self, factory: AgentFactory, limits: Limits) -> None:
        self._factory = factory
        self._limits = limits
        self._sessions: dict[tuple[str, str], Session] = {}
        self._making: dict[tuple[str, str], asyncio.Task[Session]] = {}
        self._busy: Counter[str] = Counter()

    def busy(self, principal: str) -> int:
        """How many of a principal's sessions are at work or wait for an answer."""
        return self._busy[principal]

    def check_count(self, principal: str, counted: int = 0) -> None:
        """Refuse one more reply; ``counted`` of those at work are the one that is asked for.

        Raises:
            ServiceError: so many are unfinished.
        """
        if self.busy(principal) - counted >= self._limits.max_replies:
            raise ServiceError(
                ServiceCode.TOO_MANY_REPLIES,
                f"{self._limits.max_replies} replies are unfinished, which is the server's "
                "max_replies; answer or cancel one",
            )

    async def enter(
        self, principal: str, session_id: str, reply_id: str = "", last: int = 0
    ) -> Session:
        """The session, for one reply.  :meth:`leave` it.

        Args:
            principal: whose session.
            session_id: which.
            reply_id: the reply to go on with; empty: a new one.
            last: the number of its last event.

        Raises:
            ServiceError: it is at work, waits for an answer, or its agent cannot be made.
        """
        key = (principal, session_id)
        session = self._sessions.get(key) or await self._make(key)
        if session.waiting is not None and session.waiting == reply_id and session.last != last:
            self.forget(session)  # another server has gone on with it: this agent knows nothing
            session = await self._make(key)
        if await self._left(session):
            session = self._sessions.get(key) or await self._make(key)
        if session.working or session.waiting not in {None, reply_id or None}:
            what = "is at work" if session.working else "waits for an answer"
            raise ServiceError(
                ServiceCode.SESSION_BUSY,
                f"session {session_id!r} {what}; wait for its reply, answer it, or cancel it",
            )
        if session.waiting is None:
            self._busy[principal] += 1
        session.working, session.waiting = True, None
        return session

    def leave(self, session: Session, waiting: Record | None = None) -> None:
        """Its reply is over, or waits for an answer."""
        session.working, session.waiting, session.last = False, None, 0
        if waiting is not None:
            session.waiting, session.last = waiting.reply_id, waiting.last
        session.fresh = False
        session.used = time.monotonic()
        if waiting is None:
            self._busy[session.key[0]] -= 1

    def forget(self, session: Session) -> None:
        """Make a new agent for it next time."""
        if self._sessions.get(session.key) is session:
            del self._sessions[session.key]
            if session.waiting is not None:
                self._busy[session.key[0]] -= 1

    async def over(self, principal: str, session_id: str) -> None:
        """The reply that a session waits for an answer about is over, and its agent has no part in
        that."""
        session = self._sessions.get((principal, session_id))
        if session is not None:
            await self._left(session)
            if session.waiting is not None:
                self.forget(session)

    def forget_idle(self) -> None:
        """Let go of agents that have had nothing to do for long."""
        before = time.monotonic() - self._limits.idle_session
        for session in list(self._sessions.values()):
            if not session.working and session.used < before:
                self.forget(session)

    async def _left(self, session: Session) -> bool:
        """Wait for an agent to leave that has said all: who reads the end may be quicker."""
        if not session.working or session.run is None or not session.run.ending:
            return False
        await asyncio.wait([session.task], timeout=self._limits.cancel_grace)
        return True

    async def _make(self, key: tuple[str, str]) -> Session:
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.create_task(self._made(key))
            task.add_done_callback(lambda _: self._making.pop(key))
        return await asyncio.shield(task)

    async def _made(self, key: tuple[str, str]) -> Session:
        try:
            principal, session_id = key
            # Two principals may have chosen the same id, and their agents must not be one.
            name = f"{_name(principal)}/{session_id}" if principal else session_id
            agent: Any = await make_agent(self._factory, name)
        except (Exception, SystemExit) as error:
            logger.exception("session %s: no agent", key[1])
            raise ServiceError(
                ServiceCode.AGENT_FAILED,
                f"no agent could be made ({type(error).__name__}); the server's log says why",
            ) from None
        session = self._sessions[key] = Session(key, agent)
        return session


def _name(principal: str) -> str:
    """A principal without a slash: ``a/b`` with ``c`` is not ``a`` with ``b/c``."""
    return principal.replace("%", "%25").replace("/", "%2F")
