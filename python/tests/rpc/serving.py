"""``msgfold serve`` as a process that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

AGENTS = Path(__file__).parents[1] / "replies" / "agents.py"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server process; arguments are added to ``msgfold serve``.

    Attributes:
        target: where it listens.
    """

    def __init__(self, factory, *arguments, http=False, **environment):
        self.port, self.http_port = free_port(), free_port()
        self.target = f"127.0.0.1:{self.port}"
        self.url = f"http://127.0.0.1:{self.http_port}"
        where = f"{AGENTS}:{factory}" if ":" not in factory else factory
        http_address = f"127.0.0.1:{self.http_port}" if http else "off"
        self.command = [
            *(sys.executable, "-m", "msgfold", "serve", where),
            *("--grpc", self.target, "--http", http_address, *map(str, arguments)),
        ]
        self.environment = {**os.environ, **{k: str(v) for k, v in environment.items()}}
        self.process = None
        self.stderr = b""

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stderr=subprocess.PIPE)
        return self

    def wait(self, timeout=30):
        """Until it listens."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(self.process.stderr.read().decode())
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        raise AssertionError("the server does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self, timeout=30):
        self.process.send_signal(signal.SIGTERM)
        _, self.stderr = self.process.communicate(timeout=timeout)
        return self.process.returncode

    def memory(self):
        """Bytes of it in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self):
        return self.start().wait()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
        self.process.stderr.close()
