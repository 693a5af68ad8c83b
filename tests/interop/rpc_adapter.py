"""Stands for the Pico between pn5180-tagomatic and a PN5180: SimpleRPC on a pty, SPI to the simulated chip.

That client's own sketch for a Pico is C++ and cannot run here; this does what its documentation says each call does.
The protocol is SimpleRPC 3.0 as PyPI's ``arduino-simple-rpc`` speaks it.
"""

from __future__ import annotations

import os
import struct
import threading
import tty
from collections.abc import Callable
from typing import Any, Self

from lab.chips.pn5180_sim import PN5180Sim

SPI_CALL_US = 6000
"""The client's sketch waits 5 ms in every transfer; the answer to a request has come by the next one."""


class Adapter:
    """One reader on a serial port. ``port`` is what the client opens; a context manager."""

    def __init__(self, chip: PN5180Sim) -> None:
        self.chip = chip
        self.calls: list[str] = []
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._methods: list[tuple[str, str, str, Callable[..., Any]]] = [
            ("reset", "", "", self._reset),
            ("write_register", "i", "B I", lambda a, v: self._set(bytes((0, a)) + struct.pack("<I", v))),
            ("write_register_or_mask", "i", "B I", lambda a, v: self._set(bytes((1, a)) + struct.pack("<I", v))),
            ("write_register_and_mask", "i", "B I", lambda a, v: self._set(bytes((2, a)) + struct.pack("<I", v))),
            ("write_register_multiple", "i", "[(BBI)]", self._write_many),
            ("read_register", "(iI)", "B", lambda a: (0, struct.unpack("<I", self._get(bytes((4, a)), 4))[0])),
            ("read_register_multiple", "(i[I])", "[B]", self._read_many),
            ("write_eeprom", "h", "B [B]", lambda a, values: self._set(bytes((6, a, *values)))),
            ("read_eeprom", "(i[B])", "B B", lambda a, n: (0, list(self._get(bytes((7, a, n)), n)))),
            ("send_data", "h", "B [B]", lambda bits, values: self._set(bytes((9, bits, *values)))),
            ("read_data", "(i[B])", "H", lambda n: (0, list(self._get(b"\x0a\x00", n)))),
            ("load_rf_config", "h", "B B", lambda tx, rx: self._set(bytes((0x11, tx, rx)))),
            ("rf_on", "h", "B", lambda flags: self._set(bytes((0x16, flags)))),
            ("rf_off", "h", "", lambda: self._set(b"\x17\x00")),
            ("is_irq_set", "?", "", lambda: bool(chip.irq())),
            ("wait_for_irq", "?", "H", self._wait_for_irq),
        ]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._slave)
        # with the last slave closed the thread's read fails; before it has ended its descriptor must not be given anew,
        # or it reads the next adapter's first byte
        self._thread.join(10)
        os.close(self._master)

    # SPI

    def _settle(self) -> None:
        self.chip.clock.now += SPI_CALL_US
        while self.chip.busy():
            self.chip.clock.now += 10

    def _set(self, data: bytes) -> int:
        self._settle()
        self.chip.cs(0)
        self.chip.spi_write(data)
        self.chip.cs(1)
        self._settle()
        return 0

    def _get(self, data: bytes, count: int) -> bytes:
        self._set(data)
        buffer = bytearray(count)
        self.chip.cs(0)
        self.chip.spi_readinto(buffer)
        self.chip.cs(1)
        self._settle()
        return bytes(buffer)

    def _reset(self) -> None:
        self.chip.reset(0)
        self.chip.clock.now += 10_000
        self.chip.reset(1)
        self.chip.clock.now += 50_000

    def _write_many(self, elements: list[tuple[int, int, int]]) -> int:
        return self._set(b"\x03" + b"".join(struct.pack("<BBI", *element) for element in elements))

    def _read_many(self, addresses: list[int]) -> tuple[int, list[int]]:
        raw = self._get(bytes((5, *addresses)), 4 * len(addresses))
        return 0, list(struct.unpack(f"<{len(addresses)}I", raw))

    def _wait_for_irq(self, milliseconds: int) -> bool:
        limit = self.chip.clock.now + milliseconds * 1000
        while not self.chip.irq():
            if self.chip.clock.now > limit:
                return False
            self.chip.clock.now += 100
        return True

    # SimpleRPC

    def _serve(self) -> None:
        try:
            while True:
                number = self._take(1)[0]
                if number == 0xFF:
                    os.write(self._master, self._interface())
                    continue
                name, answer, parameters, call = self._methods[number]
                self.calls.append(name)
                given = [self._read(kind) for kind in _kinds(parameters)]
                result = call(*given)
                if answer:
                    os.write(self._master, _pack(_kinds(answer)[0], result))
        except OSError:
            return

    def _interface(self) -> bytes:
        out = b"simpleRPC\0" + bytes((3, 0, 0)) + b"<I\0"
        for name, answer, parameters, _ in self._methods:
            out += f"{answer}: {parameters};{name}: as its sketch documents it.\0".encode()
        return out + b"\0"

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = os.read(self._master, count - len(data))
            if not piece:
                raise OSError("the client has gone")
            data += piece
        return data

    def _read(self, kind: Any) -> Any:
        if isinstance(kind, list):
            (count,) = struct.unpack("<I", self._take(4))
            return [self._read(kind[0]) for _ in range(count)]
        if isinstance(kind, tuple):
            return tuple(self._read(part) for part in kind)
        (value,) = struct.unpack("<" + kind, self._take(struct.calcsize("<" + kind)))
        return value


def _pack(kind: Any, value: Any) -> bytes:
    if isinstance(kind, list):
        return struct.pack("<I", len(value)) + b"".join(_pack(kind[0], item) for item in value)
    if isinstance(kind, tuple):
        return b"".join(_pack(part, item) for part, item in zip(kind, value, strict=True))
    return struct.pack("<" + kind, value)


def _kinds(text: str) -> list[Any]:
    """SimpleRPC's type signature as nested lists and tuples of struct letters."""
    stack: list[list[Any]] = [[]]
    for sign in text:
        if sign in "[(":
            stack.append([])
        elif sign in "])":
            inner = stack.pop()
            stack[-1].append(inner if sign == "]" else tuple(inner))
        elif sign != " ":
            stack[-1].append(sign)
    return stack[0]
