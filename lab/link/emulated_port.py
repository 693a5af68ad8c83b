"""An emulated node behind a pseudo-terminal, for programs that open a serial port."""

from __future__ import annotations

import contextlib
import os
import threading
import tty
from types import TracebackType
from typing import Final, Self

from lab.chips.emulated_pico import EmulatedPico

SLICE: Final = 0.001
"""Emulated seconds between two looks at the terminal."""


class EmulatedPort:
    """``port`` is the device's name. The chip runs in a thread of its own within the context.

    Give ``hear`` to the chip as what takes the bytes that it sends. Unlike a real port this one stays while it resets.
    What stopped the chip is raised at the end of the context.
    """

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port: str = os.ttyname(self._slave)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.error: BaseException | None = None

    def hear(self, data: bytes) -> None:
        """Put what the chip sends on the terminal; lost if no reader is open, as with a real port."""
        with contextlib.suppress(OSError):
            os.write(self._master, data)

    def run(self, pico: EmulatedPico) -> Self:
        """Let the chip run until the context ends."""
        self._thread = threading.Thread(target=self._pump, args=(pico,), daemon=True)
        self._thread.start()
        return self

    def _pump(self, pico: EmulatedPico) -> None:
        try:
            while not self._stop.is_set():
                with contextlib.suppress(OSError):
                    pico.write(os.read(self._master, 512))
                pico.run(SLICE)
        except BaseException as error:  # noqa: BLE001 - raised to the caller that waits for the chip
            self.error = error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        for descriptor in (self._master, self._slave):
            os.close(descriptor)
        if self.error is not None:
            raise self.error  # why there was no answer
