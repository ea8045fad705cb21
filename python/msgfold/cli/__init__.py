"""The ``msgfold`` command: a thin face on the package.

Exit codes, the same for every command:

====  ===============================================================
0     good
1     the input is wrong, or a case failed, or generated files drifted
2     the command line is wrong
3     a reply is incomplete, and completeness was required
====  ===============================================================
"""

from __future__ import annotations


def main() -> None:
    """Entry point of the console script."""
    from msgfold.cli.app import run

    run()
