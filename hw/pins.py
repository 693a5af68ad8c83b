"""Functions of the pins of a node's controller, read from ``hw/node/pins.json``: one source for firmware and drawings.

The firmware reads the file itself; here it becomes values for the wiring drawings, the parts list and the documents,
and it is checked: every pin used once and fit for its function, addresses unique, speeds within what every part bears.
``python -m hw.pins`` prints the table of docs/firmware.md, or what is wrong.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

PICO_GPIO: Final = (*range(23), 26, 27, 28)
"""GPIO numbers on the edge of a Raspberry Pi Pico and Pico 2 (RP2040 and RP2350 data sheets, RP2350 as RP2350A)."""
PICO_PIN: Final = {
    **dict(zip(range(16), (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20), strict=True)),
    **dict(zip(range(16, 23), (21, 22, 24, 25, 26, 27, 29), strict=True)),
    26: 31,
    27: 32,
    28: 34,
}
"""GPIO → number of the pin on the module's edge, counted as on its drawing."""
OUTPUTS_ONLY: Final = (7, 15)
"""Bits of an MCP23017 that must not be inputs (DS20001952D, table 1-1: GPA7 and GPB7)."""
I2C_WORST_HERTZ: Final = 400_000
"""Above fast mode no cable of a table's length holds; the controllers do 1 MHz."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One function of a board: its GPIO, and in words what the wire goes to."""

    function: str
    gpio: int
    to: str

    @property
    def number(self) -> int:
        """The pin on the module's edge; KeyError if that GPIO is not led out."""
        return PICO_PIN[self.gpio]


@dataclass(frozen=True, slots=True)
class BoardChip:
    """A chip on a bus: ``address`` on I²C, ``select`` (a function) on SPI; the most Hz that its data sheet allows."""

    part: str
    hertz_most: int
    address: int | None = None
    select: str | None = None


