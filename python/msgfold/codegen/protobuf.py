"""Protobuf and gRPC stubs for Python, and the descriptor set, by grpcio-tools."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

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
