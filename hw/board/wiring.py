"""The wiring of one table as data, and everything that can be wrong with it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
PINS: Final = HERE.parent / "node" / "pins.json"
CONTROLLERS: Final = ("gates", "seats")


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of a kind of part: what it does, and between which volts it works or what it bears."""

    role: str
    low: float
    high: float


@dataclass(frozen=True)
class Kind:
    """One kind of part: its name for people, its entry in the parts list, its pins and what it draws and gives (mA)."""

    key: str
    name: str
    part: str
    source: str
    pins: Mapping[str, Pin]
    milliamps: Mapping[str, float]
    gives: Mapping[str, float]
    drives: float = 0.0


@dataclass(frozen=True, slots=True)
class Net:
    """One net: its name, its highest volts and what it connects (``BOARD:FUNCTION`` or ``PART.PIN``)."""

    name: str
    volts: float
    ends: tuple[str, ...]


@dataclass(frozen=True)
class Wiring:
    """All parts with their kinds, all nets, the pins left open, the parts list, and the controllers' pins."""

    kinds: Mapping[str, Kind]
    parts: Mapping[str, tuple[str, str]]
    nets: tuple[Net, ...]
    free: frozenset[str]
    shopping: Mapping[str, Mapping[str, Any]]
    boards: Mapping[str, Mapping[str, Any]]

    def kind_of(self, part: str) -> Kind:
        """The kind of the part called ``part``."""
        return self.kinds[self.parts[part][0]]

    @cached_property
    def functions(self) -> Mapping[str, int]:
        """Every controller's functions, as ``gates:reader.miso``, with their GPIO numbers."""
        return {
            f"{board}:{function}": gpio for board in self.boards for function, gpio, _ in self.boards[board]["pins"]
        }

    def net_of(self, end: str) -> Net | None:
        """The net that ``end`` is on."""
        return next((net for net in self.nets if end in net.ends), None)

    def pin(self, end: str) -> Pin | None:
        """The pin that ``end`` names; None where there is none of that name."""
        if ":" in end:
            return Pin("io", 0.0, 3.3) if end in self.functions else None
        part, _, pin = end.partition(".")
        return self.kind_of(part).pins.get(pin) if part in self.parts else None


def load_wiring(folder: Path = HERE, pins: Path = PINS) -> Wiring:
    """The wiring as the project's files have it. Raises OSError or ValueError for files that cannot be read."""
    kinds = {
        key: Kind(
            key,
            one["name"],
            one["part"],
            one["source"],
            {name: Pin(*pin) for name, pin in one["pins"].items()},
            one.get("milliamps", {}),
            one.get("gives", {}),
            one.get("drives", 0.0),
        )
        for key, one in tomllib.loads((folder / "kinds.toml").read_text("utf-8")).items()
    }
    wired = tomllib.loads((folder / "wiring.toml").read_text("utf-8"))
    return Wiring(
        kinds,
        {name: (part["kind"], part["where"]) for name, part in wired["parts"].items()},
        tuple(Net(net["name"], net["volts"], tuple(net["ends"])) for net in wired["nets"]),
        frozenset(wired["free"]),
        tomllib.loads((folder / "parts.toml").read_text("utf-8")),
        json.loads(pins.read_text("utf-8"))["boards"],
    )


def problems(wiring: Wiring) -> list[str]:
    """Everything that is wrong, a sentence each; empty where the wiring is sound."""
    return [
        *_names(wiring),
        *_every_pin_once(wiring),
        *_volts(wiring),
        *_drivers(wiring),
        *_supplies(wiring),
        *_inputs_agree(wiring),
        *_shopping(wiring),
    ]


def _names(wiring: Wiring) -> Iterator[str]:
    for name, (kind, _) in wiring.parts.items():
        if kind not in wiring.kinds:
            yield f"part '{name}' is of the unknown kind '{kind}'"
    for net in wiring.nets:
        for end in net.ends:
            if wiring.pin(end) is None:
                yield f"net '{net.name}' names '{end}', which is no pin"


def _every_pin_once(wiring: Wiring) -> Iterator[str]:
    seen: dict[str, str] = {}
    for net in wiring.nets:
        for end in net.ends:
            if end in seen:
                yield f"'{end}' is on net '{seen[end]}' and on net '{net.name}'"
            seen[end] = net.name
    wanted = {f"{part}.{pin}" for part in wiring.parts for pin in wiring.kind_of(part).pins}
    wanted |= {end for end in wiring.functions if not end.split(":")[1].startswith("link.")}
    for end in sorted(wanted - seen.keys() - wiring.free):
        yield f"'{end}' is on no net"
    for end in sorted(wiring.free & seen.keys()):
        yield f"'{end}' is said to be free and is on net '{seen[end]}'"
    used = [gpio for board in wiring.boards for _, gpio, _ in wiring.boards[board]["pins"]]
    for board in wiring.boards:
        gpios = [gpio for _, gpio, _ in wiring.boards[board]["pins"]]
        for gpio in sorted({one for one in gpios if gpios.count(one) > 1}):
            yield f"GPIO {gpio} of board '{board}' has two functions"
        for gpio in gpios:
            if gpio not in range(23) and gpio not in (26, 27, 28):
                yield f"board '{board}' has no GPIO {gpio} on its edge"
    if not used:
        yield "no controller has any pin"


