"""MQTT packets prepared beforehand and sent when they are due: what sends a hall's messages then costs next to nothing.

A simulator that makes, signs and publishes each message as it is due takes more of a processor than the console that is
measured. Here the packets (MQTT 3.1.1, QoS 1) stand in a file, each with its moment, and a thread hands those that are
due to the connection in one piece.
"""

from __future__ import annotations

import mmap
import socket
import threading
import time
from array import array
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Final

TICK_S: Final = 0.005
"""What falls due within it is sent together."""
_PUBACK_BYTES: Final = 4
_LAST: Final = 60.0
"""So many seconds the broker has for the last acknowledgements."""


def packed(topic: str, payload: bytes, number: int, *, retain: bool = False) -> bytes:
    r"""Return a PUBLISH of QoS 1; ``number``: its identifier, 1 to 65535.

    >>> packed("a/b", b"{}", 258)
    b'2\t\x00\x03a/b\x01\x02{}'
    """
    name = topic.encode()
    body = len(name).to_bytes(2, "big") + name + number.to_bytes(2, "big") + payload
    return bytes([0x33 if retain else 0x32]) + _length(len(body)) + body


def _length(length: int) -> bytes:
    """Return a packet's length as MQTT writes it: seven bits a byte, the lowest first."""
    made = bytearray()
    while True:
        length, low = divmod(length, 128)
        made.append(low | (128 if length else 0))
        if not length:
            return bytes(made)


class Track:
    """The packets of one connection in the order of their moments: kept in ``file`` while they are made."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._out = file.open("wb")
        self.due = array("d")
        """Seconds after the beginning, by packet."""
        self._ends = array("Q")
        self._at = 0
        self.sent = 0
        """Packets that were handed over."""
        self.acknowledged = 0
        self.behind = 0.0
        """By how many seconds the latest packet was late."""

    def add(self, due: float, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Put a message behind those before; ``due`` never falls."""
        packet = packed(topic, payload, 1 + len(self.due) % 65535, retain=retain)
        self._out.write(packet)
        self._at += len(packet)
        self.due.append(due)
        self._ends.append(self._at)

    def play(self, port: int, client: str, began: float, ended: threading.Event, tell: Callable[[int], None]) -> None:
        """Send everything when it is due; returns when the broker has acknowledged it, or ``ended`` is set.

        ``began``: the beginning by the monotonic clock; ``tell`` is called with the number of each packet just before
        it is handed over.
        """
        self._out.close()
        if not self.due:
            return
        with (
            socket.create_connection(("127.0.0.1", port)) as link,
            self._file.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as packets,
            memoryview(packets) as view,
        ):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            name = client.encode()
            body = b"\x00\x04MQTT\x04\x02\x00\x00" + len(name).to_bytes(2, "big") + name
            link.sendall(b"\x10" + _length(len(body)) + body)
            if link.recv(_PUBACK_BYTES) != b"\x20\x02\x00\x00":
                raise ConnectionRefusedError("the broker lets no simulated table in")
            reader = threading.Thread(target=self._count, args=(link,), daemon=True)
            reader.start()
            self._send(link, view, began, ended, tell)
            until = time.monotonic() + _LAST
            while self.acknowledged < self.sent and not ended.is_set() and time.monotonic() < until:
                time.sleep(TICK_S)
            link.shutdown(socket.SHUT_RDWR)
            reader.join()

    def _send(
        self, link: socket.socket, view: memoryview, began: float, ended: threading.Event, tell: Callable[[int], None]
    ) -> None:
        start = 0
        while self.sent < len(self.due) and not ended.is_set():
            now = time.monotonic() - began
            upto = bisect_right(self.due, now)
            if upto <= self.sent:
                time.sleep(min(1.0, max(TICK_S, self.due[self.sent] - now)))
                continue
            self.behind = max(self.behind, now - self.due[self.sent])
            for number in range(self.sent, upto):
                tell(number)
            link.sendall(view[start : self._ends[upto - 1]])
            start, self.sent = self._ends[upto - 1], upto

    def _count(self, link: socket.socket) -> None:
        """Count what the broker acknowledges; nothing else comes."""
        came = 0
        while more := len(link.recv(65536)):
            came += more
            self.acknowledged = came // _PUBACK_BYTES
