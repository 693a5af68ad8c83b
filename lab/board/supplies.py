"""Supplies: currents, fuses, wires, order of coming up, capacitors, and who notices that one is lost."""

from __future__ import annotations

from collections.abc import Iterator

from lab.board.wiring import GROUND, Net, TablePart, Wiring, part_of

AMPERES_PER_MM2 = 12.0
"""Current that a single thin wire in air carries without growing warm (a cautious rule; the voltage drop decides
first)."""
FUSED_ABOVE_MA = 2000.0
"""A source that can give more than this must be fused before anything else hangs on it."""
FUSE_LOAD = 0.75
"""Share of its rating that a fuse carries for ever."""


def problems(wiring: Wiring) -> list[str]:
    """All that is wrong with the supplies."""
    return [
        *_budgets(wiring),
        *_sources(wiring),
        *_fuses(wiring),
        *_drops(wiring),
        *_order(wiring),
        *_capacitors(wiring),
        *_watched(wiring),
    ]


def load(wiring: Wiring, net: Net, passed: tuple[str, ...] = ()) -> float:
    """Return the most that is drawn from ``net``, in mA, with all that its parts pass on to other nets."""
    drawn = 0.0
    once: dict[str, float] = {}
    for end, pin in wiring.pins_on(net):
        if pin.role == "source":
            continue
        drawn += pin.ma if pin.role == "supply" else 0.0
        kind = wiring.kind_of(part_of(end))
        if pin.ma_once:
            once[kind.key] = max(once.get(kind.key, 0.0), pin.ma_once)
        drawn += _passed_on(wiring, end, (*passed, net.name)) + _through_resistor(wiring, end, net)
    return drawn + sum(once.values())


def _passed_on(wiring: Wiring, end: str, passed: tuple[str, ...]) -> float:
    """Return the current that ``end``'s part draws for nets that it feeds and lamps on a controller's outputs."""
    part, _, pin = end.partition(".")
    total = 0.0
    for out, (source, factor) in wiring.kind_of(part).passes.items():
        fed = wiring.net_of(f"{part}.{out}")
        if source == pin and fed is not None and fed.name not in passed:
            total += factor * load(wiring, fed, passed)
            if wiring.kind_of(part).gpio is not None:
                total += _driven(wiring, part)
    return total


def _through_resistor(wiring: Wiring, end: str, net: Net) -> float:
    """Return what a resistor can take from a supply into a signal, in mA: all of its volts."""
    part = wiring.parts[part_of(end)]
    if part.kind != "resistor" or net.name == GROUND:
        return 0.0
    other = wiring.net_of(f"{part.name}.{'B' if end.endswith('.A') else 'A'}")
    return 0.0 if other is None or wiring.is_supply(other) else net.volts / part.number * 1000


def _driven(wiring: Wiring, board: str) -> float:
    """Return what a controller's own outputs feed (lamps), in mA."""
    return sum(
        pin.ma
        for net in wiring.nets
        if any(one.startswith(f"{board}:") for one in net.ends)
        for _, pin in wiring.pins_on(net)
        if pin.role == "in"
    )


def budget(wiring: Wiring) -> dict[str, tuple[float, float]]:
    """Return what each supply has to give at most and what it can give, in mA, by the name of its net."""
    found = {}
    for net in wiring.nets:
        given = [(end, pin.gives) for end, pin in wiring.pins_on(net) if pin.gives]
        if given:
            own = sum(
                _driven(wiring, part_of(end)) for end, _ in given if wiring.kind_of(part_of(end)).gpio is not None
            )
            found[net.name] = (load(wiring, net) + own, sum(gives for _, gives in given))
    return found


def _budgets(wiring: Wiring) -> Iterator[str]:
    for name, (drawn, given) in budget(wiring).items():
        if drawn > given:
            yield f"net '{name}' must give {drawn:g} mA and can give {given:g} mA"


def _sources(wiring: Wiring) -> Iterator[str]:
    for net in wiring.nets:
        roles = {pin.role for _, pin in wiring.pins_on(net)}
        if "supply" in roles and "source" not in roles:
            yield f"net '{net.name}' supplies parts and has no source"


