"""``msgfold serve``, as a process: where it listens, when it will not, and how it stops."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys

import grpc
import httpx
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc
from serving import Server, free_port

NDJSON = {"Accept": "application/x-ndjson"}
BUILT_IN = "msgfold.replies.scripted:scripted_agent"


def serve(*arguments):
    """A server that is expected to give up by itself."""
    command = [sys.executable, "-m", "msgfold", "serve", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def quiet(tmp_path):
    """Arguments that take no port and no log that anybody else has."""
    return ("--grpc", "127.0.0.1:0", "--http", "off", "--log", tmp_path / "r.db")


def listening(process):
    """What a server says until it serves; lines of its stderr."""
    said = []
    for line in process.stderr:
        said.append(line.decode())
        if line.startswith(b"serving "):
            return said
    raise AssertionError(f"it does not serve: {said}")


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_listens_and_stops_when_it_is_told(tmp_path, sign):
    state = tmp_path / "state"
    command = [sys.executable, "-m", "msgfold", "serve"]
    command += ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": str(state)}
    )
    with process:
        said = "".join(listening(process))
        port = re.search(r"^gRPC  127\.0\.0\.1:(\d+)$", said, re.M)[1]
        url = re.search(r"^HTTP  (http://127\.0\.0\.1:\d+)/replies$", said, re.M)[1]
        assert f"serving {BUILT_IN}" in said
        assert (state / "msgfold" / "replies.db").is_file()
        with socket.create_connection(("127.0.0.1", int(port)), 30):
            pass
        assert httpx.get(f"{url}/healthz").json() == {"status": "serving"}
        process.send_signal(sign)
        rest = process.stderr.read().decode()
        assert process.wait(60) == 0, rest
    assert "draining" in rest
    assert "Traceback" not in rest


def test_sigterm_lets_a_reply_over_http_finish(tmp_path):
    server = Server("steady", "--log", tmp_path / "r.db", http=True, WORDS=100, DELAY=0.01)
    body = {"messages": [{"role": "user", "name": "a", "content": [{"type": "text", "text": "r"}]}]}
    with server:
        with httpx.stream("POST", f"{server.url}/replies", json=body, headers=NDJSON) as response:
            lines = response.iter_lines()
            seen = [json.loads(next(lines))["id"]]
            server.process.send_signal(signal.SIGTERM)
            seen += [json.loads(line)["id"] for line in lines if line]
        assert seen == [f"e{n}" for n in range(104)]
        assert server.process.wait(60) == 0


@pytest.mark.rule("replies.drain", "replies.grpc.health")
def test_who_asks_while_it_drains_is_told_and_a_second_signal_ends_it(tmp_path):
    arguments = ("--log", tmp_path / "r.db", "--grace", 600, "--keepalive", 1e12)
    with Server("steady", *arguments, http=True, WORDS=1_000_000, DELAY=0.01) as server:
        body = {
            "messages": [{"role": "user", "name": "a", "content": [{"type": "text", "text": "r"}]}]
        }
        with httpx.stream("POST", f"{server.url}/replies", json=body, headers=NDJSON) as response:
            lines = response.iter_lines()
            next(lines)
            assert health(server.target) == "SERVING"
            server.process.send_signal(signal.SIGTERM)
            while health(server.target) != "NOT_SERVING":
                next(lines)
            found = httpx.get(f"{server.url}/healthz")
            assert (found.status_code, found.json()) == (503, {"status": "draining"})
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0


def health(target):
    with grpc.insecure_channel(target) as channel:
        asked = health_pb2.HealthCheckRequest(service="msgfold.v1.ReplyService")
        found = health_pb2_grpc.HealthStub(channel).Check(asked, timeout=30)
    return health_pb2.HealthCheckResponse.ServingStatus.Name(found.status)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--grpc", "nonsense"], "--grpc nonsense: expected HOST:PORT"),
        (["--grpc", "127.0.0.1:99999"], "expected HOST:PORT"),
        (["--http", "127.0.0.1"], "--http 127.0.0.1: expected HOST:PORT"),
        (["--http", "127.0.0.1:x"], "--http 127.0.0.1:x: expected HOST:PORT"),
        (["--http", "::1:80"], "expected HOST:PORT"),
        (["--http", "unix:/s"], "expected HOST:PORT"),
        (["--grpc", "off"], "nothing to serve"),
        (["--tls-cert", "c.pem"], "--tls-cert and --tls-key go together"),
        (["--client-ca", "c.pem"], "--client-ca needs --tls-cert"),
        (
            [*("--tls-cert", "c", "--tls-key", "k", "--client-ca", "a"), "--http", "127.0.0.1:0"],
            "HTTP asks for no certificate",
        ),
        (["--max-message", "99999999999"], "--max-message"),
        (["--tokens", "none.json"], "none.json: no tokens can be read"),
        (["--revision", "9.9.9"], "2.0.11"),
        (["--lease", "0"], "--lease"),
        (["--max-streams", "0"], "--max-streams"),
        (["nonsense"], "names no factory; expected MODULE:FACTORY"),
        (["no.such.module:make"], "'no.such.module' cannot be imported: ModuleNotFoundError"),
        (["none.py:make"], "none.py: no such file"),
        (["json:nope"], "has no factory 'nope'; it has dump, dumps"),
    ],
)
def test_what_is_asked_wrongly_is_a_usage_error(quiet, arguments, said):
    done = serve(*quiet, *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("def make(:", "SyntaxError"),
        ("import no_such_package", "no_such_package"),
        ("make = 5\ndef other(s): ...", "it has other"),
    ],
)
def test_a_factory_whose_module_is_broken(quiet, tmp_path, source, said):
    (tmp_path / "app_of_mine.py").write_text(source)
    done = serve(*quiet, f"{tmp_path / 'app_of_mine.py'}:make")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "no tokens can be read"),
        ("[]", 'expected {"principal": "token"}'),
        ('{"alice": 5}', 'expected {"principal": "token"}'),
        ('{"alice": ""}', "must not be empty"),
        ('{"alice": "hunter2\\n"}', "no header carries"),
        ('{"alice": "höntär"}', "no header carries"),
        ('{"alice": "\\ud800"}', "no header carries"),
        ('{"alice": "x", "bob": "x"}', "two principals have the same token"),
    ],
)
def test_tokens_that_cannot_be_used(quiet, tmp_path, content, said):
    (tmp_path / "tokens.json").write_text(content)
    done = serve(*quiet, "--tokens", tmp_path / "tokens.json")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "myhost:0"])
@pytest.mark.parametrize("option", ["--grpc", "--http"])
def test_it_listens_to_no_network_in_the_clear(tmp_path, option, address):
    other = "--http" if option == "--grpc" else "--grpc"
    done = serve("--log", tmp_path / "r.db", other, "off", option, address)
    assert done.returncode == 2
    assert "there is no TLS" in done.stderr
    assert "--insecure" in done.stderr


def test_unless_it_is_told_to(tmp_path):
    arguments = ["--log", str(tmp_path / "r.db"), "--grpc", "0.0.0.0:0", "--http", "0.0.0.0:0"]
    command = [sys.executable, "-m", "msgfold", "serve", *arguments, "--insecure"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        said = "".join(listening(process))
        assert "gRPC  0.0.0.0:" in said
        process.terminate()


def test_with_tls_it_does_and_speaks_nothing_else(tmp_path):
    ca = trustme.CA()
    issued = ca.issue_cert("localhost")
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    issued.private_key_pem.write_to_path(tmp_path / "key.pem")
    issued.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    arguments = ["--log", tmp_path / "r.db", "--grpc", "off", "--http", "0.0.0.0:0"]
    arguments += ["--tls-cert", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem"]
    command = [sys.executable, "-m", "msgfold", "serve", *map(str, arguments)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        said = "".join(listening(process))
        port = re.search(r"^HTTP  https://0\.0\.0\.0:(\d+)/replies$", said, re.M)[1]
        trust = {"verify": str(tmp_path / "ca.pem"), "trust_env": False}
        found = httpx.get(f"https://localhost:{port}/healthz", **trust)
        assert found.json() == {"status": "serving"}
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://localhost:{port}/healthz", trust_env=False)
        process.terminate()
        assert process.wait(60) == 0


@pytest.mark.parametrize("option", ["--grpc", "--http"])
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_certificate_that_cannot_be_used(tmp_path, option, content):
    for name in ("cert.pem", "key.pem"):
        if content is not None:
            (tmp_path / name).write_text(content)
    other = "--http" if option == "--grpc" else "--grpc"
    done = serve(
        *("--log", tmp_path / "r.db", other, "off", option, "127.0.0.1:0"),
        *("--tls-cert", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem"),
    )
    assert done.returncode in {1, 2}
    assert done.stderr.startswith("error: ")
    assert "cert.pem" in done.stderr


@pytest.mark.parametrize("option", ["--grpc", "--http"])
def test_an_address_that_is_taken(tmp_path, option):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        other = "--http" if option == "--grpc" else "--grpc"
        done = serve("--log", tmp_path / "r.db", other, "off", option, address)
    assert done.returncode == 1
    assert "error: " in done.stderr
    assert address in done.stderr


def test_a_log_that_cannot_be_kept(tmp_path):
    (tmp_path / "text").write_text("no database, and long enough to be told from one" * 100)
    done = serve("--grpc", "127.0.0.1:0", "--http", "off", "--log", tmp_path / "text")
    assert done.returncode == 1
    assert "no event log can be kept here" in done.stderr
    redis = f"redis://user:hunter2@127.0.0.1:{free_port()}/0"
    done = serve("--grpc", "127.0.0.1:0", "--http", "off", "--log", redis)
    assert done.returncode == 1
    assert "no Redis answers" in done.stderr
    assert "hunter2" not in done.stderr


def test_help_has_examples_and_they_can_be_said():
    """Each example of the help is taken by the command itself."""
    done = subprocess.run(
        [sys.executable, "-m", "msgfold", "serve", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "300", "TERM": "dumb"},
    )
    examples = re.findall(r"• (msgfold serve[^\n│]*)", done.stdout)
    assert len(examples) >= 4
    for example in examples:
        for option in re.findall(r"--[a-z-]+", example):
            assert re.search(rf"{option}\b", done.stdout)


def test_a_secret_is_in_no_log(tmp_path):
    """Neither a token nor what an agent's exception says is sent; a token is not logged either."""
    tokens = tmp_path / "tokens.json"
    tokens.write_text('{"alice": "hunter2-token"}')
    settings = ("--log", tmp_path / "r.db", "--tokens", tokens)
    with Server("failing", *settings, http=True) as server:
        body = {
            "messages": [{"role": "user", "name": "a", "content": [{"type": "text", "text": "r"}]}]
        }
        for token in ("hunter2-token", "hunter2-wrong"):
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/x-ndjson"}
            found = httpx.post(f"{server.url}/replies", json=body, headers=headers)
            assert "hunter2" not in found.text
        assert server.terminate(60) == 0
        assert b"RuntimeError" in server.stderr, "the server's log has the whole of it"
        assert b"hunter2-token" not in server.stderr
        assert b"hunter2-wrong" not in server.stderr
