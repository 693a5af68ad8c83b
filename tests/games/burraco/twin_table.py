"""A table whose sensors are the twin's: gestures in, what the sensors say through tracking and the fold, events out."""

from __future__ import annotations

import random
from typing import Any

from hw.cards import BURRACO
from hw.seats import SEATS, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, SetTable
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from table_service.events import Event
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from table_service.rehearsal.rehearse import header_for

HAND = 11


def dealt(pots: tuple[int, int] = (11, 11), missing: int = 0, seed: int = 5) -> SetTable:
    """108 cards dealt, fewer where ``missing`` of the stock; ``pots``: cards in each."""
    cards = list(BURRACO.cards())
    random.Random(seed).shuffle(cards)
    hands = {seat: tuple(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(SEATS)}
    rest = cards[4 * HAND :]
    first, second = pots
    return set_table(
        hands, (tuple(rest[:first]), tuple(rest[first : first + second])), tuple(rest[first + second + missing :])
    )


class TwinTable:
    """One deal, dealer S, without noise: what is done to it goes through the sensors."""

    def __init__(self, table: SetTable, deals: int = 1, seed: int = 5, first: Gesture | None = None) -> None:
        self.header = header_for("fibur2024", seed, deals)
        self.fold = TableFold(self.header)
        self._observer = Observer(self.header.tags, load_noise("none"), random.Random(seed))
        self.events: list[Event] = []
        self.table = table
        self.do(
            ConsoleGesture("start-round", fields={"deals": deals, "minutes": 42}),
            ConsoleGesture("deal", fields={"deal": 1, "dealer": "S"}),
            *([] if first is None else [first]),
            table,
            ConsoleGesture("start-play"),
        )

    def do(self, *gestures: Gesture) -> None:
        """Perform gestures, one after the other."""
        for gesture in gestures:
            lines, _ = self._observer.perform(gesture)
            for line in lines:
                self.events += self.fold.feed(line)

    def hand(self, seat: str) -> tuple[str, ...]:
        """The cards that ``seat`` was dealt."""
        return self.table.hands[Seat(seat)]

    def end(self) -> None:
        """The log ends."""
        for line in self._observer.finish():
            self.events += self.fold.feed(line)
        self.events += self.fold.close()

    def of(self, type_: str) -> list[Event]:
        """The events of one type."""
        return [event for event in self.events if event.type == type_]

    def verdicts(self) -> list[tuple[str, str | None, str]]:
        """Every telling of every irregularity: row, offender, state."""
        return [(e.data.row, e.seat, e.data.state) for e in self.of("irregularity")]  # type: ignore[attr-defined]

    def last(self) -> dict[str, Any]:
        """The newest telling of an irregularity as JSON."""
        return self.of("irregularity")[-1].data.model_dump(mode="json", by_alias=True)
