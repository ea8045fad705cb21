"""Replies of agents, kept so that a client can lose its connection and lose nothing.

An agent's events go through a :class:`~msgfold.replies.run.Run` into an event log
(:mod:`.log`), and from there to any number of readers; :mod:`.hub` knows which reply is where.
``rpc`` and ``http`` carry what the hub gives.  The rules are in ``docs/spec/replies.md``.
"""

from msgfold.replies.errors import ServiceCode, ServiceError
from msgfold.replies.hub import Replies
from msgfold.replies.limits import Limits
from msgfold.replies.log import EventLog, State
from msgfold.replies.source import Agent, AgentFactory, ResumableAgent

__all__ = [
    "Agent",
    "AgentFactory",
    "EventLog",
    "Limits",
    "Replies",
    "ResumableAgent",
    "ServiceCode",
    "ServiceError",
    "State",
]
