"""The procedure unfolded for one table: a task for each sensor, in Italian and English."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hw.board.procedure import PROCEDURE, WEIGHT_G, ProcedureLine, cards_to_lay
from hw.seats import SEATS, Seat
from hw.tablemap import TableMap
from hw.zones import TABLE
from table_service.camera.picture_scale import ReadBy, read_by
from table_service.rulesets import rule_set

SEAT_IT: Final = {Seat.NORTH: "Nord", Seat.EAST: "Est", Seat.SOUTH: "Sud", Seat.WEST: "Ovest"}
SEAT_EN: Final = {Seat.NORTH: "North", Seat.EAST: "East", Seat.SOUTH: "South", Seat.WEST: "West"}
_ZONE_IT: Final = {
    "stock": "tallone",
    "discard": "monte degli scarti",
    "pots": "pozzi",
    "melds-NS": "giochi Nord-Sud",
    "melds-EW": "giochi Est-Ovest",
    "gate-stock": "bocca del tallone",
    "scarto": "scarto",
    "tricks-NS": "prese Nord-Sud",
    "tricks-EW": "prese Est-Ovest",
    **{f"board-{seat}": f"tasca di {name} della board" for seat, name in SEAT_IT.items()},
    **{f"gate-{seat}": f"bordo {name}" for seat, name in SEAT_IT.items()},
}
_ZONE_EN: Final = {
    "stock": "the stock",
    "discard": "the discard pile",
    "pots": "the pots",
    "melds-NS": "the melds of North-South",
    "melds-EW": "the melds of East-West",
    "gate-stock": "the stock's mouth",
    "scarto": "the scarto",
    "tricks-NS": "the tricks of North-South",
    "tricks-EW": "the tricks of East-West",
    **{f"board-{seat}": f"{name}'s pocket of the board" for seat, name in SEAT_EN.items()},
    **{f"gate-{seat}": f"{name}'s edge" for seat, name in SEAT_EN.items()},
}
_PART_IT: Final = {"panel": "lo schermo", "aperture": "il sipario"}
_PART_EN: Final = {"panel": "the screen", "aperture": "the aperture"}
_SIDE_IT: Final = {"NE": "Nord-Est", "SW": "Sud-Ovest"}
_SIDE_EN: Final = {"NE": "North-East", "SW": "South-West"}
_BUTTON_IT: Final = {"referee": "arbitro", "count": "conteggio", "ready": "pronto"}
QUICK: Final = 3
"""Repetitions of each act in a quick walk: enough to find a fault, too few for a rate."""
QUICK_S: Final = 15.0
"""And how long things that take their time are waited for."""


@dataclass(frozen=True, slots=True)
class Task:
    """One item of the procedure for one sensor, named ``KIND NAME`` as in ``coil gate-N`` or ``beam N:stock``.

    ``read_by``: the part of a card by which the table's camera reads it; ``cards``: those that it is shown.
    """

    item: ProcedureLine
    sensor: str
    times: int
    seconds: float
    it: str
    en: str
    read_by: ReadBy = "index"
    cards: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The task's name, unique at a table."""
        return f"{self.item.name} {self.sensor}"

    @property
    def subject(self) -> str:
        """The sensor's name without its kind."""
        return self.sensor.partition(" ")[2]

    def order(self) -> dict[str, Any]:
        """Return the fields of the log's mark at which ``hw.board.bench_figures.measure`` begins to count."""
        fields: dict[str, Any] = {"step": self.item.step or self.item.name, "task": self.name}
        if self.times:
            fields["times"] = self.times
        kind, _, name = self.sensor.partition(" ")
        owner, _, rest = name.partition(":")
        if kind in ("coil", "scale"):
            fields["zone"] = name
        elif kind == "beam":
            fields |= {"seat": owner, "zone": rest}
        elif kind in ("shield", "knock", "button"):
            fields["seat"] = owner
        elif kind in ("screen", "tray"):
            fields["part"] = name
        elif self.item.way == "sight":
            fields["cards"] = list(self.cards)
        return fields


