"""The simulated chips of a node's board on the pins and buses of an emulated RP2040.

What is emulated: processor, flash, USB, timers, watchdog, GPIO, SPI and I²C controllers, ADC. What is simulated, by us:
the chips behind them (``chips_sim.py``, ``pn5180_sim.py``), whose clock is the emulator's. Levels that a chip sets by
itself (BUSY, a converter's DOUT, an interrupt line) reach the pin within ``STEP``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lab.chips.chips_sim import SimHardware
from lab.chips.emulated_pico import EmulatedPico

STEP: Final = 50e-6
VSYS_CHANNEL: Final = 3
FULL: Final = 4095
"""Reading of the ADC at its reference of 3.3 V."""
READ_AHEAD: Final = 6
"""Bytes that a chip is asked for at the start of a read: more than any of ours gives at once."""


class EmulatedBoard:
    """``hardware``: the simulated chips; change what they sense there (a cell's counts, tags over a coil)."""

    def __init__(self, pico: EmulatedPico, wiring: dict[str, Any]) -> None:
        """Connect the chips of ``wiring`` (one of ``boards`` in pins.json) to ``pico``."""
        self.pico = pico
        self.hardware = SimHardware(wiring)
        self._buses = [_I2C(self, bus["number"], bus["name"]) for bus in wiring["buses"] if bus["kind"] == "i2c"]
        self._spi = [_SPI(self, bus["number"]) for bus in wiring["buses"] if bus["kind"] == "spi"]
        for gpio, put in self.hardware.outputs.items():
            pico.mcu.gpio[gpio].add_listener(self._listener(gpio, put))
        pico.every(STEP, self.sense)

    def keep_time(self) -> None:
        """Let the chips' clock say what the emulator's does."""
        self.hardware.clock.now = int(self.pico.seconds * 1e6)

    def _listener(self, gpio: int, put: Callable[[int], object]) -> Callable[[int, int], None]:
        def changed(state: int, _old: int) -> None:
            level = 1 if state in (1, 3) else 0  # high, or let go with its pull-up
            if self.hardware.levels.get(gpio) == level:
                return
            self.keep_time()
            self.hardware.levels[gpio] = level
            for spi in self._spi:
                spi.before(gpio, level)
            put(level)
            self.sense()

        return changed

    def sense(self) -> None:
        """Bring the chips' levels to the pins."""
        self.keep_time()
        self.hardware.us()
        for gpio, read in self.hardware.inputs.items():
            level = bool(read())
            for spi in self._spi:
                level = spi.busy(gpio, level)
            self.pico.mcu.gpio[gpio].set_input_value(level)
        supply = self.hardware.supply()
        self.pico.mcu.adc.channel_values[VSYS_CHANNEL] = min(FULL, (supply or 0) * FULL // 3 // 3300)


class _I2C:
    """One I²C controller: the first byte written names a register, what follows is for it or from it."""

    def __init__(self, board: EmulatedBoard, number: int, name: str) -> None:
        self._board = board
        self._name = name
        self._bus: Any = board.pico.mcu.i2c[number]
        self._chip: Any = None
        self._written = bytearray()
        self._reply = b""
        self._bus.on_connect = self._connect
        self._bus.on_write_byte = self._write
        self._bus.on_read_byte = self._read
        self._bus.on_stop = self._stop

    def _connect(self, address: int, mode: int) -> None:
        self._board.keep_time()
        self._commit(keep=bool(mode))
        chip = self._board.hardware.chips.get((self._name, address))
        self._chip = None if chip is None or chip.dead else chip
        if self._chip is not None and mode:
            register = self._written[0] if self._written else 0
            self._reply = self._chip.read(register, READ_AHEAD)
        self._bus.complete_connect(self._chip is not None)

    def _write(self, value: int) -> None:
        self._written.append(value)
        self._bus.complete_write(True)

    def _read(self, _acknowledged: bool) -> None:
        value, self._reply = (self._reply[0], self._reply[1:]) if self._reply else (0xFF, b"")
        self._bus.complete_read(value)

    def _commit(self, *, keep: bool) -> None:
        """Give the chip what was written for it; ``keep`` the register's number for the read that follows."""
        if self._chip is not None and len(self._written) > 1:
            self._chip.write(self._written[0], bytes(self._written[1:]))
            self._written.clear()
        if not keep:
            self._written.clear()

    def _stop(self) -> None:
        self._commit(keep=True)
        self._board.sense()
        self._bus.complete_stop()


class _SPI:
    """The SPI controller and the reader behind it: whole transfers between two edges of NSS."""

    def __init__(self, board: EmulatedBoard, number: int) -> None:
        self._board = board
        self._controller: Any = board.pico.mcu.spi[number]
        pin = board.hardware.pins
        self._select, self._busy = pin["reader.select"], pin["reader.busy"]
        self._sent = bytearray()
        self._reply: list[int] | None = None
        self._controller.on_transmit = self._transmit

    @property
    def _reader(self) -> Any:
        """The reader that the board's address lines name."""
        return self._board.hardware.reader

    def _transmit(self, value: int) -> None:
        self._board.keep_time()
        reader = self._reader
        if not reader.selected and not self._sent and self._reply is None and reader.reply is not None:
            waiting = bytearray(len(reader.reply))
            reader.spi_readinto(waiting)
            self._reply = list(waiting)
        if self._reply is not None:
            answer = self._reply.pop(0) if self._reply else 0xFF
        else:
            self._sent.append(value)
            answer = 0xFF
        self._board.sense()
        self._controller.complete_transmit(answer)

    def before(self, gpio: int, level: int) -> None:
        """NSS is about to change: at its rise the reader gets the transfer that it ends."""
        if gpio == self._select:
            if level and self._sent and not self._reader.selected:
                self._reader.spi_write(bytes(self._sent))
            self._sent.clear()
            self._reply = None

    def busy(self, gpio: int, level: bool) -> bool:
        """BUSY is high from a transfer's first byte; the simulated chip hears of the transfer only at its end."""
        return level or (gpio == self._busy and bool(self._sent))
