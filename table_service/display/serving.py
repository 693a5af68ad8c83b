"""Serving the small screen beside the table, to this machine only."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from hw.errors import TavoloError
from table_service.console.settings import Language
from table_service.display.app import SmallScreen, TableSide, create_display

_START_SECONDS = 20.0


class DisplayError(TavoloError):
    """The screen cannot be served; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class RunningDisplay:
    """A screen that is being served: its address, and what informs it of the table."""

    url: str
    screen: SmallScreen


@contextmanager
def serving_display(
    table: TableSide, clock: Callable[[], float], *, port: int = 0, language: Language = "it"
) -> Iterator[RunningDisplay]:
    """Serve the screen of ``table`` at 127.0.0.1 in a thread of its own while the context lasts; 0: any free port.

    Raises DisplayError.
    """
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(("127.0.0.1", port))
        door.listen(16)
    except OSError as error:
        door.close()
        raise DisplayError(
            f"the table's display cannot be served at port {port}: {error.strerror or error}; "
            "name another in [display] port"
        ) from error
    screen = SmallScreen(table, clock, timed=table.shows_time)
    config = uvicorn.Config(
        create_display(screen, language), log_level="warning", access_log=False, timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, name="display", daemon=True)
    thread.start()
    waited = threading.Event()
    for _ in range(int(_START_SECONDS / 0.02)):
        if server.started or not thread.is_alive():
            break
        waited.wait(0.02)
    if not server.started:
        raise DisplayError("the table's display does not start")
    try:
        table.screens.append(screen.show)
        table.listeners.append(screen.heard)
        yield RunningDisplay(f"http://127.0.0.1:{door.getsockname()[1]}/", screen)
    finally:
        screen.closed = True
        server.should_exit = True
        thread.join(10)
