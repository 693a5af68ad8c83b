"""The walk on the twin's live nodes: a good table passes, and each fault put into a table is named, and nothing else.

Real firmware under a real MicroPython, the real bridge; the technician is a program that moves as a person does.
"""

from __future__ import annotations

import pytest

from hw.twin.raw import RawValue
from table_service.sensor_check.tasks import Task
from tests.sensor_check.conftest import Fault, Walk
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow


class Swapped(Fault):
    """Two sensors' wires are exchanged."""

    def __init__(self, one: str, other: str) -> None:
        self.names = {one: other, other: one}

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        return {self.names.get(name, name): value for name, value in values.items()}


class Dead(Fault):
    """A sensor says nothing, or what it says never changes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        return {name: value for name, value in values.items() if name != self.name}


class Failing(Fault):
    """A sensor whose chip does not answer its node, which says so."""

    def __init__(self, name: str) -> None:
        self.name = f"fail:{name}"

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        return values | {self.name: 1}


class WeakCoil(Fault):
    """A coil that loses the card lying over it half of the time."""

    def __init__(self, zone: str) -> None:
        self.name = f"coil:{zone}"

    def flickers(self, name: str, t: float) -> bool:
        return name == self.name and round(t / 0.5) % 2 == 0


class Stuck(Fault):
    """A barrier is broken all the time: ``-:stock`` across a place, ``N:table`` along an edge."""

    def __init__(self, beam: str) -> None:
        self.name = f"beam:{beam}"

    def at_rest(self) -> dict[str, RawValue]:
        return {self.name: 1}


class InvertedPlace(Fault):
    """The barrier across a place says the opposite: broken at rest, whole while a hand is there."""

    def __init__(self, place: str) -> None:
        self.place = place

    def at_rest(self) -> dict[str, RawValue]:
        return {f"beam:-:{self.place}": 1}

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        said: dict[str, RawValue] = {}
        for name, value in values.items():
            kind, *rest = name.split(":")
            if kind == "beam" and len(rest) == 2 and rest[1] == self.place and rest[0] != "-":
                said |= {f"beam:{rest[0]}:table": value, f"beam:-:{self.place}": 1 - int(str(value))}
            else:
                said[name] = value
        return said


class EdgeSilent(Fault):
    """The barrier along a seat's edge never sees its hand."""

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        return {name.replace(f"beam:{self.seat}:", "beam:-:"): value for name, value in values.items()}


class PlaceSilent(Fault):
    """The barrier across a place never sees a hand."""

    def __init__(self, place: str) -> None:
        self.place = place

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        changed = {}
        for name, value in values.items():
            end = f":{self.place}"
            changed[name.removesuffix(end) + ":table" if name.startswith("beam:") and name.endswith(end) else name] = (
                value
            )
        return changed


class SlowScale(Fault):
    """An HX711 at ten readings a second."""

    def fails(self, zone: str, t: float) -> bool:
        return zone == "stock" and round(t / 0.02) % 5 != 0


class OffScale(Fault):
    """A scale whose readings are multiplied, lopsided, creeping or backwards."""

    def __init__(self, factor: float = 1.0, corner: float = 0.0, creep: float = 0.0) -> None:
        self.factor, self.corner, self.creep = factor, corner, creep

    def grams(self, zone: str, place: int, grams: float, since: float) -> float:
        if zone != "discard":
            return grams
        return grams * self.factor + (self.corner if place == 3 else 0.0) + self.creep * min(since, 60.0) / 60.0


class Heavy(Fault):
    """A scale that was never tared."""

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        name = "scale:pots"
        return {k: int(str(v)) + 30_000 if k == name else v for k, v in values.items()}


def test_a_good_table_passes_and_every_sensor_is_asked_for(walk: Walk) -> None:
    done = walk(None, "nodes", "rest", "coils", "scales", "beams", "shields", "buttons", "knocks")
    assert done.found == set()
    assert done.course.passed
    asked = {task.sensor for task in done.course.tasks}
    assert {"coil gate-N", "coil discard", "scale pots", "shield W", "knock E", "button E:referee"} <= asked
    reached = [name.split()[1].split(":") for name in asked if name.startswith("beam")]
    assert {seat for seat, _ in reached} == set("NESW")
    assert {place for _, place in reached} == {"stock", "discard", "pots", "melds-NS", "melds-EW"}


def on_the_third_board(task: Task) -> bool:
    """Its contacts, two of its scales, and what is asked of the board itself."""
    return task.sensor in ("node places", "scale board-N", "scale scarto") or task.item.chapter == "screens"


