"""What all tests share."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from hypothesis import settings

# Generators of test data stand beside the tests that use them.
for folder in ("fold", "oracle", "schemas"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

# Random streams are odd on purpose; their warnings would bury a failure.
logging.getLogger("msgfold").setLevel(logging.ERROR)

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")
