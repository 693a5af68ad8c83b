"""Habits of players at a table: what they do besides the moves of the game, and how they make those moves.

Habits put gestures of their own before a gesture of play, and may make one gesture in another manner. What they do is
allowed by the rules and moves no card anywhere, so a table that reports anything of it but the play is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hw.seats import SEATS, Line, Seat
from hw.twin.gestures import (
    CollectGesture,
    Cross,
    DiscardGesture,
    DrawGesture,
    ExposeGesture,
    Gather,
    Gesture,
    LayGesture,
    LayOut,
    Lean,
    Lift,
    Press,
    ReachGesture,
    Rest,
    SetTable,
    ShiftRow,
    TakeUp,
    Tap,
    Tidy,
    TurnUpGesture,
)
from hw.twin.spread_changes import added
from hw.twin.world import World
from hw.zones import DISCARD, POTS, STOCK, TABLE, hand, melds
from table_service.games.burraco.rehearsal.oracle import is_wild

HABITS: Final = ("tidy", "lively")
"""``tidy``: everybody makes each gesture in one way and nothing besides; ``lively``: as people are."""
PACES: Final = (0.7, 1.8)
"""The quickest and the slowest hands, where 1 is the usual speed."""
DROPS: Final = ((-255.0, -200.0), (-230.0, -240.0), (-195.0, -225.0))
"""Open table, clear of every zone."""
_IDLE: Final = (DrawGesture, CollectGesture, LayGesture, DiscardGesture, TurnUpGesture, Press)
"""Gestures before which somebody may do something else."""
_ZONES: Final = (melds(Line.NS), melds(Line.EW), DISCARD, POTS, TABLE)
_MANNERS: Final = ("plain", "plain", "plain", "last-first", "counted", "again")

Done = tuple[Gesture, bool]
"""A gesture, and whether it is the one that stands for what was asked for."""


@dataclass(frozen=True, slots=True)
class PlayerHabits:
    """One player's ways: probabilities for each of his gestures."""

    one_by_one: float
    in_bunches: float
    restless: float


