"""The conformance corpus, and the runner that holds an implementation against it.

A case is one JSON file with one behaviour: an input, and exactly what must come of it
(``schemas/conformance/case.schema.json``).  :mod:`.corpus` loads cases, :mod:`.reference` answers
them with this package's own reducer, :mod:`.compare` finds the first difference, :mod:`.runner`
judges.
"""
