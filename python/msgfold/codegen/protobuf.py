"""Protobuf messages for Python and TypeScript, gRPC stubs, and the descriptor set.

All of them by the protoc of grpcio-tools, so that every language is made from the same reading of
the proto files; TypeScript with the plugin protoc-gen-es.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from msgfold.codegen import node

PROTO = Path("proto")
"""Root of the proto files, below the repository's root."""


def python_stubs(root: Path) -> dict[PurePosixPath, bytes]:
    """``*_pb2.py``, ``*_pb2.pyi`` and, for services, ``*_pb2_grpc.py``, by path."""
    with tempfile.TemporaryDirectory() as folder:
        _protoc(
            root,
            f"--python_out={folder}",
            f"--pyi_out={folder}",
            f"--grpc_python_out={folder}",
        )
        written = {
            PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes()
            for path in sorted(Path(folder).rglob("*.py*"))
        }
    # A proto file without a service yields a gRPC module that holds nothing but a version check.
    return {
        path: text
        for path, text in written.items()
        if not path.name.endswith("_pb2_grpc.py") or b"class " in text
    }


def typescript_messages(root: Path) -> dict[PurePosixPath, bytes]:
    """``*_pb.ts``, by path: the messages of protobuf-es.

    Raises:
        RuntimeError: the plugin is not here.
    """
    plugin = node.tool(root, "protoc-gen-es")
    with tempfile.TemporaryDirectory() as folder:
        _protoc(
            root,
            f"--plugin=protoc-gen-es={plugin}",
            f"--es_out={folder}",
            # Modules name each other as Node and browsers load them.
            "--es_opt=target=ts,import_extension=js",
        )
        return {
            PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes()
            for path in sorted(Path(folder).rglob("*.ts"))
        }


def descriptor_set(root: Path) -> bytes:
    """A ``FileDescriptorSet`` of the contract with what it imports, comments included."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "msgfold.binpb")
        _protoc(
            root,
            f"--descriptor_set_out={target}",
            "--include_imports",
            "--include_source_info",
        )
        return target.read_bytes()


def _protoc(root: Path, *options: str) -> None:
    sources = sorted((root / PROTO).rglob("*.proto"))
    names = [path.relative_to(root / PROTO).as_posix() for path in sources]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{root / PROTO}", *options, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"protoc failed:\n{done.stderr}")
