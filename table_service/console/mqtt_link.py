"""One MQTT connection of the console (3.1.1 or 5, QoS 1), made for a hall that says five thousand messages a second.

What has come is read in one piece, each message goes to a queue, and all of them are acknowledged together: a library
that reads a packet's first byte, its length and its body by one call each, and acknowledges each by another,
cost as much as all else that the console does with a message.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from hw.errors import TavoloError

KEEP_ALIVE_S: Final = 60
"""Seconds for which a connection may be silent before it is taken for lost."""
BEAT_S: Final = 15.0
PATIENCE_S: Final = 10.0
"""Seconds within which the broker must answer."""
IN_FLIGHT: Final = 16
"""Most own messages without the broker's acknowledgement: mosquitto allows 20."""
LARGEST: Final = 64 * 1024 * 1024
"""A packet beyond is none that anything here has sent."""
_LENGTH_BYTES: Final = 4
_CONNACK: Final = 2
_PUBLISH: Final = 3
_ACKNOWLEDGED: Final = (4, 9, 11)
"""PUBACK, SUBACK, UNSUBACK."""
_DISCONNECT: Final = 14
_REFUSED: Final = {
    **dict.fromkeys((4, 134), "bad user name or password"),
    **dict.fromkeys((5, 135), "not authorized"),
    **dict.fromkeys((3, 136), "the server is not available"),
    **dict.fromkeys((2, 133), "the client's name is refused"),
    142: "another one has taken the session over",
    149: "a packet was too large",
}


class LinkError(TavoloError):
    """The broker refuses, is silent or gone; the message is one sentence."""


