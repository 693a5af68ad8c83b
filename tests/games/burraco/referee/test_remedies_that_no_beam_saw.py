"""What a ruling has ordered is done by a hand that no beam saw: it is that remedy, and nobody has broken it."""

from __future__ import annotations

from typing import Any

from tests.games.burraco.referee.test_wrong_melds import rest


def test_f09f_art9_cards_left_in_the_pile_are_taken_by_who_was_told_to(script: Any) -> None:
    for seat, card in zip("WNE", ("3S", "9H", "KD"), strict=True):
        script.turn(seat, card)
    script.collect("S", "9H KD")
    script.discard("S", "KD")
    assert script.verdicts()[-1] == ("F-09f", "S", "open")
    script.console("rule", row="F-09f", seat="S", cards=["3S"])
    held = script.fold.deal.count(script.fold.deal.last_out)
    script.move("3S KD", "discard", None, None, confidence=0.7, basis=("scale",))
    assert script.fold.deal.count(script.fold.deal.last_out) == held + 2
    assert [event.data.reason for event in script.of("sanction.broken")] == []
    assert script.fold.deal.begun is False


def test_f29e_art29_cards_pushed_on_to_their_meld_were_in_nobodys_hand(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 1, "8H", beside=0)
    script.discard("W", "3S")
    rest(script)
    script.console("rule", row="F-29e", seat="W", cards=["8H"], meld=0, freeze="temporary")
    counts = [script.fold.deal.count(seat) for seat in ("N", "E", "S", "W")]
    script.move("8H", None, "melds-EW", None, row=0, result=("5H", "6H", "7H", "8H"), confidence=0.5, basis=("sight",))
    script.move("8H", "melds-EW", None, None, row=1, result=(), confidence=0.5, basis=("sight",))
    assert script.fold.deal.meld(0).cards == ("5H", "6H", "7H", "8H")
    assert [script.fold.deal.count(seat) for seat in ("N", "E", "S", "W")] == counts
    assert not script.fold.deal.places.unverified


def test_f09f_art9_a_part_of_the_pile_however_it_was_read_is_what_was_told_to_be_taken(script: Any) -> None:
    for seat, card in zip("WNE", ("3S", "9H", "KD"), strict=True):
        script.turn(seat, card)
    script.collect("S", "9H KD")
    script.discard("S", "KD")
    script.console("rule", row="F-09f", seat="S", cards=["3S"])
    script.move("9H KD", "discard", None, None, confidence=0.7, basis=("scale",))
    assert script.of("pile.collected")[-1].seat == "S"
    assert [event.data.reason for event in script.of("sanction.broken")] == []
