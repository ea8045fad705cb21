"""Implementations that the kit knows how to get: ``--impl agentscope==2.0.4``.

Each is installed from PyPI into an environment of its own, once, below the user's cache folder, and
judged there by the testee that comes with msgfold.
"""

from __future__ import annotations

import os
import re
import subprocess
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgfold.conformance.process import BrokenTesteeError
from msgfold.resources import TESTEES

TESTEE_OF = {"agentscope": TESTEES / "agentscope" / "testee.py"}
"""Name on PyPI to the testee that drives it."""

_SPEC = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)")


@dataclass(frozen=True, slots=True)
class Implementation:
    """What to judge.

    Attributes:
        name: its name on PyPI.
        version: the release.
    """

    name: str
    version: str

    @property
    def home(self) -> Path:
        """The environment that it is installed in."""
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        return Path(cache, "msgfold", f"{self.name}-{self.version}")

    def command(self, say: Callable[[str], None]) -> list[str]:
        """The testee's command; installs the implementation when it is not there yet.

        Args:
            say: told what takes long.

        Raises:
            BrokenTesteeError: it cannot be installed.
        """
        python = self.home / ("Scripts" if os.name == "nt" else "bin") / "python"
        ready = self.home / ".ready"
        if not ready.exists():
            say(f"installing {self.name}=={self.version} into {self.home}")
            venv.create(self.home, with_pip=True, clear=True)
            wanted = f"{self.name}=={self.version}"
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            done = subprocess.run([*pip, wanted], capture_output=True, text=True)
            if done.returncode:
                why = done.stderr.strip().splitlines() or ["pip failed"]
                raise BrokenTesteeError(f"{wanted} cannot be installed: {why[-1]}")
            ready.touch()
        return [str(python), str(TESTEE_OF[self.name])]


def parse(spec: str) -> Implementation:
    """``name==version`` as an implementation.

    Raises:
        ValueError: it is not one that the kit knows; the message says what it knows.
    """
    found = _SPEC.fullmatch(spec)
    if found is None or found["name"] not in TESTEE_OF:
        known = " or ".join(f"{name}==VERSION" for name in TESTEE_OF)
        raise ValueError(f"no implementation {spec!r}; expected {known}, or a program behind --")
    return Implementation(found["name"], found["version"])
