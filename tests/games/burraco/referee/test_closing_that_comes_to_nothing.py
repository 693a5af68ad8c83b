"""A ruling leaves who has closed with cards: he has not gone out, and play goes on (arts. 17, 25, 26, 33 to 35)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hw.seats import Seat
from tests.games.burraco.referee.test_after_the_end import out_of_meld, score
from tests.games.burraco.referee.test_in_turn_and_closings import CLEAN, taken_pot
from tests.games.burraco.referee.test_wrong_melds import rest


def closed_with_a_wrong_addition(script: Any) -> None:
    """W, whose line has its pot and a burraco, adds a queen of spades to 7-8-9 of clubs and discards the last card."""
    taken_pot(script)
    script.hands(W="7C 8C 9C QS 3D")
    script.lay("W", 0, "7C 8C 9C")
    script.lay("W", 0, "QS", "7C 8C 9C")
    script.discard("W", "3D")
    script.says("W", "close")
    rest(script)


def ends(script: Any) -> list[str]:
    gone = {event.data.event for event in script.of("event.retracted")}
    return [event.data.manner for event in script.of("deal.ended") if event.id not in gone]


def test_f25b_art25_who_is_left_with_a_penalised_card_has_not_gone_out(script: Any) -> None:
    closed_with_a_wrong_addition(script)
    assert ends(script) == ["closed"]
    assert script.verdicts()[-1] == ("F-25b", "W", "open")
    script.console("rule", row="F-25b", seat="W", cards=["QS"], meld=0)
    assert ends(script) == []
    out_of_meld(script, "W", 0, "QS", "7C 8C 9C")
    script.move("QS", "hand-W", "side-W", "W")
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    script.move("QS", "side-W", "discard", "W")
    assert [e.data.do for e in script.of("sanction.served")] == ["penalise", "discard"]
    assert script.of("sanction.broken") == []
    assert script.verdicts()[-1] == ("F-25b", "W", "ruled")


def test_f25b_art17_he_goes_out_later_with_his_last_card(script: Any) -> None:
    closed_with_a_wrong_addition(script)
    script.console("rule", row="F-25b", seat="W", cards=["QS"], meld=0)
    out_of_meld(script, "W", 0, "QS", "7C 8C 9C")
    script.move("QS", "hand-W", "side-W", "W")
    for seat in "NES":
        script.turn(seat)
    script.draw("W", "TC")
    script.lay("W", 0, "TC", "7C 8C 9C")
    script.move("QS", "side-W", "discard", "W")
    assert ends(script) == ["closed"]
    script.press("N", "count")
    assert score(script, "EW")["closing"] == 100


def test_f25b_cards_moved_before_the_ruling_is_entered_are_moved(script: Any) -> None:
    closed_with_a_wrong_addition(script)
    out_of_meld(script, "W", 0, "QS", "7C 8C 9C")
    script.move("QS", "hand-W", "side-W", "W")
    script.console("rule", row="F-25b", seat="W", cards=["QS"], meld=0)
    assert script.fold.deal.at("side-W") == ("QS",)
    assert script.fold.deal.meld(0).cards == ("7C", "8C", "9C")
    assert ends(script) == []
    script.turn("N")
    assert [row for row, _, _ in script.verdicts() if row not in ("F-25b", "F-29d")] == []
    assert script.of("sanction.broken") == []


def test_f25c_art25_what_is_found_later_leaves_the_closing_as_it_was(script: Any) -> None:
    closed_with_a_wrong_addition(script)
    script.console("rule", row="F-25c", seat="W", cards=["QS"], meld=0)
    script.press("N", "count")
    assert ends(script) == ["closed"]
    assert (score(script, "EW")["closing"], score(script, "EW")["penalised"]) == (100, -10)


@pytest.mark.parametrize(("how", "manner"), [("stock", "stock"), ("time-out", "time-out")])
def test_art17_a_closing_that_comes_to_nothing_in_the_last_turn_leaves_the_deal_over(
    script: Any, how: str, manner: str
) -> None:
    taken_pot(script)
    script.hands(W="7C 8C 9C QS 3D")
    script.lay("W", 0, "7C 8C 9C")
    script.lay("W", 0, "QS", "7C 8C 9C")
    if how == "stock":
        script.suppose(lambda deal: deal.correct("stock", ("??",) * 2))
    else:
        script.suppose(lambda deal: replace(deal, dealer_discards_left=1, last_to_play=Seat.WEST))
    script.discard("W", "3D")
    script.says("W", "close")
    rest(script)
    script.console("rule", row="F-25b", seat="W", cards=["QS"], meld=0)
    assert ends(script) == [manner]
    out_of_meld(script, "W", 0, "QS", "7C 8C 9C")
    script.move("QS", "hand-W", "side-W", "W")
    script.press("N", "count")
    assert (score(script, "EW")["closing"], score(script, "EW")["penalised"]) == (0, -10)


def test_hands_that_were_laid_out_before_the_ruling_close_nothing(script: Any) -> None:
    closed_with_a_wrong_addition(script)
    script.shown("N", "4S 5S")
    script.shown("E", "6S")
    script.console("rule", row="F-25b", seat="W", cards=["QS"], meld=0)
    assert ends(script) == []
    script.press("N", "count")
    assert ends(script) == []


def test_art24_an_exposed_card_that_was_laid_since_leaves_the_closing_as_it_was(script: Any) -> None:
    taken_pot(script)
    script.hands(W="TH 3D")
    script.expose("W", "TH")
    script.take_up("W", "TH")
    script.lay("W", 90, "TH", CLEAN)
    script.discard("W", "3D")
    script.console("rule", row="F-24a", seat="W", cards=["TH"])
    assert ends(script) == ["closed"]
