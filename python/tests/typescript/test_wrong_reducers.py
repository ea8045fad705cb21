"""A reducer in another language with one fault: the kit finds it, and shrinks it to a case."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

FAULTS = {
    "deltas go to the last text block, not to the one that they name": (
        "fold/text.ts",
        'const at = state.findOrReport("text", event.block_id, "fold.text.delta");',
        'const at = state.msg.content.map((block) => block.type).lastIndexOf("text");',
    ),
    "base64 is joined as text": (
        "fold/growing.ts",
        'if (growth.tail !== "") {',
        "if (growth.tail.length > 9) {",
    ),
    "usage is overwritten, not summed": (
        "fold/reply.ts",
        "usage[name] = sum(usage[name] ?? 0, event[name] ?? 0)",
        "usage[name] = sum(0, event[name] ?? 0)",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_reducer_gets_a_case_of_three_events_at_most(fault, faulty, tmp_path):
    command = faulty(FAULTS[fault])
    kit = [sys.executable, "-m", "msgfold", "conformance"]
    found = tmp_path / "found"
    fuzz = [*kit, "fuzz", "--seed", "1", "--count", "350", "--save", str(found)]
    done = subprocess.run([*fuzz, "--", *command], capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    cases = [json.loads(path.read_text("utf-8")) for path in found.rglob("*.json")]
    assert cases
    assert all(len(case["input"]["events"]) <= 3 for case in cases)