def _volts(wiring: Wiring) -> Iterator[str]:
    """No net may carry more than a pin bears, nor a supply less than a part needs."""
    for net in wiring.nets:
        for end in net.ends:
            pin = wiring.pin(end)
            if pin is None or pin.role == "ground":
                continue
            if pin.role == "source" and not pin.low <= net.volts <= pin.high:
                yield f"'{end}' gives {pin.low:g} V, its net '{net.name}' has {net.volts:g} V"
            elif pin.role == "supply" and not pin.low <= net.volts <= pin.high:
                yield f"'{end}' needs {pin.low:g} to {pin.high:g} V, its net '{net.name}' has {net.volts:g} V"
            elif pin.role in ("in", "io", "open", "wire") and net.volts > pin.high + 1e-9:
                yield f"'{end}' bears {pin.high:g} V, its net '{net.name}' has {net.volts:g} V"


def _drivers(wiring: Wiring) -> Iterator[str]:
    """At most one push-pull output drives a net; grounds are all one."""
    for net in wiring.nets:
        pins = {end: pin for end in net.ends if (pin := wiring.pin(end)) is not None}
        outs = [end for end, pin in pins.items() if pin.role in ("out", "source")]
        if len(outs) > 1:
            yield f"net '{net.name}' is driven by {' and '.join(outs)}"
        grounds = [end for end, pin in pins.items() if pin.role == "ground"]
        if grounds and net.name != "GND":
            yield f"'{grounds[0]}' is a ground on net '{net.name}'"


def budget(wiring: Wiring) -> dict[str, tuple[float, float]]:
    """What each supply has to give and what it can, in mA, by the name of its net.

    What a controller passes on through its own regulator counts at its input too.
    """
    drawn: dict[str, float] = {}
    given: dict[str, float] = {}
    for net in wiring.nets:
        for end in net.ends:
            part, _, pin = end.partition(".")
            if ":" in end or part not in wiring.parts:
                continue
            kind = wiring.kind_of(part)
            drawn[net.name] = drawn.get(net.name, 0.0) + kind.milliamps.get(pin, 0.0)
            if pin in kind.gives:
                given[net.name] = given.get(net.name, 0.0) + kind.gives[pin]
    for board in CONTROLLERS:
        inner, outer = wiring.net_of(f"{board}.3V3"), wiring.net_of(f"{board}.VBUS")
        if inner is None or outer is None:
            continue
        lamps = sum(
            wiring.kind_of(end.partition(".")[0]).drives
            for net in wiring.nets
            if any(one.startswith(f"{board}:") for one in net.ends)
            for end in net.ends
            if ":" not in end
        )
        drawn[inner.name] = drawn.get(inner.name, 0.0) + lamps
        drawn[outer.name] = drawn.get(outer.name, 0.0) + drawn[inner.name]
    return {name: (drawn.get(name, 0.0), given[name]) for name in given}


def _supplies(wiring: Wiring) -> Iterator[str]:
    for name, (drawn, given) in budget(wiring).items():
        if drawn > given:
            yield f"net '{name}' must give {drawn:g} mA and can give {given:g} mA"
    for net in wiring.nets:
        roles = {pin.role for end in net.ends if (pin := wiring.pin(end)) is not None}
        if "supply" in roles and "source" not in roles:
            yield f"net '{net.name}' supplies parts and has no source"


def _inputs_agree(wiring: Wiring) -> Iterator[str]:
    """The expander's bits are wired to what the firmware takes them for."""
    for board in wiring.boards:
        for number, group in enumerate(wiring.boards[board]["inputs"]):
            part = f"expander-{board}" if number == 0 else f"expander-{board}-{number + 1}"
            for bit, sensor in enumerate(group["sensors"]):
                pin = f"{part}.GP{'AB'[bit // 8]}{bit % 8}"
                net = wiring.net_of(pin)
                others = [] if net is None else [end.partition(".")[0] for end in net.ends if end != pin]
                if _part_of(sensor) not in others:
                    yield f"the firmware takes {pin} for '{sensor}', the wiring has {', '.join(others) or 'nothing'}"


def _part_of(sensor: str) -> str:
    kind, _, name = sensor.partition(":")
    match kind:
        case "edge" | "place":
            return f"beam-{kind}-{name}"
        case "screen" | "tray":
            return f"hall-{kind}-{name}"
    return f"{kind}-{name.replace(':', '-')}"


def _shopping(wiring: Wiring) -> Iterator[str]:
    counts: dict[str, int] = {}
    for name in wiring.parts:
        part = wiring.kind_of(name).part
        counts[part] = counts.get(part, 0) + 1
    for part, count in counts.items():
        listed = wiring.shopping.get(part, {}).get("count")
        if part == "strip":
            continue  # one lamp is made of two strips
        if listed != count:
            yield f"the wiring uses {count} of '{part}', the parts list has {listed}"
