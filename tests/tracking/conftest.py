"""Tracking against the twin: random play that follows no rule, and the movements that a perfect tracker would tell."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from hw.cards import BURRACO, UNKNOWN, face
from hw.equipment import BURRACO_TABLE
from hw.layout import DEFAULT_LAYOUT
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    DiscardGesture,
    DrawGesture,
    ExposeGesture,
    Gesture,
    LayGesture,
    PutAside,
    PutBack,
    ReturnGesture,
    TakeFromRow,
    TakeHeap,
    TakeUp,
    TurnUpGesture,
    Wait,
)
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.spread_changes import added
from hw.twin.world import World
from hw.zones import hand, melds
from table_service.games.burraco.rehearsal.burraco_gestures import set_table, take_pot
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Named, Retracted, RowChanged, Track

Told = tuple[str | None, str | None, str | None, tuple[str, ...], int | None]
"""Source, target, seat, faces, row."""


@dataclass
class Play:
    """A log and what truly moved in it."""

    header: Header
    observations: list[Observation] = field(default_factory=list)
    truth: list[Told] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    world: World = field(default_factory=World)


def tags_of_pack() -> dict[str, str]:
    return {f"E00401{n:010X}": card for n, card in enumerate(BURRACO.cards())}


def expected(gesture: Gesture, world: World, cards: tuple[str, ...]) -> Told | None:
    """What a perfect tracker says about ``gesture`` done in ``world``."""
    faces = tuple(face(card) for card in cards)
    match gesture:
        case TurnUpGesture(seat):
            return "stock", "discard", seat, faces, None
        case DrawGesture(seat):
            return "stock", hand(seat), seat, faces, None
        case PutBack(seat):
            return hand(seat), "stock", seat, faces, None
        case CollectGesture(seat):
            return "discard", hand(seat), seat, faces, None
        case ReturnGesture(seat) | DiscardGesture(seat):
            return hand(seat), "discard", seat, faces, None
        case LayGesture(seat, row):
            zone = world.rows[row].zone if row in world.rows else melds(seat.line)
            return hand(seat), zone, seat, tuple(face(c) for c in added(world, gesture)), row
        case TakeFromRow(seat, row):
            return world.rows[row].zone, hand(seat), seat, faces, row
        case TakeHeap(seat, _, giver):
            return "pots", None, giver or seat, (UNKNOWN,) * len(faces), None
        case ExposeGesture(seat, x=x, y=y):
            return hand(seat), DEFAULT_LAYOUT.zone_at(x, y), seat, tuple(sorted(faces)), None
        case TakeUp(seat):
            return None, hand(seat), seat, tuple(sorted(faces)), None
        case PutAside(seat):
            return hand(seat), f"side-{seat}", seat, tuple(sorted(faces)), None
    return None


class Improviser:
    """Seats that do what hands can do, by turns, in no game's sense."""

    def __init__(self, seed: int, level: str) -> None:
        self.rng = random.Random(seed)
        self.observer = Observer(tags_of_pack(), load_noise(level), random.Random(seed + 1_000_000))
        self.play = Play(Header("T1", "fibur2024", {"keepers": {"NS": "N", "EW": "E"}}, tags=tags_of_pack()))
        self.rows = 0

    def do(self, gesture: Gesture) -> None:
        before = self.observer.world
        lines, done = self.observer.perform(gesture)
        self.play.observations += lines
        told = expected(gesture, before, done.cards)
        if told is not None:
            if isinstance(gesture, TakeUp):
                first = gesture.cards[0]
                lying = next((c for c in before.loose if c.card == first), None)
                zone = f"side-{gesture.seat}" if lying is None else DEFAULT_LAYOUT.zone_at(lying.x, lying.y)
                told = (zone, *told[1:])
            self.play.truth.append(told)
            self.play.times.append(done.committed)

    def some(self, seat: Seat, count: int) -> tuple[str, ...]:
        return tuple(self.rng.sample(self.observer.world.hands[seat], count))

    def set_out(self, dealer: Seat) -> None:
        pack = list(BURRACO.cards())
        self.rng.shuffle(pack)
        hands = {seat: tuple(pack.pop() for _ in range(11)) for seat in SEATS}
        pots = (tuple(pack.pop() for _ in range(11)), tuple(pack.pop() for _ in range(11)))
        self.do(ConsoleGesture("start-round", fields={"deals": 1, "minutes": 42}))
        self.do(ConsoleGesture("deal", fields={"deal": 1, "dealer": str(dealer)}))
        self.do(set_table(hands, pots, tuple(pack)))
        self.do(ConsoleGesture("start-play"))
        self.do(TurnUpGesture(dealer))

    def turn(self, seat: Seat) -> None:
        rng, world = self.rng, self.observer.world
        if world.heap("discard") and (rng.random() < 0.3 or not world.heap("stock")):
            leave = rng.choice((0, 0, 0, 1)) if len(world.heap("discard")) > 1 else 0
            self.do(CollectGesture(seat, leave))
        elif world.heap("stock"):
            self.do(DrawGesture(seat))
            if rng.random() < 0.04:
                self.do(PutBack(seat, self.observer.world.hands[seat][-1]))
                self.do(DrawGesture(seat))
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            self.meld(seat)
        self.oddity(seat)
        if self.observer.world.hands[seat]:
            self.do(DiscardGesture(seat, *self.some(seat, 1)))
        elif self.observer.world.heaps.get("pots", ()):
            self.do(take_pot(seat, rng.choice((None, seat.next))))

    def meld(self, seat: Seat) -> None:
        rng, world = self.rng, self.observer.world
        mine = [row for row, lies in world.rows.items() if lies.zone == melds(seat.line) and len(lies.cards) < 9]
        held = len(world.hands[seat])
        if mine and rng.random() < 0.6 and held > 1:
            row = rng.choice(mine)
            lies = world.rows[row].cards
            new = self.some(seat, min(held, rng.choice((1, 1, 1, 2))))
            at = rng.choice((0, len(lies), rng.randrange(len(lies))))
            self.do(LayGesture(seat, row, lies[:at] + new + lies[at:]))
        elif held > 3 and len([r for r in world.rows.values() if r.zone == melds(seat.line)]) < 7:
            self.do(LayGesture(seat, self.rows, self.some(seat, rng.choice((3, 3, 4)))))
            self.rows += 1

    def oddity(self, seat: Seat) -> None:
        rng, world = self.rng, self.observer.world
        chance = rng.random()
        mine = [row for row, lies in world.rows.items() if lies.zone == melds(seat.line)]
        held = len(world.hands[seat])
        if chance < 0.04 and held > 2:
            x, y = rng.choice(((300.0, 50.0), (-200.0, -200.0), (-100.0, -230.0)))
            cards = self.some(seat, rng.choice((1, 1, 2)))
            self.do(ExposeGesture(seat, cards, x, y))
            self.do(Wait(rng.uniform(1.0, 4.0)))
            self.do(TakeUp(seat, cards))
        elif chance < 0.06 and mine:
            row = rng.choice(mine)
            self.do(TakeFromRow(seat, row, (rng.choice(world.rows[row].cards),)))
        elif chance < 0.08 and held > 2:
            self.do(PutAside(seat, self.some(seat, 1)))

    def deal(self, turns: int) -> Play:
        dealer = self.rng.choice(SEATS)
        self.set_out(dealer)
        seat = dealer.next
        for _ in range(turns):
            self.turn(seat)
            seat = seat.next if self.rng.random() > 0.04 else self.rng.choice(SEATS)
        self.play.observations += self.observer.finish()
        self.play.world = self.observer.world
        return self.play


