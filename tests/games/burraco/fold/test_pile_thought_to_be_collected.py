"""Art. 9: a pile that was thought to be collected lies there again, card for card: it was only looked at."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def pile(script: Any) -> Any:
    """Three cards on the pile, south to play."""
    for seat, card in (("W", "3S"), ("N", "KH"), ("E", "5C")):
        script.turn(seat, card)
    return script


def test_f09a_f26e_all_that_was_collected_lies_there_again_and_no_card_was_discarded(pile: Any) -> None:
    pile.collect("S", "TD 3S KH 5C")
    pile.move("TD 3S KH 5C", "hand-S", "discard", "S")
    assert pile.of("card.discarded")[-1].seat == "E"
    pile.turn("S", "9S")
    assert pile.verdicts() == []
    assert (len(pile.fold.deal.pile), pile.fold.deal.to_play) == (5, "W")


def test_f09a_and_then_taken_up_it_is_collected(pile: Any) -> None:
    pile.collect("S", "TD 3S KH 5C")
    pile.move("TD 3S KH 5C", "hand-S", "discard", "S")
    pile.collect("S", "TD 3S KH 5C")
    pile.discard("S", "3S")
    assert pile.verdicts() == []
    assert pile.fold.deal.count(pile.fold.deal.last_out) == 14


def test_f26e_others_than_the_cards_collected_are_discarded_together(pile: Any) -> None:
    pile.collect("S", "TD 3S KH 5C")
    pile.discard("S", "9S 9C")
    assert pile.verdicts() == [("F-26e", "S", "open")]
