"""What follows a ruling: in the last turn, before the count (arts. 16, 25, 33, 34), and how its remedy is read."""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.rules import pots
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.referee.test_wrong_melds import rest


def run_out(script: Any, stock: int = 2) -> None:
    """The stock holds the last cards: the discard of the running turn ends the deal (art. 17)."""
    script.suppose(lambda deal: deal.correct("stock", ("??",) * stock))


def score(script: Any, line: str) -> dict[str, Any]:
    items: dict[str, Any] = script.of("score.counted")[-1].data.ledger[line]["items"]
    return items


def out_of_meld(script: Any, seat: str | None, row: int, cards: str, result: str = "", **more: Any) -> None:
    """``seat``'s hand takes ``cards`` out of row ``row`` of East and West."""
    script.move(
        cards, "melds-EW", f"hand-{seat}" if seat else None, seat, row=row, result=tuple(result.split()), **more
    )


def a_wrong_addition_in_the_last_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 0, "TH", "5H 6H 7H")
    run_out(script)
    script.discard("W", "3S")
    rest(script)
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]


def test_f25b_art25_a_wrong_addition_ruled_after_the_end_counts_as_it_lies_at_the_count(script: Any) -> None:
    a_wrong_addition_in_the_last_turn(script)
    script.console("rule", row="F-25b", seat="W", cards=["TH"], meld=0)
    out_of_meld(script, "W", 0, "TH", "5H 6H 7H")
    script.move("TH", "hand-W", "side-W", "W")
    script.press("N", "count")
    assert (score(script, "EW")["melds"], score(script, "EW")["penalised"]) == (15, -10)


def test_f25b_art25_cards_moved_before_the_ruling_is_entered_count_as_well(script: Any) -> None:
    a_wrong_addition_in_the_last_turn(script)
    out_of_meld(script, "W", 0, "TH", "5H 6H 7H")
    script.move("TH", "hand-W", "side-W", "W")
    script.console("rule", row="F-25b", seat="W", cards=["TH"], meld=0)
    script.press("N", "count")
    assert (score(script, "EW")["melds"], score(script, "EW")["penalised"]) == (15, -10)


def test_f34_art34_the_last_play_taken_back_after_the_end_is_in_the_hand(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 0, "8H", "5H 6H 7H")
    script.suppose(lambda deal: deal.correct("hand-W", ("2S",)))
    run_out(script)
    script.suppose(lambda deal: pots.take_pot(deal, None, "in-flight", 11))
    script.discard("W", "3S")
    before = script.fold.deal.count(script.fold.deal.last_out)
    script.console("rule", row="F-34", seat="W", cards=["8H"], meld=0)
    out_of_meld(script, "W", 0, "8H", "5H 6H 7H")
    assert script.fold.deal.meld(0).cards == ("5H", "6H", "7H")
    assert script.fold.deal.count(script.fold.deal.last_out) == before + 1


def test_art17_cards_laid_under_an_arm_before_the_last_discard_count_though_seen_after_it(script: Any) -> None:
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-N", ("QC", "QC", "QS", "3D")))
    run_out(script)
    laid = script.t + 0.1
    script.discard("W", "3S")
    script.lay("N", 4, "QC QC QS", committed_t=laid)
    assert script.fold.deal.at("hand-N") == ("3D",)
    script.shown("N", "3D")
    script.press("N", "count")
    assert score(script, "NS")["melds"] == 30
    assert script.verdicts() == []


def test_art25_a_card_taken_out_unseen_was_taken_by_who_was_told_to(script: Any) -> None:
    a_wrong_addition_in_the_last_turn(script)
    script.console("rule", row="F-25b", seat="W", cards=["TH"], meld=0)
    north = len(script.fold.deal.at("hand-N"))
    out_of_meld(script, None, 0, "TH", "5H 6H 7H", confidence=0.5)
    assert len(script.fold.deal.at("hand-N")) == north
    assert "TH" in script.fold.deal.at("hand-W")


# -- how the remedy is read in play (art. 25) ------------------------------------------------------------------------


def ruled_wrong_meld(script: Any) -> None:
    script.draw("W")
    script.hands(W="5H 6H 8H 3S 4S 9C")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise")


