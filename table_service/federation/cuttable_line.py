"""A line between a hall and its federation that can be cut: for the demo, tests and measurements on one machine."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from table_service.publish.broker import HOST, free_port


class CuttableLine:
    """Passes each connection at ``port`` on to another port of this machine, until it is cut; then it takes none."""

    def __init__(self, to: int) -> None:
        self.port, self._to = free_port(), to
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._door: socket.socket | None = None
        self.restore()

    def cut(self) -> None:
        """End all connections and take no further one."""
        with self._lock:
            door, self._door = self._door, None
            ended, self._open = self._open, set()
        for one in (door, *ended):
            if one is not None:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()

    def restore(self) -> None:
        """Take connections again."""
        if self._door is None:
            door = socket.create_server((HOST, self.port))
            self._door = door
            threading.Thread(target=self._listen, args=(door,), daemon=True).start()

    def _listen(self, door: socket.socket) -> None:
        while True:
            try:
                near, _ = door.accept()
            except OSError:
                return
            try:
                far = socket.create_connection((HOST, self._to), 5)
            except OSError:
                near.close()
                continue
            with self._lock:
                cut = self._door is not door
                if not cut:
                    self._open |= {near, far}
            if cut:
                near.close()
                far.close()
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            one.settimeout(None)
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self._lock:
            self._open -= {one, other}
