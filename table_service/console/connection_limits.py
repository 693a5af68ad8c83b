"""Connections to the console's pages: bounded for each address and in all, and ended if a request does not arrive.

Else somebody on the hall's network, without a password, could hold every handle that the console has, and no arbitro
would reach a page. The bounds count from the moment a connection is taken, before TLS has begun: a handshake holds
100 kB or more. This machine itself (127.0.0.1, ::1) and proxies that the hall names may have as many as they like.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 64
"""Connections of one address: a browser opens six, and no tablet has ten windows."""
MOST_IN_ALL: Final = 1500
"""Connections of all addresses: a hall of 200 tablets and phones has fewer."""
ARRIVES_S: Final = 30.0
"""Seconds within which a request must have arrived whole: the longest form has 1 MB."""


class ConnectionLimits:
    """Connections that one console holds at a time. ``turned_away``: connections that were ended, for either reason."""

    def __init__(
        self,
        most: int = MOST,
        arrives_s: float = ARRIVES_S,
        most_in_all: int = MOST_IN_ALL,
        proxies: Sequence[str] = (),
    ) -> None:
        self._proxies = tuple(ip_network(one) for one in proxies)
        self.most = most
        self.most_in_all = most_in_all
        self.arrives_s = arrives_s
        self.held: Counter[str] = Counter()
        self.turned_away = 0

    def take(self, address: str) -> str | None:
        """Return by what a connection of ``address`` is counted, which it is from now on; None: it is one too many."""
        network = "" if self._is_proxy(address) else network_of(address)
        if network and (self.held[network] >= self.most or self.held.total() >= self.most_in_all):
            self.turned_away += 1
            return None
        if network:
            self.held[network] += 1
        return network

    def _is_proxy(self, address: str) -> bool:
        """Return True for the address of a proxy: it asks for all of its hall."""
        try:
            return any(ip_address(address.partition("%")[0]) in one for one in self._proxies)
        except ValueError:
            return False

    def leave(self, network: str) -> None:
        """Count one connection less."""
        if network:
            self.held[network] -= 1
            if self.held[network] <= 0:
                del self.held[network]

    def protocol(self) -> type[asyncio.Protocol]:
        """Return uvicorn's protocol with these limits (``uvicorn.Config(http=…)``)."""
        return type("LimitedProtocol", (_LimitedProtocol,), {"limits": self})


def network_of(address: str) -> str:
    """Return by what connections are counted: an IPv4 address, or the network of 64 bits of an IPv6 one.

    >>> network_of("192.168.1.7"), network_of("fd00::1:2:3:4"), network_of("127.0.0.1")
    ('192.168.1.7', 'fd00::', '')
    """
    try:
        one = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(one, IPv6Address) and one.ipv4_mapped is not None:
        one = one.ipv4_mapped
    if str(one) in ("127.0.0.1", "::1"):
        return ""
    return str(IPv6Address(int(one) >> 64 << 64)) if isinstance(one, IPv6Address) else str(one)


class LimitedDoor(socket.socket):
    """A listening socket that ends a connection at once where its address holds too many, before anything is read."""

    limits: ConnectionLimits

    def accept(self) -> tuple[socket.socket, Any]:
        """Take the next connection. Raises ConnectionAbortedError for one that is turned away."""
        taken, address = super().accept()
        network = self.limits.take(str(address[0]))
        if network is None:
            with suppress(OSError):
                taken.close()
            raise ConnectionAbortedError
        counted = _Counted(taken.family, taken.type, taken.proto, fileno=taken.detach())
        counted.limits, counted.network = self.limits, network
        return counted, address


class _Counted(socket.socket):
    """A connection that is counted until it is closed."""

    limits: ConnectionLimits
    network: str = ""

    def close(self) -> None:
        """Close it; then its address may have another."""
        network, self.network = self.network, ""
        self.limits.leave(network)
        super().close()


class _LimitedProtocol(H11Protocol):
    limits: ConnectionLimits
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._late = self.loop.call_later(self.limits.arrives_s, self._arrives_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._arrived()
        elif self._late is None:
            self._late = self.loop.call_later(self.limits.arrives_s, self._arrives_late)

    def _arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _arrives_late(self) -> None:
        self._late = None
        if self.cycle is None or self.cycle.response_complete or self.conn.their_state is h11.SEND_BODY:
            self._turn_away()

    def _turn_away(self) -> None:
        self.limits.turned_away += 1
        self.transport.abort()