def test_art25_a_card_shown_beside_its_player_first_has_come_from_the_meld_it_was_told_out_of(script: Any) -> None:
    """An arm hides the melds: frames show the cards at the side before they show the meld without them."""
    ruled_wrong_meld(script)
    script.move("5H 6H 8H", "hand-W", "side-W", "W")
    assert script.fold.deal.meld(0) is None
    assert script.fold.deal.at("hand-W") == ("3S", "4S", "9C")
    out_of_meld(script, "W", 0, "5H 6H 8H")
    assert script.fold.deal.at("hand-W") == ("3S", "4S", "9C")
    assert script.fold.deal.at("side-W") == ("5H", "6H", "8H")


def test_art33_the_cards_of_the_last_play_leave_the_meld_that_was_ruled_and_no_other_of_that_turn(script: Any) -> None:
    """Two melds opened in one turn hold a joker each; the arm hides them, frames show the cards at the side first."""
    script.draw("W")
    script.suppose(lambda deal: pots.take_pot(deal, None, "in-flight", 11))
    script.hands(W="JK QC QD JK 8S 8D JH")
    script.lay("W", 7, "JK QC QD")
    script.lay("W", 11, "JK 8S 8D")
    script.discard("W", "JH")
    script.console("rule", row="F-33", seat="W", cards=["JK", "8S", "8D"])
    script.move("8D 8S JK", "hand-W", "side-W", "W")
    assert [(meld.row, meld.cards) for meld in script.fold.deal.melds] == [(7, ("JK", "QC", "QD"))]


def test_art25_a_penalised_card_discarded_from_the_side_does_not_return_to_the_hand(script: Any) -> None:
    """The scale tells the discard at once, frames the empty place beside the player later."""
    ruled_wrong_meld(script)
    script.move("5H 6H 8H", "hand-W", "side-W", "W")
    script.discard("W", "8H")
    script.move("8H", "side-W", "hand-W", "W", basis=("sight", "reach"))
    assert script.fold.deal.at("hand-W") == ("3S", "4S", "9C")
    assert script.fold.deal.at("side-W") == ("5H", "6H")
    assert script.fold.deal.pile[-1] == "8H"
    assert script.of("sanction.broken") == []


# -- a pile put back by a hand that no beam saw (art. 31) ------------------------------------------------------------


def test_f31d_art31_a_pile_put_back_by_a_hand_that_no_beam_saw_is_put_back(script: Any) -> None:
    script.turn("W", "4H")
    script.collect("E", "TD 4H")
    script.console("rule", row="F-31d", seat="E")
    script.move("TD 4H", None, "discard", None, basis=("scale",))
    assert script.fold.state()["pile"] == ["TD", "4H"]
    script.draw("N")
    assert [e.data.do for e in script.of("sanction.served")] == ["return-to-pile"]
    assert script.of("sanction.broken") == []


# -- stalemate (art. 16) ---------------------------------------------------------------------------------------------


def four_exchanges(script: Any, cards: tuple[str, ...] = ("4S", "5S", "6S", "8S")) -> None:
    for seat, card in zip("WNES", cards, strict=True):
        script.collect(seat, script.fold.deal.pile[-1])
        script.discard(seat, card)


def test_f33_art33_a_last_play_told_only_after_the_end_is_what_goes_to_the_side(script: Any) -> None:
    """An arm lay over the melds: the card laid last shows after the last discard, and first beside its player."""
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.suppose(lambda deal: deal.correct("hand-W", ("8H", "3S")))
    run_out(script)
    laid = script.t + 0.1
    script.discard("W", "3S")
    script.lay("W", 0, "8H", "5H 6H 7H", committed_t=laid)
    script.console("rule", row="F-33", seat="W", cards=["8H"])
    script.move("8H", "hand-W", "side-W", "W")
    assert script.fold.deal.meld(0).cards == ("5H", "6H", "7H")
    assert script.fold.deal.at("side-W") == ("8H",)
    assert script.fold.deal.at("hand-W") == ()


def test_f24a_art24_an_exposed_card_that_was_ruled_and_lies_there_at_the_count_is_penalised(script: Any) -> None:
    script.draw("W")
    script.expose("E", "QD")
    script.console("rule", row="F-24a", seat="E", cards=["QD"])
    run_out(script)
    script.discard("W", "3S")
    script.press("N", "count")
    assert score(script, "EW")["penalised"] == -10
    assert "EW.penalised" not in script.of("score.counted")[-1].data.doubtful


