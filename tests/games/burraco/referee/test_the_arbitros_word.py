"""What the arbitro names goes before what the table proposed: a ruling's cards, a pot's case (arts. 23, 33)."""

from __future__ import annotations

from typing import Any

from table_service.games.burraco.rules import pots


def gone_out_without_burraco(script: Any, *, in_the_last_turn: bool = False) -> None:
    """W lays a run, adds a card on each side of it at once, and discards its last card; its line has no burraco."""
    script.draw("W")
    script.suppose(lambda deal: pots.take_pot(deal, None, "in-flight", 11))
    script.hands(W="5H 6H 7H 4H 8H 3S")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 0, "4H 8H", result="4H 5H 6H 7H 8H")
    if in_the_last_turn:
        script.suppose(lambda deal: deal.correct("stock", ("??",) * 2))
    script.discard("W", "3S")


def broken(script: Any) -> list[str]:
    return [event.data.reason for event in script.of("sanction.broken")]


def test_f33_art33_the_cards_that_the_arbitro_names_are_the_penalised_ones(script: Any) -> None:
    gone_out_without_burraco(script)
    assert script.last()["cards"] == ["4H", "8H"]  # which of them was laid last no sensor says
    script.console("rule", row="F-33", seat="W", cards=["4H"])
    assert script.last()["cards"] == ["4H"]
    script.move("4H", "melds-EW", "hand-W", "W", row=0, result=("5H", "6H", "7H", "8H"))
    script.move("4H", "hand-W", "side-W", "W")
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    script.move("4H", "side-W", "discard", "W")
    assert [e.data.do for e in script.of("sanction.served")] == ["discard"]
    assert broken(script) == []


def test_f33_art33_a_ruling_in_other_faces_of_the_same_cards_keeps_what_the_table_knows_of_them(script: Any) -> None:
    gone_out_without_burraco(script)
    script.console("rule", row="F-33", seat="W", cards=["8H", "4H"])
    assert script.last()["cards"] == ["4H", "8H"]


def test_f31a_art31_the_card_that_goes_back_is_not_all_that_was_done(script: Any) -> None:
    """Of a draw out of turn the arbitro names the card drawn; what else was done with it stays in the fact."""
    script.draw("E", "QD")
    script.lay("E", 0, "5H 6H 7H")
    before = script.fold.game.referee.irregularities[-1]
    script.console("rule", row="F-31b", seat="E", cards=["QD"], meld=0)
    after = script.fold.game.referee.irregularities[-1]
    assert (before.row.id, after.row.id) == ("F-31b", "F-31b")
    assert after.cards == before.cards


def test_f23i_art23_a_second_pot_after_the_last_discard_of_a_deal_is_the_same_fact(script: Any) -> None:
    gone_out_without_burraco(script, in_the_last_turn=True)
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]
    script.take_pot("W", giver="N")
    assert [(row, state) for row, _, state in script.verdicts()] == [("F-33", "open"), ("F-23i", "open")]
    script.console("rule", row="F-23i", seat="W", cards=["4H"])
    assert script.verdicts()[-1] == ("F-23i", "W", "ruled")
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f23i_art23_ruled_where_no_scale_told_of_the_pot_it_is_the_closing_that_led_there(script: Any) -> None:
    gone_out_without_burraco(script)
    script.console("rule", row="F-23i", seat="W", cards=["4H"])
    assert len({event.data.key for event in script.of("irregularity")}) == 1
    assert {e.data.do for e in script.of("sanction.imposed")} == {"correct-count", "discard"}


def test_f23i_art23_a_pot_that_is_lifted_after_a_rightful_end_accuses_nobody(script: Any) -> None:
    script.draw("W")
    script.suppose(lambda deal: pots.take_pot(deal, None, "in-flight", 11))
    script.hands(W="3S 4S")
    script.suppose(lambda deal: deal.correct("stock", ("??",) * 2))
    script.discard("W", "3S")
    script.take_pot("W", giver="N")
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]
    assert script.verdicts() == []
