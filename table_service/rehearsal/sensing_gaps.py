"""Gaps in sensing for a rehearsed deal: which sensors are not heard, when, for how long, reported or not."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hw.coverage import CAMERA, Covered
from hw.observations import Console, Observation
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.unheard_sensors import SensingGap, through

SECONDS: Final = (3.0, 30.0)
"""The shortest and the longest gap."""
BRANDS: Final = ("declared", "silent")
"""Reports of nodes about a gap: that they are lost and heard again, or nothing."""
_TWO: Final = 0.4
"""Share of the deals that have two gaps."""
_SNAPPED: Final = 0.7
"""Share of the gaps after which a node reports what has changed meanwhile."""


@dataclass(frozen=True, slots=True)
class UnheardSensors:
    """Sensors that are not heard in a gap; ``names``: the nodes or sensors whose health reports it."""

    sensors: Covered
    names: tuple[str, ...]


def nodes(table: TableKind = DRAWN) -> dict[str, tuple[str, ...]]:
    """Return the sensors of each node of a ``table`` that has two of them."""
    return {name: sensors for name, sensors in table.nodes.items() if name != "table"}


def losses(table: TableKind = DRAWN) -> dict[str, UnheardSensors]:
    """Everything that can be lost, by a name for reports: each sensor, each kind, each node, the camera, all."""
    owner = {sensor: node for node, sensors in nodes(table).items() for sensor in sensors}
    lost: dict[str, UnheardSensors] = {}

    def add(name: str, chosen: Sequence[str]) -> None:
        lost[name] = UnheardSensors(tuple(chosen), tuple(f"{owner[sensor]}/{sensor}" for sensor in chosen))

    for kind in ("scale", "coil", "shield"):
        of_kind = [sensor for sensor in owner if sensor.startswith(f"{kind}:")]
        for sensor in of_kind:
            add(sensor, [sensor])
        add(f"all {kind}s", of_kind)
    beams = [sensor for sensor in owner if sensor.startswith("beam:")]
    for seat in table.rotation.seats:
        add(f"beams of {seat}", [sensor for sensor in beams if sensor.startswith(f"beam:{seat}:")])
    add("all beams", beams)
    for node, sensors in nodes(table).items():
        lost[f"node {node}"] = UnheardSensors(sensors, (node,))
    lost[CAMERA] = UnheardSensors((CAMERA,), (CAMERA,))
    lost["everything"] = UnheardSensors((*owner, CAMERA), (*nodes(table), CAMERA))
    return lost


def one_loss(brand: str, table: TableKind = DRAWN) -> tuple[str, float]:
    """Return what is lost once in each deal, and for how many seconds, if ``brand`` says so: ``scales:10``.

    The name is one of ``losses``; ``all`` and ``node`` before it may be left out. Raises ValueError.

    >>> one_loss("scales:10"), one_loss("gates:10"), one_loss("everything:6")
    (('all scales', 10.0), ('node gates', 10.0), ('everything', 6.0))
    """
    name, _, length = brand.partition(":")
    every = losses(table)
    found = next((full for full in (name, f"all {name}", f"node {name}") if full in every), None)
    if found is None or not length.replace(".", "", 1).isdigit() or not float(length):
        raise ValueError(f"a gap is {' or '.join(BRANDS)}, or what is lost and for how many seconds, as scales:10")
    return found, float(length)


def choose(
    observations: Sequence[Observation], seed: int, brand: str, table: TableKind = DRAWN
) -> list[tuple[str, SensingGap]]:
    """Return the gaps of the deal of ``seed``, each with the name of what is lost; one or two, anywhere from its deal.

    ``brand``: one of ``BRANDS``, of which every loss comes up equally often, whatever the seed of the first deal; or
    one loss of one length, which the nodes report (``one_loss``). Raises ValueError.
    """
    rng = random.Random(f"{seed}/gaps/{brand}")  # noqa: S311 - a simulation
    begun = next((one.t for one in observations if isinstance(one, Console) and one.do == "deal"), 0.0)
    ended = max((one.t for one in observations), default=0.0)
    every, only = losses(table), None if brand in BRANDS else one_loss(brand, table)
    names = list(every)
    chosen = []
    for number in range(2 if rng.random() < _TWO and only is None else 1):
        name = names[(seed + number * rng.randrange(1, len(names))) % len(names)] if only is None else only[0]
        lost, start = every[name], rng.uniform(begun, ended)
        end = start + (rng.uniform(*SECONDS) if only is None else only[1])
        told = () if brand == "silent" else lost.names
        chosen.append((name, SensingGap(round(start, 6), round(end, 6), lost.sensors, told, rng.random() < _SNAPPED)))
    return sorted(chosen, key=lambda pair: pair[1].start)


def with_gaps(observations: Iterable[Observation], gaps: Iterable[tuple[str, SensingGap]]) -> list[Observation]:
    """``observations`` as they are with all of ``gaps``."""
    left = list(observations)
    for _, gap in gaps:
        left = list(through(gap, left))
    return left
