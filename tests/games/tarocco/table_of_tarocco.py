"""Gestures at a table of tarocco made by hand: a few tricks of cards that a test chooses, and what the fold tells."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hw.cards import TAROCCO
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import ANTICLOCKWISE, SEATS, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, PlayGesture, PutDown, SetTable, Tap
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from table_service import rulesets
from table_service.events import Event
from table_service.games.tarocco.fold.game import Tarocco
from table_service.games.tarocco.rehearsal import TABLE
from table_service.table.game_fold import GameFold

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST
TAGS: Final = {f"E00401{n:010X}": card for n, card in enumerate(sorted(TAROCCO.cards()))}
DEALER: Final = E


def hands_with(wanted: Mapping[Seat, str]) -> dict[Seat, tuple[str, ...]]:
    """Hands of fifteen, seventeen for the dealer East, that hold the faces ``wanted``; the rest is dealt in order."""
    asked = {seat: [f"{card}#1" for card in wanted.get(seat, "").split()] for seat in SEATS}
    left = [card for card in TAROCCO.cards() if not any(card in cards for cards in asked.values())]
    for seat in (N, W, S, E):
        while len(asked[seat]) < 15 + 2 * (seat is DEALER):
            asked[seat].append(left.pop())
    return {seat: tuple(cards) for seat, cards in asked.items()}


@dataclass
class Told:
    """What came of a log: its events, and the fold as it stands."""

    fold: GameFold[Tarocco]
    events: list[Event]

    def of(self, type_: str) -> list[Event]:
        """The events of one type."""
        return [event for event in self.events if event.type == type_]

    def data(self, type_: str) -> list[dict[str, Any]]:
        """The data of the events of one type."""
        return [event.data.model_dump(mode="json") for event in self.of(type_)]

    @property
    def rows(self) -> list[tuple[str, str | None, str]]:
        """Row, offender and state of every irregularity, as each was told last."""
        newest = {one["key"]: one for one in self.data("irregularity")}
        return [(one["row"], one["offender"], one["state"]) for one in newest.values()]


def header(**options: Any) -> Header:
    """The header of a log of a whole pack with its tags."""
    seats = {str(seat): f"Player {seat}" for seat in SEATS}
    keepers = {"NS": "N", "EW": "E"}
    return Header(
        "T8", "tarocco", tags=TAGS, seats=seats, started="2026-11-20T20:00:00Z", options={"keepers": keepers, **options}
    )


def opening(hands: Mapping[Seat, tuple[str, ...]], scarto: str = "") -> list[Gesture]:
    """A deal begins, dealer East, who discards the faces ``scarto`` (none: nothing) and knocks."""
    begin: list[Gesture] = [
        ConsoleGesture("start-round", fields={"deals": 4}),
        ConsoleGesture("deal", fields={"deal": 1, "dealer": str(DEALER)}),
        SetTable(hands),
        ConsoleGesture("start-play"),
    ]
    cards = tuple(f"{card}#1" for card in scarto.split())
    return [*begin, PutDown(DEALER, cards, "tricks-EW"), Tap(DEALER)] if cards else begin


def trick(plays: str, leader: Seat = N) -> list[Gesture]:
    """Four cards by faces, from ``leader`` on in the direction of play."""
    return [PlayGesture(ANTICLOCKWISE.after(leader, place), f"{card}#1") for place, card in enumerate(plays.split())]


def observations(gestures: Iterable[Gesture], noise: str, seed: str) -> list[Observation]:
    """What the sensors of the table say."""
    paces = dict.fromkeys(SEATS, 0.85)
    observer = Observer(TAGS, load_noise(noise), random.Random(seed), TABLE, paces=paces)
    lines = [line for gesture in gestures for line in observer.perform(gesture)[0]]
    return [*lines, *observer.finish()]


def told(gestures: Iterable[Gesture], noise: str = "none", seed: str = "tarocco", **options: Any) -> Told:
    """The events of a log of ``gestures``."""
    fold = rulesets.open_fold(header(**options))
    assert isinstance(fold, GameFold)
    events = [event for one in observations(gestures, noise, seed) for event in fold.feed(one)]
    return Told(fold, events + fold.close())