@dataclass(frozen=True, slots=True)
class Bus:
    """One bus: ``pins`` maps its signals (sck, mosi, miso; sda, scl; tx, rx) to functions."""

    name: str
    kind: Literal["spi", "i2c", "uart"]
    number: int
    hertz: int
    pins: Mapping[str, str]
    parts: tuple[BoardChip, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """An expander's inputs in order of their bits, as ``KIND:NAME``; None if a bit is no input.

    ``edge:SEAT`` and ``place:ZONE`` are light barriers, of which the node makes the link's ``beam`` sensors;
    ``supply:NAME`` reports whether a supply is there. ``closed_at_rest``: the barriers' receivers conduct while they
    see light (Light-ON), so that one without supply, light or wire reads as interrupted.
    """

    bus: str
    address: int
    changed: str
    sensors: tuple[str | None, ...]
    closed_at_rest: bool = False


@dataclass(frozen=True, slots=True)
class NodeBoard:
    """One node's controller and what is connected to it."""

    name: str
    module: str
    does: str
    pins: tuple[Pin, ...]
    buses: tuple[Bus, ...]
    coils: tuple[str, ...]
    """Zones of the coils in the order of their readers' addresses."""
    inputs: tuple[Inputs, ...]
    cells: Mapping[str, str]
    """Zone of each scale → prefix of its two functions (``.dout``, ``.sck``)."""
    tilts: Mapping[str, tuple[str, int]]
    """Seat of each shield → bus and address of its accelerometer."""
    knocks: tuple[str, ...]
    turn: Mapping[str, str]
    alert: Mapping[str, str]
    buzzer: str | None

    def pin(self, function: str) -> Pin:
        """Return the pin with that function. Raises KeyError if there is none."""
        for pin in self.pins:
            if pin.function == function:
                return pin
        raise KeyError(f"board {self.name} has no function {function}")

    def sensors(self) -> tuple[tuple[str, str], ...]:
        """Return every sensor that the board can report, as (kind, name) in the words of the link's schema."""
        found = [("coil", zone) for zone in self.coils]
        found += [("scale", zone) for zone in self.cells]
        found += [("shield", seat) for seat in self.tilts]
        raw: dict[str, list[str]] = {}
        for sensor in (sensor for group in self.inputs for sensor in group.sensors if sensor is not None):
            kind, _, name = sensor.partition(":")
            raw.setdefault(kind, []).append(name)
            if kind not in ("edge", "place", "supply"):
                found.append((kind, name))
        found += _beams(raw.get("edge", []), raw.get("place", []))
        return (*found, *(("knock", seat) for seat in self.knocks))


@cache
def load_boards() -> dict[str, NodeBoard]:
    """All boards by name."""
    data = json.loads(files("hw").joinpath("node", "pins.json").read_text(encoding="utf-8"))
    return {name: _board(name, board) for name, board in data["boards"].items()}


def _board(name: str, data: Mapping[str, Any]) -> NodeBoard:
    return NodeBoard(
        name=name,
        module=data["module"],
        does=data["does"],
        pins=tuple(Pin(*pin) for pin in data["pins"]),
        buses=tuple(
            Bus(**{**bus, "parts": tuple(BoardChip(**part) for part in bus["parts"])})  # the keys are the fields
            for bus in data["buses"]
        ),
        coils=tuple(data["coils"]),
        inputs=tuple(Inputs(**{**group, "sensors": tuple(group["sensors"])}) for group in data["inputs"]),
        cells=data["cells"],
        tilts={seat: (at["bus"], at["address"]) for seat, at in data["tilts"].items()},
        knocks=tuple(data["knocks"]["seats"]) if data["knocks"] else (),
        turn=data["turn"],
        alert=data["alert"],
        buzzer=data["buzzer"],
    )


def problems(board: NodeBoard) -> list[str]:
    """Return the faults of a board's pins and buses, one sentence each; empty if there are none."""
    return [*_pins(board), *_buses(board), *_functions(board)]


def _pins(board: NodeBoard) -> Iterator[str]:
    for gpio, count in Counter(pin.gpio for pin in board.pins).items():
        if count > 1:
            names = ", ".join(pin.function for pin in board.pins if pin.gpio == gpio)
            yield f"{board.name}: GPIO {gpio} has {count} functions ({names})"
    for function, count in Counter(pin.function for pin in board.pins).items():
        if count > 1:
            yield f"{board.name}: {function} has {count} pins"
    for pin in board.pins:
        if pin.gpio not in PICO_GPIO:
            yield f"{board.name}: {pin.function} is at GPIO {pin.gpio}, which the module does not lead out"


def _can(kind: str, number: int, signal: str, gpio: int) -> bool:
    """Return True if the controller can put that bus signal on ``gpio`` (function tables of both data sheets)."""
    match kind:
        case "spi":
            place = {"miso": 0, "sck": 2, "mosi": 3}.get(signal)
            return place is not None and gpio % 4 == place and gpio // 8 % 2 == number
        case "i2c":
            place = {"sda": 0, "scl": 1}.get(signal)
            return place is not None and gpio % 2 == place and gpio // 2 % 2 == number
        case "uart":
            where = {0: (0, 12, 16, 28), 1: (4, 8, 20, 24)}[number]
            return gpio - (signal == "rx") in where
    return False


def _buses(board: NodeBoard) -> Iterator[str]:
    for (kind, number), count in Counter((bus.kind, bus.number) for bus in board.buses).items():
        if count > 1 or number not in (0, 1):
            yield f"{board.name}: {kind} {number} is used {count} times, and there are numbers 0 and 1"
    for bus in board.buses:
        yield from _bus_pins(board, bus)
        yield from _bus_parts(board, bus)


def _bus_pins(board: NodeBoard, bus: Bus) -> Iterator[str]:
    for signal, function in bus.pins.items():
        pin = next((pin for pin in board.pins if pin.function == function), None)
        if pin is None:
            yield f"{board.name}: bus {bus.name} wants {function}, which has no pin"
        elif bus.number in (0, 1) and not _can(bus.kind, bus.number, signal, pin.gpio):
            yield f"{board.name}: {bus.kind} {bus.number} cannot have {signal} at GPIO {pin.gpio}"


def _bus_parts(board: NodeBoard, bus: Bus) -> Iterator[str]:
    if bus.kind == "i2c" and bus.hertz > I2C_WORST_HERTZ:
        yield f"{board.name}: bus {bus.name} is faster than {I2C_WORST_HERTZ} Hz"
    for part in bus.parts:
        if bus.hertz > part.hertz_most:
            yield f"{board.name}: {part.part} bears {part.hertz_most} Hz, and bus {bus.name} runs at {bus.hertz}"
        if bus.kind == "i2c" and (part.address is None or not 8 <= part.address <= 119):
            yield f"{board.name}: {part.part} on {bus.name} has no valid address"
    for address, count in Counter(part.address for part in bus.parts if part.address is not None).items():
        if count > 1:
            yield f"{board.name}: address {address} is used {count} times on bus {bus.name}"


def _functions(board: NodeBoard) -> Iterator[str]:
    named = {pin.function for pin in board.pins}
    wanted = _wanted(board)
    if len(board.coils) > 8:
        yield f"{board.name}: {len(board.coils)} readers do not fit a decoder of eight"
    for function in sorted(wanted - named):
        yield f"{board.name}: {function} is used and has no pin"
    for function in sorted(named - wanted):
        yield f"{board.name}: {function} has a pin and is not used"
    parts = {(bus.name, part.address) for bus in board.buses for part in bus.parts}
    for bus_name, address in [(group.bus, group.address) for group in board.inputs] + list(board.tilts.values()):
        if (bus_name, address) not in parts:
            yield f"{board.name}: there is no chip with address {address} on bus {bus_name}"
    yield from _expanders(board)
    for sensor, count in Counter(board.sensors()).items():
        if count > 1:
            yield f"{board.name}: sensor {':'.join(sensor)} is connected {count} times"


def _beams(seats: list[str], places: list[str]) -> list[tuple[str, str]]:
    """Return the reaches that edge beams at ``seats`` and place beams at ``places`` report together."""
    where = (*places, "table") if places else ()
    return [("beam", f"{seat}:{place}") for seat in (*seats, "-") for place in where]


def _wanted(board: NodeBoard) -> set[str]:
    """Return the functions that the board's parts need a pin for."""
    wanted = {group.changed for group in board.inputs} | set(board.turn.values()) | set(board.alert.values())
    wanted |= {f"{where}.{word}" for where in board.cells.values() for word in ("dout", "sck")}
    wanted |= {function for bus in board.buses for function in bus.pins.values()}
    wanted |= {part.select for bus in board.buses for part in bus.parts if part.select}
    wanted |= {board.buzzer} if board.buzzer else set()
    if board.coils:
        wanted |= {"reader.busy", *(f"antenna.{bit}" for bit in range(3))}
        wanted |= {f"reader.reset.{place}" for place in range(len(board.coils))}
    return wanted


def _expanders(board: NodeBoard) -> Iterator[str]:
    """Input expanders with more sensors than pins, or with one at a pin that can only be an output."""
    for group in board.inputs:
        if len(group.sensors) > 16:
            yield f"{board.name}: an expander has sixteen pins, not {len(group.sensors)}"
        for bit in OUTPUTS_ONLY:
            if bit < len(group.sensors) and group.sensors[bit] is not None:
                yield f"{board.name}: {group.sensors[bit]} is at GP{'AB'[bit // 8]}7, which must not be an input"


def table(board: NodeBoard) -> str:
    """Return the pins of ``board`` as a table in Markdown."""
    head = ["| GPIO | pin of the module | function | goes to |", "|---|---|---|---|"]
    pins = sorted(board.pins, key=lambda pin: pin.gpio)
    return "\n".join([*head, *(f"| {pin.gpio} | {pin.number} | `{pin.function}` | {pin.to} |" for pin in pins)])


def tables() -> str:
    """Return the pins of all boards, as docs/firmware.md has them."""
    return "\n\n".join(f"**{b.name}** ({b.module}): {b.does}\n\n{table(b)}" for b in load_boards().values())


def main() -> int:
    """Print the tables, or what is wrong (exit 1)."""
    wrong = [problem for board in load_boards().values() for problem in problems(board)]
    sys.stdout.write("\n".join(wrong or [tables()]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
