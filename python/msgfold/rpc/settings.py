"""What can be set on both ends of a connection."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from msgfold.replies.auth import check_certificate
from msgfold.replies.limits import MAX_MESSAGE

SERVICE = "msgfold.v1.ReplyService"


@dataclass(frozen=True, slots=True)
class ServerTls:
    """A server's certificate.

    Attributes:
        certificate: PEM file, the chain.
        key: PEM file, its private key.
        client_ca: PEM file; given, a client must show a certificate of this authority (mTLS), and
            the common name in it says who is asking.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def credentials(self) -> grpc.ServerCredentials:
        """For gRPC.  Raises ``OSError`` when a file cannot be read, or is no certificate."""
        check_certificate(self.certificate, self.key)
        ca = self.client_ca.read_bytes() if self.client_ca else None
        pair = (self.key.read_bytes(), self.certificate.read_bytes())
        return grpc.ssl_server_credentials([pair], ca, require_client_auth=ca is not None)


@dataclass(frozen=True, slots=True)
class ClientTls:
    """What a client trusts, and what it shows.

    Attributes:
        ca: PEM file of the authorities it trusts; ``None``: gRPC's own.
        certificate: PEM file with its own certificate, for mTLS.
        key: PEM file, its private key.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """For gRPC.  Raises ``OSError`` when a file cannot be read."""
        read = (
            path.read_bytes() if path else None for path in (self.ca, self.key, self.certificate)
        )
        return grpc.ssl_channel_credentials(*read)


@dataclass(frozen=True, slots=True)
class Retry:
    """How a client comes back after its connection is lost.

    Attributes:
        first: seconds before the second attempt; doubled each time.
        longest: seconds between two attempts, at most.
        give_up: seconds without a word from any server, after which it is an error.
        first_contact: the same, when no server has said a word yet.
    """

    first: float = 0.05
    longest: float = 2.0
    give_up: float = 60.0
    first_contact: float = 5.0


_MOST = (1 << 31) - 1
"""gRPC counts bytes and milliseconds in 32 bits."""


def channel_options(max_message: int = MAX_MESSAGE, keepalive: float = 20.0) -> list[Any]:
    """Options of a channel or a server.

    Args:
        max_message: bytes of one message, either way.
        keepalive: seconds of silence after which the other end is asked whether it lives.

    Raises:
        ValueError: gRPC cannot count so far.
    """
    if not 0 < max_message <= _MOST:
        raise ValueError(f"max_message is {max_message}; expected bytes, from 1 to {_MOST}")
    if not keepalive > 0:
        raise ValueError(f"keepalive is {keepalive}; expected seconds, more than 0")
    asked = int(min(keepalive * 1000, _MOST))
    return [
        ("grpc.max_receive_message_length", max_message),
        ("grpc.max_send_message_length", max_message),
        ("grpc.keepalive_time_ms", asked),
        ("grpc.keepalive_timeout_ms", asked),
        ("grpc.keepalive_permit_without_calls", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", asked // 2),
        ("grpc.http2.max_pings_without_data", 0),
        # A client comes back by our Retry, so the channel itself does not wait long.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
