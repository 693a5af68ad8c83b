"""Simulated I²C chips and the bus that they hang on, at the level of registers and of the bus's two lines.

Each keeps to its data sheet as far as the firmware uses it, and can fail as a real one does: not answer (``dead``),
start anew by itself and forget its settings (``forget``), freeze (``frozen``), hold the data line down in the middle
of a byte (``SimI2C.stuck``). Like ``pn5180_sim.py`` this file also runs under MicroPython.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lab.chips.pn5180_sim import SimClock

NO_DEVICE, TIMED_OUT = 19, 110
TIMEOUT_US = 5_000
"""Time that a transfer costs on a bus that hangs."""


class Chip:
    """An I²C chip: registers, and whether it answers at all."""

    def __init__(self, clock: "SimClock") -> None:
        """All registers are 0."""
        self.clock = clock
        self.dead = False
        self.forget()

    def forget(self) -> None:
        """Start anew, with the registers as after power-on."""
        self.registers = bytearray(256)

    def read(self, register: int, count: int) -> bytes:
        """Return ``count`` bytes from ``register`` on."""
        return bytes(self.registers[register : register + count])

    def write(self, register: int, data: bytes) -> None:
        """Put ``data`` into the registers from ``register`` on."""
        self.registers[register : register + len(data)] = data


class MCP23017Sim(Chip):
    """Sixteen pins: ``closed`` has a bit for each that is connected to ground. GPA7 and GPB7 are outputs only.

    ``hall``: bit → microseconds between looks of the switch connected there whether a magnet is near (a DRV5032FA
    50 ms, a DRV5032FB 200 ms). An input that has no pull-up reads as open or closed by turns.
    """

    IN_ONLY = 0x7F7F

    def __init__(self, clock: "SimClock") -> None:
        """All are open."""
        super().__init__(clock)
        self.closed = 0
        self.hall: dict[int, int] = {}
        self._told = 0
        self._sampled = 0
        self._sampled_at = 0
        self._wavers = 0

    def forget(self) -> None:
        """Reset as power-on does: all are inputs, none has a pull-up or reports a change."""
        super().forget()
        self.registers[0:2] = b"\xff\xff"

    def _inputs(self) -> int:
        """Bits that are connected to ground as a Hall switch has noticed it."""
        slow = 0
        for bit, period in self.hall.items():
            slow |= 1 << bit
            if self.clock.now // period != self._sampled_at // period:
                self._sampled = self._sampled & ~(1 << bit) | self.closed & 1 << bit
        self._sampled_at = self.clock.now
        return self.closed & ~slow | self._sampled & slow

    def changed(self) -> int:
        """Read the INT pin: low while a change at an input that is watched has not been read."""
        watched = self.registers[0x04] | self.registers[0x05] << 8
        return 0 if (self._inputs() ^ self._told) & watched else 1

    def read(self, register: int, count: int) -> bytes:
        """Read as the chip does."""
        if register != 0x12:
            return super().read(register, count)
        closed = self._told = self._inputs()
        pulled = self.registers[0x0C] | self.registers[0x0D] << 8
        inputs = (self.registers[0] | self.registers[1] << 8) & self.IN_ONLY
        self._wavers ^= 0xFFFF
        levels = ~closed & (pulled | self._wavers) & inputs & 0xFFFF
        return bytes((levels & 255, levels >> 8))


class LIS3DHSim(Chip):
    """An accelerometer: ``gravity`` in thousandths of g along its axes, and a noise of one step."""

    def __init__(self, clock: "SimClock") -> None:
        """It lies flat."""
        super().__init__(clock)
        self.gravity = (0, 0, 1000)
        self.frozen = False
        self._noise = 0

    def forget(self) -> None:
        """Reset as power-on does: asleep."""
        super().forget()
        self.registers[0x0F] = 0x33
        self.registers[0x20] = 0x07

    def read(self, register: int, count: int) -> bytes:
        """Read as the chip does: bit 7 of the register counts on; asleep it measures nothing."""
        if register != 0xA8:
            return super().read(register & 0x7F, count)
        if self.registers[0x20] != 0x57 or self.registers[0x23] != 0x88:
            return bytes(count)
        self._noise += 0 if self.frozen else 1
        out = b""
        for axis, part in enumerate(self.gravity):
            wavers = self._noise >> axis & 1
            out += (((part + wavers) << 4) & 0xFFFF).to_bytes(2, "little")
        return out[:count]


class ADS1015Sim(Chip):
    """Four voltages in millivolts, one converted at a time.

    ``strike`` puts a peak on a channel that sinks with ``hold_us`` (0: nothing holds it, and it lasts ``BLOW_US``).
    """

    BLOW_US = 2_000

    def __init__(self, clock: "SimClock") -> None:
        """All are 0."""
        super().__init__(clock)
        self.millivolts = [0, 0, 0, 0]
        self.hold_us = 0
        self._struck: dict[int, tuple[int, int]] = {}
        self._value = 0

    def forget(self) -> None:
        """Reset as power-on does: 0x8583, which converts the difference of the first two once."""
        super().forget()
        self.registers[1:3] = b"\x85\x83"
        self._value = 0

    def strike(self, channel: int, millivolts: int) -> None:
        """Let a blow of that peak meet the sensor at ``channel`` now."""
        self._struck[channel] = (self.clock.now, millivolts)

    def _voltage(self, channel: int) -> int:
        at, peak = self._struck.get(channel, (0, 0))
        passed = self.clock.now - at
        if self.hold_us:
            held = int(peak * 2.718281828 ** (-passed / self.hold_us))
        else:
            held = peak if passed < self.BLOW_US else 0
        return max(held, self.millivolts[channel])

    def read(self, register: int, count: int) -> bytes:
        """Read the last conversion, left-aligned, or the configuration."""
        if register != 0x00:
            return super().read(register, count)
        value = max(-2048, min(2047, self._value)) << 4 & 0xFFFF
        return bytes((value >> 8, value & 255))

    def write(self, register: int, data: bytes) -> None:
        """Write the configuration: it chooses the channel and begins a conversion."""
        super().write(register, data)
        if register == 0x01:
            self._value = self._voltage((data[0] >> 4 & 7) - 4)


class SimI2C:
    """Interface of MicroPython's I2C; a chip that is dead or missing raises OSError.

    ``stuck``: clocks that a chip which lost count still wants before it lets the data line go (-1: it never does).
    """

    def __init__(self, clock: "SimClock", hertz: int) -> None:
        """``hertz``: the speed, which costs simulated time."""
        self.clock = clock
        self.hertz = hertz
        self.chips: dict[int, Chip] = {}
        self.stuck = 0

    def free(self) -> str:
        """Clock nine times and stop: the line that is held down still, or an empty text."""
        self.clock.now += 200
        if self.stuck > 0:
            self.stuck = max(0, self.stuck - 9)
        return "data" if self.stuck else ""

    def _chip(self, address: int, count: int) -> Chip:
        if self.stuck:
            self.clock.now += TIMEOUT_US
            raise OSError(TIMED_OUT)
        self.clock.now += (count + 2) * 9 * 1_000_000 // self.hertz
        chip = self.chips.get(address)
        if chip is None or chip.dead:
            raise OSError(NO_DEVICE)
        return chip

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return ``count`` bytes from a register of the chip at ``address``."""
        return self._chip(address, count + 1).read(register, count)

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """Write ``data`` into a register of the chip at ``address``."""
        self._chip(address, len(data)).write(register, bytes(data))
