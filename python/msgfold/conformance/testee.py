"""The reference as a testee of its own: ``msgfold-testee``.

Reads requests on standard input and answers on standard output, one JSON object a line, as
``schemas/conformance/testee.schema.json`` has it.  A testee in another language does the same.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from msgfold import __version__
from msgfold.conformance.reference import OPS, answer
from msgfold.revisions import RELEASES

PROTOCOL = 1
"""The version of the protocol that is spoken here."""


def describe() -> dict[str, Any]:
    """Who this is, and what it can do."""
    return {
        "name": "msgfold",
        "language": "python",
        "version": __version__,
        "protocol": PROTOCOL,
        "revisions": list(RELEASES),
        "ops": list(OPS),
        "features": [
            "diagnostics",
            "pointers",
            "status",
            "replies",
            "repeat",
            "numbers",
            "steps",
        ],
    }


def reply(request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request."""
    try:
        if request["op"] == "describe":
            return {"id": request["id"], "result": describe()}
        steps = request.get("steps", False)
        result = answer(request["op"], request["input"], request["revision"], steps=steps)
    except Exception as error:  # the runner must hear of it, whatever it is
        return {"id": request["id"], "failure": f"{type(error).__name__}: {error}"}
    return {"id": request["id"], "result": result}


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin.buffer:
        # Lone surrogates travel as escapes: a case may be about them.
        print(json.dumps(reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
