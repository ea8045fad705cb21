"""What a server allows, and how long it waits; all of it can be set."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MESSAGE = 16 << 20
"""Bytes of a gRPC message or an HTTP body, on both ends, unless set otherwise."""


@dataclass(frozen=True)
class Limits:
    """What a server allows.

    Attributes:
        max_message: bytes of one message on the wire, a request or a batch of events.
        max_reply: bytes of all events of a reply in the log; an agent that goes on is stopped.
        window: bytes of events that may wait for the furthest reader; then the agent is held back.
        max_streams: streams that one principal may have open.
        max_replies: replies of one principal that are running or waiting.
        linger: seconds that an agent goes on when nobody listens, unless the caller asks for more.
        max_linger: the most that a caller may ask for, in seconds.
        cancel_grace: seconds that a cancelled agent has to end its reply in its own words.
        retention: seconds that a reply is kept after it has ended.
        lease: seconds after which a server that gives no sign of life has lost its replies.
        idle_session: seconds that an agent is kept with nothing to do.
    """

    max_message: int = MAX_MESSAGE
    max_reply: int = 256 << 20
    window: int = 256 << 10
    max_streams: int = 1000
    max_replies: int = 1000
    linger: float = 0.5
    max_linger: float = 300.0
    cancel_grace: float = 5.0
    retention: float = 3600.0
    lease: float = 5.0
    idle_session: float = 600.0
