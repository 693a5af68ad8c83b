"""Runs the node firmware under a real MicroPython on a pseudo-terminal, as the simulated table's microcontroller.

The twin feeds raw sensor values (hw.twin.raw); the host side opens ``port`` with pyserial like any serial line.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import json
import os
import select
import socket
import subprocess
import tempfile
import termios
import threading
import time
import tty
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from hw.twin.provide_micropython import MicroPython, find
from hw.twin.raw import RawFrame, RawValue
from hw.twin.twin_table import DRAWN, TableKind

FIRMWARE: Final = Path(__file__).resolve().parents[1] / "node"
SCHEMA: Final = Path(__file__).resolve().parents[1] / "link_schema.json"
FEED_PATIENCE: Final = 5.0
"""Wall seconds that ``feed`` waits for a node that does not read, before it is taken for dead."""

CAUSE_POWER, CAUSE_RESET = 1, 4
_STANDARD_ERROR: Final = 2


def node_sensors(node: str = "table", table: TableKind = DRAWN) -> tuple[str, ...]:
    """Return the names of the sensors of ``node`` as in ``RawFrame`` (``coil:gate-N``). KeyError if it is unknown."""
    return table.nodes[node]


def node_config(node: str = "table", table: TableKind = DRAWN) -> dict[str, Any]:
    """Return ``node``'s configuration for the simulated board: its name, sensors as (kind, name). Raises KeyError."""
    return {"name": node, "sensors": [name.split(":", 1) for name in node_sensors(node, table)]}


