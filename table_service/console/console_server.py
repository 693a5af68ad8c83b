"""Serving the console's pages on a given port or a free one, in a thread of their own."""

from __future__ import annotations

import gc
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn
from fastapi import FastAPI

from hw.errors import TavoloError
from table_service.console.app import create_app
from table_service.console.connection_limits import ConnectionLimits, LimitedDoor
from table_service.console.dispatch import Office
from table_service.console.live_tables import ConsoleStore
from table_service.console.routers.links import first_link, open_link
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book, BookError

AppMaker = Callable[[ConsoleSettings, ConsoleStore, Book], FastAPI]
"""Makes what is served, of the settings, the tables and the book."""
_START_SECONDS = 20.0
SWITCH_S: Final = 0.001


class ConsoleError(TavoloError):
    """The pages cannot be served; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class RunningConsole:
    """A console that is being served: where, and what it knows.

    ``door``: the address to open first: a link for the day where settings say so, the first chief's own link while
    there is no chief, else the same as ``url``.
    """

    url: str
    port: int
    store: ConsoleStore
    office: Office
    door: str
    first: bool = False
    """True if ``door`` is the link that makes the first chief."""


class _Server(uvicorn.Server):
    """A server that ends its pages' open streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, store: ConsoleStore) -> None:
        super().__init__(config)
        self._store = store

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._store.close()
        await super().shutdown(sockets)


def _listen(settings: ConsoleSettings, limits: ConnectionLimits) -> LimitedDoor:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    door = LimitedDoor(family, socket.SOCK_STREAM)
    door.limits = limits
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((settings.host, settings.port))
        door.listen(128)
    except OSError as error:
        door.close()
        reason = "the port is in use" if error.errno == 98 else error.strerror or str(error)
        raise ConsoleError(
            f"the console's page cannot be served at {settings.host}:{settings.port}: {reason}"
        ) from error
    return door


def _console(settings: ConsoleSettings, store: ConsoleStore, book: Book) -> FastAPI:
    return create_app(settings, store, book=book)


def _server(settings: ConsoleSettings, make: AppMaker) -> tuple[_Server, LimitedDoor, RunningConsole]:
    limits = ConnectionLimits(proxies=settings.proxies)
    door = _listen(settings, limits)
    port = int(door.getsockname()[1])
    store = ConsoleStore(settings.hall, settings.tables, voices=settings.voices)
    try:
        book = Book(settings.data)
    except BookError as error:
        door.close()
        raise ConsoleError(str(error)) from error
    app = make(settings, store, book)
    config = uvicorn.Config(
        app,
        http=limits.protocol(),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=30,
        forwarded_allow_ips=["127.0.0.1", "::1", *settings.proxies],
        ssl_certfile=None if settings.tls is None else settings.tls[0],
        ssl_keyfile=None if settings.tls is None else settings.tls[1],
    )
    try:
        config.load()
    except OSError as error:  # ssl.SSLError is one
        door.close()
        book.close()
        raise ConsoleError(f"the console's TLS certificate or key cannot be used: {error.strerror or error}") from error
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    where = f"[{shown}]" if ":" in shown else shown
    url = f"{'http' if settings.tls is None else 'https'}://{where}:{port}"
    first = None if settings.open_link else first_link(app.state.pages)
    way = open_link(app.state.pages) if settings.open_link else first or "/"
    running = RunningConsole(f"{url}/", port, store, app.state.office, f"{url}{way}", first is not None)
    return _Server(config, store), door, running


@contextmanager
def serving(settings: ConsoleSettings, make: AppMaker = _console) -> Iterator[RunningConsole]:
    """Serve in a thread of its own while the context lasts; ``make``: which application. Raises ConsoleError."""
    server, door, running = _server(settings, make)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, name="console", daemon=True)
    thread.start()
    waited = threading.Event()
    for _ in range(int(_START_SECONDS / 0.02)):
        if server.started or not thread.is_alive():
            break
        waited.wait(0.02)
    if not server.started:
        running.office.book.close()
        raise ConsoleError("the console's page does not start")
    # A thread that computes must not keep the pages waiting for 5 ms at every message (Python's own choice).
    sys.setswitchinterval(SWITCH_S)
    # What stands now stays. The collector need not look at it again and again, for 0.1 s each time.
    gc.collect()
    gc.freeze()
    try:
        yield running
    finally:
        server.should_exit = True
        thread.join(10)
        running.office.book.close()
