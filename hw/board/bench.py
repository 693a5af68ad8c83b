"""The bench procedure: measure on a real table what the simulation assumes, and write it into a file of noise figures.

A technician follows ``STEPS`` while ``tavolo run`` writes the observation log; each step begins with a ``console``
observation ``{"do": "bench", "step": …}`` and ends with the next. ``measure`` counts; nothing here guesses: a figure
that was not measured often enough stays as it was.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hw.cards import face
from hw.observations import Console, Knock, Observation, Reach, Scale, Shield, Sight, Tags

ENOUGH: Final = 20
"""Tries below which a rate says nothing."""
BURST_S: Final = 0.4
"""Readings of one scale within this time belong together."""
APART_S: Final = 0.5
"""Two signals of one reach nearer than this are a bounce: the hand was told to come once in two seconds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, what the person does, and which figures of the noise file it measures."""

    name: str
    it: str
    en: str
    measures: tuple[str, ...]


STEPS: Final = (
    Step(
        "idle",
        "Tavolo pronto, nessuno lo tocca per mezz’ora.",
        "The table is ready and nobody touches it for half an hour.",
        ("knock.false_per_min",),
    ),
    Step(
        "gate",
        "Passa 200 volte una carta sola sopra la spira indicata, una ogni due secondi.",
        "Pass one single card over the coil named, 200 times, one every two seconds.",
        ("gate.miss", "gate.ghost"),
    ),
    Step(
        "scale",
        "Posa e togli 100 volte una carta sulla bilancia indicata, una ogni tre secondi.",
        "Lay one card on the scale named and take it off, 100 times, one every three seconds.",
        ("scale.sigma_g", "scale.drift_g_per_min", "scale.settle_ms"),
    ),
    Step(
        "reach",
        "Allunga la mano 200 volte dal posto alla zona indicata, una ogni due secondi.",
        "Reach from the seat to the zone named, 200 times, once every two seconds.",
        ("beam.miss", "beam.bounce"),
    ),
    Step(
        "shield",
        "Rovescia e rialza 100 volte il paramani indicato.",
        "Turn the hand-shield named over and up again, 100 times.",
        ("contact.miss", "contact.bounce"),
    ),
    Step("knock", "Bussa 100 volte al posto indicato.", "Knock 100 times at the seat named.", ("knock.miss",)),
    Step(
        "sight",
        "Posa scoperte le carte elencate e non toccare nulla per due minuti.",
        "Lay the cards listed face up and touch nothing for two minutes.",
        ("sight.miss", "sight.misread", "sight.position_mm"),
    ),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: ``value`` in the noise file's unit; of a rate, how many of how many tries, and its interval.

    ``low`` and ``high``: Wilson's 95 % interval of a rate, equal to ``value`` for what is no rate.
    """

    name: str
    value: float
    count: int
    tries: int
    low: float
    high: float

    @property
    def enough(self) -> bool:
        """Whether it may replace an assumption."""
        return self.tries >= ENOUGH


