"""A testee as a process: asked over its standard input, heard on its standard output.

A testee may hang, crash, print what is no reply, or answer too late.  Each is told apart, blamed on
the case that was in flight and on no other, and the process is started anew, unless it keeps ending
without a single answer.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from msgfold.conformance.corpus import Case
from msgfold.resources import SCHEMAS
from msgfold.wire.json import pointer

TIMEOUT = 10.0
"""Seconds that a testee has for a case, unless told otherwise."""

START_TIMEOUT = 60.0
"""Seconds until it must have described itself: some languages compile first."""

RESTARTS = 10
"""How often in a row a testee may be started anew without an answer in between."""

_TAIL = 2000
"""Characters of its standard error that a report shows."""


_RESULTS = {"fold": "FoldResult"}
"""Operation to the definition of its result, for those that have one."""


class TesteeError(Exception):
    """The testee gave no answer to a case; the message says what happened instead."""


class SlowTesteeError(TesteeError):
    """It gave none in time."""


class BrokenTesteeError(Exception):
    """The testee cannot be judged at all; the message says why and what to do."""


def request(
    op: str, given: dict[str, Any], revision: str, *, steps: bool = False
) -> dict[str, Any]:
    """What the runner asks, but for the number of the request."""
    asked = {"op": op, "revision": revision, "input": given}
    return {**asked, "steps": True} if steps else asked


class Testee:
    """One process of a testee.  Give :meth:`answer` to the runner.

    Args:
        command: the program and its arguments.
        timeout: seconds that it has for a case.
        restarts: how often in a row it may be started anew without an answer in between.

    Raises:
        BrokenTesteeError: it does not start, or does not describe itself.
    """

    def __init__(
        self, command: list[str], *, timeout: float = TIMEOUT, restarts: int = RESTARTS
    ) -> None:
        self._command = command
        self._timeout = timeout
        self._allowed = restarts
        self._restarts = -1  # the first start is none
        self._number = 0
        self._why = ""
        """What ended the last process."""
        self._process: subprocess.Popen[bytes] | None = None
        self.description = self._start()

    def supports(self, case: Case, revision: str) -> str | None:
        """Why a case is not for this testee; ``None`` when it is."""
        if revision not in self.description["revisions"]:
            return f"does not know {revision}"
        if case.op not in self.description["ops"]:
            return f"has no {case.op}"
        features = self.description.get("features", [])
        if "repeat" in case.input and "repeat" not in features:
            return "cannot fold the same event objects again"
        if case.input.get("replies", "first") != "first" and "replies" not in features:
            return "folds one reply of a stream only"
        for need in case.needs:
            if need not in features:
                return _LACKS[need]
        return None

    @property
    def features(self) -> frozenset[str]:
        """What it says that it can, beyond folding one reply."""
        return frozenset(self.description.get("features", ()))

    def answer(
        self, op: str, given: dict[str, Any], revision: str, *, steps: bool = False
    ) -> dict[str, Any]:
        """What the testee makes of a case's input.

        Args:
            op: the operation.
            given: the case's input.
            revision: the release to behave as.
            steps: for a fold, ask for the Msg after every event, too; it must have that feature.

        Raises:
            TesteeError: no answer.
            BrokenTesteeError: it was started anew too often.
        """
        if self._process is None:
            self._start()
        found = self._ask(request(op, given, revision, steps=steps), self._timeout)
        self._restarts = 0
        return found

    def close(self) -> None:
        """Let the process end, or end it."""
        if self._process is None:
            return
        process = self._gone()
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> dict[str, Any]:
        self._restarts += 1
        shown = shlex.join(self._command)
        if self._restarts > self._allowed:
            raise BrokenTesteeError(
                f"{shown}: started anew {self._allowed} times without an answer, given up; "
                f"at last: {self._why}"
            )
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
            )
        except OSError as error:
            raise BrokenTesteeError(f"{shown}: cannot be started: {error.strerror}") from None
        self._process = process
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=_pump, args=(process.stdout, self._lines), daemon=True).start()
        threading.Thread(target=_feed, args=(process.stdin, self._requests), daemon=True).start()
        try:
            found = self._ask({"op": "describe"}, START_TIMEOUT)
        except TesteeError as error:
            raise BrokenTesteeError(
                f"{shown}: does not describe itself: {error}. A testee answers "
                '{"id":1,"op":"describe"}; the protocol is schemas/conformance/testee.schema.json'
            ) from None
        for fault in _validator("Description").iter_errors(found):
            where = pointer(fault.absolute_path) or "/"
            raise BrokenTesteeError(
                f"{shown}: its description is wrong, at {where}: {fault.message}"
            )
        return found

    def _ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        process = self._process
        assert process is not None
        self._number += 1
        number = self._number
        self._requests.put(json.dumps({"id": number, **request}).encode() + b"\n")
        until = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                said = str(self._stopped(f"no reply within {timeout:g} seconds"))
                raise SlowTesteeError(said) from None
            if line is None:
                raise self._ended()
            reply = self._reply(line)
            if reply["id"] == number:
                if "failure" in reply:
                    raise TesteeError(f"the testee failed: {reply['failure']}")
                return self._result(request["op"], reply["result"])
            if not 0 < reply["id"] < number:
                raise self._stopped(f"a reply to request {reply['id']}, which was never sent")

    def _reply(self, line: bytes) -> dict[str, Any]:
        """A line of its output as a reply."""
        shown = line[:200].decode("utf-8", "backslashreplace").rstrip()
        try:
            reply = json.loads(line)
        except ValueError:
            raise self._stopped(
                f"a line on its standard output is no JSON: {shown!r} (logs and banners belong on "
                "standard error)"
            ) from None
        for fault in _validator("Reply").iter_errors(reply):
            raise self._stopped(f"not a reply: {fault.message}: {shown}")
        found: dict[str, Any] = reply
        return found

    def _result(self, op: str, result: Any) -> dict[str, Any]:
        """A result, held against the schema of what its operation answers."""
        definition = _RESULTS.get(op)
        for fault in _validator(definition).iter_errors(result) if definition else ():
            where = pointer(fault.absolute_path) or "/"
            raise TesteeError(f"not a result of {op}, at {where}: {fault.message[:_TAIL]}")
        found: dict[str, Any] = result
        return found

    def _gone(self) -> subprocess.Popen[bytes]:
        """The process, which is asked no more."""
        process, self._process = self._process, None
        assert process is not None
        self._requests.put(None)
        return process

    def _ended(self) -> TesteeError:
        process = self._gone()
        code = process.wait()
        self._why = f"the testee ended with exit code {code}{self._tail()}"
        return TesteeError(self._why)

    def _stopped(self, why: str) -> TesteeError:
        process = self._gone()
        process.kill()
        process.wait()
        self._why = f"{why}{self._tail()}"
        return TesteeError(self._why)

    def _tail(self) -> str:
        self._stderr.seek(0)
        said = self._stderr.read().decode("utf-8", "backslashreplace").strip()
        return f"; its standard error ends: {said[-_TAIL:]}" if said else ""


_LACKS = {"numbers": "has doubles only, and the answer turns on a number that is none"}
"""What a testee cannot do that lacks a feature which a case needs."""


def _pump(output: Any, lines: queue.Queue[bytes | None]) -> None:
    for line in output:
        lines.put(line)
    lines.put(None)


def _feed(requests: Any, lines: queue.Queue[bytes | None]) -> None:
    """Write what is to be sent: one that does not read must not hold up whoever asks."""
    with suppress(OSError):  # it has gone; what it said last tells why
        while (line := lines.get()) is not None:
            requests.write(line)
            requests.flush()
    with suppress(OSError):
        requests.close()


@cache
def _validator(definition: str) -> Draft202012Validator:
    path = SCHEMAS / "conformance" / "testee.schema.json"
    document = json.loads(path.read_text("utf-8"))
    return Draft202012Validator({**document, "$ref": f"#/$defs/{definition}"})
