"""Simulated chips of a node's board beside the PN5180, and the hardware of a board for hw/node/board_real.py.

Each keeps to its data sheet as far as the firmware uses it, at the level of pins and I²C registers. Like
``pn5180_sim.py`` this file also runs under MicroPython: no typing imports, no dataclasses.
"""

try:
    from lab.chips.i2c_sim import ADS1015Sim, Chip, LIS3DHSim, MCP23017Sim, SimI2C
    from lab.chips.iso15693_sim import Tag
    from lab.chips.pn5180_sim import PN5180Sim, SimBus, SimClock
except ImportError:  # under MicroPython the files lie side by side
    from i2c_sim import (  # type: ignore[import-not-found,no-redef]
        ADS1015Sim,
        Chip,
        LIS3DHSim,
        MCP23017Sim,
        SimI2C,
    )
    from iso15693_sim import Tag  # type: ignore[import-not-found,no-redef]
    from pn5180_sim import PN5180Sim, SimBus, SimClock  # type: ignore[import-not-found,no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_US = 3
"""Microseconds in which MicroPython reads a pin on a Pico, about: the firmware's waits are made for it."""


class HX711Sim:
    """A load cell with its converter, which converts by its own clock: ``counts`` is the load, with some noise.

    ``missing``: the level of DOUT if no converter is connected (0, or 1 by a pull-up); None: there is one. ``dead``: it
    never gets ready; ``frozen``: its conversions never change; ``rate``: 80 a second, or 10 with the jumper that a
    breakout comes with. ``faults``: breaches of the data sheet, as sentences.
    """

    NOISE = (0, 17, -4, -21, 9, 23, -11, -13)
    """Counts: at 80 readings a second a real one wavers by some 40."""

    def __init__(self, clock: SimClock) -> None:
        """Start with an empty plate."""
        self.clock = clock
        self.counts = 0
        self.rate = 80
        self.missing: int | None = None
        self.dead = self.frozen = False
        self.faults: list[str] = []
        self._taken = 0
        self._pulses = 0
        self._level = 0
        self._high_since = 0
        self._word = 0

    def _made(self) -> int:
        """Conversions since the start."""
        return self.clock.now * self.rate // 1_000_000

    def dout(self) -> int:
        """Read the data pin: low when a conversion waits, then its bits, then high until the next one."""
        if self.missing is not None:
            return self.missing
        if 0 < self._pulses <= 24:
            return self._word >> (24 - self._pulses) & 1
        return 0 if self._made() > self._taken and not self.dead else 1

    def sck(self, level: int) -> None:
        """Set the clock pin."""
        if level and not self._level:
            self._rise()
        elif not level and self._level and self.clock.now - self._high_since > 60:
            self.faults.append("PD_SCK was high for more than 60 microseconds")
        self._level = level

    def _rise(self) -> None:
        self._high_since = self.clock.now
        if self._pulses == 0 or (self._pulses > 24 and self._made() > self._taken):
            if self._made() <= self._taken:
                self.faults.append("a conversion was read that was not ready")
            self._pulses = 0
            noise = 0 if self.frozen else self.NOISE[self._made() % len(self.NOISE)]
            held = self.counts if self.counts in (-0x800000, 0x7FFFFF) else self.counts + noise
            self._word = max(-0x800000, min(0x7FFFFF, held)) & 0xFFFFFF
        self._pulses += 1
        if self._pulses == 25:
            self._taken = self._made()


PARTS: "dict[str, Callable[[SimClock], Chip]]" = {"MCP23017": MCP23017Sim, "ADS1015": ADS1015Sim, "LIS3DH": LIS3DHSim}


class SimReaders:
    """The readers of a board: one behind a multiplexer of coils, or one a coil behind a decoder of NSS and BUSY."""

    def __init__(self, clock: SimClock, coils: "list[str]", alone: bool) -> None:
        """``alone``: each coil has a reader to itself."""
        self.coils = coils
        self.alone = alone
        self.chips = [PN5180Sim(clock) for _ in (coils if alone else coils[:1])]
        self.tags: dict[str, list[Tag]] = {coil: [] for coil in coils}
        self.address = 0
        if self.chips:  # a board may have no reader
            self.meant = self.chips[0]
            """The reader that the address names."""
        self.waits = False
        """True if tags have come to a coil whose field is on: they get into it when it is off."""

    def point(self, address: int) -> None:
        """Set the address lines: this coil is meant."""
        if address != self.address and not self.meant.selected:
            self.chips[0].faults.append("the address changed in the middle of a transfer")
        self.address = address
        self.meant = self.chips[address % len(self.chips)]
        self.settle()

    def settle(self) -> None:
        """Put the tags over the coils into the fields that there are."""
        self.waits = False
        for at, chip in enumerate(self.chips):
            place = at if self.alone else self.address
            wanted = self.tags[self.coils[place]] if place < len(self.coils) else []
            if wanted is not chip.field.tags:
                if chip.field.since is None:
                    chip.change_antenna(wanted)
                else:
                    self.waits = True

    def cs(self, level: int) -> None:
        """Set NSS of the reader that is meant."""
        self.meant.cs(level)

    def busy(self) -> int:
        """Read BUSY of the reader that is meant."""
        return self.meant.busy()


