"""Simulated chips of a node's board beside the PN5180, and the hardware of a board for hw/node/board_real.py.

Each keeps to its data sheet as far as the firmware uses it, at the level of pins and I²C registers. Like
``pn5180_sim.py`` this file also runs under MicroPython: no typing imports, no dataclasses.
"""

try:
    from hw.twin.iso15693_sim import Tag
    from hw.twin.pn5180_sim import PN5180Sim, SimBus, SimClock
except ImportError:  # under MicroPython the files lie side by side
    from iso15693_sim import Tag  # type: ignore[import-not-found,no-redef]
    from pn5180_sim import PN5180Sim, SimBus, SimClock  # type: ignore[import-not-found,no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NO_DEVICE = 19


class HX711Sim:
    """A load cell with its converter: 80 conversions a second, ``counts`` is what it converts."""

    PERIOD_US = 12_500

    def __init__(self, clock: SimClock) -> None:
        """``dead``: it never gets ready. ``faults``: breaches of the data sheet, as sentences."""
        self.clock = clock
        self.counts = 0
        self.dead = False
        self.faults: list[str] = []
        self._ready_at = self.PERIOD_US
        self._pulses = 0
        self._level = 0
        self._high_since = 0
        self._word = 0

    def dout(self) -> int:
        """The data pin: low when a conversion waits, then its bits."""
        if 0 < self._pulses <= 24:
            return self._word >> (24 - self._pulses) & 1
        if self._pulses > 24 or self.dead:
            return 1
        return 0 if self.clock.now >= self._ready_at else 1

    def sck(self, level: int) -> None:
        """The clock pin."""
        if self._pulses and not self._level and level == 0:
            return
        if level and not self._level:
            self._rise()
        elif not level and self._level and self.clock.now - self._high_since > 60:
            self.faults.append("PD_SCK was high for more than 60 microseconds")
        self._level = level

    def _rise(self) -> None:
        self._high_since = self.clock.now
        if self._pulses >= 25 and self.clock.now >= self._ready_at:
            self._pulses = 0
        if self._pulses == 0:
            if self.clock.now < self._ready_at:
                self.faults.append("a conversion was read that was not ready")
            self._word = max(-0x800000, min(0x7FFFFF, self.counts)) & 0xFFFFFF
        self._pulses += 1
        if self._pulses >= 25:
            self._ready_at = self.clock.now + self.PERIOD_US

    def settle(self) -> None:
        """Time has passed: after its last pulse the converter works on the next conversion."""
        if self._pulses >= 25 and self.clock.now >= self._ready_at:
            self._pulses = 0


class Chip:
    """An I²C chip: registers, and whether it answers at all."""

    def __init__(self) -> None:
        """All registers are 0."""
        self.dead = False
        self.registers = bytearray(256)

    def read(self, register: int, count: int) -> bytes:
        """``count`` bytes from ``register`` on."""
        return bytes(self.registers[register : register + count])

    def write(self, register: int, data: bytes) -> None:
        """``data`` into the registers from ``register`` on."""
        self.registers[register : register + len(data)] = data


class MCP23017Sim(Chip):
    """Sixteen inputs: ``closed`` has a bit for each that is connected to ground."""

    def __init__(self) -> None:
        """All are open."""
        super().__init__()
        self.closed = 0
        self._told = 0

    def changed(self) -> int:
        """The INT pin: low while a change has not been read."""
        watches = self.registers[0x04] == self.registers[0x05] == 0xFF
        return 0 if watches and self.closed != self._told else 1

    def read(self, register: int, count: int) -> bytes:
        """As the chip, with pull-ups at every input."""
        if register != 0x12:
            return super().read(register, count)
        self._told = self.closed
        pulled = self.registers[0x0C] | self.registers[0x0D] << 8
        levels = ~self.closed & pulled & 0xFFFF
        return bytes((levels & 255, levels >> 8))


