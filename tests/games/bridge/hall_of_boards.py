"""A hall at which the same boards are played: each table's own auctions and plays, and their events."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from hw.seats import Seat
from table_service.events import Event, event_to_json, public
from table_service.games.bridge.fold.game import open_fold
from table_service.games.reports import DealPlayed, RoundPlayed
from tests.games.bridge.table_of_bridge import HEADER, TableOfBridge, deal_hands
from tests.games.bridge.test_boards_observed import play_board

BEGUN = datetime.fromisoformat(HEADER.started).timestamp()


@dataclass(frozen=True)
class TableInHall:
    """One table's events of a round."""

    place: str
    events: tuple[Event, ...]

    @property
    def told(self) -> list[dict[str, Any]]:
        """What is public of them, as JSON."""
        return [event_to_json(public(one)) for one in self.events]

    def deals(self, **pairs: str) -> list[DealPlayed]:
        """Its deals by their public events."""
        numbers = sorted({one.deal for one in self.events if one.deal is not None})
        return [
            DealPlayed(self.place, tuple(one for one in self.told if one["deal"] == number), pairs)
            for number in numbers
        ]


@cache
def hands_of_boards(seed: int, boards: int) -> tuple[dict[Seat, list[str]], ...]:
    chance = random.Random(seed)
    return tuple(deal_hands(chance) for _ in range(boards))


@cache
def hall(seed: int, tables: int, boards: int, altered: tuple[str, int] | None = None) -> tuple[TableInHall, ...]:
    """``tables`` tables that play the same ``boards``; ``altered``: table and board that has other cards there."""
    found = []
    for n in range(1, tables + 1):
        place = f"T{n}"
        table = TableOfBridge(step=1.0, fold=open_fold(replace(HEADER, table=place), f"0000{n:02d}"))
        chance = random.Random(1000 * seed + n)
        for number, hands in enumerate(hands_of_boards(seed, boards), start=1):
            other = deal_hands(random.Random(77)) if altered == (place, number) else hands
            play_board(table, chance, number, record=False, hands=other)
        table.console("end-round")
        found.append(TableInHall(place, tuple(table.events)))
    return tuple(found)


def round_of(tables: tuple[TableInHall, ...], boards: int, **changes: Any) -> RoundPlayed:
    """The round of a hall, over unless ``changes`` say otherwise."""
    places = tuple(one.place for one in tables)
    known = {
        "number": 1,
        "deals": boards,
        "minutes": 8.0 * boards,
        "begun": BEGUN,
        "now": BEGUN + 3600.0,
        "is_over": True,
        "played": tuple(deal for one in tables for deal in one.deals()),
        "places": places,
    }
    return RoundPlayed(**{**known, **changes})  # type: ignore[arg-type]