class SimHardware:
    """A board by its wiring data (one of ``boards`` in pins.json), every chip simulated and connected.

    A pin that the firmware uses and nothing is connected to, or uses the wrong way round, raises KeyError: the wiring
    data and the firmware cannot disagree unseen. ``over`` lays tags over a coil; ``levels`` has the pins set.
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
        self._readers = SimReaders(self.clock, wiring["coils"], bool(wiring.get("reader_per_coil")))
        self._pin: dict[str, int] = {name: gpio for name, gpio, _ in wiring["pins"]}
        self._outputs: dict[int, Callable[[int], object]] = {}
        self._inputs: dict[int, Callable[[], int]] = {}
        self._buses: dict[tuple[str, int], object] = {}
        self._connect(wiring)

    def _connect(self, wiring: "dict") -> None:  # type: ignore[type-arg]
        pin = self._pin
        for bus in wiring["buses"]:
            if bus["kind"] == "spi":
                self._connect_readers(bus["number"])
            elif bus["kind"] == "i2c":
                made = SimI2C(self.clock, bus["hertz"])
                for part in bus["parts"]:
                    made.chips[part["address"]] = PARTS[part["part"]](self.clock)
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
                chip.closed |= _closed_at_rest(group)
        for name in list(wiring["turn"].values()) + list(wiring["alert"].values()):
            self._outputs[pin[name]] = bool

    def _connect_readers(self, number: int) -> None:
        pin, readers = self._pin, self._readers
        self._buses["spi", number] = SimBus(readers.chips)
        self._outputs[pin["reader.select"]] = readers.cs
        self._inputs[pin["reader.busy"]] = readers.busy
        for at, reader in enumerate(readers.chips):
            self._outputs[pin[f"reader.reset.{at}" if readers.alone else "reader.reset"]] = reader.reset
        for bit in range(3):
            self._outputs[pin[f"antenna.{bit}"]] = self._antenna

    def _antenna(self, _level: int) -> None:
        address = 0
        for bit in range(3):
            address |= self.levels.get(self._pin[f"antenna.{bit}"], 0) << bit
        self._readers.point(address)

    @property
    def reader(self) -> PN5180Sim:
        """The reader whose NSS and BUSY are connected now."""
        return self._readers.meant

    @property
    def readers(self) -> "dict[str, PN5180Sim]":
        """The reader at each coil."""
        chips = self._readers.chips
        return {coil: chips[at % len(chips)] for at, coil in enumerate(self._readers.coils)}

    @property
    def reader_faults(self) -> "list[str]":
        """Breaches of the readers' data sheet, by whichever of them."""
        return [fault for chip in self._readers.chips for fault in chip.faults]

    @property
    def tags(self) -> "dict[str, list[Tag]]":
        """Tags over each coil."""
        return self._readers.tags

    def over(self, coil: str, tags: "list[Tag]") -> None:
        """Lay these tags over ``coil`` now."""
        self._readers.tags[coil] = tags
        self._readers.settle()

    # for a board whose processor is emulated

    @property
    def pins(self) -> "dict[str, int]":
        """GPIO of each function of the wiring data."""
        return self._pin

    @property
    def outputs(self) -> "dict[int, Callable[[int], object]]":
        """Effects on the chips when the processor sets a pin, by pin."""
        return self._outputs

    @property
    def inputs(self) -> "dict[int, Callable[[], int]]":
        """Levels that the chips put on a pin when the processor reads it, by pin."""
        return self._inputs

    # what a board asks of its hardware

    def us(self) -> int:
        """Simulated microseconds."""
        if self._readers.waits:
            self._readers.settle()
        return self.clock.us()

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
        read, clock = self._inputs[gpio], self.clock

        def look() -> int:
            clock.now += LOOK_US
            return read()

        return look

    def bus(self, kind: str, number: int, hertz: int, pins: "dict[str, int]") -> object:  # noqa: ARG002
        """The bus of that kind and number."""
        return self._buses[kind, number]

    def free_bus(self, number: int, hertz: int, pins: "dict[str, int]") -> "tuple[object, str]":  # noqa: ARG002
        """Clock a hanging I²C bus: (the bus anew, the line that is held down still)."""
        bus = self._buses["i2c", number]
        return bus, bus.free() if isinstance(bus, SimI2C) else ""

    def guard(self, on: bool) -> None:
        """Do nothing: a simulation has no interrupts."""

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
        """Return what came over the line."""
        data, self.link_in = self.link_in, b""
        return data

    def write_link(self, data: bytes) -> int:
        """Return what goes over the line."""
        taken = bytes(data[: self.link_takes])
        self.link_out += taken
        return len(taken)


def _closed_at_rest(group: "dict") -> int:  # type: ignore[type-arg]
    """The pins of an expander that are closed while nothing happens, as bits."""
    closed = 0
    for bit, sensor in enumerate(group["sensors"]):
        kind = (sensor or "").split(":", 1)[0]
        if kind == "supply" or (group.get("closed_at_rest") and kind in ("edge", "place")):
            closed |= 1 << bit
    return closed
