"""Gestures at a table of Ottetto, the made-up game, and the sensors that tell of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hw.layout import TAROCCO_LAYOUT
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import Seat
from hw.twin.gestures import Command, Gesture, Play, SetTable
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.twin_table import Table
from table_service.games.definition import RuleSet

FOLDER: Final = Path(__file__).parent / "installed"
HANDS: Final = {
    Seat.NORTH: ("KH#1", "QS#1"),
    Seat.WEST: ("AH#1", "JS#1"),
    Seat.SOUTH: ("JH#1", "AS#1"),
    Seat.EAST: ("QH#1", "KS#1"),
}


def plays(seat: Seat, number: int) -> Play:
    """``seat`` plays its card ``number`` to the trick."""
    return Play(seat, HANDS[seat][number])


def trick(number: int, *seats: Seat) -> list[Gesture]:
    """The ``seats`` play their cards ``number``, one after the other."""
    return [plays(seat, number) for seat in seats]


def deal(*gestures: Gesture) -> list[Gesture]:
    """A round of one deal, dealer East, in which ``gestures`` are made."""
    return [
        Command("start-round", fields={"deals": 1}),
        Command("deal", fields={"deal": 1, "dealer": "E"}),
        SetTable(HANDS),
        Command("start-play"),
        *gestures,
    ]


@dataclass
class Sensed:
    """A twin of the table that ``rules`` describe: gestures in, observations out."""

    rules: RuleSet
    noise: str = "normal"
    seed: str = "ottetto"
    header: Header = field(init=False)
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        cards = sorted(card for held in HANDS.values() for card in held)
        tags = {f"E00401{n:010X}": card for n, card in enumerate(cards)}
        seats = {str(seat): f"Player {seat}" for seat in Seat}
        self.header = Header("T8", self.rules.name, tags=tags, seats=seats, started="2026-11-20T20:00:00Z")
        table = Table(self.rules.equipment, TAROCCO_LAYOUT, self.rules.rotation)
        self.observer = Observer(tags, load_noise(self.noise), random.Random(self.seed), table)

    def of(self, *gestures: Gesture) -> Iterator[Observation]:
        for gesture in gestures:
            yield from self.observer.perform(gesture)[0]
        yield from self.observer.finish()
