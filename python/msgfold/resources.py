"""Where the schemas, the corpus and the specification lie.

They are data of the project (``schemas/``, ``conformance/``, ``docs/spec/``) and ship inside
the package: ``msgfold/_data`` holds links to those folders in a checkout and their files in a
wheel. Nothing is looked for outside the package, so an installed msgfold needs no repository.
"""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "_data"

SCHEMAS = DATA / "schemas"
CASES = DATA / "cases"
SPEC = DATA / "spec"
TESTEES = DATA / "testees"
OPENAPI = DATA / "openapi" / "msgfold.openapi.json"