def follow(header: Header, observations: Iterable[Observation]) -> list[Track]:
    """All that the tracker says about a log."""
    tracker = Tracker(header, BURRACO_TABLE)
    said: list[Track] = []
    for observation in observations:
        said += tracker.feed(observation)
    return said + tracker.close()


def told(said: Iterable[Track]) -> tuple[list[Told], list[Movement]]:
    """The movements as finally known: later names put in, what was taken back left out."""
    movements: dict[int, Movement] = {}
    cards: dict[int, tuple[str, ...]] = {}
    for track in said:
        if isinstance(track, Movement):
            movements[track.id], cards[track.id] = track, track.cards
        elif isinstance(track, Named):
            cards[track.movement] = track.cards
        elif isinstance(track, Retracted):
            movements.pop(track.movement, None)
    lines: list[Told] = []
    for number, movement in movements.items():
        faces = tuple(face(card) for card in cards[number])
        loose = movement.row is None and not {movement.source, movement.target} & {"stock", "discard", "pots"}
        faces = tuple(sorted(faces)) if loose else faces
        lines.append((movement.source, movement.target, movement.seat, faces, movement.row))
    return lines, list(movements.values())


def improvise(seed: int, level: str = "normal", turns: int = 24) -> Play:
    """A deal of random play at a level of noise."""
    return Improviser(seed, level).deal(turns)


@pytest.fixture
def twin() -> SimpleNamespace:
    """The helpers of this directory."""
    calls: dict[str, Callable[..., object]] = {"improvise": improvise, "follow": follow, "told": told}
    return SimpleNamespace(**calls, RowChanged=RowChanged)
