"""What a program does first works, too: classes are built when they are first needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECORDING = Path(__file__).parents[3] / "conformance" / "recordings" / "2.0.4" / "tool_data.ndjson"
FOLD = f"import msgfold; m = msgfold.fold_ndjson(open({str(RECORDING)!r}, 'rb').read()); "


@pytest.mark.parametrize(
    "first",
    [
        FOLD + "m.content[0].model_dump_json()",
        FOLD + "m.content[-1].model_dump()",
        FOLD + "m.model_dump_json()",
        FOLD + "msgfold.dump(m, revision='2.0.11')",
        FOLD + "import copy; copy.deepcopy(m); repr(m); m == m",
        "from msgfold.message import TextBlock; TextBlock(text='x').model_dump_json()",
        "import msgfold; msgfold.to_proto({'type': 'CUSTOM', 'name': 'x'}, 'AgentEvent')",
    ],
)
def test_it_works_as_the_first_thing_and_warns_of_nothing(first):
    command = [sys.executable, "-W", "error::UserWarning", "-c", first]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_said_first_of_a_wrong_value_is_the_same_every_time():
    """Python mixes its sets anew in each process."""
    asked = "from msgfold.validate import validate_value as v; print(v({}, 'ToolCallBlock'))"
    said = {
        subprocess.run(
            [sys.executable, "-c", asked],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(1, 6)
    }
    assert len(said) == 1, said
