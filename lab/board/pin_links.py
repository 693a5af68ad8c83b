"""Checks that each pin is wired to what the firmware takes it for: chips on their buses, readers at their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from lab.board.buses import sides
from lab.board.wiring import GROUND, Wiring

ADDRESS_LINES: Final = (("A0", "A"), ("A1", "B"), ("A2", "C"))
"""Inputs of decoder and selector for the address lines, lowest first."""


def problems(wiring: Wiring) -> list[str]:
    """Return everything that is wired to another pin, another bus or another number than the firmware expects."""
    found = [*_straps(wiring)]
    for name, board in wiring.boards.items():
        for one, other in (*_scales(name, board), *_readers(name, board), *_lights(name, board), *_knocks(board)):
            if not _joined(wiring, one, other):
                net = wiring.net_of(one)
                found.append(f"'{one}' should be the line of '{other}', its net is '{net.name if net else ''}'")
        found += _chips(wiring, name, board)
    return found


def _joined(wiring: Wiring, one: str, other: str) -> bool:
    first, second = wiring.net_of(one), wiring.net_of(other)
    return first is not None and second is not None and second in wiring.node(first)


def _scales(name: str, board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for zone, function in board["cells"].items():
        yield f"{name}:{function}.dout", f"scale-{zone}.DOUT"
        yield f"{name}:{function}.sck", f"scale-{zone}.SCK"


def _readers(name: str, board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Reader ``n`` is the one that address ``n`` selects, whose BUSY is then heard, and that reset ``n`` holds."""
    if not board.get("reader_per_coil"):
        return
    bus = next(one for one in board["buses"] if one["name"] == "reader")
    for number, (decoder, selector) in enumerate(ADDRESS_LINES):
        yield f"{name}:antenna.{number}", f"decoder.{decoder}"
        yield f"{name}:antenna.{number}", f"selector.{selector}"
    yield f"{name}:reader.select", "decoder.E1"
    yield f"{name}:reader.busy", "selector.Y"
    for number, zone in enumerate(board["coils"]):
        reader = f"reader-{zone}"
        yield f"decoder.Y{number}", f"{reader}.NSS"
        yield f"selector.D{number}", f"{reader}.BUSY"
        yield f"{name}:reader.reset.{number}", f"{reader}.RST"
        for signal, function in bus["pins"].items():
            yield f"{name}:{function}", f"{reader}.{signal.upper()}"
        yield f"{reader}.ANT1", f"coil-{zone}.A"
        yield f"{reader}.ANT2", f"coil-{zone}.B"


def _lights(name: str, board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for kind in ("turn", "alert"):
        for seat, function in board[kind].items():
            yield f"{name}:{function}", f"{kind}-{seat}.IN"
    if board["buzzer"]:
        yield f"{name}:{board['buzzer']}", "buzzer.IN"


def _knocks(board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """From each seat's piezo through its own detector to the converter's input of its number."""
    for number, seat in enumerate((board["knocks"] or {}).get("seats", ())):
        yield f"adc.A{number}", f"c-hold-{seat}.A"
        yield f"adc.A{number}", f"d-hold-{seat}.K"
        yield f"knock-{seat}.OUT", f"r-piezo-{seat}.A"


def _chips(wiring: Wiring, name: str, board: Mapping[str, Any]) -> Iterator[str]:
    """Check that each I2C chip is on the bus on which the firmware asks it, and its interrupt on the right pin."""
    chips = [(f"shield-{seat}", at["bus"]) for seat, at in board["tilts"].items()]
    chips += [("adc", board["knocks"]["bus"])] if board["knocks"] else []
    for number, group in enumerate(board["inputs"]):
        expander = f"expander-{name}" if number == 0 else f"expander-{name}-{number + 1}"
        chips.append((expander, group["bus"]))
        if not _joined(wiring, f"{name}:{group['changed']}", f"{expander}.INTA"):
            yield f"the firmware listens for changes of '{expander}' at '{group['changed']}', they are told elsewhere"
    buses = {bus["name"]: bus for bus in board["buses"]}
    for chip, bus in chips:
        for signal, function in buses[bus]["pins"].items():
            controller, there = wiring.net_of(f"{name}:{function}"), wiring.net_of(f"{chip}.{signal.upper()}")
            if controller is None or there is None or there not in sides(wiring, controller):
                yield f"the firmware asks '{chip}' on bus '{bus}', its {signal.upper()} is not on it"


def _straps(wiring: Wiring) -> Iterator[str]:
    """Check that each input that enables a chip permanently is tied as it must be."""
    for net in wiring.nets:
        for end, pin in wiring.pins_on(net):
            level = "low" if net.name == GROUND else "high" if wiring.is_supply(net) else "no"
            if pin.strap and level != pin.strap:
                yield f"'{end}' must lie {pin.strap} for good, its net is '{net.name}'"
