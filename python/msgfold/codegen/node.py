"""The generators that are programs for Node, pinned in ``typescript/package-lock.json``."""

from __future__ import annotations

import shutil
from pathlib import Path

PACKAGE = Path("typescript")
"""The npm package whose development dependencies they are, below the repository's root."""


def missing(root: Path) -> str | None:
    """What is not here that they need, and how to get it; ``None``: nothing."""
    if shutil.which("node") is None:
        return "Node is not here; install Node 20 or newer"
    if not (root / PACKAGE / "node_modules" / ".bin").is_dir():
        return f"the packages of {PACKAGE}/ are not installed; run: npm ci --prefix {PACKAGE}"
    return None


def tool(root: Path, name: str) -> Path:
    """A program that a package brings.

    Raises:
        RuntimeError: it is not here; the message says how to get it.
    """
    reason = missing(root)
    if reason is not None:
        raise RuntimeError(reason)
    path = root / PACKAGE / "node_modules" / ".bin" / name
    if not path.exists():
        raise RuntimeError(f"{name} is not in {path.parent}; run: npm ci --prefix {PACKAGE}")
    return path
