"""Signals: what a pin bears, whether low is low and high is high for who reads it, and what a line does when alone."""

from __future__ import annotations

from collections.abc import Iterator

from lab.board.wiring import GROUND, Net, PartPin, Wiring, part_of

READS = ("in", "io")
DRIVES = ("out", "io", "open")


def problems(wiring: Wiring) -> list[str]:
    """All that is wrong with levels, pulls and signal ranges."""
    found: list[str] = []
    for net in wiring.nets:
        if net.name != GROUND:
            found += _bears(wiring, net)
            found += _swing(wiring, net)
    done: set[str] = set()
    for net in wiring.nets:
        node = wiring.node(net)
        if net.name in done or any(wiring.is_supply(one) for one in node):
            continue
        done |= {one.name for one in node}
        found += _levels(wiring, net)
        found += _raised(wiring, net)
        found += _rest(wiring, net)
    for part in wiring.parts:
        found += _couplers(wiring, part)
    return found


def _bears(wiring: Wiring, net: Net) -> Iterator[str]:
    """No net carries more than a pin bears, nor a supply other than a part needs."""
    for end, pin in wiring.pins_on(net):
        if pin.role == "source" and not pin.low <= net.volts <= pin.high:
            yield f"'{end}' gives {pin.low:g} V, its net '{net.name}' has {net.volts:g} V"
        elif pin.role == "supply" and not pin.low <= net.volts <= pin.high:
            yield f"'{end}' needs {pin.low:g} to {pin.high:g} V, its net '{net.name}' has {net.volts:g} V"
        elif pin.role in ("in", "io", "open") and net.volts > pin.high + 1e-9:
            yield f"'{end}' bears {pin.high:g} V, its net '{net.name}' has {net.volts:g} V"


def _swing(wiring: Wiring, net: Net) -> Iterator[str]:
    """Yield a complaint for each part on ``net`` that does not bear both halves of what alternates around ground."""
    pins = list(wiring.pins_at(net))
    for end, pin in wiring.pins_on(net):
        if pin.swing is None:
            continue
        low, high = pin.swing
        for other, bears in pins:
            if other != end and bears.role != "ground" and (bears.low > low or bears.high < high):
                yield (
                    f"'{end}' swings from {low:g} to {high:g} V, '{other}' on net '{net.name}' "
                    f"bears {bears.low:g} to {bears.high:g} V"
                )


def pulls(wiring: Wiring, net: Net) -> Iterator[tuple[str, float, float]]:
    """Return what pulls the node of ``net``: (part, volts it pulls to, ohms), resistors and built-in pull-ups."""
    for one in wiring.node(net):
        for end, pin in wiring.pins_on(one):
            name = part_of(end)
            if pin.pull:
                yield name, 3.3, pin.pull
            part = wiring.parts[name]
            if part.kind == "resistor":
                other = wiring.net_of(f"{name}.{'B' if end.endswith('.A') else 'A'}")
                if other is not None and wiring.is_supply(other):
                    yield name, other.volts, part.number


def pull_up_ohms(wiring: Wiring, net: Net) -> float:
    """Return all pull-ups of the node in parallel; infinite if there is none."""
    conductance = sum(1 / ohms for _, volts, ohms in pulls(wiring, net) if volts > 0)
    return 1 / conductance if conductance else float("inf")


def _levels(wiring: Wiring, net: Net) -> Iterator[str]:
    pins = list(wiring.pins_at(net))
    readers = [(end, pin) for end, pin in pins if pin.role in READS]
    drivers = [(end, pin) for end, pin in pins if pin.role in DRIVES]
    for reader, takes in readers:
        others = [(end, pin) for end, pin in drivers if part_of(end) != part_of(reader)]
        if takes.vil is None or takes.vih is None:
            yield f"kinds.toml gives no input level for '{reader}'"
            continue
        for driver, gives in others:
            yield from _understood(driver, gives, reader, takes.vil, takes.vih)
        if others and all(pin.role == "open" for _, pin in others):
            yield from _pulled_up(wiring, net, reader, others)
        yield from _alone(wiring, net, reader, others)


