"""Everything under ``generated/`` is written from here, from ``schemas/`` and ``proto/``.

:mod:`msgfold.codegen.targets` is the table of what is written where; ``msgfold generate`` runs it.
"""
