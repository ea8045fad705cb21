"""A real browser: Chromium opens a page, and the page says what it has seen."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import threading
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # CI is root, and the pages are ours
    "--disable-gpu",
    "--disable-dev-shm-usage",
    # It would look for its makers' servers at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def chromium():
    """Where it is; ``None``: not here."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Page:
    """Serves one page, from an origin of its own, and takes what it posts.

    Attributes:
        origin: of the page.
        said: what it posts, once, as JSON.
    """

    def __init__(self, html):
        loop = asyncio.get_running_loop()
        self.said = loop.create_future()

        def take(said):
            if not self.said.done():
                self.said.set_result(said)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self._answer(html.encode() if self.path == "/" else b"")

            def do_POST(self):
                said = self.rfile.read(int(self.headers["Content-Length"]))
                loop.call_soon_threadsafe(take, json.loads(said))
                self._answer(b"")

            def _answer(self, body):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


@asynccontextmanager
async def opened(page, profile):
    """Chromium with the page in it."""
    command = [chromium(), *FLAGS, f"--user-data-dir={profile}", page.origin]
    errors = (profile.parent / "chromium.log").open("wb")
    process = subprocess.Popen(command, stderr=errors, stdout=errors, start_new_session=True)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(process.wait, 20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        errors.close()


class Cutting:
    """A network between a browser and a server that breaks: connections are cut after some bytes.

    Args:
        target: host and port of the server.
        after: bytes of answers after which a connection is cut, one number for each connection
            that gets so far; when they are used up, nothing is cut any more.
    """

    def __init__(self, target, after):
        self._target = target
        self._after = list(after)
        self.cut = 0
        self.url = ""

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        there, back = await asyncio.open_connection(*self._target)
        asking = asyncio.create_task(_pipe(reader, back))
        passed = 0
        try:
            while data := await there.read(1 << 12):
                writer.write(data)
                await writer.drain()
                passed += len(data)
                if self._after and passed >= self._after[0]:
                    del self._after[0]
                    self.cut += 1
                    writer.transport.abort()
                    break
        except ConnectionError:
            pass
        finally:
            asking.cancel()
            for each in (writer, back):
                each.close()


async def _pipe(reader, writer):
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