def test_f25b_art25_excess_cards_that_were_ruled_and_nobody_has_moved_count_against_the_line(script: Any) -> None:
    a_wrong_addition_in_the_last_turn(script)
    script.console("rule", row="F-25b", seat="W", cards=["TH"], meld=0)
    script.press("N", "count")
    assert (score(script, "EW")["melds"], score(script, "EW")["penalised"]) == (15, -10)


def test_f29e_art29_a_card_pushed_on_to_its_meld_after_the_end_comes_from_where_it_lay(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 1, "8H", beside=0)
    run_out(script)
    script.discard("W", "3S")
    rest(script)
    held = script.fold.deal.at("hand-W")
    script.console("rule", row="F-29e", seat="W", cards=["8H"], meld=0, freeze="temporary")
    script.lay("W", 0, "8H", "5H 6H 7H")
    script.move("8H", "melds-EW", "hand-W", "W", row=1, result=())
    assert script.fold.deal.meld(0).cards == ("5H", "6H", "7H", "8H")
    assert script.fold.deal.meld(1) is None
    assert script.fold.deal.at("hand-W") == held


def test_f09f_art9_cards_of_the_pile_taken_up_by_order_after_the_end_are_in_the_hand(script: Any) -> None:
    script.discard("S", "7S")
    for seat, card in zip("WNES", ("4D", "5D", "6D", "8D"), strict=True):
        script.turn(seat, card)
    script.collect("W", "5D 6D 8D")
    run_out(script)
    script.discard("W", "KC")
    pile = script.fold.deal.pile
    script.console("rule", row="F-09f", seat="W", cards=["4D", "KC"])
    script.collect("W", "4D KC")
    assert script.fold.deal.pile == tuple(card for card in pile if card[:2] not in ("4D", "KC"))
    assert {"4D", "KC"} <= {card[:2] for card in script.fold.deal.at("hand-W")}


def test_art25_of_two_equal_cards_at_the_side_the_one_taken_up_is_discarded(script: Any) -> None:
    script.draw("W")
    script.hands(W="5H 5H 8H 3S 4S 9C")
    script.lay("W", 0, "5H 5H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise")
    script.move("5H 5H 8H", "hand-W", "side-W", "W")
    script.move("5H", "side-W", "hand-W", "W")
    script.discard("W", "5H")
    assert script.fold.deal.at("side-W") == ("5H", "8H")
    assert script.fold.deal.at("hand-W") == ("3S", "4S", "9C")


def test_art25_of_two_equal_cards_at_the_side_the_discarded_one_alone_has_gone(script: Any) -> None:
    """Frames show after the discard what is left beside the player: the ledger has just that already."""
    script.draw("W")
    script.hands(W="5H 5H 8H 3S 4S 9C")
    script.lay("W", 0, "5H 5H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise")
    script.move("5H 5H 8H", "hand-W", "side-W", "W")
    script.move("5H", "side-W", "discard", "W")
    script.move("5H", "side-W", "hand-W", "W", basis=("sight", "reach"), result=("5H", "8H"))
    assert sorted(script.fold.deal.at("side-W")) == ["5H", "8H"]
    assert sorted(script.fold.deal.at("hand-W")) == ["3S", "4S", "9C"]


CASES: Final = {
    "test_art36_gathering_the_cards_of_a_deal_nobody_ruled_on_changes_no_score":
        "a_wrong_addition_in_the_last_turn; out_of_meld S 0 5H,6H,7H,TH; meld 0 cards=5H:6H:7H:TH",
    "test_art36_what_is_gathered_once_the_remedy_is_done_changes_no_score":
        "a_wrong_addition_in_the_last_turn; console rule row=F-25b seat=W cards=[TH] meld=0; "
        "out_of_meld W 0 TH 5H,6H,7H; move TH hand-W side-W W; out_of_meld S 0 5H,6H,7H; meld 0 cards=5H:6H:7H",
    "test_f16_art16_what_was_exchanged_before_the_arbitro_came_does_not_count":
        "four_exchanges; console rule row=F-16; of deal.ended =; four_exchanges 4D:5D:6D:8D; "
        "each deal.ended manner = stalemate",
    "test_f16_art16_a_stalemate_that_the_arbitro_declares_ends_the_deal_at_once":
        "four_exchanges; console rule row=F-16 declared=True; each deal.ended manner = stalemate",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, a_wrong_addition_in_the_last_turn, four_exchanges, out_of_meld)