def wilson(count: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a rate of ``count`` in ``tries`` (Wilson 1927). Raises ValueError without tries."""
    if tries <= 0:
        raise ValueError("a rate needs tries")
    z, share = 1.96, count / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z / (1 + z * z / tries) * ((share * (1 - share) + z * z / (4 * tries)) / tries) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class _Part:
    """The observations of one step, with what the technician said about it."""

    order: Console
    seen: tuple[Observation, ...]

    @property
    def times(self) -> int:
        given = self.order.fields.get("times")
        return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else 0

    def field(self, name: str) -> str:
        return str(self.order.fields.get(name) or "")


def measure(log: Iterable[Observation]) -> tuple[Figure, ...]:
    """What the bench steps in ``log`` measured, counts of like steps added up."""
    counts: dict[str, tuple[int, int]] = {}
    values: dict[str, list[float]] = {}
    for part in _parts(log):
        for name, count, tries in _counted(part):
            had = counts.get(name, (0, 0))
            counts[name] = (had[0] + count, had[1] + tries)
        for name, found in _valued(part):
            values.setdefault(name, []).extend(found)
    rates = [Figure(name, c / n, c, n, *wilson(min(c, n), n)) for name, (c, n) in counts.items() if n]
    spreads = [_spread(name, found) for name, found in values.items() if found]
    return tuple(sorted((*rates, *spreads), key=lambda one: one.name))


def _spread(name: str, found: Sequence[float]) -> Figure:
    value = statistics.fmean(found)
    return Figure(name, value, len(found), len(found), value, value)


def _parts(log: Iterable[Observation]) -> list[_Part]:
    parts: list[_Part] = []
    order: Console | None = None
    seen: list[Observation] = []
    for one in log:
        if isinstance(one, Console) and one.do == "bench":
            if order is not None:
                parts.append(_Part(order, tuple(seen)))
            order, seen = one, []
        else:
            seen.append(one)
    if order is not None:
        parts.append(_Part(order, tuple(seen)))
    return parts


def _counted(part: _Part) -> list[tuple[str, int, int]]:
    """Rates of one step: name, how often it went wrong, of how many tries."""
    match part.field("step"):
        case "gate":
            zone = part.field("zone")
            scans = [one for one in part.seen if isinstance(one, Tags) and one.tags]
            read = sum(1 for one in scans if one.zone == zone)
            other = sum(1 for one in scans if one.zone != zone)
            return [("gate.miss", max(0, part.times - read), part.times), ("gate.ghost", other, len(scans))]
        case "reach":
            seat, zone = part.field("seat"), part.field("zone")
            moments = [
                o.t for o in part.seen if isinstance(o, Reach) and o.phase == "in" and (o.seat, o.zone) == (seat, zone)
            ]
            return _signals("beam", moments, part.times)
        case "shield":
            poses = [one.t for one in part.seen if isinstance(one, Shield) and one.seat == part.field("seat")]
            return _signals("contact", poses, 2 * part.times)
        case "knock":
            heard = sum(1 for one in part.seen if isinstance(one, Knock))
            return [("knock.miss", max(0, part.times - heard), part.times)]
        case "sight":
            return _sights(part)
    return []


def _signals(kind: str, moments: Sequence[float], times: int) -> list[tuple[str, int, int]]:
    bounced = sum(1 for a, b in pairwise(moments) if b - a < APART_S)
    real = len(moments) - bounced
    return [(f"{kind}.miss", max(0, times - real), times), (f"{kind}.bounce", bounced, real)]


def _sights(part: _Part) -> list[tuple[str, int, int]]:
    listed = part.order.fields.get("cards")
    wanted = [face(str(card)) for card in listed] if isinstance(listed, list | tuple) else []
    missed = misread = tries = 0
    for one in part.seen:
        if not isinstance(one, Sight) or one.hidden:
            continue
        left = list(wanted)
        for card in one.cards:
            if face(card.card) in left:
                left.remove(face(card.card))
            else:
                misread += 1
        tries += len(wanted)
        missed += len(left)
    return [("sight.miss", max(0, missed - misread), tries), ("sight.misread", misread, tries)]


def _valued(part: _Part) -> list[tuple[str, list[float]]]:
    """Spreads and times of one step, in the noise file's units."""
    match part.field("step"):
        case "idle":
            return [("knock.false_per_min", _each_minute(part))]
        case "scale":
            return _weighed([one for one in part.seen if isinstance(one, Scale) and one.zone == part.field("zone")])
        case "sight":
            return [("sight.position_mm", _positions(part))]
    return []


def _each_minute(part: _Part) -> list[float]:
    """How many knocks were heard in each whole minute of a step."""
    minutes = int((part.seen[-1].t - part.order.t) // 60) if part.seen else 0
    heard = [int((one.t - part.order.t) // 60) for one in part.seen if isinstance(one, Knock)]
    return [float(heard.count(minute)) for minute in range(minutes)]


def _weighed(readings: Sequence[Scale]) -> list[tuple[str, list[float]]]:
    bursts: list[list[Scale]] = []
    for one in readings:
        if bursts and one.t - bursts[-1][-1].t < BURST_S:
            bursts[-1].append(one)
        else:
            bursts.append([one])
    sigmas, settles, rests = [], [], []
    for burst in bursts:
        still = [one for one in burst if one.settled]
        if len(still) >= 4:
            sigmas.append(statistics.stdev(one.grams for one in still))
            rests.append((still[0].t, statistics.fmean(one.grams for one in still)))
            settles.append((still[0].t - burst[0].t) * 1000)
    drifts = [
        abs(grams - before) / (t - since) * 60
        for (since, before), (t, grams) in zip(rests, rests[2:], strict=False)
        if t - since > 1
    ]
    return [("scale.sigma_g", sigmas), ("scale.settle_ms", settles), ("scale.drift_g_per_min", drifts)]


def _positions(part: _Part) -> list[float]:
    """How far each card was seen from where it was seen on average, per axis (root of the mean square)."""
    places: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for one in part.seen:
        if not isinstance(one, Sight) or one.hidden:
            continue
        had: dict[str, int] = {}
        for card in sorted(one.cards, key=lambda c: (c.card, c.x, c.y)):
            number = had[card.card] = had.get(card.card, -1) + 1
            places.setdefault((card.card, number), []).append((card.x, card.y))
    found = []
    for seen in places.values():
        if len(seen) < 4:
            continue
        found += [statistics.pstdev(place[axis] for place in seen) for axis in (0, 1)]
    return found


def written(noise: str, figures: Iterable[Figure]) -> str:
    """The text of a noise file with what was measured often enough put in; every other line stays as it is."""
    known = {one.name: one for one in figures if one.enough}
    section, lines = "", []
    for line in noise.splitlines():
        head = re.match(r"\s*\[(\w+)\]", line)
        if head is not None:
            section = head[1]
        at = re.match(r"(\s*)(\w+)(\s*=\s*)[-+.\deE]+", line)
        one = known.get(f"{section}.{at[2]}") if at is not None else None
        if at is None or one is None:
            lines.append(line)
            continue
        how = f"measured: {one.count} of {one.tries}" if one.low != one.high else f"measured, {one.tries} values"
        lines.append(f"{at[1]}{at[2]}{at[3]}{one.value:.6g}  # {how}")
    return "\n".join(lines) + "\n"