class TableHabits:
    """The ways of four people in one deal. Every choice is drawn from ``rng``."""

    def __init__(self, people: dict[Seat, PlayerHabits], rng: random.Random) -> None:
        self._people = people
        self._rng = rng
        self._resting: dict[Seat, tuple[str, int]] = {}

    def around(self, world: World, gesture: Gesture) -> list[Done]:
        """``gesture`` as it is really made in ``world``, with what comes before it."""
        before: list[Gesture] = self._lifts(gesture)
        if isinstance(gesture, SetTable):
            return [(replace(gesture, manner=self._rng.choice(_MANNERS)), True)]
        if isinstance(gesture, _IDLE):
            if self._rng.random() < 0.09 + 0.3 * self._mean():
                before += self._idle(world)
            before += self._own(world, gesture)
            if isinstance(gesture, LayGesture):
                parts = self._laid(world, gesture)
                return [*((each, False) for each in before), *parts]
        return [*((each, False) for each in before), (gesture, True)]

    def gathers(self, world: World) -> list[Gesture]:
        """Return the gestures that gather the cards once they are counted: by whom and in which order differs."""
        zones = [hand(seat) for seat in world.table.rotation.seats if world.hands[seat]]
        zones += [melds(line) for line in Line if any(row.zone == melds(line) for row in world.rows.values())]
        zones += [zone for zone in (STOCK, DISCARD, POTS) if world.heap(zone)]
        self._rng.shuffle(zones)
        return [
            Gather(self._rng.choice(world.table.rotation.seats), zone)
            for zone in zones[: self._rng.randint(0, len(zones))]
        ]

    def _mean(self) -> float:
        return sum(person.restless for person in self._people.values()) / len(self._people)

    def _lifts(self, gesture: Gesture) -> list[Gesture]:
        """Arms that rest are taken away in time, and by whoever needs the place."""
        gone: list[Gesture] = []
        for seat, (zone, left) in tuple(self._resting.items()):
            if left <= 0 or isinstance(gesture, LayOut) or not isinstance(gesture, _IDLE):
                gone.append(Lift(seat, zone))
                del self._resting[seat]
            else:
                self._resting[seat] = (zone, left - 1)
        return gone

    def _idle(self, world: World) -> list[Gesture]:
        """Something that has nothing to do with the move."""
        rng = self._rng
        seat = rng.choice(world.table.rotation.seats)
        own = melds(world.table.rotation.line(seat))
        ways: list[tuple[float, Callable[[], list[Gesture]]]] = [
            (10, lambda: [ReachGesture(seat, rng.choice(_ZONES), self._seconds(0.2, 2.2))]),
            (3, lambda: [Tap(seat)]),
            (4, lambda: self._rests(world, seat)),
            (3, lambda: [Tidy(seat, rng.choice((own, DISCARD)))]),
            (1.5, lambda: self._shifts(world, seat)),
            (1, lambda: [ReachGesture(None, rng.choice(_ZONES), self._seconds(0.5, 2.5))]),
            (1.5, lambda: self._leans(world, seat)),
            (1, lambda: self._drops(world, seat)),
        ]
        (_, way) = rng.choices(ways, weights=[weight for weight, _ in ways], k=1)[0]
        return way()

    def _seconds(self, low: float, high: float) -> float:
        return round(self._rng.uniform(low, high), 2)

    def _rests(self, world: World, seat: Seat) -> list[Gesture]:
        if seat in self._resting:
            return []
        own = melds(world.table.rotation.line(seat))
        zone = self._rng.choice((own, own, TABLE, TABLE, DISCARD))
        self._resting[seat] = (zone, self._rng.randint(1, 5))
        return [Rest(seat, zone)]

    def _shifts(self, world: World, seat: Seat) -> list[Gesture]:
        own = melds(world.table.rotation.line(seat))
        rows = [n for n, row in world.rows.items() if row.zone == own and row.beside is None]
        rows = [n for n in rows if not any(row.beside == n for row in world.rows.values())]
        return [ShiftRow(seat, self._rng.choice(rows))] if 0 < len(rows) <= 4 else []

    def _leans(self, world: World, seat: Seat) -> list[Gesture]:
        """Return the gesture of a finger or sleeve on a plate, or the score sheet lifted off the pots for writing."""
        rng = self._rng
        if rng.random() < 0.4 and world.heap(POTS):
            return [Lean(seat, POTS, -round(rng.uniform(4.0, 8.0), 1), self._seconds(2.0, 6.0))]
        grams = rng.choice((rng.uniform(0.5, 6.0), rng.uniform(20.0, 300.0)))
        return [Lean(seat, rng.choice((POTS, DISCARD)), round(grams, 1), self._seconds(0.1, 2.5))]

    def _drops(self, world: World, seat: Seat) -> list[Gesture]:
        """Return the gestures of a card that slips out of the hand, its back upwards, and is taken up again."""
        held = world.hands[seat]
        if len(held) < 3:
            return []
        card = self._rng.choice(held)
        x, y = self._rng.choice(DROPS)
        return [ExposeGesture(seat, (card,), x, y, face_up=False), TakeUp(seat, (card,))]

    def _own(self, world: World, gesture: Gesture) -> list[Gesture]:
        """Return what the player himself does before his move."""
        rng = self._rng
        match gesture:
            case DrawGesture(seat):
                found: list[Gesture] = []
                if rng.random() < 0.10:
                    found.append(ReachGesture(seat, DISCARD, self._seconds(0.3, 2.0)))
                if rng.random() < 0.05:
                    found.append(ReachGesture(seat, STOCK, self._seconds(0.2, 1.0)))
                return found
            case CollectGesture(seat, leave) if leave == 0 and rng.random() < 0.08:
                return [ReachGesture(seat, DISCARD, self._seconds(0.5, 2.5))]
            case DiscardGesture(seat):
                sorts = self._sorts(world, seat) if rng.random() < 0.06 else []
                return [*sorts, *self._marks(world, seat)]
            case _:
                return []

    def _marks(self, world: World, seat: Seat) -> list[Gesture]:
        """He marks the burracos of his line as players do, some of them wrongly: that costs nothing (art. 13)."""
        found: list[Gesture] = []
        for number, row in world.rows.items():
            if row.zone != melds(world.table.rotation.line(seat)) or len(row.cards) < 7 or world.stuck & set(row.cards):
                continue
            naturals = [card for card in row.cards if not is_wild(card)]
            crossed = row.cards[:2] if len(naturals) == len(row.cards) else row.cards[:1]
            if row.crossed != frozenset(crossed) and self._rng.random() < 0.6:
                found.append(Cross(seat, number, crossed))
        return found

    def _sorts(self, world: World, seat: Seat) -> list[Gesture]:
        """He puts a set of his line in another order: which of its cards lies where is all the same."""
        sets = [
            (number, row.cards)
            for number, row in world.rows.items()
            if row.zone == melds(world.table.rotation.line(seat))
            and not world.stuck & set(row.cards)
            and len({card[0] for card in row.cards if not is_wild(card)}) == 1
            and len(row.cards) >= 4
        ]
        if not sets:
            return []
        number, cards = self._rng.choice(sets)
        low = [card for card in cards if is_wild(card)]
        rest = [card for card in cards if not is_wild(card)]
        self._rng.shuffle(rest)
        return [LayGesture(seat, number, (*low, *rest))]

    def _laid(self, world: World, gesture: LayGesture) -> list[Done]:
        """Lay a meld in one bunch, in several, or card by card with the hand going home in between."""
        new = added(world, gesture)
        person, chance = self._people[gesture.seat], self._rng.random()
        plain = gesture.under is None and gesture.beside is None and gesture.through is None
        if len(new) < 2 or not plain:
            return [(gesture, True)]
        if chance < person.one_by_one:
            return [
                *((LayGesture(gesture.seat, gesture.row, reads), False) for reads in _growing(gesture, new)),
                (gesture, True),
            ]
        if chance < person.one_by_one + person.in_bunches:
            return [(replace(gesture, bunches=self._rng.randint(2, 3)), True)]
        return [(gesture, True)]


def _growing(gesture: LayGesture, new: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what the row reads after each of its new cards but the last."""
    return [tuple(card for card in gesture.result if card not in set(new[n:])) for n in range(1, len(new))]


def people(rng: random.Random, seats: tuple[Seat, ...] = SEATS) -> tuple[dict[Seat, PlayerHabits], dict[Seat, float]]:
    """Return the people at ``seats``, and how fast their hands are."""
    found = {
        seat: PlayerHabits(rng.choice((0.0, 0.05, 0.35)), rng.uniform(0.0, 0.5), rng.uniform(0.0, 0.3))
        for seat in seats
    }
    return found, {seat: round(rng.choice((1.0, rng.uniform(*PACES))), 3) for seat in seats}
