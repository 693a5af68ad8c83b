"""A Raspberry Pi Pico in an emulator (rp2040py): the real MicroPython, and a node's files on its flash.

The emulator and littlefs-python are development dependencies. MicroPython's image is outside the project;
``find_image`` says where. Time here is the chip's own: ``run`` continues for a number of emulated seconds however slow
this machine is.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hw.errors import TavoloError
from lab.chips.emulated_core import prefer_compiled

IMAGE: Final = "micropython-1.28.0-xiao-rp2040.uf2"
"""A build for another board with a Pico's chip and flash; its file system is at a Pico's address."""
FILESYSTEM: Final = 0xA0000
"""Offset in flash at which MicroPython keeps its files on these boards."""
BLOCK: Final = 4096
BLOCKS: Final = 352
ENTRY: Final = 0x10000000
"""Address at which an RP2040 finds its program in flash."""


class EmulatorError(TavoloError, RuntimeError):
    """The emulated chip cannot be made or has stopped; the text is one sentence."""


def find_image() -> Path | None:
    """MicroPython's image for an RP2040: where TAVOLO_UF2 says, else in ``shared/data/firmware`` beside the project."""
    named = os.environ.get("TAVOLO_UF2")
    if named:
        return Path(named) if Path(named).is_file() else None
    for above in Path(__file__).resolve().parents[2:6]:
        path = above / "shared" / "data" / "firmware" / IMAGE
        if path.is_file():
            return path
    return None


def filesystem_image(files: Mapping[str, bytes]) -> bytes:
    """A littlefs image as MicroPython's flash holds it, with ``files`` in its root."""
    from littlefs import LittleFS, UserContext

    context = UserContext(buffsize=BLOCK * BLOCKS)
    system = LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, prog_size=256, disk_version=0x00020000)
    for name, content in files.items():
        with system.open(name, "wb") as stream:
            stream.write(content)
    system.unmount()
    return bytes(context.buffer)


class EmulatedPico:
    """One emulated RP2040. ``sent`` gets the bytes that its USB port sends; ``write`` queues bytes for it.

    ``connected`` is True from USB enumeration to the next reset or ``unplug``. ``seconds`` is emulated time since
    power-on; it continues over resets.
    """

    def __init__(self, image: Path, files: Mapping[str, bytes] | None, sent: Callable[[bytes], None]) -> None:
        """Load MicroPython's ``image`` (UF2) and ``files`` (None: an erased file system). Power comes with ``run``."""
        prefer_compiled()
        try:
            from rp2040py.boards import BoardSpec
            from rp2040py.device.base_device import BaseDevice, ResetCause
            from rp2040py.execute_batch import execute_batch
        except ImportError:
            raise EmulatorError("rp2040py is not installed: the development group brings it") from None

        self._causes: Any = ResetCause
        self._execute: Any = execute_batch
        self._device: Any = BaseDevice(board=BoardSpec(image=str(image)))
        self._simulator: Any = self._device.simulator
        self.mcu: Any = self._device.mcu
        self.connected = False
        self.resets = 0
        self._out: deque[int] = deque()
        if files is not None:
            self.mcu.flash[FILESYSTEM : FILESYSTEM + BLOCK * BLOCKS] = filesystem_image(files)
        cdc = self._device.cdc
        cdc.on_serial_data = lambda data: sent(bytes(data)) if self.connected else None
        cdc.on_device_connected = self._connect
        self.mcu.watchdog.on_watchdog_trigger = lambda: self._reset(ResetCause.WATCHDOG)
        self._slice = self._simulator.clock.create_alarm(self._simulator.stop)
        self._pio: Any = self.mcu.pio
        self.mcu.core.pc = ENTRY

    def _connect(self) -> None:
        self.connected = True

    def _reset(self, cause: object) -> None:
        self.connected = False
        self.resets += 1
        self._out.clear()
        self.mcu.pio = self._pio
        self._device.hard_reset(cause=cause)

    def press_reset(self) -> None:
        """Pull the RUN pin: the chip leaves the bus and starts anew; flash keeps its content."""
        self._reset(self._causes.RUN_PIN)

    def unplug(self) -> None:
        """Take power and bus away, and give them back at once: a power-on start."""
        self._reset(self._causes.POWER_ON)

    def set_forward(self, seconds: float) -> None:
        """Set the chip's microsecond timer (TIMER) forward; watchdog, USB and this object's time do not notice.

        Data in the USB buffers at that moment is read by the program after the jump, with the later time: a node that
        shall find its host silent for this long must have read the host's last word before.
        """
        self.mcu.timer._epoch_nanos -= seconds * 1e9  # noqa: SLF001 - the emulator offers no other way

    @property
    def seconds(self) -> float:
        """Emulated seconds since power-on."""
        return float(self._simulator.clock.nanos) / 1e9

    @property
    def flash_files(self) -> dict[str, bytes]:
        """The files on its flash now."""
        from littlefs import LittleFS, UserContext

        context = UserContext(buffsize=BLOCK * BLOCKS)
        context.buffer = bytearray(self.mcu.flash[FILESYSTEM : FILESYSTEM + BLOCK * BLOCKS])
        system = LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, prog_size=256)
        found = {}
        for name in system.listdir("/"):
            with system.open(name, "rb") as stream:
                found[name] = stream.read()
        system.unmount()
        return found

    def write(self, data: bytes) -> None:
        """Queue ``data`` for the chip's USB port; lost if nothing is connected, as with a real one."""
        if self.connected:
            self._out.extend(data)
            self._feed()

    def _feed(self) -> None:
        fifo = self._device.cdc.tx_fifo
        while self._out and fifo.item_count < fifo.size:
            fifo.push(self._out.popleft())

    def every(self, seconds: float, call: Callable[[], None]) -> None:
        """Call ``call`` again and again, every ``seconds`` emulated seconds."""

        def ring() -> None:
            call()
            alarm.schedule(seconds * 1e9)

        alarm = self._simulator.clock.create_alarm(ring)
        alarm.schedule(seconds * 1e9)

    def run(self, seconds: float) -> None:
        """Let emulated time pass. Raises EmulatorError if the processor has stopped for good."""
        end = self.seconds + seconds
        self._feed()
        self._slice.schedule(seconds * 1e9)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            # the emulator asks both PIO blocks after each instruction whether they run; that they do not is asked once
            self.mcu.pio = self._pio if any(not block.stopped for block in self._pio) else ()
            self._execute(self._simulator, 1)
        self.mcu.pio = self._pio
        if self.seconds < end - 1e-6:
            raise EmulatorError(f"the emulated chip stopped at {self.seconds:.3f} s")
