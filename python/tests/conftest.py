"""What all tests share."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import settings

# Generators of test data stand beside the tests that use them.
for folder in ("fold", "fuzz", "http", "oracle", "replies", "rpc", "schemas"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

# Random streams are odd on purpose; their warnings would bury a failure.
logging.getLogger("msgfold").setLevel(logging.ERROR)

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory):
    """A real Redis, on a socket of its own, gone with the tests."""
    server = shutil.which("redis-server")
    if server is None:
        why = "no redis-server here: apt-get install redis-server"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("redis")
    socket = folder / "redis.sock"
    settings = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
    process = subprocess.Popen([server, *settings], stdout=subprocess.DEVNULL)
    for _ in range(100):
        if socket.exists():
            break
        time.sleep(0.05)
    yield f"unix://{socket}"
    process.kill()
    process.wait()
