"""The console's MQTT connection: messages whole however they come in pieces, acknowledged together, over in time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from table_service.console import mqtt_link
from table_service.console.mqtt_link import ConnectOptions, Link, LinkError, Message, opened
from table_service.publish.broker import Broker, start_broker

HELLO = ConnectOptions("console-1", 300, 2_000_000)
PATIENCE_S = 20.0


class Wire:
    """What a connection writes to, instead of a socket."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return True

    def close(self) -> None:
        self.written.append(b"closed")

    abort = close


def linked(hello: ConnectOptions = HELLO) -> tuple[Any, Wire, asyncio.Queue[Message]]:
    queue, wire = asyncio.Queue[Message](), Wire()
    link: Any = Link(hello, queue)
    link.connection_made(wire)
    link.data_received(b"\x20\x03\x00\x00\x00" if hello.session_s else b"\x20\x02\x00\x00")
    return link, wire, queue


def published(number: int, topic: str, payload: bytes, *, is_5: bool = True) -> bytes:
    body = len(topic).to_bytes(2, "big") + topic.encode() + number.to_bytes(2, "big") + b"\x00" * is_5 + payload
    length, left = bytearray(), len(body)
    while left > 127:
        length.append(left & 127 | 128)
        left >>= 7
    return b"\x32" + bytes(length) + bytes([left]) + body


@pytest.mark.parametrize("piece", [1, 2, 7, 1000, 10**6])
@pytest.mark.parametrize("session_s", [300, None])
async def test_messages_are_whole_however_they_come_in_pieces(piece: int, session_s: int | None) -> None:
    said = [Message(f"tavolo/v1/sala/T{n}/state", b"x" * (n * 97 % 400)) for n in range(60)]
    hello = ConnectOptions("console-1", session_s, 2_000_000)
    stream = b"".join(published(n + 1, *one, is_5=session_s is not None) for n, one in enumerate(said))
    link, wire, queue = linked(hello)
    wire.written.clear()
    for at in range(0, len(stream), piece):
        link.data_received(stream[at : at + piece])
    assert [queue.get_nowait() for _ in range(queue.qsize())] == said
    acknowledged = b"".join(wire.written)
    assert acknowledged == b"".join(b"\x40\x02" + n.to_bytes(2, "big") for n in range(1, 61))
    assert len(wire.written) <= len(stream) / piece + 1, "one answer to all that came together"


async def test_what_is_no_mqtt_ends_the_connection_and_is_not_gathered_for_ever() -> None:
    for stream in (b"\x32\xff\xff\xff\xff\xff", b"\x32\xff\xff\xff\x7f"):
        link, wire, _ = linked()
        link.data_received(stream)
        with pytest.raises(LinkError, match="no MQTT"):
            await link.ended
        assert wire.written[-1] == b"closed"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (b"\x20\x03\x00\x87\x00", "not authorized"),
        (b"\x20\x03\x00\x86\x00", "bad user name or password"),
        (b"\x20\x03\x00\x99\x00", "code 153"),
    ],
)
async def test_a_refusal_says_why(told: bytes, sentence: str) -> None:
    link = Link(HELLO, asyncio.Queue())
    link.data_received(told)
    with pytest.raises(LinkError, match=sentence):
        await link.greeted


async def test_whoever_waits_for_an_answer_is_told_when_the_connection_is_over() -> None:
    link, _, _ = linked()
    saying = asyncio.create_task(link.publish("a", b"1"))
    await asyncio.sleep(0)
    link.data_received(b"\xe0\x01\x8e")
    with pytest.raises(LinkError, match="another one has taken the session over"):
        await saying
    with pytest.raises(LinkError):
        await link.publish("a", b"2")


async def test_a_broker_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    link, wire, _ = linked()
    monkeypatch.setattr(mqtt_link, "BEAT_S", 0.0)
    monkeypatch.setattr(mqtt_link, "KEEP_ALIVE_S", -1)
    await link.beat()
    with pytest.raises(LinkError, match="silent"):
        await link.ended
    assert wire.written[-1] == b"closed"


@pytest.fixture
def broker(tmp_path: Path) -> Any:
    made = start_broker(tmp_path, kind="mosquitto")
    yield made
    made.stop()


@pytest.mark.parametrize("session_s", [300, None])
async def test_two_hundred_messages_at_once_and_a_large_one_go_through_a_real_broker(
    broker: Broker, session_s: int | None
) -> None:
    said = [Message(f"sala/T{n}/command", b"order %d" % n) for n in range(200)]
    said.append(Message("sala/T1/evidence", bytes(300_000)))
    queue = asyncio.Queue[Message]()
    ear, mouth = (ConnectOptions(name, session_s, 2_000_000) for name in ("ear", "mouth"))
    async with asyncio.timeout(PATIENCE_S):
        async with (
            opened(broker.host, broker.port, ear, queue) as hearing,
            opened(broker.host, broker.port, mouth, asyncio.Queue()) as saying,
        ):
            await hearing.subscribe(["sala/+/command", "sala/+/evidence"])
            await asyncio.gather(*(saying.publish(*one) for one in said))
            assert sorted([await queue.get() for _ in said]) == sorted(said)
            await hearing.unsubscribe("sala/+/command")
            await saying.publish("sala/T1/command", b"unheard")
            await saying.publish("sala/T1/evidence", b"heard", retain=True)
            assert await queue.get() == ("sala/T1/evidence", b"heard")


async def test_what_came_while_the_connection_was_away_comes_when_it_is_back(broker: Broker) -> None:
    queue = asyncio.Queue[Message]()
    async with (
        asyncio.timeout(PATIENCE_S),
        opened(broker.host, broker.port, ConnectOptions("m", None, 1), asyncio.Queue()) as to,
    ):
        async with opened(broker.host, broker.port, HELLO, queue) as link:
            await link.subscribe(["a"])
        await to.publish("a", b"meanwhile")
        async with opened(broker.host, broker.port, HELLO, queue):
            assert await queue.get() == ("a", b"meanwhile")
