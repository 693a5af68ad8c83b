"""What a table's sensors would log of a course of events: own scale, coil, beam and camera models.

A ``Course`` is written by the game (who reached where when, what lay where from when on); ``lines_of`` senses it. The
models differ from the project's twin on purpose: plates swing like springs, pictures overtake each other, sleeves
cover melds, a card that is missed may or may not leave a hole in the order of its row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.independent.cards import SEATS, face, line_of, suit

GRAMS = 1.8


@dataclass
class Traits:
    """How this table's sensors are: drawn once for each log.

    fps: frames a second while something moves (0: two, unevenly); tick, beat: seconds between readings of a plate that
    swings, and of one at rest (0: 3 to 6).
    """

    gates: bool = True
    beams: bool = True
    holes: bool = True
    sigma: float = 0.3
    gate_miss: float = 0.02
    beam_miss: float = 0.005
    bounce: float = 0.02
    sight_miss: float = 0.01
    misread: float = 0.001
    sleeves: float = 0.008
    fps: float = 0.0
    tick: float = 0.045
    beat: float = 0.0
    copies: bool = False


@dataclass
class Course:
    """What happened, in order: loads of the plates, what lies face up, hands, and lines that are logged as they are."""

    loads: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    scenes: list[tuple[float, list[dict]]] = field(default_factory=list)
    covers: list[tuple[float, float, str]] = field(default_factory=list)
    lines: list[tuple[float, dict]] = field(default_factory=list)
    until: float = 0.0

    def say(self, t, kind, **fields):
        """A line as it is."""
        self.lines.append((t, {"t": round(t, 6), "kind": kind, **fields}))


class Hands:
    """Arms and cards that cross beams and coils, written into a course with their errors."""

    def __init__(self, course, rng, traits, tags):
        self.course, self.rng, self.traits = course, rng, traits
        self.uid = {card: uid for uid, card in tags.items()}

    def reach(self, seat, zone, start, end):
        """An arm over ``zone``."""
        rng, say = self.rng, self.course.say
        self.course.covers.append((start, max(end, start + 0.7), zone))
        if not self.traits.beams or rng.random() < self.traits.beam_miss:
            return
        say(start, "reach", seat=seat, zone=zone, phase="in")
        if rng.random() < self.traits.bounce:
            again = start + rng.uniform(0.02, 0.07)
            say(again, "reach", seat=seat, zone=zone, phase="out")
            say(again + rng.uniform(0.02, 0.07), "reach", seat=seat, zone=zone, phase="in")
        say(end, "reach", seat=seat, zone=zone, phase="out")

    def cross(self, coil, cards, t):
        """Cards cross a coil: only one by itself answers."""
        rng, say = self.rng, self.course.say
        if not self.traits.gates or len(cards) != 1 or rng.random() < self.traits.gate_miss:
            return
        uid = self.uid[cards[0]]
        off = t + rng.uniform(0.12, 0.3)
        say(t, "tags", zone=coil, tags=[uid])
        if rng.random() < 0.03:
            say(t + 0.046, "tags", zone=coil, tags=[])
            say(t + 0.069, "tags", zone=coil, tags=[uid])
        say(off, "tags", zone=coil, tags=[])

    def spot(self, pile, t):
        """The coil under the discard: one card alone answers."""
        if self.traits.gates:
            self.course.say(t, "tags", zone="discard", tags=[self.uid[pile[0]]] if len(pile) == 1 else [])


def scene_of(world, keepers):
    """What lies face up in ``world``, as cards of a sight without errors."""
    seen = []
    for number, (line, cards) in world.rows.items():
        keeper = keepers[line]
        taken = sum(other[0] == line for other in world.slots.values())
        _, slot, gap = world.slots.setdefault(number, (line, taken, 0))
        for order, card in enumerate(cards):
            laid = _laid(card, keeper, line, slot, order + gap, number) | {"order": order}
            if card in world.crossed:
                laid["angle"] = (laid["angle"] + 90.0) % 180
            seen.append(laid)
    for order, card in enumerate(world.pile):
        seen.append(
            {
                "card": card,
                "zone": "discard",
                "x": -300.0 + 12 * order,
                "y": -60.0,
                "angle": 0.0,
                "row": 0,
                "order": order,
            }
        )
    for card, x, y, seat in world.loose:
        seen.append(
            {
                "card": card,
                "zone": "table",
                "x": x,
                "y": y,
                "angle": 0.0 if seat in "NS" else 90.0,
                "row": None,
                "order": None,
            }
        )
    for seat in SEATS:
        for order, card in enumerate(world.side[seat]):
            seen.append(
                {
                    "card": card,
                    "zone": f"side-{seat}",
                    "x": 0.0,
                    "y": 20.0 * order,
                    "angle": 0.0,
                    "row": 0,
                    "order": order,
                }
            )
        if seat in world.shown:
            for order, card in enumerate(world.hands[seat]):
                seen.append(
                    {
                        "card": card,
                        "zone": f"hand-{seat}",
                        "x": -250.0 + 40 * order,
                        "y": 400.0,
                        "angle": 0.0,
                        "row": 0,
                        "order": order,
                    }
                )
    return seen


def _laid(card, keeper, line, slot, order, number):
    """A card of a column that runs from its keeper's edge to the middle."""
    across, along = -300.0 + 66.0 * slot, 310.0 - 17.0 * order
    x, y = {"N": (across, along), "S": (-across, -along), "E": (along, -across), "W": (-along, across)}[keeper]
    angle = 0.0 if keeper in "NS" else 90.0
    return {"card": card, "zone": f"melds-{line}", "x": x, "y": y, "angle": angle, "row": number, "order": order}


