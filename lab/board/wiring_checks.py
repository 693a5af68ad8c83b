"""Everything that can be wrong with the wiring of a table, a sentence each. ``problems`` asks all the checks."""

from __future__ import annotations

from collections.abc import Iterator

from lab.board import beams, buses, knock, levels, pin_links, supplies
from lab.board.wiring import GROUND, Wiring, part_of

GPIO_ON_EDGE = (*range(23), 26, 27, 28)


def problems(wiring: Wiring) -> list[str]:
    """Everything that is wrong; empty if the wiring is sound.

    Names, connections and the parts list are checked first: while they are wrong, volts and levels mean nothing.
    """
    named = [*_names(wiring)]
    if named:
        return named
    return [
        *_every_pin_once(wiring),
        *_drivers(wiring),
        *_inputs_agree(wiring),
        *levels.problems(wiring),
        *supplies.problems(wiring),
        *buses.problems(wiring),
        *pin_links.problems(wiring),
        *beams.problems(wiring),
        *knock.problems(wiring),
        *_connectors(wiring),
        *_shopping(wiring),
    ]


def _names(wiring: Wiring) -> Iterator[str]:
    for one in wiring.parts.values():
        if one.kind not in wiring.kinds:
            yield f"part '{one.name}' is of the unknown kind '{one.kind}'"
    for net in wiring.nets:
        for end in net.ends:
            part = wiring.parts.get(part_of(end))
            if part is None:
                yield f"net '{net.name}' names '{end}', and there is no part '{part_of(end)}'"
            elif part.kind in wiring.kinds and wiring.pin(end) is None:
                yield f"net '{net.name}' names '{end}', which is no pin"


def _every_pin_once(wiring: Wiring) -> Iterator[str]:
    seen: dict[str, str] = {}
    for net in wiring.nets:
        for end in net.ends:
            if end in seen:
                yield f"'{end}' is on net '{seen[end]}' and on net '{net.name}'"
            seen[end] = net.name
    wanted = {f"{part}.{pin}" for part in wiring.parts for pin in wiring.kind_of(part).pins}
    wanted |= set(wiring.functions)
    for end in sorted(wanted - seen.keys() - wiring.free):
        yield f"'{end}' is on no net"
    for end in sorted(wiring.free & seen.keys()):
        yield f"'{end}' is said to be free and is on net '{seen[end]}'"
    for board in wiring.boards:
        gpios = [gpio for _, gpio, _ in wiring.boards[board]["pins"]]
        for gpio in sorted({one for one in gpios if gpios.count(one) > 1}):
            yield f"GPIO {gpio} of board '{board}' has two functions"
        for gpio in gpios:
            if gpio not in GPIO_ON_EDGE:
                yield f"board '{board}' has no GPIO {gpio} on its edge"


def _drivers(wiring: Wiring) -> Iterator[str]:
    """At most one push-pull output drives a net, unless each lets go while it is not selected; grounds are all one."""
    for net in wiring.nets:
        pins = dict(wiring.pins_on(net))
        outs = [end for end, pin in pins.items() if pin.role in ("out", "source")]
        if len(outs) > 1 and not all(_lets_go(wiring, end) for end in outs):
            yield f"net '{net.name}' is driven by {' and '.join(outs)}"
        grounds = [end for end, pin in pins.items() if pin.role == "ground"]
        if grounds and net.name != GROUND:
            yield f"'{grounds[0]}' is a ground on net '{net.name}'"


def _lets_go(wiring: Wiring, end: str) -> bool:
    """Return True for an SPI part's MISO if every such part has a select line of its own."""
    part, _, pin = end.partition(".")
    select = wiring.net_of(f"{part}.NSS")
    return pin == "MISO" and select is not None and sum(one.endswith(".NSS") for one in select.ends) == 1


def _inputs_agree(wiring: Wiring) -> Iterator[str]:
    """Yield a complaint for each expander bit that is no input, or not wired to what the firmware takes it for."""
    for board in wiring.boards:
        for number, group in enumerate(wiring.boards[board]["inputs"]):
            part = f"expander-{board}" if number == 0 else f"expander-{board}-{number + 1}"
            for bit, sensor in enumerate(group["sensors"]):
                if sensor is None:
                    continue
                end = f"{part}.GP{'AB'[bit // 8]}{bit % 8}"
                pin = wiring.pin(end)
                if pin is not None and pin.role not in ("in", "io"):
                    yield f"the firmware reads '{sensor}' at '{end}', which is an output only"
                found = _origins(wiring, end)
                if sensor_part(sensor) not in found:
                    yield (
                        f"the firmware takes {end} for '{sensor}', the wiring has "
                        f"{', '.join(sorted(found)) or 'nothing'}"
                    )


def _origins(wiring: Wiring, end: str) -> set[str]:
    """Parts whose signal arrives at ``end``: on its net, and on those nets that another part carries on to it."""
    net = wiring.net_of(end)
    found: set[str] = set()
    for other in () if net is None else net.ends:
        part, _, pin = other.partition(".")
        if other == end or ":" in other:
            continue
        found.add(part)
        for origin in wiring.kind_of(part).carries.get(pin, ()):
            before = wiring.net_of(f"{part}.{origin}")
            if before is not None and not wiring.is_supply(before):
                found |= {part_of(one) for one in before.ends} - {part}
    return found


def sensor_part(sensor: str) -> str:
    """Return the part in wiring.toml that is the sensor ``KIND:NAME`` of pins.json."""
    kind, _, name = sensor.partition(":")
    match kind:
        case "edge" | "place":
            return f"beam-{kind}-{name}"
        case "screen" | "tray":
            return f"hall-{kind}-{name}"
    return f"{kind}-{name.replace(':', '-')}"


def bought(wiring: Wiring) -> dict[str, int]:
    """Return how many of each entry of the parts list the wiring uses, connectors included."""
    counts: dict[str, int] = {}
    for part in wiring.parts.values():
        used = dict(wiring.kinds[part.kind].parts)
        if part.cable is not None and part.cable.connector:
            used[part.cable.connector] = used.get(part.cable.connector, 0) + 1
        for key, count in used.items():
            counts[key] = counts.get(key, 0) + count
    return counts


def _connectors(wiring: Wiring) -> Iterator[str]:
    """Yield a complaint if a connector has no way for a net of its cable; what joins at the far end needs none."""
    for part in wiring.parts.values():
        ways = wiring.shopping.get(part.cable.connector, {}).get("ways") if part.cable is not None else None
        if ways is None:
            continue
        shared = [one.name for one in wiring.parts.values() if one.cable is not None and one.cable.shared == part.name]
        carried = {
            net.name
            for name in (part.name, *shared)
            for pin, data in wiring.kind_of(name).pins.items()
            if data.swing is None and (net := wiring.net_of(f"{name}.{pin}")) is not None
        }
        if len(carried) > ways:
            yield f"the cable to '{part.name}' carries {len(carried)} nets, its connector has {ways} ways"


def _shopping(wiring: Wiring) -> Iterator[str]:
    for part, count in bought(wiring).items():
        listed = wiring.shopping.get(part, {}).get("count")
        if listed != count:
            yield f"the wiring uses {count} of '{part}', the parts list has {listed}"
    for key, entry in wiring.shopping.items():
        for word in ("checked", "euro"):
            if word not in entry:
                yield f"the parts list says nothing of '{word}' for '{key}'"
    for one in wiring.parts.values():
        cable = one.cable
        if cable is not None and not (cable.connector or cable.shared or wiring.kinds[one.kind].straight):
            yield f"'{one.name}' hangs on a cable and has no connector"
