"""Connections to the console's pages: bounded for each address, and ended where a request does not arrive.

Else somebody on the hall's network, without a password, could hold every handle that the console has, and no arbitro
would reach a page. This machine itself (127.0.0.1, ::1) may have as many as it likes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 64
"""Connections of one address: a browser opens six, and no tablet has ten windows."""
ARRIVES_S: Final = 30.0
"""So long a request may take to arrive whole: the longest form has 1 MB."""


class ConnectionLimits:
    """What one console holds at a time. ``turned_away``: connections that were ended, for either reason."""

    def __init__(self, most: int = MOST, arrives_s: float = ARRIVES_S) -> None:
        self.most = most
        self.arrives_s = arrives_s
        self.held: Counter[str] = Counter()
        self.turned_away = 0

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


class _LimitedProtocol(H11Protocol):
    limits: ConnectionLimits
    _network = ""
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._network = network_of(self.client[0]) if self.client else ""
        if self._network:
            self.limits.held[self._network] += 1
        if self.limits.held[self._network] > self.limits.most:
            self._turn_away()
        else:
            self._late = self.loop.call_later(self.limits.arrives_s, self._arrives_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        if self._network:
            self.limits.held[self._network] -= 1
            if self.limits.held[self._network] <= 0:
                del self.limits.held[self._network]
            self._network = ""
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
