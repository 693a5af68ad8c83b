"""A private MQTT broker for a first try and for tests: mosquitto if it is installed, else one embedded in Python.

Both listen on 127.0.0.1 only. The embedded one hands retained messages past its access rules, so nothing hidden ever
goes through it: the publisher sends public topics only when it is used.
"""

from __future__ import annotations

import asyncio
import getpass
import logging
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hw.errors import TavoloError

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 15.0
_CONFIG: Final = """
listener {port} {host}
allow_anonymous true
user {user}
persistence true
persistence_location {folder}/
autosave_on_changes true
autosave_interval 1
max_queued_messages 50000
max_inflight_messages 100
log_dest file {folder}/mosquitto.log
log_type error
log_type warning
"""

Kind = Literal["mosquitto", "embedded"]


class BrokerError(TavoloError):
    """A broker that does not start; the message is one sentence."""


@dataclass(slots=True)
class Broker:
    """A broker that runs on this machine. ``alive`` says whether it still does; ``stop`` ends it and is repeatable."""

    kind: Kind
    host: str
    port: int
    alive: Callable[[], bool]
    stop: Callable[[], None]
    process: subprocess.Popen[bytes] | None = None


def find_mosquitto() -> Path | None:
    """Return where mosquitto is on this machine; Debian keeps it outside a plain user's PATH."""
    for name in ("mosquitto", "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto"):
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


def start_broker(folder: Path | None = None, *, kind: Kind | None = None, port: int = 0) -> Broker:
    """Start a broker and wait until it answers.

    ``folder`` keeps mosquitto's settings and what it persists (a temporary one by default, removed at the end);
    ``kind`` None takes mosquitto if there is one; ``port`` 0 takes a free one. Raises BrokerError.
    """
    program = find_mosquitto()
    if kind == "mosquitto" and program is None:
        raise BrokerError("mosquitto is not installed on this machine")
    if program is not None and kind != "embedded":
        return _start_mosquitto(program, folder, port)
    return _start_embedded(port)


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1):
            return True
    except OSError:
        return False


def _start_mosquitto(program: Path, folder: Path | None, port: int) -> Broker:
    for _ in range(1 if port else 3):  # another program may take a free port before mosquitto does
        broker = _try_mosquitto(program, folder, port or free_port())
        if broker is not None:
            return broker
    if port:
        raise BrokerError(f"mosquitto does not start on port {port}: is the port in use?")
    raise BrokerError(f"mosquitto ({program}) does not start on this machine")


def _try_mosquitto(program: Path, folder: Path | None, port: int) -> Broker | None:
    if _answers(port):  # another program's; mosquitto would end by itself, but not at once
        return None
    place = Path(tempfile.mkdtemp(prefix="tavolo-broker-")) if folder is None else folder
    place.mkdir(parents=True, exist_ok=True)
    config = place / "mosquitto.conf"
    config.write_text(_CONFIG.format(port=port, host=HOST, user=getpass.getuser(), folder=place.resolve()))
    return run_mosquitto(program, config, port, None if folder is not None else place)


def run_mosquitto(program: Path, config: Path, port: int, remove: Path | None = None) -> Broker | None:
    """Run mosquitto with the settings in ``config``, one of whose listeners is at ``port``, and wait until it answers.

    None if it does not. ``remove``: a folder that goes when it stops.
    """
    process = subprocess.Popen(  # noqa: S603
        [program, "-c", config],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C is for us; the broker ends last, in order
    )
    guard = guard_of(process.pid)

    def stop() -> None:
        _end(guard)
        _end(process)
        if remove is not None:
            shutil.rmtree(remove, ignore_errors=True)

    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if _answers(port):
            time.sleep(0.02)  # where the port is another program's, mosquitto ends by itself
            if process.poll() is None:
                return Broker("mosquitto", HOST, port, lambda: process.poll() is None, stop, process)
        time.sleep(0.02)
    stop()
    return None


def guard_of(pid: int) -> subprocess.Popen[bytes]:
    """Start a shell that outlives us by a moment: when we die, in any way, its input ends and it ends the server."""
    return subprocess.Popen(  # noqa: S603
        ["/bin/sh", "-c", f"cat >/dev/null; kill {pid} 2>/dev/null"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdin is not None:
        process.stdin.close()


def _start_embedded(port: int) -> Broker:
    try:
        from amqtt.broker import Broker as Amqtt
    except ImportError as error:
        raise BrokerError(
            "there is no MQTT broker: install mosquitto, or the demo extra for an embedded one"
        ) from error
    for name in ("amqtt", "transitions"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    number = port or free_port()
    config: dict[str, Any] = {
        "listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{number}"}},
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }
    loop = asyncio.new_event_loop()
    started: list[Any] = []

    async def begin() -> None:
        broker = Amqtt(config, loop=loop)
        await broker.start()
        started.append(broker)

    def serve() -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        loop.close()

    thread = threading.Thread(target=serve, name="embedded-broker", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(begin(), loop).result(_START_SECONDS)
    except Exception as error:  # the library has no common error type
        loop.call_soon_threadsafe(loop.stop)
        raise BrokerError(f"the embedded broker does not start on port {number}: is the port in use?") from error

    def stop() -> None:
        if not thread.is_alive():
            return
        try:
            asyncio.run_coroutine_threadsafe(started[0].shutdown(), loop).result(5)
        except Exception:  # it is being ended either way
            logging.getLogger(__name__).debug("the embedded broker did not end in order", exc_info=True)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)

    return Broker("embedded", HOST, number, thread.is_alive, stop)
