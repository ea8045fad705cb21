"""Python classes from the schemas: Pydantic models and msgspec structs.

Both are made by datamodel-code-generator from the same bundle.  Three things it cannot do are
put into its output here, each through a table that fails loudly when the output stops matching:

* ``x-mint`` members get their default factory;
* members that carry ``x-since`` are written only when they were set (:mod:`msgfold.model.absent`);
* the classes of :data:`BEHAVIOUR` get a hand-written base that brings back what a schema's exported
  class loses: the block rules of a role, exactly-one-of, the reading helpers.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from msgfold.codegen import prepare, since
from msgfold.contract import Schema

FACTORIES = {"id": "new_id", "now": "now"}
"""Kind of ``x-mint`` to the function of :mod:`msgfold.model.mint` that makes the value."""

BEHAVIOUR = {
    "Base64Source": ("msgfold.model.base64_source", "Base64SourceBehaviour"),
    "ToolResultBlock": ("msgfold.model.tool_result", "ToolResultBehaviour"),
    "Msg": ("msgfold.model.msg", "MsgBehaviour"),
    "ReplyEndEvent": ("msgfold.model.events", "ReplyEndBehaviour"),
    "ExceedMaxItersEvent": ("msgfold.model.events", "ExceedMaxItersBehaviour"),
    "UserInterruptEvent": ("msgfold.model.events", "UserInterruptBehaviour"),
    "DataBlockDeltaEvent": ("msgfold.model.events", "DataOrUrlBehaviour"),
    "ToolResultDataDeltaEvent": ("msgfold.model.events", "DataOrUrlBehaviour"),
}
"""Generated class to the hand-written class that comes before its other bases."""

_COMMON = [
    "--input-file-type=jsonschema",
    "--schema-version=2020-12",
    "--target-python-version=3.11",
    "--use-standard-collections",
    "--use-union-operator",
    "--collapse-root-models",
    "--use-one-literal-as-default",
    "--use-type-alias",
    # Without it an optional member that may not be null becomes `X | None`.
    "--strict-nullable",
    "--use-specialized-enum",
    "--capitalise-enum-members",
    "--formatters=builtin",
    "--disable-timestamp",
]

_MODELS = [
    "--output-model-type=pydantic_v2.BaseModel",
    "--base-class=msgfold.model.base.Model",
    "--use-annotated",
    # As in AgentScope, a role is one of three words, not a member of an enum.
    '--enum-field-as-literal-map={"role": "literal"}',
    "--strict-types",
    "str",
    "int",
    "bool",
    "--deserialize-default-values=enum",
    "--use-schema-description",
    "--use-field-description",
    "--use-attribute-docstrings",
]

_READ_DOCSTRINGS = """
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )"""

_STRUCTS = ["--output-model-type=msgspec.Struct", "--keyword-only"]


def models() -> str:
    """Source text of ``msgfold._generated.models``."""
    code = _run(prepare.for_models(), _MODELS)
    # Members keep their docstrings for people; to have Pydantic read them back out of the source
    # took a fifth of the time of the module's import.
    code = _replace(code, _READ_DOCSTRINGS, "")
    code = _replace(code, "        use_attribute_docstrings=True,\n", "")
    imports = ["from msgfold.model.mint import new_id, now"]
    for kind, factory in FACTORIES.items():
        code = _replace(
            code, f"= {prepare.factory_marker(kind)!r}\n", f"= Field(default_factory={factory})\n"
        )
    imports.append("from msgfold.model.absent import ABSENT_COUNT, ABSENT_TEXT, is_absent")
    code = _leave_out_unless_set(code, since.members())
    for name, (module, behaviour) in BEHAVIOUR.items():
        code = _replace(code, f"\nclass {name}(", f"\nclass {name}({behaviour}, ")
        imports.append(f"from {module} import {behaviour}")
    return _replace(
        code,
        "from msgfold.model.base import Model\n",
        "\n".join(["from msgfold.model.base import Model", *imports]) + "\n",
    )


def structs() -> str:
    """Source text of ``msgfold._generated.structs``."""
    return _run(prepare.for_structs(), _STRUCTS)


_ABSENT = {"''": "ABSENT_TEXT", "0": "ABSENT_COUNT", "None": "None"}
"""A default as the generator writes it, to the value that stands for a member that was not set."""


def _leave_out_unless_set(code: str, members: dict[str, dict[str, str]]) -> str:
    """Give each of these members of these classes a default that is not written."""
    lines = code.splitlines(keepends=True)
    todo = {(title, name) for title, names in members.items() for name in names}
    for node in ast.parse(code).body:
        if not isinstance(node, ast.ClassDef) or node.name not in members:
            continue
        for field in node.body:
            match field:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    if (node.name, name) not in todo:
                        continue
                    line = lines[value.lineno - 1]
                    start, end = value.col_offset, value.end_col_offset
                    default = _ABSENT[line[start:end]]
                    field_call = f"Field(default={default}, exclude_if=is_absent)"
                    lines[value.lineno - 1] = f"{line[:start]}{field_call}{line[end:]}"
                    todo.remove((node.name, name))
    if todo:
        raise RuntimeError(f"datamodel-code-generator no longer writes a default for {todo}")
    return "".join(lines)


def _replace(code: str, old: str, new: str) -> str:
    if old not in code:
        raise RuntimeError(
            f"datamodel-code-generator no longer writes {old.strip()!r}; "
            "see what it writes now and mend msgfold/codegen/python_classes.py"
        )
    return code.replace(old, new)


def _run(schema: Schema, options: list[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "msgfold.schema.json")
        target = Path(folder, "out.py")
        source.write_text(json.dumps(schema), "utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", *_COMMON, *options]
        command += [f"--input={source}", f"--output={target}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"datamodel-code-generator failed:\n{done.stderr}")
        code = target.read_text("utf-8")
    # The generator's own header names a temporary file; the banner of the target replaces it.
    return re.sub(r"\A(?:#.*\n)+\n*", "", code)
