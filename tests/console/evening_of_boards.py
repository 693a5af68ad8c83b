"""A hall of bridge tables behind a console: what it orders goes to their folds, and they play what they were sent."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from hw.seats import CLOCKWISE, Seat
from table_service.events import event_to_json, public
from table_service.events.topics import Topics
from table_service.games.bridge.fold.game import open_fold
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import board_dealer
from tests.games.bridge.table_of_bridge import HEADER, TableOfBridge

CALLS = ("1N P P P", "1H P 2H P P P", "3N P P P", "1S P 4S P P P", "1D 1H P P P", "1C P 1N P 3N P P P")
STRAIN_TRICKS = range(5, 12)


@dataclass
class HallOfBoards:
    """The tables of a hall by place, and how much of what the console sent they have had."""

    house: Any
    tables: dict[str, TableOfBridge] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    had: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(46))

    def open(self, count: int) -> None:
        """So many tables are there."""
        started = datetime.fromtimestamp(self.house.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for n in range(1, count + 1):
            place = f"T{n}"
            header = replace(HEADER, table=place, started=started)
            self.tables[place] = TableOfBridge(step=0.5, fold=open_fold(header, f"0000{n:02d}"))
            self.house.say(f"{place}/status", {"state": "ready", "boot": f"0000{n:02d}"})
            self.tell(place)

    def tell(self, place: str) -> None:
        """The console hears what a table has told since."""
        table, before, topics = self.tables[place], self.told.get(place, 0), Topics("sala", place)
        for event in table.events[before:]:
            told = json.dumps(event_to_json(public(event))).encode()
            self.house.store.apply(topics.event(event.type), told, now=self.house.at)
        self.told[place] = len(table.events)
        self.house.say(f"{place}/state", {**table.fold.state(), "table": place, "rules": "bridge"})

    def carry(self) -> list[dict[str, Any]]:
        """The tables get the console's new orders and answer them; those orders."""
        new = self.house.sent[self.had :]
        self.had = len(self.house.sent)
        orders = []
        for topic, order in new:
            place = topic.split("/")[-2]
            if place not in self.tables or "do" not in order:
                continue
            fields = {k: v for k, v in order.items() if k not in ("id", "by", "issued", "expires", "signature", "do")}
            self.tables[place].console(order["do"], **fields)
            text = {"it": "fatto", "en": "done"}
            answer = {"id": order["id"], "ok": True, "reason": None, "text": text}
            self.house.store.apply(f"{topic}/{order['id']}/result", json.dumps(answer).encode(), now=self.house.at)
            self.tell(place)
            orders.append(order)
        return orders

    def play(self, place: str) -> list[int]:
        """A table plays the boards that it was sent, and both lines confirm; their numbers."""
        table, boards = self.tables[place], list(self.tables[place].fold.state().get("boards", []))
        for number in boards:
            assert table.fold.state()["board"] == number, (place, table.fold.state()["board"], number)
            self._board(table, number)
        self.tell(place)
        return boards

    def _board(self, table: TableOfBridge, number: int) -> None:
        dealer = board_dealer(number)
        table.stand(dealer)
        calls = self.chance.choice(CALLS)
        table.auction(dealer, calls)
        table.clear()
        declarer = _declarer(dealer, calls)
        leader = CLOCKWISE.next(declarer)
        table.lead(leader, "2C")
        table.open(leader)
        table.said(declarer, f"result:{self.chance.choice(STRAIN_TRICKS)}")
        for seat in (declarer, leader):
            table.press(seat, "ready")
        table.up = {seat: [] for seat in Seat}
        for _ in range(2):
            table.wait()
            table.sight()
        for seat in (declarer, leader):
            table.press(seat, "ready")
        table.wait(3.0)
        table.sight()


def _declarer(dealer: Seat, calls: str) -> Seat:
    auction = Auction(dealer)
    for call in calls.split():
        assert auction.turn is not None
        auction = auction.called(auction.turn, call)
    contract = auction.contract()
    assert contract is not None
    return contract.declarer
