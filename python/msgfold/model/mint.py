"""What a constructor makes up when it is left out (``wire.json.mint``).

Only constructors and parsers call these.  The fold never does (``fold.deterministic``).
"""

from __future__ import annotations

import uuid
from datetime import datetime


def new_id() -> str:
    """A fresh id: a random UUID as 32 hexadecimal digits, as AgentScope writes it."""
    return uuid.uuid4().hex


def now() -> str:
    """The local time in ISO 8601 without a zone, with microseconds, as AgentScope writes it."""
    return datetime.now().isoformat()