def _understood(driver: str, gives: PartPin, reader: str, vil: float, vih: float) -> Iterator[str]:
    """Levels of ``driver`` that ``reader``, with thresholds ``vil`` and ``vih`` in volts, does not take for such."""
    if gives.vol is None:
        yield f"kinds.toml gives no output level for '{driver}'"
    elif gives.vol > vil:
        yield f"'{driver}' pulls no lower than {gives.vol:g} V, '{reader}' takes for low what is below {vil:g} V"
    if gives.role == "out" and gives.voh is not None and gives.voh < vih:
        yield f"'{driver}' gives {gives.voh:g} V when high, '{reader}' takes for high what is above {vih:g} V"


def _raised(wiring: Wiring, net: Net) -> Iterator[str]:
    """Yield a complaint for each output or pull-up whose own supply's volts lift an input above what it bears."""
    pins = list(wiring.pins_at(net))
    for end, pin in pins:
        supply = wiring.net_of(f"{part_of(end)}.{pin.level}") if pin.level else None
        for other, bears in pins if supply is not None else ():
            if part_of(other) != part_of(end) and bears.role in READS and supply.volts > bears.high + 1e-9:  # type: ignore[union-attr]
                yield f"'{end}' gives {supply.volts:g} V when high, '{other}' bears {bears.high:g} V"  # type: ignore[union-attr]


def _pulled_up(wiring: Wiring, net: Net, reader: str, drivers: list[tuple[str, PartPin]]) -> Iterator[str]:
    """Yield a complaint for each open collector without a pull-up, or with one whose current it does not bear."""
    ohms = pull_up_ohms(wiring, net)
    if ohms == float("inf"):
        yield f"'{reader}': nothing pulls net '{net.name}' up"
        return
    for driver, pin in drivers:
        if net.volts / ohms * 1000 > pin.sink:
            yield (
                f"'{driver}' can pull down {pin.sink:g} mA, the pull-up of net '{net.name}' gives "
                f"{net.volts / ohms * 1000:.2g}"
            )


def _alone(wiring: Wiring, net: Net, reader: str, drivers: list[tuple[str, PartPin]]) -> Iterator[str]:
    """Yield a complaint for a line that has no level while its far end is unplugged."""
    unpluggable = [end for end, _ in drivers if wiring.parts[part_of(end)].cable is not None]
    stays = [end for end, pin in drivers if end not in unpluggable and pin.role == "out"]
    if unpluggable and not stays and wiring.parts[part_of(reader)].cable is None and not list(pulls(wiring, net)):
        yield f"'{reader}' floats on net '{net.name}' when {' or '.join(unpluggable)} is unplugged"


def _rest(wiring: Wiring, net: Net) -> Iterator[str]:
    """Yield a complaint for each end that must not move while a controller starts and that no resistor holds."""
    for end, pin in wiring.pins_at(net):
        if not pin.rest:
            continue
        held = {"high" if volts > 0 else "low" for _, volts, _ in pulls(wiring, net)}
        if held != {pin.rest}:
            yield (
                f"'{end}' must rest {pin.rest} while the node starts, and no resistor of net '{net.name}' holds it "
                "there"
            )


def _couplers(wiring: Wiring, part: str) -> Iterator[str]:
    """Yield a complaint for each optocoupler whose light is not bright enough, or too bright."""
    kind = wiring.kind_of(part)
    for collector, (anode, cathode) in kind.carries.items() if kind.led else ():
        fed, drained = wiring.net_of(f"{part}.{anode}"), wiring.net_of(f"{part}.{cathode}")
        if kind.led is None or fed is None or drained is None:
            continue
        low = max([pin.vol or 0.0 for _, pin in wiring.pins_on(drained) if pin.role == "open"], default=0.0)
        amps = sum(max(0.0, volts - kind.led["forward"] - low) / ohms for _, volts, ohms in pulls(wiring, fed))
        if not kind.led["least"] <= amps * 1000 <= kind.led["most"]:
            yield (
                f"the light of '{part}.{collector}' gets {amps * 1000:.1f} mA, not {kind.led['least']:g} to "
                f"{kind.led['most']:g}"
            )
        net = wiring.net_of(f"{part}.{collector}")
        if net is not None and amps * kind.led["transfer"] < 2 * net.volts / pull_up_ohms(wiring, net):
            yield f"'{part}.{collector}' does not surely pull net '{net.name}' down"
