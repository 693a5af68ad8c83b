"""The wiring of one table as data: parts, kinds, pins and nets. ``lab.board.wiring_checks`` finds what is wrong."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
PINS: Final = HERE.parents[1] / "hw" / "node" / "pins.json"
GROUND: Final = "GND"
SIGNAL_VOLTS: Final = 3.3
"""Volts of a net that wiring.toml gives none."""
SERIES_OHMS: Final = 1000.0
"""A resistor of at most so much between two signals passes their levels on."""
PREFIXES: Final = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6}


@dataclass(frozen=True, slots=True)
class PartPin:
    """One pin of a kind of part; the fields are explained in kinds.toml. Volts, mA, ohms, nF."""

    role: str
    low: float = 0.0
    high: float = 0.0
    vil: float | None = None
    vih: float | None = None
    vol: float | None = None
    voh: float | None = None
    sink: float = 0.0
    pull: float = 0.0
    ma: float = 0.0
    ma_once: float = 0.0
    gives: float = 0.0
    swing: tuple[float, float] | None = None
    after: tuple[str, ...] = ()
    bypass: tuple[float, ...] = ()
    rest: str = ""
    strap: str = ""
    level: str = ""
    tells: bool = False


@dataclass(frozen=True)
class PartKind:
    """One kind of part: its name, what it is made of (entries of the parts list), its pins and what it needs."""

    key: str
    name: str
    parts: Mapping[str, int]
    prefix: str
    source: str
    pins: Mapping[str, PartPin]
    memory: str = ""
    passes: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """Output pin → the pin that its current is drawn from, times a factor."""
    carries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Pin that passes a signal on → the pins at which it came in."""
    senses: bool = False
    straight: bool = False
    """Its output has its input's volts (fuse, cable)."""
    led: Mapping[str, float] | None = None
    gpio: PartPin | None = None
    """A controller's pin, whatever its function."""
    rates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Jumper → position → readings a second."""
    factory: Mapping[str, str] = field(default_factory=dict)
    """Position in which a jumper is sold."""
    hertz: float = 0.0
    hertz_least: float = 0.0
    address: Mapping[str, Any] | None = None
    """A pin, and the I2C address when it is low or high."""


@dataclass(frozen=True, slots=True)
class Cable:
    """Cable of a part: length, cross-section of one wire, its connector, or the part whose cable it shares."""

    metres: float
    mm2: float
    connector: str = ""
    shared: str = ""

    @property
    def ohms(self) -> float:
        """Resistance of both directions; copper at 20 °C."""
        return 2 * 0.0175 * self.metres / self.mm2


@dataclass(frozen=True)
class TablePart:
    """One part of the table: its kind, its place, its sheet of the schematic, its value, cable and settings."""

    name: str
    kind: str
    where: str
    sheet: str = ""
    value: str = ""
    near: str = ""
    """For a capacitor: the pin (PART.PIN) that it is placed beside."""
    watches: str = ""
    """The supply net whose loss this part makes known."""
    cable: Cable | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    row: str = ""
    """Parts of one name of an [[each]] are in one row of the schematic."""

    @property
    def number(self) -> float:
        """The value in ohms, farads or amperes; 0 if it has none."""
        return parse_value(self.value)


@dataclass(frozen=True, slots=True)
class Net:
    """One net: its name, its highest volts and what it connects (``BOARD:FUNCTION`` or ``PART.PIN``)."""

    name: str
    volts: float
    ends: tuple[str, ...]


@dataclass(frozen=True)
class Wiring:
    """All parts with their kinds, all nets, the pins left open, the parts list, and the controllers' pins."""

    kinds: Mapping[str, PartKind]
    parts: Mapping[str, TablePart]
    nets: tuple[Net, ...]
    free: frozenset[str]
    shopping: Mapping[str, Mapping[str, Any]]
    boards: Mapping[str, Mapping[str, Any]]

    def kind_of(self, part: str) -> PartKind:
        """Return the kind of the part called ``part``."""
        return self.kinds[self.parts[part].kind]

    @cached_property
    def functions(self) -> Mapping[str, int]:
        """Every controller's functions, as ``gates:reader.miso``, with their GPIO numbers."""
        return {
            f"{board}:{function}": gpio for board in self.boards for function, gpio, _ in self.boards[board]["pins"]
        }

    @cached_property
    def net_by_end(self) -> Mapping[str, Net]:
        """The net of every connected pin."""
        return {end: net for net in self.nets for end in net.ends}

    @cached_property
    def net_by_name(self) -> Mapping[str, Net]:
        """Every net."""
        return {net.name: net for net in self.nets}

    def net_of(self, end: str) -> Net | None:
        """Return the net that ``end`` is on."""
        return self.net_by_end.get(end)

    def pin(self, end: str) -> PartPin | None:
        """Return the pin that ``end`` names; None if there is none of that name."""
        if ":" in end:
            board = end.partition(":")[0]
            return self.kind_of(board).gpio if end in self.functions and board in self.parts else None
        part, _, pin = end.partition(".")
        known = part in self.parts and self.parts[part].kind in self.kinds
        return self.kind_of(part).pins.get(pin) if known else None

    def pins_on(self, net: Net) -> Iterator[tuple[str, PartPin]]:
        """Every end of ``net`` with its pin."""
        for end in net.ends:
            pin = self.pin(end)
            if pin is not None:
                yield end, pin

    def is_supply(self, net: Net) -> bool:
        """Return True for ground and for what a source feeds."""
        return net.name == GROUND or any(pin.role == "source" for _, pin in self.pins_on(net))

    @cached_property
    def _node_of(self) -> Mapping[str, frozenset[str]]:
        node = {net.name: frozenset([net.name]) for net in self.nets}
        for part in self.parts.values():
            if part.kind != "resistor" or part.number > SERIES_OHMS:
                continue
            ends = [self.net_of(f"{part.name}.{pin}") for pin in "AB"]
            if any(net is None or self.is_supply(net) for net in ends):
                continue
            joined = frozenset().union(*(node[net.name] for net in ends if net is not None))
            node.update(dict.fromkeys(joined, joined))
        return node

    def node(self, net: Net) -> tuple[Net, ...]:
        """``net`` and all that small series resistors join to it."""
        return tuple(self.net_by_name[name] for name in sorted(self._node_of[net.name]))

    def pins_at(self, net: Net) -> Iterator[tuple[str, PartPin]]:
        """Yield pins as ``pins_on`` does, of all nets that small series resistors join."""
        for one in self.node(net):
            yield from self.pins_on(one)