class LIS3DHSim(Chip):
    """An accelerometer: ``gravity`` in thousandths of g along its axes."""

    def __init__(self) -> None:
        """It lies flat."""
        super().__init__()
        self.registers[0x0F] = 0x33
        self.gravity = (0, 0, 1000)

    def read(self, register: int, count: int) -> bytes:
        """As the chip: bit 7 of the register counts on; asleep it measures nothing."""
        if register != 0xA8:
            return super().read(register & 0x7F, count)
        if self.registers[0x20] != 0x57 or self.registers[0x23] != 0x88:
            return bytes(count)
        out = b""
        for part in self.gravity:
            out += ((part << 4) & 0xFFFF).to_bytes(2, "little")
        return out[:count]


class ADS1015Sim(Chip):
    """Four voltages in millivolts, one converted at a time."""

    def __init__(self) -> None:
        """All are 0."""
        super().__init__()
        self.millivolts = [0, 0, 0, 0]
        self._channel = 0

    def read(self, register: int, count: int) -> bytes:
        """The last conversion, left-aligned."""
        if register != 0x00:
            return super().read(register, count)
        value = max(-2048, min(2047, self.millivolts[self._channel])) << 4 & 0xFFFF
        return bytes((value >> 8, value & 255))

    def write(self, register: int, data: bytes) -> None:
        """The configuration chooses the channel."""
        super().write(register, data)
        if register == 0x01:
            self._channel = (data[0] >> 4 & 7) - 4


class SimI2C:
    """What MicroPython's I2C offers; a chip that is dead or missing raises OSError."""

    def __init__(self, clock: SimClock, hertz: int) -> None:
        """``hertz``: the speed, which costs simulated time."""
        self.clock = clock
        self.hertz = hertz
        self.chips: dict[int, Chip] = {}

    def _chip(self, address: int, count: int) -> Chip:
        self.clock.now += (count + 2) * 9 * 1_000_000 // self.hertz
        chip = self.chips.get(address)
        if chip is None or chip.dead:
            raise OSError(NO_DEVICE)
        return chip

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """``count`` bytes from a register of the chip at ``address``."""
        return self._chip(address, count + 1).read(register, count)

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """``data`` into a register of the chip at ``address``."""
        self._chip(address, len(data)).write(register, bytes(data))


PARTS: "dict[str, Callable[[], Chip]]" = {"MCP23017": MCP23017Sim, "ADS1015": ADS1015Sim, "LIS3DH": LIS3DHSim}


