"""A testee to start from, in Python.

    msgfold conformance run -- python3 testee.py

It folds text, so some cases pass at once.  ``fold`` is where a call of your own reducer goes; the
rest is the protocol: one JSON object a line, requests in, replies out, logs on standard error.
"""

import json
import sys

ABOUT = {
    "name": "skeleton",
    "language": "python",
    "version": "0.1.0",
    "protocol": 1,
    "revisions": ["2.0.4"],  # the AgentScope releases that you behave as
    "ops": ["fold"],  # and validate, decode, to_proto, from_proto, as you have them
    "features": [],  # what you can beyond the Msg: diagnostics, pointers, status, ...
}


def fold(msg, events):
    """The Msg after the events.  Replace it."""
    for event in events:
        msg = append_event(msg, event)
    return msg


def append_event(msg, event):
    kind = event["type"]
    if kind == "REPLY_START" and msg is None:
        return {
            "name": event["name"],
            "content": [],
            "role": event.get("role", "assistant"),
            "id": event["reply_id"],
            "metadata": {},
            "created_at": event["created_at"],
            "finished_at": None,
            "usage": None,
        }
    if msg is None or event["reply_id"] != msg["id"]:
        return msg  # of another reply
    if kind == "TEXT_BLOCK_START":
        msg["content"].append({"type": "text", "text": "", "id": event["block_id"]})
    elif kind == "TEXT_BLOCK_DELTA":
        for block in msg["content"]:
            if block["type"] == "text" and block["id"] == event["block_id"]:
                block["text"] += event["delta"]
                break
    elif kind == "REPLY_END":
        msg["finished_at"] = event["created_at"]
    return msg


def answer(request):
    """The result of one request."""
    if request["op"] == "describe":
        return ABOUT
    given = request["input"]
    if "events" not in given:
        raise NotImplementedError("events as text are not read yet")
    return {"msg": fold(given["msg"], given["events"])}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = {"id": request["id"], "result": answer(request)}
        except Exception as error:  # your own fault, told apart from a wrong answer
            reply = {"id": request["id"], "failure": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