def _fuses(wiring: Wiring) -> Iterator[str]:
    for net in wiring.nets:
        strong = [end for end, pin in wiring.pins_on(net) if pin.role == "source" and pin.gives > FUSED_ABOVE_MA]
        if any(wiring.parts[part_of(end)].kind == "mains" for end in strong):
            yield from _unfused(wiring, net)
    for part in wiring.parts.values():
        fed = wiring.net_of(f"{part.name}.OUT") if part.kind == "fuse" else None
        if fed is not None:
            yield from _fuse(wiring, part, fed)


def _unfused(wiring: Wiring, net: Net) -> Iterator[str]:
    """Return what hangs on ``net``, which mains feed, without a fuse of its own."""
    for end, pin in wiring.pins_on(net):
        if pin.role == "supply" and wiring.parts[part_of(end)].kind != "fuse":
            yield (
                f"'{end}' hangs on net '{net.name}', which can give {FUSED_ABOVE_MA / 1000:g} A and more, "
                "without a fuse"
            )


def _fuse(wiring: Wiring, part: TablePart, fed: Net) -> Iterator[str]:
    """Yield a complaint if a fuse carries too much for it, or is too large for a wire of the net that it feeds."""
    drawn = load(wiring, fed) / 1000
    if drawn > FUSE_LOAD * part.number:
        yield (
            f"fuse '{part.name}' of {part.value} carries {drawn:.2g} A; it should carry "
            f"{FUSE_LOAD * part.number:.2g} A at most"
        )
    for end in fed.ends:
        cable = wiring.parts[part_of(end)].cable
        if cable is not None and part.number > AMPERES_PER_MM2 * cable.mm2:
            yield (
                f"fuse '{part.name}' of {part.value} does not protect the wire of {cable.mm2:g} mm2 to '{part_of(end)}'"
            )


def own_draw(wiring: Wiring, end: str) -> float:
    """Return what flows into one supply pin at most, in amperes."""
    pin = wiring.pin(end)
    return 0.0 if pin is None else (pin.ma + pin.ma_once + _passed_on(wiring, end, ())) / 1000


def volts_at(wiring: Wiring, end: str) -> float:
    """Return the least volts that arrive at a supply pin: the net's, less what its cable and those before it eat."""
    net = wiring.net_of(end)
    if net is None:
        return 0.0
    cable = wiring.parts[part_of(end)].cable
    drop = 0.0 if cable is None or wiring.kind_of(part_of(end)).straight else cable.ohms * own_draw(wiring, end)
    return net.volts - lost_before(wiring, net) - drop


def lost_before(wiring: Wiring, net: Net) -> float:
    """Volts that the cables on the way to ``net`` eat."""
    for end, pin in wiring.pins_on(net):
        part, _, out = end.partition(".")
        cable = wiring.parts[part].cable
        source = wiring.kind_of(part).passes.get(out)
        if pin.role != "source" or source is None or not wiring.kind_of(part).straight:
            continue
        before = wiring.net_of(f"{part}.{source[0]}")
        lost = 0.0 if before is None else lost_before(wiring, before)
        return lost + (cable.ohms * load(wiring, net) / 1000 if cable is not None else 0.0)
    return 0.0


def _drops(wiring: Wiring) -> Iterator[str]:
    for net in wiring.nets:
        for end, pin in wiring.pins_on(net):
            if pin.role != "supply" or not pin.low:
                continue
            arrives = volts_at(wiring, end)
            if arrives < pin.low - 1e-9 <= net.volts:
                yield f"at '{end}' {arrives:.2f} V arrive behind its cable; it needs {pin.low:g} V"


