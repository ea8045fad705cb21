"""A testee that does nothing: it gives back the Msg that it was given.

The least that the runner can judge.  Put your reducer where the comment is.
"""

import json
import sys

ABOUT = {
    "name": "nothing",
    "language": "python",
    "version": "0",
    "protocol": 1,
    "revisions": ["2.0.4"],
    "ops": ["fold"],
    "features": [],
}

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "describe":
        result = ABOUT
    else:
        msg = request["input"]["msg"]  # null, or what the fold goes on from
        # Here: fold request["input"]["events"] into msg.
        result = {"msg": msg}
    print(json.dumps({"id": request["id"], "result": result}), flush=True)
