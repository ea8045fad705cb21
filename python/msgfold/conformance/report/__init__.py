"""What a run is told as: one log, and every report read from it.

:mod:`.log` writes and reads the log, ``schemas/conformance/runlog.schema.json``.  :mod:`.known`
sorts out the failures that a team knows of.  :mod:`.render` makes JSON, JUnit XML and Markdown of a
log, :mod:`.badge` a badge, :mod:`.page` an HTML page of several, with the map of :mod:`.coverage`,
and :mod:`.changes` holds two against each other.  No report judges: what a run says stands in its
log.
"""
