"""What is read badly accuses nobody and makes no sure score; an act that cannot have been puts the turn in question."""

from __future__ import annotations

from typing import Any

from hw.observations import SightedCard
from table_service.tracking.frame_contents import READ, Frames

RUN = "3H 4H 5H 6H"


def _sighted(card: str, confidence: float, order: int) -> SightedCard:
    return SightedCard(card, "melds-NS", 0.0, 0.0, 0.0, "up", confidence, 1, order)


def test_a_low_reading_tells_that_a_card_lies_there_and_not_which() -> None:
    cards = [_sighted("4C", 0.99, 0), _sighted("4C", READ - 0.02, 1), _sighted("4S#1", READ, 2)]
    looks, counts = Frames(("melds-NS",), "discard").sort(cards)
    ((row, faces),) = looks["melds-NS"].items()
    assert row is not None
    assert faces == ("4C", "??", "4S")
    assert counts == {"melds-NS": 3}


def test_a_face_that_lies_open_more_often_than_the_pack_holds_it_makes_a_doubtful_score(script: Any) -> None:
    script.hands(W=f"{RUN} 4C 4C 4S TC")
    script.draw("W")
    script.lay("W", 1, RUN)
    script.lay("W", 2, "4C 4C 4S")
    script.discard("W", "TC")
    script.hands(N="4C 4C 4D TD")
    script.draw("N")
    script.lay("N", 3, "4C 4C 4D")
    script.discard("N", "TD")
    script.console("end-round")
    counted = script.of("score.counted")[-1].data
    assert {"EW.melds", "NS.melds"} <= set(counted.doubtful)


def test_f31a_a_discard_of_who_took_nothing_puts_the_turn_in_question(script: Any) -> None:
    """A resting arm was taken for the hand: the card was of the player in turn, and the next one draws in his turn."""
    script.turn("W")
    script.draw("N")
    script.discard("E", "7D")
    script.draw("E")
    script.discard("E", "QS")
    script.draw("S")
    assert script.verdicts() == []


def test_f31a_who_draws_while_another_is_in_turn_is_still_told(script: Any) -> None:
    script.turn("W")
    script.draw("N")
    script.draw("S")
    assert [row for row, *_ in script.verdicts()] == ["F-31a"]