def feeds(wiring: Wiring, net: Net, later: Net, seen: frozenset[str] = frozenset()) -> bool:
    """Return True if ``later`` cannot have power before ``net`` has: it is the same or lies behind it."""
    if net.name == later.name:
        return True
    for end, pin in wiring.pins_on(later):
        part, _, out = end.partition(".")
        source = wiring.kind_of(part).passes.get(out)
        if pin.role == "source" and source is not None and later.name not in seen:
            before = wiring.net_of(f"{part}.{source[0]}")
            if before is not None and feeds(wiring, net, before, seen | {later.name}):
                return True
    return False


def _order(wiring: Wiring) -> Iterator[str]:
    for part in wiring.parts:
        for name, pin in wiring.kind_of(part).pins.items():
            net = wiring.net_of(f"{part}.{name}")
            for first in pin.after:
                earlier = wiring.net_of(f"{part}.{first}")
                if net is not None and (earlier is None or not feeds(wiring, earlier, net)):
                    where = f"net '{earlier.name}'" if earlier is not None else "no net"
                    yield f"'{part}.{name}' (net '{net.name}') may come up before '{part}.{first}' ({where})"


def _capacitors(wiring: Wiring) -> Iterator[str]:
    beside: dict[str, list[TablePart]] = {}
    for part in wiring.parts.values():
        if part.kind == "capacitor" and part.near:
            beside.setdefault(part.near, []).append(part)
    for name in wiring.parts:
        for pin, data in wiring.kind_of(name).pins.items():
            end = f"{name}.{pin}"
            net = wiring.net_of(end)
            if not data.bypass or net is None:
                continue
            right = [one for one in beside.get(end, ()) if _bridges(wiring, one.name, net)]
            for least in data.bypass:
                if not any(one.number >= least * 1e-9 * 0.99 for one in right):
                    yield f"'{end}' wants a capacitor of {least:g} nF beside it"


def _bridges(wiring: Wiring, capacitor: str, net: Net) -> bool:
    ends = {found.name for pin in "AB" if (found := wiring.net_of(f"{capacitor}.{pin}")) is not None}
    return ends == {net.name, GROUND}


def _watched(wiring: Wiring) -> Iterator[str]:
    """Check that the loss of a supply that silences sensors is noticed by a part on another supply."""
    watched = {part.watches for part in wiring.parts.values() if part.watches}
    for net in wiring.nets:
        sensors = [
            end for end, pin in wiring.pins_on(net) if pin.role == "supply" and wiring.kind_of(part_of(end)).senses
        ]
        if sensors and net.name not in watched and not _is_noticed(wiring, net):
            yield f"nobody notices when net '{net.name}' is lost, and {len(sensors)} sensors live on it"
    supplies = {net.name for net in wiring.nets if wiring.is_supply(net)}
    for part in wiring.parts.values():
        if part.watches and part.watches not in supplies:
            yield f"'{part.name}' is to watch '{part.watches}', which is no supply"
    yield from _unread(wiring)


def _is_noticed(wiring: Wiring, net: Net) -> bool:
    """Return True if a controller lives on ``net`` too, and so falls silent with it, or feeds it."""
    on_it = any(wiring.kind_of(part_of(end)).gpio is not None for end, _ in wiring.pins_on(net))
    return on_it or _from_controller(wiring, net)


def _unread(wiring: Wiring) -> Iterator[str]:
    """Find pins that report a fault and are read by no input."""
    for name in wiring.parts:
        for pin, data in wiring.kind_of(name).pins.items():
            told = wiring.net_of(f"{name}.{pin}")
            heard = told is not None and any(one.role in ("in", "io") for _, one in wiring.pins_on(told))
            if data.tells and not heard:
                yield f"nobody reads '{name}.{pin}', which says that something is wrong"


def _from_controller(wiring: Wiring, net: Net) -> bool:
    """Return True if ``net`` hangs on the same 5 V as a controller: that one falls silent with it."""
    for end, pin in wiring.pins_on(net):
        part, _, out = end.partition(".")
        source = wiring.kind_of(part).passes.get(out)
        before = wiring.net_of(f"{part}.{source[0]}") if pin.role == "source" and source is not None else None
        if before is not None and any(wiring.kind_of(part_of(one)).gpio is not None for one in before.ends):
            return True
    return False
