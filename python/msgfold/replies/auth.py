"""Who is asking, and where it is listened: the same for gRPC and HTTP."""

from __future__ import annotations

import hashlib
import hmac
import json
import ssl
from pathlib import Path

from msgfold.replies.errors import ServiceCode, ServiceError

ANYBODY = ""
"""The principal of a server that knows no tokens."""


class Tokens:
    """Tokens and whose they are.

    Args:
        by_principal: principal to token.  Only their digests are kept.

    Raises:
        ValueError: an empty principal or token, a token that no header carries, or two principals
            with one token.
    """

    def __init__(self, by_principal: dict[str, str]) -> None:
        for token in by_principal.values():
            check_token(token)
        self._digests = {name: _digest(token) for name, token in by_principal.items()}
        if not all(by_principal) or not all(by_principal.values()):
            raise ValueError("a principal and its token must not be empty")
        if len(set(self._digests.values())) < len(self._digests):
            raise ValueError("two principals have the same token")

    @classmethod
    def from_file(cls, path: Path) -> Tokens:
        """The tokens of a JSON file, ``{"alice": "her token"}``.

        Raises:
            ValueError: it cannot be read, or is something else.
        """
        try:
            found = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: no tokens can be read: {error}") from None
        if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
            raise ValueError(f'{path}: expected {{"principal": "token"}}')
        return cls(found)

    def principal_of(self, authorization: str | None) -> str:
        """Whose token an ``Authorization`` header carries.

        Every token is compared, each in constant time, so that the time taken tells nothing.

        Raises:
            ServiceError: nobody's.
        """
        scheme, _, token = (authorization or "").partition(" ")
        given = _digest(token.strip())
        found = None
        for principal, digest in self._digests.items():
            if hmac.compare_digest(given, digest):
                found = principal
        if found is None or scheme.lower() != "bearer":
            raise ServiceError(
                ServiceCode.UNAUTHENTICATED,
                "no valid token; expected the header authorization: Bearer TOKEN",
            )
        return found


def check_token(token: str) -> None:
    """See that a token can be sent, because nobody would find out why it is nobody's.

    Raises:
        ValueError: it cannot.
    """
    if not (token.isascii() and token.isprintable() and token.strip() == token):
        raise ValueError(
            "a token has what no header carries; expected ASCII, without a line break, and without "
            "a space at its ends"
        )


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def refuse_open_door(address: str, tls: bool, insecure: bool) -> None:
    """Do not listen to a network in the clear, unless that was said.

    Raises:
        ValueError: somebody is about to.
    """
    if not tls and not insecure and not is_loopback(address):
        raise ValueError(
            f"{address} is open to the network, and there is no TLS; give a certificate, listen on "
            "127.0.0.1, or say --insecure where something in front of it takes care"
        )


def check_certificate(certificate: Path, key: Path) -> None:
    """See that a server's certificate and its key can be used, because servers say it poorly.

    Raises:
        OSError: one of them cannot be read, is none, or they do not belong together.
    """
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except OSError as error:
        raise OSError(
            f"{certificate} and {key}: expected a certificate and its private key, in PEM: "
            f"{error.strerror or error}"
        ) from None


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine only, as ``localhost:1`` and ``unix:/tmp/s`` are."""
    if address.startswith(("unix:", "unix-abstract:")):
        return True
    host = address.rpartition(":")[0].strip("[]")
    return host in {"localhost", "::1"} or host.startswith("127.")
