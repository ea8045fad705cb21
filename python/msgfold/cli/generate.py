"""``msgfold generate``: write ``generated/`` again, or check that nothing there has drifted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from msgfold.cli import common


def command(
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 and a diff when a file drifted."),
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="TARGET", help="This target only; may be given several times."),
    ] = None,
) -> None:
    """Write the code, schemas and pages under generated/ from schemas/ and proto/.

    Works in a checkout of msgfold, with the dependency group codegen installed. What is made by
    programs for Node is left out, and named, where Node is not installed.

    Examples:

    - `msgfold generate`
    - `msgfold generate --check`
    - `msgfold generate --only models`
    """
    root = _root()
    try:
        from msgfold.codegen import targets
    except ImportError as error:
        raise common.Failure(f"{error}; install the group: uv sync --group codegen") from None
    unknown = [name for name in only or () if name not in targets.TARGETS]
    if unknown:
        raise common.Failure(
            f"no target {', '.join(unknown)}; there are {', '.join(targets.TARGETS)}", common.USAGE
        )
    chosen = [targets.TARGETS[name] for name in only or targets.TARGETS]
    if not only:
        chosen = [target for target in chosen if not _skipped(root, target)]
    try:
        if check:
            _check(root, chosen, whole=not only)
        else:
            for target in chosen:
                for path in targets.write(root, target):
                    typer.echo(f"generated/{path}")
    except (RuntimeError, ValueError) as error:
        raise common.Failure(str(error)) from None


def _skipped(root: Path, target: Any) -> bool:
    """Whether a target is left out because this machine lacks what it needs; says so.

    In CI nothing is left out: there it is a failure.
    """
    reason = target.missing(root)
    if reason is None:
        return False
    if os.environ.get("CI"):
        raise common.Failure(f"{target.name} cannot be generated: {reason}")
    common.note(f"SKIPPED {target.name}: generated/{target.folder} is as it was; {reason}")
    return True


def _check(root: Path, chosen: list, whole: bool) -> None:  # type: ignore[type-arg]
    from msgfold.codegen import targets

    found = [drift for target in chosen for drift in targets.drift(root, target)]
    if whole:
        found += targets.strays(root)
    for drift in found:
        typer.echo(f"generated/{drift.path}: {drift.what}\n{drift.diff}", nl=False)
    if found:
        commands = " && ".join(dict.fromkeys(drift.command for drift in found))
        raise common.Failure(f"{len(found)} generated files are not up to date; run: {commands}")
    common.note(f"generated/ is up to date ({', '.join(target.name for target in chosen)})")


def _root() -> Path:
    """The checkout: the nearest folder upwards that holds the schemas and the proto files."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "schemas" / "msg.schema.json").exists() and (folder / "proto").is_dir():
            return folder
    raise common.Failure(f"{here} is not in a checkout of msgfold: no schemas/ here or above")
