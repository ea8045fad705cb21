"""Replies over HTTP: server-sent events and NDJSON, with resume, for browsers and everybody else.

Needs the extra ``msgfold[http]``.  The rules are in ``docs/spec/replies.md``, the paths in
``generated/openapi/msgfold.openapi.json``.
"""

from __future__ import annotations

try:
    import starlette  # noqa: F401
except ImportError as error:  # pragma: no cover  (an installation without the extra)
    raise ImportError("msgfold.http needs Starlette: pip install 'msgfold[http]'") from error

from msgfold.http.app import create_app

__all__ = ["create_app"]
