"""Two cards slide off the stock, one is taken in hand, the other goes back by order (art. 8): all of it is followed."""

from __future__ import annotations

from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, SlideBack, SlideOff, TakeUp, TurnUpGesture, Wait
from tests.games.burraco.twin_table import TwinTable, dealt


def test_f08a_art8_a_card_taken_up_from_the_stocks_mouth_was_weighed_with_the_other() -> None:
    table = dealt()
    second, first = table.heaps["stock"][0][-3:-1]
    at = TwinTable(table)
    at.do(TurnUpGesture(Seat.SOUTH), Wait(2.0), SlideOff(Seat.WEST, 2), TakeUp(Seat.WEST, (first,)), Wait(8.0))
    at.do(ConsoleGesture("rule", fields={"row": "F-08a", "seat": "W", "cards": []}), SlideBack(Seat.WEST, (second,)))
    at.do(Wait(4.0))
    assert [(e.data.from_, e.data.to) for e in at.of("card.returned")] == [("hand-W", "stock")]  # type: ignore[attr-defined]
    assert not [e for e in at.of("table.health") if e.data.state == "unverified"]  # type: ignore[attr-defined]
    assert at.fold.deal is not None
    assert (at.fold.deal.stock, at.fold.deal.count(Seat.WEST)) == (40, 12)
