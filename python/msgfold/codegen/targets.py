"""What is generated, where to, and whether it is up to date.

Each target owns the files of some folders below ``generated/``, all of them: what it did not write
there is stray and is reported, so a file cannot outlive the definition it came from.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from msgfold.codegen import (
    agentscope_page,
    node,
    openapi,
    protobuf,
    python_classes,
    reference_page,
    revisions_page,
    since,
    typescript_tables,
    typescript_types,
)
from msgfold.contract import bundle, profile
from msgfold.revisions import RELEASES

Files = dict[PurePosixPath, bytes]
"""Content by path below ``generated/``."""

_PACKAGE = PurePosixPath("python/msgfold")
_PROTOBUF_ES = PurePosixPath("typescript/protobuf")
_TYPESCRIPT = PurePosixPath("typescript/contract")


@dataclass(frozen=True)
class Target:
    """One kind of generated code.

    Attributes:
        name: what ``--only`` takes.
        folder: the folder below ``generated/`` that it owns.
        source: what it is made from, for the banner.
        make: writes the files; takes the repository's root.
        missing: says what it needs that is not on this machine; takes the repository's root.
    """

    name: str
    folder: PurePosixPath
    source: str
    make: Callable[[Path], Files]
    missing: Callable[[Path], str | None] = lambda root: None

    @property
    def command(self) -> str:
        """The command that makes it again."""
        return f"msgfold generate --only {self.name}"

    @property
    def banner(self) -> str:
        """What a generated file says at its top."""
        return f"Generated from {self.source} by `{self.command}`. DO NOT EDIT."


def _models(root: Path) -> Files:
    header = f"# {TARGETS['models'].banner}\n"
    folder = _PACKAGE / "_generated"
    return {
        folder / "__init__.py": f'{header}"""Classes generated from the schemas."""\n'.encode(),
        folder / "models.py": f"{header}{python_classes.models()}".encode(),
        folder / "structs.py": f"{header}{python_classes.structs()}".encode(),
        folder / "since.py": f"{header}{since.source()}".encode(),
    }


def _protobuf(root: Path) -> Files:
    header = f"# {TARGETS['protobuf'].banner}\n"
    stubs = protobuf.python_stubs(root)
    files = {PurePosixPath("python") / path: header.encode() + text for path, text in stubs.items()}
    init = f'{header}"""Protobuf messages of the package msgfold.v1."""\n'
    return files | {_PACKAGE / "v1" / "__init__.py": init.encode()}


def _typescript(root: Path) -> Files:
    header = f"// {TARGETS['typescript'].banner}\n"
    made = {
        "types": typescript_types.source(),
        "contract": typescript_tables.contract(),
        "shapes": typescript_tables.shapes(),
    }
    return {_TYPESCRIPT / f"{n}.ts": f"{header}{text}".encode() for n, text in made.items()}


def _protobuf_es(root: Path) -> Files:
    header = f"// {TARGETS['protobuf-es'].banner}\n"
    modules = protobuf.typescript_messages(root)
    return {_PROTOBUF_ES / path: header.encode() + text for path, text in modules.items()}


def _descriptors(root: Path) -> Files:
    return {PurePosixPath("protobuf/msgfold.binpb"): protobuf.descriptor_set(root)}


def _json_schema(root: Path) -> Files:
    documents = [bundle(), *(profile(release) for release in RELEASES)]
    files = {}
    for document in documents:
        document = {"$comment": TARGETS["json-schema"].banner, **document}
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        files[PurePosixPath(f"json-schema/{document['title']}.schema.json")] = text.encode()
    return files


def _openapi(root: Path) -> Files:
    document = {"x-generated": TARGETS["openapi"].banner, **openapi.document()}
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return {PurePosixPath("openapi/msgfold.openapi.json"): text.encode()}


def _docs(root: Path) -> Files:
    pages = {
        "contract": reference_page.page(),
        "revisions": revisions_page.page(),
        "agentscope": agentscope_page.page(),
    }
    banner = TARGETS["docs"].banner
    return {
        PurePosixPath(f"docs/{name}.md"): f"<!-- {banner} -->\n\n{text}".encode()
        for name, text in pages.items()
    }


TARGETS = {
    target.name: target
    for target in (
        Target("models", _PACKAGE / "_generated", "schemas/", _models),
        Target("protobuf", _PACKAGE / "v1", "proto/", _protobuf),
        Target("typescript", _TYPESCRIPT, "schemas/", _typescript),
        Target("protobuf-es", _PROTOBUF_ES, "proto/", _protobuf_es, node.missing),
        Target("descriptors", PurePosixPath("protobuf"), "proto/", _descriptors),
        Target("json-schema", PurePosixPath("json-schema"), "schemas/", _json_schema),
        Target("openapi", PurePosixPath("openapi"), "schemas/", _openapi),
        Target("docs", PurePosixPath("docs"), "schemas/", _docs),
    )
}
"""Every target by name."""


@dataclass(frozen=True)
class Drift:
    """A generated file that is not as it should be."""

    path: PurePosixPath
    what: str
    """``missing``, ``stray`` or ``changed``."""
    diff: str
    command: str
    """The command that mends it."""


def write(root: Path, target: Target) -> list[PurePosixPath]:
    """Make the target's files again and remove stray ones; the paths that changed."""
    changed = []
    made = target.make(root)
    for path, text in made.items():
        place = root / "generated" / path
        if not place.exists() or place.read_bytes() != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
            changed.append(path)
    for path in _present(root, target):
        if path not in made:
            (root / "generated" / path).unlink()
            changed.append(path)
    return changed


def drift(root: Path, target: Target) -> list[Drift]:
    """Where the target's committed files differ from what would be generated now."""
    made = target.make(root)
    present = set(_present(root, target))
    found = []
    for path in sorted({*made, *present}):
        if path not in present:
            found.append(Drift(path, "missing", "", target.command))
        elif path not in made:
            found.append(Drift(path, "stray", "", target.command))
        elif (old := (root / "generated" / path).read_bytes()) != made[path]:
            found.append(Drift(path, "changed", _diff(path, old, made[path]), target.command))
    return found


def strays(root: Path) -> list[Drift]:
    """Files below ``generated/`` that no target owns."""
    owned = [target.folder for target in TARGETS.values()]
    everything = (
        PurePosixPath(path.relative_to(root / "generated").as_posix())
        for path in sorted((root / "generated").rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    )
    return [
        Drift(path, "stray", "", f"rm generated/{path}")
        for path in everything
        if not any(path.is_relative_to(folder) for folder in owned)
    ]


def _present(root: Path, target: Target) -> Iterator[PurePosixPath]:
    folder = root / "generated" / target.folder
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield PurePosixPath(path.relative_to(root / "generated").as_posix())


def _diff(path: PurePosixPath, old: bytes, new: bytes) -> str:
    try:
        before, after = old.decode().splitlines(True), new.decode().splitlines(True)
    except UnicodeDecodeError:
        return f"binary file of {len(old)} bytes, would be {len(new)} bytes\n"
    return "".join(
        difflib.unified_diff(before, after, f"generated/{path}", f"generated/{path} (made now)")
    )
