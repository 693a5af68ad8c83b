"""The bench procedure: measure on a real table what the simulation assumes, and write it into a file of noise figures.

``tavolo doctor --walk`` leads through ``procedure`` and writes what it hears as an observation log; each step begins
with a ``console`` observation ``{"do": "bench", "step": …}`` and ends with the next. ``measure`` counts; nothing here
guesses: a figure that was not measured often enough stays as it was.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hw.cards import face
from hw.observations import Button, Console, Knock, Observation, Reach, Scale, Screen, Shield, Sight, Tags, Tray

ENOUGH: Final = 20
"""Tries below which a rate says nothing."""
MINUTES: Final = ".false_per_min"
"""Figures of this name count events in minutes, not failures in tries."""
BURST_S: Final = 0.4
"""Readings of one scale within this time belong together."""
APART_S: Final = 0.5
"""Seconds within which two signals of one reach are a bounce: the hand was asked to come once in two seconds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: ``value`` in the noise file's unit; of a rate, how many of how many tries, and its interval.

    ``low`` and ``high``: the 95 % interval of a rate (Wilson's) or of a number a minute, equal to ``value`` for what is
    neither.
    """

    name: str
    value: float
    count: int
    tries: int
    low: float
    high: float

    @property
    def enough(self) -> bool:
        """True if it may replace an assumption: tried often enough, and no spread of nothing at all."""
        return self.tries >= ENOUGH and (self.is_rate or self.value > 0)

    @property
    def is_rate(self) -> bool:
        """True if it counts events, in tries or minutes."""
        return self.low != self.high

    @property
    def estimate(self) -> float:
        """The figure to reckon with. What never failed in n tries may still fail: Jeffreys' half an event is added.

        0 in 100 gives 0.005, never 0; the mean of the posterior with Jeffreys' prior (Brown, Cai, DasGupta 2001).
        """
        if not self.is_rate:
            return self.value
        return (self.count + 0.5) / (self.tries if self.name.endswith(MINUTES) else self.tries + 1)


def wilson(count: int, tries: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate of ``count`` in ``tries`` (Wilson 1927). Raises ValueError without tries."""
    if tries <= 0:
        raise ValueError("a rate needs tries")
    z, share = 1.96, count / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z / (1 + z * z / tries) * ((share * (1 - share) + z * z / (4 * tries)) / tries) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def poisson(count: int, minutes: int) -> tuple[float, float]:
    """Return the 95 % interval of events a minute, ``count`` in ``minutes`` (Byar). Raises ValueError at 0."""
    if minutes <= 0:
        raise ValueError("a rate needs minutes")
    z = 1.96
    low = count * (1 - 1 / (9 * count) - z / (3 * count**0.5)) ** 3 if count else 0.0
    more = count + 1
    return low / minutes, more * (1 - 1 / (9 * more) + z / (3 * more**0.5)) ** 3 / minutes


@dataclass(frozen=True, slots=True)
class _BenchPart:
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
    """Return what the bench steps in ``log`` measured, counts of like steps added up."""
    counts: dict[str, tuple[int, int]] = {}
    values: dict[str, list[float]] = {}
    for part in _parts(log):
        for name, count, tries in _counted(part):
            had = counts.get(name, (0, 0))
            counts[name] = (had[0] + count, had[1] + tries)
        for name, found in _valued(part):
            values.setdefault(name, []).extend(found)
    rates = [_rate(name, c, n) for name, (c, n) in counts.items() if n]
    spreads = [_spread(name, found) for name, found in values.items() if found]
    return tuple(sorted((*rates, *spreads), key=lambda one: one.name))


def _rate(name: str, count: int, tries: int) -> Figure:
    span = poisson(count, tries) if name.endswith(MINUTES) else wilson(min(count, tries), tries)
    return Figure(name, count / tries, count, tries, *span)


def _spread(name: str, found: Sequence[float]) -> Figure:
    value = statistics.fmean(found)
    return Figure(name, value, len(found), len(found), value, value)


def _parts(log: Iterable[Observation]) -> list[_BenchPart]:
    parts: list[_BenchPart] = []
    order: Console | None = None
    seen: list[Observation] = []
    for one in log:
        if isinstance(one, Console) and one.do == "bench":
            if order is not None:
                parts.append(_BenchPart(order, tuple(seen)))
            order, seen = one, []
        else:
            seen.append(one)
    if order is not None:
        parts.append(_BenchPart(order, tuple(seen)))
    return parts


def _counted(part: _BenchPart) -> list[tuple[str, int, int]]:
    """Rates of one step: name, how often it went wrong, of how many tries."""
    count = _COUNTED.get(part.field("step"))
    return count(part) if count is not None else []


def _gate(part: _BenchPart) -> list[tuple[str, int, int]]:
    zone = part.field("zone")
    scans = [one for one in part.seen if isinstance(one, Tags) and one.tags]
    read = len(apart([one.t for one in scans if one.zone == zone]))
    other = sum(1 for one in scans if one.zone != zone)
    return [("gate.miss", max(0, part.times - read), part.times), ("gate.ghost", other, len(scans))]


def _reach(part: _BenchPart) -> list[tuple[str, int, int]]:
    at = (part.field("seat"), part.field("zone"))
    moments = [o.t for o in part.seen if isinstance(o, Reach) and o.phase == "in" and (o.seat, o.zone) == at]
    return _signals("beam", moments, part.times)


def _shield(part: _BenchPart) -> list[tuple[str, int, int]]:
    poses = [one.t for one in part.seen if isinstance(one, Shield) and one.seat == part.field("seat")]
    return _signals("contact", poses, 2 * part.times)


def _turned(part: _BenchPart) -> list[tuple[str, int, int]]:
    kind = part.field("step")
    turns = [one.t for one in part.seen if _is_turn(one, kind, part.field("part"))]
    return _signals("contact", turns, part.times)


def _button(part: _BenchPart) -> list[tuple[str, int, int]]:
    pressed = sum(1 for one in part.seen if isinstance(one, Button) and one.seat == part.field("seat"))
    return [("contact.miss", max(0, part.times - pressed), part.times)]


def _idle(part: _BenchPart) -> list[tuple[str, int, int]]:
    return [("knock.false_per_min", *_knocks(part))]


def _knock(part: _BenchPart) -> list[tuple[str, int, int]]:
    seat = part.field("seat")
    heard = len(apart([o.t for o in part.seen if isinstance(o, Knock) and (not seat or o.seat == seat)]))
    return [("knock.miss", max(0, part.times - heard), part.times)]


def _is_turn(one: Observation, kind: str, name: str) -> bool:
    """Return True if ``one`` is the signal of a screen part, or of the tray at a side, when moved and put back."""
    if isinstance(one, Screen):
        return (kind, name) == ("screen", one.part) and one.pose in ("down", "closed")
    return isinstance(one, Tray) and (kind, name) == ("tray", one.side)


def apart(moments: Sequence[float], gap: float = APART_S) -> list[float]:
    """Return the first of each run of moments at most ``gap`` apart: a card that flickers passed once."""
    return [t for n, t in enumerate(moments) if n == 0 or t - moments[n - 1] >= gap]


def _signals(kind: str, moments: Sequence[float], times: int) -> list[tuple[str, int, int]]:
    bounced = sum(1 for a, b in pairwise(moments) if b - a < APART_S)
    real = len(moments) - bounced
    return [(f"{kind}.miss", max(0, times - real), times), (f"{kind}.bounce", bounced, real)]


def _sights(part: _BenchPart) -> list[tuple[str, int, int]]:
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


_COUNTED: Final[Mapping[str, Callable[[_BenchPart], list[tuple[str, int, int]]]]] = {
    "gate": _gate,
    "reach": _reach,
    "shield": _shield,
    "screen": _turned,
    "tray": _turned,
    "button": _button,
    "idle": _idle,
    "knock": _knock,
    "sight": _sights,
}
"""Counter of each kind of bench step."""


def _valued(part: _BenchPart) -> list[tuple[str, list[float]]]:
    """Spreads and times of one step, in the noise file's units."""
    match part.field("step"):
        case "scale":
            return _weighed([one for one in part.seen if isinstance(one, Scale) and one.zone == part.field("zone")])
        case "sight":
            return [("sight.position_mm", _positions(part))]
    return []


def _knocks(part: _BenchPart) -> tuple[int, int]:
    """Return how many knocks were heard in the whole minutes of a step, and how many minutes those were."""
    minutes = int((part.seen[-1].t - part.order.t) // 60) if part.seen else 0
    heard = [one for one in part.seen if isinstance(one, Knock) and one.t - part.order.t < 60 * minutes]
    return len(heard), minutes


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


def _positions(part: _BenchPart) -> list[float]:
    """Return the distance of each card's sightings from their mean place, per axis (root of the mean square)."""
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
    """Return the text of a noise file with what was measured often enough put in; every other line stays as it is."""
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
        lines.append(f"{at[1]}{at[2]}{at[3]}{one.estimate:.6g}  # {_how(one)}")
    return "\n".join(lines) + "\n"


def _how(one: Figure) -> str:
    """Return how a figure was measured, for the end of its line."""
    if not one.is_rate:
        return f"measured, {one.tries} values"
    unit = " minutes" if one.name.endswith(MINUTES) else ""
    return f"measured: {one.count} of {one.tries}{unit} (95 %: {one.low:.3g} to {one.high:.3g})"