def part_of(end: str) -> str:
    """Return the part that the pin ``end`` belongs to."""
    return end.partition(":")[0] if ":" in end else end.partition(".")[0]


def parse_value(text: str) -> float:
    """``2.2k``, ``100n``, ``0.5 A`` in ohms, farads or amperes; 0.0 for an empty text. Raises ValueError for others."""
    bare = text.removesuffix("A").strip()
    if not bare:
        return 0.0
    return float(bare[:-1]) * PREFIXES[bare[-1]] if bare[-1] in PREFIXES else float(bare)


def load_wiring(folder: Path = HERE, pins: Path = PINS) -> Wiring:
    """Return the wiring as the project's files have it, or another board's in ``folder``; its kinds.toml adds to ours.

    Raises OSError or ValueError for files that cannot be read.
    """
    known = tomllib.loads((HERE / "kinds.toml").read_text("utf-8"))
    if folder != HERE:
        known |= tomllib.loads((folder / "kinds.toml").read_text("utf-8"))
    kinds = {key: _kind(key, one) for key, one in known.items()}
    data = tomllib.loads((folder / "wiring.toml").read_text("utf-8"))
    raw = dict(_all_parts(data))
    volts: Mapping[str, float] = data["nets"]
    ends: dict[str, list[str]] = {}
    free = set()
    for name, one in raw.items():
        kind = kinds.get(one["kind"])
        for pin, net in one["pins"].items():
            ends.setdefault(net, []).append(_end(kind, name, pin))
        free |= {_end(kind, name, pin) for pin in one.get("open", ())}
    return Wiring(
        kinds,
        {name: _part(name, one) for name, one in raw.items()},
        tuple(Net(name, volts.get(name, SIGNAL_VOLTS), tuple(on)) for name, on in ends.items()),
        frozenset(free),
        tomllib.loads((folder / "parts.toml").read_text("utf-8")),
        json.loads(pins.read_text("utf-8"))["boards"],
    )


def _end(kind: PartKind | None, part: str, pin: str) -> str:
    """``PART.PIN``, or ``BOARD:FUNCTION`` for what is no pin of a controller's own."""
    is_function = kind is not None and kind.gpio is not None and pin not in kind.pins
    return f"{part}{':' if is_function else '.'}{pin}"


def _kind(key: str, one: Mapping[str, Any]) -> PartKind:
    plain = {f.name for f in fields(PartKind)} - {"key", "pins", "gpio", "passes", "carries"}
    return PartKind(
        key=key,
        pins={name: _pin(pin) for name, pin in one["pins"].items()},
        gpio=_pin(one["gpio"]) if "gpio" in one else None,
        passes={pin: (source, factor) for pin, (source, factor) in one.get("passes", {}).items()},
        carries={pin: tuple(origins) for pin, origins in one.get("carries", {}).items()},
        **{name: value for name, value in one.items() if name in plain},
    )


def _pin(one: Mapping[str, Any]) -> PartPin:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in one.items()}
    return PartPin(**values)


def _part(name: str, one: Mapping[str, Any]) -> TablePart:
    cable = one.get("cable")
    plain = {name: value for name, value in one.items() if name not in ("cable", "pins", "open")}
    return TablePart(
        name=name,
        cable=None
        if cable is None
        else Cable(cable["metres"], cable["mm2"], cable.get("connector", ""), cable.get("with", "")),
        **plain,
    )


def _all_parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every part, those of [[each]] once for each name."""
    yield from data["parts"].items()
    for group, each in enumerate(data.get("each", ())):
        for number, name in enumerate(each["names"]):
            words = {"{}": name}
            words |= {f"{{{key}}}": values[number] for key, values in each.items() if key not in ("names", "parts")}
            for part, one in each["parts"].items():
                yield _filled(part, words), {**_filled(one, words), "row": f"{group} {name}"}


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for mark, word in words.items():
            value = value.replace(mark, word)
        return value
    if isinstance(value, dict):
        return {_filled(key, words): _filled(one, words) for key, one in value.items()}
    return [_filled(one, words) for one in value] if isinstance(value, list) else value
