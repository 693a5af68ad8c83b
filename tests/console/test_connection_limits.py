"""Nobody on the hall's network takes all of the console's handles: each address has some, and late requests end."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from table_service.console import ConsoleSettings, serving
from table_service.console.connection_limits import MOST, ConnectionLimits, LimitedDoor

STRANGER = "127.0.0.2"
"""Another address than that of this machine's own programs."""


def knock(port: int, source: str = STRANGER) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))
    one.settimeout(20)
    return one


def is_over(one: socket.socket) -> bool:
    """Whether the other side has ended the connection; waits for it."""
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def asks(port: int, source: str) -> int:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    client.request("GET", "/health")
    status = client.getresponse().status
    client.close()
    return status


def until(wanted: Callable[[], Any], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_who_opens_connections_without_end_is_turned_away_and_others_are_served() -> None:
    with serving(ConsoleSettings()) as console:
        held = [knock(console.port) for _ in range(MOST)]
        for _ in range(3):
            with knock(console.port) as more:
                assert is_over(more)
        assert asks(console.port, "127.0.0.1") == 200
        assert asks(console.port, "127.0.0.3") == 200
        for one in held:
            one.close()
        until(lambda: _answers(console.port))


def _answers(port: int) -> bool:
    try:
        return asks(port, STRANGER) == 200
    except (ConnectionError, http.client.HTTPException):
        return False


async def slow_app(scope: Any, receive: Any, send: Any) -> None:
    """Reads the whole request, then answers when it has had a moment."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(1.2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def served(limits: ConnectionLimits) -> Iterator[int]:
    config = uvicorn.Config(slow_app, http=limits.protocol(), log_level="warning", lifespan="off", access_log=False)
    server = uvicorn.Server(config)
    with LimitedDoor() as door:
        door.limits = limits
        door.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        until(lambda: server.started)
        yield int(door.getsockname()[1])
        server.should_exit = True
        thread.join(20)


def test_a_request_that_does_not_arrive_ends_and_one_that_is_answered_slowly_does_not() -> None:
    limits = ConnectionLimits(arrives_s=0.5)
    with served(limits) as port:
        for said in (b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"):
            with knock(port, "127.0.0.1") as one:
                one.sendall(said)
                assert is_over(one), said
        assert limits.turned_away == 3
        with knock(port) as one:
            for _ in range(2):  # the second request of a connection is no other
                one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                answer = b""
                while not answer.endswith(b"ok"):
                    more = one.recv(1000)
                    assert more
                    answer += more
            one.sendall(b"GET / HTTP/1.1\r\nHo")
            assert is_over(one)
    assert limits.turned_away == 4
    until(lambda: not limits.held)
