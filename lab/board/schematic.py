"""Schematic sheets laid out from the wiring: boxes with their pins, each pin with the name of its net.

One layout serves the pictures in docs/board (``drawing``) and the files for KiCad (``kicad``). Millimetres, y
downwards, everything on KiCad's grid of 2.54 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Final

from hw.pins import PICO_PIN
from lab.board.wiring import PartKind, TablePart, Wiring

GRID: Final = 2.54
SHEETS: Final = {
    "power": "Power: mains, fuses, UPS, Pi, cables",
    "gates": "Gates board: controller, supply of the readers, decoder and selector",
    "readers": "Readers and coils, one at each gate",
    "beams": "Light barriers, optocouplers, expander of the gates board",
    "seats": "Seats board: controller, scales, shields",
    "buttons": "Seats board: buttons, lights, sounder",
    "knock": "Seats board: knock sensors with their peak detectors",
    "places": "Places board, for tarocco and bridge: scales, screen, tray",
}
TALLEST: Final = 245.0
"""Millimetres that a column of parts may reach down."""
LETTER: Final = 1.4
"""Width of a letter of a label."""
GAP: Final = 4 * GRID
"""Between a part and the next below, for its name and value."""
FRAME: Final = 20.0
EDGE_PINS: Final = {"VBUS": 40, "3V3": 36, "GND": 38}
"""Pins of a Pico's edge that are no GPIO (its data sheet)."""


@dataclass(frozen=True, slots=True)
class PlacedPin:
    """A pin of a placed part: the start of its wire, its side; its net, or "" if it is left open."""

    name: str
    number: str
    role: str
    left: bool
    x: float
    y: float
    net: str


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A part on its sheet: the box's corner and size, and its pins."""

    part: TablePart
    kind: PartKind
    reference: str
    x: float
    y: float
    width: float
    height: float
    pins: tuple[PlacedPin, ...]

    @property
    def value(self) -> str:
        """Value of the part as a parts list gives it."""
        return self.part.value or self.kind.name


@dataclass(frozen=True, slots=True)
class SchematicSheet:
    """One sheet of the schematic."""

    name: str
    title: str
    width: float
    height: float
    parts: tuple[PlacedPart, ...]


def references(wiring: Wiring) -> dict[str, str]:
    """Part → reference designator: its kind's letter and a number in the order of wiring.toml."""
    counts: dict[str, int] = {}
    found = {}
    for part in wiring.parts:
        prefix = wiring.kind_of(part).prefix
        counts[prefix] = counts.get(prefix, 0) + 1
        found[part] = f"{prefix}{counts[prefix]}"
    return found


def sheets(wiring: Wiring) -> list[SchematicSheet]:
    """All sheets. Raises KeyError for a part whose sheet is unknown."""
    names = references(wiring)
    grouped: dict[str, list[str]] = {name: [] for name in SHEETS}
    for part in wiring.parts.values():
        grouped[part.sheet].append(part.name)
    return [_sheet(wiring, name, parts, names) for name, parts in grouped.items()]


def _pins(wiring: Wiring, part: str) -> Iterator[tuple[str, str, str, str]]:
    """(name, number, role, net) of every pin of ``part``, functions of a controller included."""
    for pin, data in wiring.kind_of(part).pins.items():
        net = wiring.net_of(f"{part}.{pin}")
        number = str(EDGE_PINS[pin]) if wiring.kind_of(part).gpio is not None else pin
        yield pin, number, data.role, "" if net is None else net.name
    for end, gpio in wiring.functions.items():
        board, _, function = end.partition(":")
        if board == part:
            net = wiring.net_of(end)
            yield function, str(PICO_PIN[gpio]), "io", "" if net is None else net.name


def _on_left(role: str, place: int, count: int) -> bool:
    return place == 0 if count == 2 else role in ("supply", "in", "ground")


def _place(wiring: Wiring, name: str, reference: str) -> PlacedPart:
    """One part at the origin of its sheet."""
    pins = list(_pins(wiring, name))
    left = [pin for n, pin in enumerate(pins) if _on_left(pin[2], n, len(pins))]
    right = [pin for n, pin in enumerate(pins) if not _on_left(pin[2], n, len(pins))]
    rows = max(len(left), len(right), 1)
    words = max((len(pin[0]) for pin in left), default=0) + max((len(pin[0]) for pin in right), default=0)
    width = max(4 * GRID, GRID * ceil(words * LETTER / GRID + 1.5))
    placed = []
    for is_left, side in ((True, left), (False, right)):
        for row, (pin, number, role, net) in enumerate(side):
            x = -GRID if is_left else width + GRID
            placed.append(PlacedPin(pin, number, role, is_left, x, GRID * (row + 1), net))
    part = wiring.parts[name]
    return PlacedPart(part, wiring.kinds[part.kind], reference, 0, 0, width, GRID * (rows + 1), tuple(placed))


def _moved(placed: PlacedPart, x: float, y: float) -> PlacedPart:
    pins = tuple(
        PlacedPin(pin.name, pin.number, pin.role, pin.left, round(pin.x + x, 2), round(pin.y + y, 2), pin.net)
        for pin in placed.pins
    )
    return PlacedPart(
        placed.part,
        placed.kind,
        placed.reference,
        round(placed.x + x, 2),
        round(placed.y + y, 2),
        placed.width,
        placed.height,
        pins,
    )


def _label_room(placed: PlacedPart, *, left: bool) -> float:
    longest = max((len(pin.net) for pin in placed.pins if pin.left == left), default=0)
    return GRID * (ceil(longest * LETTER / GRID) + 2)


def _block(parts: list[PlacedPart]) -> tuple[list[PlacedPart], float, float]:
    """Parts side by side with room for their labels, from the origin: (parts, width, height)."""
    done, x = [], 0.0
    for part in parts:
        x += _label_room(part, left=True)
        done.append(_moved(part, x, 0))
        x += part.width + _label_room(part, left=False)
    return done, x, max(part.height for part in parts)


def _sheet(wiring: Wiring, name: str, parts: list[str], names: dict[str, str]) -> SchematicSheet:
    """Blocks in columns from the left: a part alone, or the parts of one name of an [[each]] in a row."""
    grouped = groupby(parts, key=lambda part: wiring.parts[part].row or part)
    blocks = [_block([_place(wiring, part, names[part]) for part in group]) for _, group in grouped]
    done: list[PlacedPart] = []
    left, widest, lowest = GRID * 6, 0.0, 0.0
    y = top = GRID * 12
    for block, width, height in blocks:
        if y > top and y + height > TALLEST:
            left, widest, y = left + GRID * ceil(widest / GRID), 0.0, top
        done += [_moved(part, left, y) for part in block]
        y += GRID * ceil((height + GAP) / GRID)
        widest, lowest = max(widest, width), max(lowest, y)
    return SchematicSheet(name, SHEETS[name], left + widest + FRAME, lowest + FRAME, tuple(done))