class Message(NamedTuple):
    """A message on a topic."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class ConnectOptions:
    """Options of a connection. ``session_s`` None: MQTT 3.1.1, and a session that ends with the connection."""

    name: str
    session_s: int | None
    packet_bytes: int
    username: str | None = None
    password: str | None = None

    def packet(self) -> bytes:
        """Return the packet CONNECT."""
        flags = (0x02 if self.session_s is None else 0) | (0x80 if self.username is not None else 0)
        flags |= 0x40 if self.password is not None else 0
        head = _text("MQTT") + bytes([4 if self.session_s is None else 5, flags]) + KEEP_ALIVE_S.to_bytes(2, "big")
        if self.session_s is not None:
            head += b"\x0a\x11" + self.session_s.to_bytes(4, "big") + b"\x27" + self.packet_bytes.to_bytes(4, "big")
        login = b"".join(_text(one) for one in (self.username, self.password) if one is not None)
        return _packet(0x10, head + _text(self.name) + login)


class Link(asyncio.Protocol):
    """A connection that is open. ``ended``: a future that fails once it is over."""

    def __init__(self, hello: ConnectOptions, queue: asyncio.Queue[Message]) -> None:
        """Make a link that puts what arrives into ``queue``."""
        self._loop = asyncio.get_running_loop()
        self._hello = hello
        self._is_5 = hello.session_s is not None
        self._queue = queue
        self._rest = b""
        self._number = 0
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._free = asyncio.Semaphore(IN_FLIGHT)
        self._heard = self._loop.time()
        self._transport: asyncio.Transport | None = None
        self.greeted: asyncio.Future[None] = self._loop.create_future()
        self.ended: asyncio.Future[None] = self._loop.create_future()

    # -- asyncio's own hooks -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say hello."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._hello.packet())

    def connection_lost(self, error: Exception | None) -> None:
        """Fail all requests that wait for an answer."""
        self._fail(LinkError(str(error) if error else "the broker has ended the connection"))

    def data_received(self, data: bytes) -> None:
        """Take all packets that are whole."""
        self._heard = self._loop.time()
        data = self._rest + data if self._rest else data
        at, size, acknowledged = 0, len(data), bytearray()
        while True:
            length, begins = _length_at(data, at + 1)
            end = begins + length
            if length > LARGEST or (not begins and size - at > _LENGTH_BYTES):
                self._fail(LinkError("the broker sends what is no MQTT"))
                self.close()
                return
            if not begins or end > size:
                break
            if data[at] >> 4 == _PUBLISH:
                acknowledged += self._published(data[at], data, begins, end)
            else:
                self._told(data[at] >> 4, data[begins:end])
            at = end
        self._rest = data[at:]
        if acknowledged and self._transport is not None:
            self._transport.write(acknowledged)

    def _published(self, first: int, data: bytes, at: int, end: int) -> bytes:
        """Queue a message; returns its acknowledgement."""
        body = at + 2 + int.from_bytes(data[at : at + 2], "big")
        topic, acknowledged = data[at + 2 : body], b""
        if first & 0x06:
            acknowledged = b"\x40\x02" + data[body : body + 2]
            body += 2
        if self._is_5:
            properties, body = _length_at(data, body)
            body += properties
        self._queue.put_nowait(Message(topic.decode("utf-8", "replace"), data[body:end]))
        return acknowledged

    def _told(self, kind: int, body: bytes) -> None:
        if kind == _CONNACK:
            if body[1]:
                self._fail(_refusal(body[1]))
            elif not self.greeted.done():
                self.greeted.set_result(None)
        elif kind in _ACKNOWLEDGED:
            waiting = self._waiting.pop(int.from_bytes(body[:2], "big"), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(body[2:])
        elif kind == _DISCONNECT:
            self._fail(_refusal(body[0] if body else 0))

    # -- what the console says -----------------------------------------------------------------------------------------

    async def subscribe(self, topics: Sequence[str]) -> None:
        """Ask for these, at QoS 1."""
        await self._ask(0x82, b"".join(_text(one) + b"\x01" for one in topics))

    async def unsubscribe(self, topic: str) -> None:
        """Ask for it no longer."""
        await self._ask(0xA2, _text(topic))

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Say it; returns once the broker has it. Raises LinkError."""
        async with self._free:
            named, properties = _text(topic), b"\x00" if self._is_5 else b""
            await self._answered(
                lambda number: _packet(0x33 if retain else 0x32, named + number + properties + payload)
            )

    def is_reading(self, *, wanted: bool) -> None:
        """Read more if ``wanted``; else the rest waits at the broker."""
        if self._transport is None or self._transport.is_closing() or self._transport.is_reading() == wanted:
            return
        self._heard = self._loop.time()
        (self._transport.resume_reading if wanted else self._transport.pause_reading)()

    async def _ask(self, first: int, body: bytes) -> None:
        await self._answered(lambda number: _packet(first, number + (b"\x00" if self._is_5 else b"") + body))

    async def _answered(self, packet: Callable[[bytes], bytes]) -> bytes:
        if self.ended.done() or self._transport is None:
            raise LinkError("the connection is over")
        self._number = next(n for k in range(65535) if (n := 1 + (self._number + k) % 65535) not in self._waiting)
        number, waiting = self._number, self._loop.create_future()
        self._waiting[number] = waiting
        self._transport.write(packet(number.to_bytes(2, "big")))
        try:
            return await asyncio.wait_for(waiting, PATIENCE_S)
        finally:
            self._waiting.pop(number, None)

    async def beat(self) -> None:
        """Say now and then that somebody is there; end a connection on which nothing comes."""
        while self._transport is not None and not self.ended.done():
            await asyncio.sleep(BEAT_S)
            if self._loop.time() - self._heard > KEEP_ALIVE_S and self._transport.is_reading():
                self._fail(LinkError("the broker is silent"))
                self._transport.abort()
            else:
                self._transport.write(b"\xc0\x00")

    def close(self) -> None:
        """End the connection in order."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"\xe0\x00")
            self._transport.close()

    def _fail(self, error: LinkError) -> None:
        waiting: tuple[asyncio.Future[Any], ...] = (self.greeted, self.ended, *self._waiting.values())
        for future in waiting:
            if not future.done():
                future.set_exception(error)
                future.exception()  # nobody may be waiting for it
        self._waiting.clear()


@asynccontextmanager
async def opened(
    host: str, port: int, hello: ConnectOptions, queue: asyncio.Queue[Message], tls: ssl.SSLContext | None = None
) -> AsyncIterator[Link]:
    """Yield a connection to the broker at ``host``. Raises LinkError, OSError."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE_S):
        _, link = await loop.create_connection(lambda: Link(hello, queue), host, port, ssl=tls)
    beat = asyncio.create_task(link.beat())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await link.greeted
        yield link
    finally:
        beat.cancel()
        link.close()


def _refusal(code: int) -> LinkError:
    return LinkError(f"the broker refuses: {_REFUSED.get(code, f'code {code}')}")


def _text(text: str) -> bytes:
    coded = text.encode()
    return len(coded).to_bytes(2, "big") + coded


def _packet(first: int, body: bytes) -> bytes:
    made, left = bytearray([first]), len(body)
    while left > 127:
        made.append(left & 127 | 128)
        left >>= 7
    return bytes(made) + bytes([left]) + body


def _length_at(data: bytes, at: int) -> tuple[int, int]:
    r"""Return the number of variable length at ``at``, and where it ends; 0 if it has not come whole.

    >>> _length_at(b"\x7f", 0), _length_at(b"\x80\x01", 0), _length_at(b"\x80", 0)
    ((127, 1), (128, 2), (0, 0))
    """
    length = shift = 0
    for end in range(at, min(len(data), at + _LENGTH_BYTES)):
        length |= (data[end] & 127) << shift
        if data[end] < 128:
            return length, end + 1
        shift += 7
    return 0, 0
