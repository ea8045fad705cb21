"""Is this a Msg, an event, a stream of events?  If not, what is wrong and where?

Validation is apart from folding: the fold goes on where it can, validation reports every fault
(``schemas/`` and ``docs/spec/wire.md``).
"""

from __future__ import annotations

from msgfold.validate.faults import Fault, FaultCode
from msgfold.validate.stream import (
    validate_msgs,
    validate_stream,
    validate_text,
    validate_value,
)

__all__ = [
    "Fault",
    "FaultCode",
    "validate_msgs",
    "validate_stream",
    "validate_text",
    "validate_value",
]