def test_the_board_at_the_places_of_tarocco_and_bridge_is_walked_too(walk: Walk) -> None:
    done = walk(None, "nodes", "scales", "screens", places=True, only=on_the_third_board)
    assert done.found == set()
    assert done.course.passed
    asked = [task.name for task in done.course.tasks]
    assert {"hello node places", "scale-creep scale scarto", "screen screen panel", "tray tray SW"} <= set(asked)


@pytest.mark.parametrize(
    ("fault", "found"),
    rest_in_proof(
        [
            (Swapped("tray:NE", "tray:SW"), {("swapped", "tray NE"), ("swapped", "tray SW")}),
            (Dead("screen:aperture"), {("dead", "screen aperture")}),
            (Swapped("screen:panel", "screen:aperture"), {("swapped", "screen panel"), ("swapped", "screen aperture")}),
            (Failing("screen:panel"), {("trouble", "screen panel")}),
        ],
        1,
        ["tray swapped", "aperture dead", "screen swapped", "panel failing"],
    ),
)
def test_a_fault_of_screen_or_tray_is_named(walk: Walk, fault: Fault, found: set[tuple[str, str]]) -> None:
    assert walk(fault, "screens", places=True).found == found


@pytest.mark.parametrize(
    ("fault", "chapters", "found"),
    rest_in_proof(
        [
            (WeakCoil("gate-N"), ("coils",), {("weak", "coil gate-N")}),
            (OffScale(corner=3.0), ("scales",), {("corner-load", "scale discard")}),
            (
                InvertedPlace("stock"),
                ("rest", "beams"),
                {("broken-at-rest", "beam -:stock"), ("inverted", "beam -:stock")},
            ),
            (Swapped("shield:N", "shield:E"), ("shields",), {("swapped", "shield N"), ("swapped", "shield E")}),
            (Failing("scale:pots"), ("rest",), {("trouble", "scale pots")}),
            (Dead("button:N:referee"), ("buttons",), {("dead", "button N:referee")}),
            (Dead("coil:gate-E"), ("coils",), {("dead", "coil gate-E")}),
            (
                Swapped("coil:gate-N", "coil:gate-S"),
                ("coils",),
                {("swapped", "coil gate-N"), ("swapped", "coil gate-S")},
            ),
            (SlowScale(), ("scales",), {("slow", "scale stock")}),
            (OffScale(factor=0.12), ("scales",), {("uncalibrated", "scale discard")}),
            (OffScale(factor=-1.0), ("scales",), {("upside-down", "scale discard")}),
            (
                Swapped("scale:stock", "scale:pots"),
                ("scales",),
                {("swapped", "scale stock"), ("swapped", "scale pots")},
            ),
            (OffScale(creep=6.0), ("scales",), {("creep", "scale discard")}),
            (Heavy(), ("rest",), {("not-zero", "scale pots")}),
            (Stuck("-:stock"), ("rest", "beams"), {("broken-at-rest", "beam -:stock"), ("stuck", "beam -:stock")}),
            (EdgeSilent("E"), ("rest", "beams"), {("edge-silent", "beam E:discard")}),
            (PlaceSilent("pots"), ("rest", "beams"), {("place-silent", "beam S:pots")}),
            (Dead("shield:W"), ("shields",), {("dead", "shield W")}),
            (Failing("shield:N"), ("shields",), {("trouble", "shield N")}),
            (
                Swapped("button:N:referee", "button:E:referee"),
                ("buttons",),
                {("swapped", "button N:referee"), ("swapped", "button E:referee")},
            ),
            (Dead("knock:S"), ("knocks",), {("dead", "knock S")}),
            (Swapped("knock:S", "knock:W"), ("knocks",), {("swapped", "knock S"), ("swapped", "knock W")}),
        ],
        6,
    ),
    ids=lambda value: type(value).__name__ if isinstance(value, Fault) else "",
)
def test_a_fault_is_named_and_nothing_else_is(
    walk: Walk, fault: Fault, chapters: tuple[str, ...], found: set[tuple[str, str]]
) -> None:
    left_out = {"coil gate-W", "coil gate-stock", "coil discard"}
    if not isinstance(fault, Swapped):
        left_out.add("scale pots")  # the others are the same again

    def some(task: Task) -> bool:
        # a card that flickers at rest may well be missed as it passes
        return task.sensor not in left_out and not (isinstance(fault, WeakCoil) and task.item.way == "passes")

    assert walk(fault, "nodes", *chapters, only=some).found == found