class SimHardware:
    """A board by its wiring data (one of ``boards`` in pins.json), every chip simulated and connected.

    A pin that the firmware uses and nothing is connected to, or uses the wrong way round, raises KeyError: the wiring
    data and the firmware cannot disagree unseen. ``tags`` are those over each coil; ``levels`` the pins set.
    """

    def __init__(self, wiring: "dict", why: int = 1, counts: "tuple[int, int]" = (0, 0)) -> None:  # type: ignore[type-arg]
        """``why``, ``counts``: the cause of this start, resets and brown-outs so far."""
        self.clock = SimClock()
        self.why = why
        self.counted = counts
        self.millivolts: int | None = 4900
        self.levels: dict[int, int] = {}
        self.tone_hertz = 0
        self.link_in = b""
        self.link_out = b""
        self.link_takes = 1 << 30
        self.cells: dict[str, HX711Sim] = {}
        self.chips: dict[tuple[str, int], Chip] = {}
        self.reader: PN5180Sim | None = None
        self.tags: dict[str, list[Tag]] = {coil: [] for coil in wiring["coils"]}
        self._coils: list[str] = wiring["coils"]
        self._pin: dict[str, int] = {name: gpio for name, gpio, _ in wiring["pins"]}
        self._outputs: dict[int, Callable[[int], object]] = {}
        self._inputs: dict[int, Callable[[], int]] = {}
        self._buses: dict[tuple[str, int], object] = {}
        self._connect(wiring)

    def _connect(self, wiring: "dict") -> None:  # type: ignore[type-arg]
        pin = self._pin
        for bus in wiring["buses"]:
            if bus["kind"] == "spi":
                self.reader = PN5180Sim(self.clock)
                self._buses["spi", bus["number"]] = SimBus([self.reader])
                self._outputs[pin["reader.select"]] = self.reader.cs
                self._outputs[pin["reader.reset"]] = self.reader.reset
                self._inputs[pin["reader.busy"]] = self.reader.busy
                for bit in range(3):
                    self._outputs[pin[f"antenna.{bit}"]] = self._antenna
            elif bus["kind"] == "i2c":
                made = SimI2C(self.clock, bus["hertz"])
                for part in bus["parts"]:
                    made.chips[part["address"]] = PARTS[part["part"]]()
                    self.chips[bus["name"], part["address"]] = made.chips[part["address"]]
                self._buses["i2c", bus["number"]] = made
        for name, where in wiring["cells"].items():
            cell = self.cells[name] = HX711Sim(self.clock)
            self._inputs[pin[where + ".dout"]] = cell.dout
            self._outputs[pin[where + ".sck"]] = cell.sck
        for group in wiring["inputs"]:
            chip = self.chips[group["bus"], group["address"]]
            if isinstance(chip, MCP23017Sim):
                self._inputs[pin[group["changed"]]] = chip.changed
        for name in list(wiring["turn"].values()) + list(wiring["alert"].values()):
            self._outputs[pin[name]] = bool

    def _antenna(self, _level: int) -> None:
        place = 0
        for bit in range(3):
            place |= self.levels.get(self._pin[f"antenna.{bit}"], 0) << bit
        self.connected = self._coils[place] if place < len(self._coils) else ""

    def over(self, coil: str, tags: "list[Tag]") -> None:
        """These tags lie over ``coil`` now."""
        self.tags[coil] = tags
        self._tags_to_reader()

    def _tags_to_reader(self) -> None:
        if self.reader is not None:
            wanted = self.tags.get(getattr(self, "connected", ""), [])
            if wanted is not self.reader.field.tags and self.reader.field.since is None:
                self.reader.change_antenna(wanted)

    # for a board whose processor is emulated

    @property
    def pins(self) -> "dict[str, int]":
        """GPIO of each function of the wiring data."""
        return self._pin

    @property
    def outputs(self) -> "dict[int, Callable[[int], object]]":
        """What the chips do when the processor sets a pin."""
        return self._outputs

    @property
    def inputs(self) -> "dict[int, Callable[[], int]]":
        """What the chips put on a pin that the processor reads."""
        return self._inputs

    # what a board asks of its hardware

    def us(self) -> int:
        """Simulated microseconds."""
        for cell in self.cells.values():
            cell.settle()
        self._tags_to_reader()
        now: int = self.clock.us()
        return now

    def ticks(self) -> int:
        """The same, modulo 2**30."""
        self.us()
        return self.clock.ticks()

    def elapsed(self, since: int) -> int:
        """Microseconds since those ticks."""
        return self.clock.elapsed(since)

    def wait_us(self, count: int) -> None:
        """Let time pass."""
        self.clock.wait_us(count)

    def output(self, gpio: int, level: int) -> "Callable[[int], None]":
        """A function that sets the pin."""
        connected = self._outputs[gpio]

        def put(value: int) -> None:
            self.levels[gpio] = value
            self.clock.now += 2
            connected(value)

        put(level)
        return put

    def input(self, gpio: int, pull_up: bool) -> "Callable[[], int]":  # noqa: ARG002
        """A function that reads the pin."""
        return self._inputs[gpio]

    def bus(self, kind: str, number: int, hertz: int, pins: "dict[str, int]") -> object:  # noqa: ARG002
        """The bus of that kind and number."""
        return self._buses[kind, number]

    def guard(self, on: bool) -> None:
        """Nothing interrupts a simulation."""

    def tone(self, gpio: int) -> "Callable[[int], None]":  # noqa: ARG002
        """A function that sounds."""

        def sound(hertz: int) -> None:
            self.tone_hertz = hertz

        return sound

    def boot(self) -> int:
        """The boot id."""
        return 77

    def cause(self) -> int:
        """Why it started."""
        return self.why

    def counts(self) -> "tuple[int, int]":
        """Resets and brown-outs so far."""
        return self.counted

    def files(self) -> str:
        """No checksum: nothing was put on a flash."""
        return ""

    def supply(self) -> "int | None":
        """Millivolts of the supply."""
        return self.millivolts

    def read_link(self) -> bytes:
        """What came over the line."""
        data, self.link_in = self.link_in, b""
        return data

    def write_link(self, data: bytes) -> int:
        """What goes over the line."""
        taken = bytes(data[: self.link_takes])
        self.link_out += taken
        return len(taken)