def lines_of(course, rng, traits):
    """The log's lines in order of arrival."""
    arriving = [(t, n, line) for n, (t, line) in enumerate(course.lines)]
    for zone, loads in course.loads.items():
        arriving += [(t, len(arriving), line) for t, line in _weigh(zone, loads, course.until, rng, traits)]
    arriving += [(t, len(arriving), line) for t, line in _watch(course, rng, traits)]
    return [line for _, _, line in sorted(arriving, key=lambda entry: entry[:2])]


def _weigh(zone, loads, until, rng, traits):
    drift, rate = 0.0, rng.uniform(-0.05, 0.05) / 60
    for n, (t, cards) in enumerate(loads):
        before = loads[n - 1][1] if n else 0
        end = loads[n + 1][0] if n + 1 < len(loads) else until
        at = t + 0.04
        while at < end:
            since = at - t
            swing = (before - cards) * math.exp(-since / 0.07) * math.cos(since * 32) if since < 0.9 else 0.0
            drift += rate * traits.tick
            grams = (cards + swing) * GRAMS + drift + rng.gauss(0, traits.sigma)
            line = {"t": round(at, 6), "kind": "scale", "zone": zone, "grams": round(grams, 2), "settled": since > 0.3}
            yield at, line
            at += traits.tick if since < 0.85 else traits.beat or rng.uniform(3.0, 6.0)


def _watch(course, rng, traits):
    scenes, t, frame = course.scenes, 0.5, 0
    changes = sorted([at for at, _ in scenes] + [at for span in course.covers for at in span[:2]])
    sleeves = []
    while t < course.until:
        frame += 1
        scene = next((cards for at, cards in reversed(scenes) if at <= t), [])
        hidden = sorted({zone for start, end, zone in course.covers if start <= t < end})
        if rng.random() < traits.sleeves:
            sleeves.append((t, t + rng.uniform(1.5, 5.0), rng.choice(["melds-NS", "melds-EW"])))
            changes.append(sleeves[-1][1])
        hidden += sorted({zone for start, end, zone in sleeves if start <= t < end} - set(hidden))
        yield (
            t + _delay(rng),
            {
                "t": round(t, 6),
                "kind": "sight",
                "frame": frame,
                "cards": _seen(scene, set(hidden), rng, traits),
                "hidden": hidden,
            },
        )
        lively = any(t - 2.5 < at < t + 0.6 for at in changes)
        pause = rng.uniform(0.9, 1.1) / traits.fps if traits.fps else rng.uniform(0.4, 0.6)
        t += pause if lively else rng.uniform(3.0, 4.8)


def _delay(rng):
    return min(1.95, 0.12 + rng.lognormvariate(-1.6, 0.8))


def _seen(scene, hidden, rng, traits):
    cards, missed = [], {}
    for card in scene:
        if card["zone"] in hidden:
            continue
        key = (card["zone"], card["row"])
        if rng.random() < traits.sight_miss:
            missed[key] = missed.get(key, 0) + 1
            continue
        shown, sure = card["card"] if traits.copies else face(card["card"]), rng.uniform(0.97, 0.999)
        if rng.random() < traits.misread:
            shown, sure = rng.choice("3456789TJQK") + (suit(card["card"]) or "H"), rng.uniform(0.4, 0.95)
        order = card["order"]
        if order is not None and not traits.holes:
            order -= missed.get(key, 0)
        cards.append(
            {
                "card": shown,
                "zone": card["zone"],
                "x": round(card["x"] + rng.gauss(0, 2), 1),
                "y": round(card["y"] + rng.gauss(0, 2), 1),
                "angle": round((card["angle"] + rng.gauss(0, 2)) % 180, 1),
                "face": "up",
                "confidence": round(sure, 3),
                "row": card["row"],
                "order": order,
            }
        )
    rng.shuffle(cards)
    return cards


__all__ = ["Course", "Hands", "Traits", "line_of", "lines_of", "scene_of"]