class NodeHost:
    """One simulated node. Safe to feed from any thread; a context manager.

    ``port`` stays the same over ``kill`` and ``restart``; after ``close`` it is gone, as an unplugged cable is.
    Frames for sensors that the node does not have may be fed too: they are left out.
    """

    def __init__(
        self,
        node: str = "table",
        *,
        micropython: MicroPython | None = None,
        cache: Path | None = None,
        barriers: bool = True,
        table: TableKind = DRAWN,
    ) -> None:
        """Start ``node`` of ``table`` (``TableKind.nodes``). Raises NoMicroPython if no interpreter can be had.

        ``barriers``: the node works out whose hand reached where from nine light barriers, as on a real table
        (hw/node/reaches.py), so that two arms at once leave a seat unknown; False: the twin reports each reach itself.
        """
        self.node = node
        self.micropython = micropython or find(cache)
        self._names = frozenset(node_sensors(node, table))
        self._lock = threading.RLock()
        self._state: dict[str, RawValue] = {}
        self._last: tuple[RawFrame, float] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._feed: int | None = None
        self._pump: _Pump | None = None
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._config = tempfile.NamedTemporaryFile("w", prefix="tavolo-node-", suffix=".json")  # noqa: SIM115
        json.dump(node_config(node, table) | {"barriers": barriers}, self._config)
        self._config.flush()
        self._start(CAUSE_POWER)

    @property
    def running(self) -> bool:
        """True if the interpreter lives."""
        with self._lock:
            return self._process is not None and self._process.poll() is None

    @property
    def unread(self) -> int:
        """Bytes that were fed and that the interpreter has not read yet; 0 while the node is dead.

        A test that lets the table's time pass only while this is 0 does not depend on how busy the machine is.
        """
        with self._lock:
            if self._feed is None:
                return 0
            count = array.array("i", [0])
            fcntl.ioctl(self._feed, termios.FIONREAD, count)
            return count[0]

    def feed(self, frame: RawFrame) -> None:
        """Let the sensors read ``frame`` at its moment. While the node is dead the values are kept for its restart."""
        with self._lock:
            own = {name: value for name, value in frame.values.items() if name.removeprefix("fail:") in self._names}
            self._state.update((name, value) for name, value in own.items() if not name.startswith("knock:"))
            self._last = (frame, time.monotonic())
            self._write(RawFrame(frame.t, own, frame.rate))

    def fail(self, sensor: str, *, failing: bool = True) -> None:
        """From now on ``sensor`` (``scale:stock``) does not answer, or with ``failing`` False answers again.

        Raises KeyError if the node has no such sensor.
        """
        if sensor not in self._names:
            raise KeyError(f"node {self.node} has no sensor {sensor}")
        with self._lock:
            frame, fed = self._last or (RawFrame(0.0, {}), time.monotonic())
            now = frame.t + (time.monotonic() - fed) * frame.rate
            self.feed(RawFrame(now, {f"fail:{sensor}": int(failing)}, frame.rate))

    def kill(self) -> None:
        """Stop the interpreter at once, as a power cut does."""
        with self._lock:
            process, self._process = self._process, None
            if self._feed is not None:
                os.close(self._feed)
                self._feed = None
            if process is not None:
                process.kill()
                process.wait()
            if self._pump is not None:
                self._pump.stop()
                self._pump = None

    def restart(self) -> None:
        """Start the node anew on the same port (a new boot id), with the sensors in their present state."""
        with self._lock:
            self.kill()
            self._start(CAUSE_RESET)
            if self._last is not None:
                frame, fed = self._last
                now = frame.t + (time.monotonic() - fed) * frame.rate
                self._write(RawFrame(now, self._state, frame.rate))

    def close(self) -> None:
        """Stop the node and take its port away."""
        with self._lock:
            self.kill()
            for descriptor in (self._master, self._slave):
                with contextlib.suppress(OSError):
                    os.close(descriptor)
            self._master = self._slave = -1
            self._config.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, cause: int) -> None:
        feed_in, feed_out = os.pipe()
        command = self.micropython.command
        try:
            if self.micropython.kind == "npm":
                self._process = self._start_npm(command, cause, feed_in)
            else:
                files = (str(FIRMWARE / "sim_main.py"), self._config.name, str(SCHEMA))
                os.set_blocking(feed_in, False)
                self._process = subprocess.Popen(  # noqa: S603 - the interpreter that was found
                    (*command, *files, str(self._master), str(feed_in), str(cause)),
                    stdin=subprocess.DEVNULL,
                    stdout=_STANDARD_ERROR,
                    start_new_session=True,  # an interrupt at the keyboard is not meant for the node
                    pass_fds=(self._master, feed_in),
                )
        finally:
            os.close(feed_in)
        os.set_blocking(feed_out, False)
        self._feed = feed_out

    def _start_npm(self, command: tuple[str, ...], cause: int, feed: int) -> subprocess.Popen[bytes]:
        ours, theirs = socket.socketpair()
        with theirs:
            node, library = command
            host = str(Path(__file__).resolve().parent / "wasm_host.mjs")
            files = (library, str(FIRMWARE), self._config.name, str(SCHEMA))
            process = subprocess.Popen(  # noqa: S603 - the interpreter that was found
                (node, host, *files, str(theirs.fileno()), str(cause)),
                stdin=feed,
                stdout=_STANDARD_ERROR,
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )
        self._pump = _Pump(self._master, ours)
        return process

    def _write(self, frame: RawFrame) -> None:
        """Hand ``frame`` to the interpreter; one that has died, or is stuck, is taken off."""
        if self._feed is None:
            return
        line = frame.to_line().rstrip(b"\n")
        # the moment of writing, on the clock that all processes of a machine share: the pipe then costs no time
        rest = memoryview(b'%s,"w":%d}\n' % (line[:-1], time.monotonic_ns() // 1000))
        deadline = time.monotonic() + FEED_PATIENCE
        while rest:
            try:
                rest = rest[os.write(self._feed, rest) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    self.kill()
                    return
                select.select((), (self._feed,), (), 0.2)
            except OSError:
                self.kill()
                return


class _Pump:
    """Carries bytes between the pseudo-terminal and the socket of an interpreter that cannot open a terminal."""

    def __init__(self, master: int, link: socket.socket) -> None:
        self._master = master
        self._link = link
        self._link.setblocking(False)
        self._stop_in, self._stop_out = os.pipe()
        self._thread = threading.Thread(target=self._run, name="tavolo-node-pump", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the socket."""
        os.close(self._stop_out)
        self._thread.join()
        os.close(self._stop_in)
        self._link.close()

    def _run(self) -> None:
        to_port, to_node = b"", b""
        while True:
            readers: list[int] = [self._stop_in]
            writers: list[int] = []
            link = self._link.fileno()
            (readers if not to_node else writers).append(self._master if not to_node else link)
            (readers if not to_port else writers).append(link if not to_port else self._master)
            readable, writable, _ = select.select(readers, writers, ())
            if self._stop_in in readable:
                return
            try:
                if self._master in readable:
                    to_node = os.read(self._master, 65536)
                if link in readable:
                    to_port = self._link.recv(65536)
                    if not to_port:
                        return
                if link in writable:
                    to_node = to_node[self._link.send(to_node) :]
                if self._master in writable:
                    to_port = to_port[os.write(self._master, to_port) :]
            except BlockingIOError:
                continue
            except OSError:
                return