def tasks(table: TableMap, *, quick: bool = False, chapters: Sequence[str] = ()) -> tuple[Task, ...]:
    """Return what is to be done at ``table``, in order. ``chapters``: only these; ``quick``: few times, short waits."""
    found: list[Task] = []
    by, cards = read_by(table.table.rules), cards_to_lay(rule_set(table.table.rules).pack)
    for chapter in dict.fromkeys(item.chapter for item in PROCEDURE):
        if chapters and chapter not in chapters:
            continue
        items = [item for item in PROCEDURE if item.chapter == chapter]
        # sensor by sensor, so that each seat is visited once, not once for each item
        for each in dict.fromkeys(item.each for item in items):
            for sensor in _sensors(table, each):
                found += [
                    replace(_task(item, sensor, cards, quick=quick), read_by=by) for item in items if item.each == each
                ]
    return tuple(task for task in found if not (quick and task.item.way == "idle"))


def _task(item: ProcedureLine, sensor: str, cards: tuple[str, ...], *, quick: bool) -> Task:
    times = min(item.times, QUICK) if quick else item.times
    seconds = min(item.seconds, max(QUICK_S, item.least_s)) if quick else item.seconds
    name = sensor.partition(" ")[2]
    owner, _, rest = name.partition(":")
    words: dict[str, Any] = {
        "times": times,
        "seconds": f"{seconds:g}",
        "grams": f"{WEIGHT_G:g}",
        "cards": " ".join(cards),
        "node": name,
    }
    seat = Seat(owner) if owner in set(SEATS) else None
    it = words | {
        "zone": _ZONE_IT.get(name, name),
        "place": _ZONE_IT.get(rest, rest),
        "seat": SEAT_IT[seat] if seat else "",
        "button": _BUTTON_IT.get(rest, rest),
        "part": _PART_IT.get(name, name),
        "side": _SIDE_IT.get(name, name),
    }
    en = words | {
        "zone": _ZONE_EN.get(name, name),
        "place": _ZONE_EN.get(rest, rest),
        "seat": SEAT_EN[seat] if seat else "",
        "button": rest,
        "part": _PART_EN.get(name, name),
        "side": _SIDE_EN.get(name, name),
    }
    return Task(item, sensor, times, seconds, item.it.format(**it), item.en.format(**en), cards=cards)


_ONE_OF_A_KIND: Final[Mapping[str, tuple[str, Callable[[TableMap], bool]]]] = {
    "table": ("table", lambda table: bool(table.nodes)),
    "camera": ("camera", lambda table: table.camera.source != "none"),
    "calibration": ("camera", lambda table: table.is_calibrated_by_cards),
}
"""Items of which a table has one or none: the sensor's name, and whether the table has it."""


def _sensors(table: TableMap, each: str) -> Iterator[str]:
    """Yield the sensors of ``table`` for which an item is done."""
    nodes = table.nodes.values()
    match each:
        case "table" | "camera" | "calibration":
            name, is_there = _ONE_OF_A_KIND[each]
            yield from (name,) if is_there(table) else ()
        case "node":
            yield from (f"node {name}" for name in table.nodes)
        case "reach":
            yield from (f"beam {name}" for name in reaches([beam for node in nodes for beam in node.beams]))
        case _:
            yield from (f"{each} {name}" for node in nodes for name in getattr(node, f"{each}s"))


def reaches(beams: Sequence[str]) -> list[str]:
    """One reach for each place and one for each seat: there are no more light barriers than that (docs/board.md)."""
    known = [name.partition(":") for name in beams]
    seats = [seat for seat in dict.fromkeys(owner for owner, _, _ in known) if seat in set(SEATS)]
    places = [place for place in dict.fromkeys(rest for _, _, rest in known) if place != TABLE]
    if not seats or not places:
        return [name for name in beams if name.partition(":")[0] in set(SEATS)]
    pairs = [f"{seats[n % len(seats)]}:{places[n % len(places)]}" for n in range(max(len(seats), len(places)))]
    return [pair for pair in pairs if pair in beams]
