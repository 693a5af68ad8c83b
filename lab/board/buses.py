"""Buses and rates: rise times on I2C and SPI with their cables, what hangs on a cable, readings a second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lab.board.levels import pull_up_ohms
from lab.board.wiring import Net, Wiring, part_of

PASSIVE = ("resistor", "capacitor")
PIN_PF = 10.0
CABLE_PF_PER_M = 100.0
"""Capacitance of a wire beside its return in a cable of a table's kind."""
RISE_NS = {100_000: 1000.0, 400_000: 300.0}
"""The longest rise time by the bus's speed (NXP UM10204, table of characteristics)."""
MOST_PF = 400.0
SINK_MA = 3.0
LOW_V = 0.4
DRIVER_OHM = 40.0
"""Series resistance of a controller's output at its usual strength."""


def problems(wiring: Wiring) -> list[str]:
    """All that is wrong with buses and sampling rates."""
    found = [*_rates(wiring), *_addresses(wiring)]
    for board in wiring.boards:
        for bus in wiring.boards[board]["buses"]:
            for signal, function in bus["pins"].items():
                net = wiring.net_of(f"{board}:{function}")
                if net is None or bus["kind"] == "uart":
                    continue
                check = _i2c if bus["kind"] == "i2c" else _spi
                found += check(wiring, board, bus, net) if signal != "miso" else ()
    return found


def picofarads(wiring: Wiring, net: Net) -> float:
    """Capacitance of all pins and cables on the node of ``net``."""
    total = 0.0
    for end, _ in wiring.pins_at(net):
        part = wiring.parts[part_of(end)]
        if part.kind in PASSIVE:
            continue
        total += PIN_PF + (part.cable.metres * CABLE_PF_PER_M if part.cable is not None else 0.0)
    return total


def sides(wiring: Wiring, net: Net) -> Iterator[Net]:
    """Yield the net itself and those behind its buffers."""
    yield net
    for end in net.ends:
        part, _, pin = end.partition(".")
        for out, origins in wiring.kind_of(part).carries.items() if ":" not in end else ():
            behind = wiring.net_of(f"{part}.{out}")
            if pin in origins and behind is not None and wiring.parts[part].kind == "buffer":
                yield behind


def _i2c(wiring: Wiring, board: str, bus: Mapping[str, Any], first: Net) -> Iterator[str]:
    for net in sides(wiring, first):
        yield from _i2c_line(wiring, bus["hertz"], net)
    cabled = [end for end in first.ends if wiring.parts[part_of(end)].cable is not None]
    fixed = [end for end in first.ends if wiring.parts[part_of(end)].cable is None and part_of(end) != board]
    fixed = [end for end in fixed if wiring.parts[part_of(end)].kind not in PASSIVE]
    if cabled and fixed:
        yield (
            f"a short in a cable to {' or '.join(map(part_of, cabled))} silences "
            f"{' and '.join(map(part_of, fixed))} on net '{first.name}'"
        )


def _i2c_line(wiring: Wiring, hertz: int, net: Net) -> Iterator[str]:
    """Check a line of the bus: pull-ups that are missing, too strong, or too weak for its capacitance and speed."""
    ohms, farads = pull_up_ohms(wiring, net), picofarads(wiring, net)
    if ohms == float("inf"):
        yield f"nothing pulls net '{net.name}' up"
        return
    if (net.volts - LOW_V) / ohms * 1000 > SINK_MA:
        yield f"the pull-ups of net '{net.name}' are {ohms:.0f} ohm together: more than {SINK_MA:g} mA to pull down"
    rise, most = 0.8473 * ohms * farads * 1e-3, RISE_NS[100_000 if hertz <= 100_000 else 400_000]
    if rise > most:
        yield f"net '{net.name}' rises in {rise:.0f} ns ({farads:.0f} pF), at {hertz} Hz {most:.0f} are allowed"
    if farads > MOST_PF:
        yield f"net '{net.name}' has {farads:.0f} pF, {MOST_PF:.0f} are allowed"


def _spi(wiring: Wiring, board: str, bus: Mapping[str, Any], net: Net) -> Iterator[str]:
    """Yield a complaint if an edge outlasts a third of half a period: driver and series resistor charge all stubs."""
    series = sum(
        wiring.parts[part_of(end)].number
        for end in net.ends
        if wiring.parts[part_of(end)].kind == "resistor" and len(wiring.node(net)) > 1
    )
    farads = picofarads(wiring, net)
    rise = 2.2 * (DRIVER_OHM + series) * farads * 1e-3
    half = 1e9 / bus["hertz"] / 2
    if rise > half / 3 * 2:
        yield (
            f"net '{net.name}' of board '{board}' rises in {rise:.0f} ns ({farads:.0f} pF); half a period is "
            f"{half:.0f} ns"
        )


def _addresses(wiring: Wiring) -> Iterator[str]:
    """Check that the pin that sets a shield's address is wired as the firmware expects."""
    for board in wiring.boards.values():
        for seat, at in board["tilts"].items():
            part = f"shield-{seat}"
            chosen = wiring.kind_of(part).address if part in wiring.parts else None
            net = None if chosen is None else wiring.net_of(f"{part}.{chosen['pin']}")
            if chosen is None or net is None:
                continue
            wired = chosen["high"] if net.volts > 0 else chosen["low"]
            if wired != at["address"]:
                yield f"the firmware looks for '{part}' at {at['address']:02X}h, it is wired to {wired:02X}h"


def _rates(wiring: Wiring) -> Iterator[str]:
    for part in wiring.parts.values():
        kind = wiring.kinds[part.kind]
        hertz = kind.hertz
        for jumper, positions in kind.rates.items():
            hertz = positions[part.settings.get(jumper, kind.factory[jumper])]
        if kind.hertz_least and hertz < kind.hertz_least:
            yield f"'{part.name}' reads {hertz:g} times a second, {kind.hertz_least:g} are needed"
