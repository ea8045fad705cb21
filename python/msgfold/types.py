"""How a reply ended, under the names of ``agentscope.types`` (AgentScope 2.0.5 and later).

::

    from msgfold.types import ErrorInfo, ErrorType, ReplyFinishedReason

    error = ErrorInfo(type=ErrorType.RATE_LIMIT, message="Try again in a minute.")
    assert error.type == "rate_limit"
"""

from __future__ import annotations

from msgfold._generated.models import ErrorInfo, ErrorType, ReplyFinishedReason

__all__ = ["ErrorInfo", "ErrorType", "ReplyFinishedReason"]
