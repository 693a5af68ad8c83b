"""Arts. 8, 27, 30, 33, 34 and 35 of fibur2024: faults in the own turn and wrong closings."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.seats import SEATS
from tests.games.burraco.cases_by_text import play

CLEAN = "3H 4H 5H 6H 7H 8H 9H"


def taken_pot(script: Any, burraco: str = CLEAN) -> None:
    """W lays ``burraco``, goes to the pot in flight in turn 1 and stays to play on."""
    script.draw("W")
    if burraco:
        script.lay("W", 90, burraco)
    script.hands(W="")
    script.take_pot("W", giver="N")


def test_f30a_a_meld_without_a_draw(script: Any) -> None:
    script.lay("W", 0, "4C 5C 6C")
    verdict = script.last()
    assert script.verdicts() == [("F-30a", "W", "open")]
    assert (verdict["article"], verdict["severity"], verdict["found"]) == ("30", "play-stops", "during_turn")
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "draw", "freeze", "complete-or-penalise"]


def test_f30a_several_melds_are_one_irregularity(script: Any) -> None:
    script.lay("W", 0, "4C 5C 6C")
    script.lay("W", 1, "9H 9D 9C")
    script.draw("W")
    script.discard("W", "3S")
    assert {event.data.key for event in script.of("irregularity")} == {script.last()["key"]}
    assert script.last()["cards"] == ["4C", "5C", "6C", "9H", "9D", "9C"]


def test_f30a_ruled_after_the_discard_is_made_up_for_by_a_draw(script: Any) -> None:
    script.lay("W", 0, "4C 5C 6C")
    script.discard("W", "3S")
    script.console("rule", row="F-30a", seat="W")
    script.draw("W")
    assert [e.data.do for e in script.of("sanction.served")] == ["draw"]
    script.turn("N")
    assert script.verdicts() == [("F-30a", "W", "open"), ("F-30a", "W", "ruled")]
    assert script.fold.state()["turn"]["seat"] == "E"


def test_f30b_a_ruling_says_that_the_partner_pointed_it_out(script: Any) -> None:
    script.lay("W", 0, "4C 5C 6C")
    script.console("rule", row="F-30b", seat="W")
    assert script.verdicts() == [("F-30a", "W", "open"), ("F-30b", "W", "ruled")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1
    assert [(e.line, e.data.row) for e in script.of("warning.given")] == [("EW", "F-30b")]


def test_f27a_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.turn("W")
    script.lay("W", 0, "4C 5C 6C")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-27a", "W", "healed")


def test_f08a_two_cards_at_one_draw(script: Any) -> None:
    script.draw("W", "?? 8S")
    assert script.verdicts() == [("F-08a", "W", "open")]
    assert [step["do"] for step in script.last()["remedy"]] == ["stop-play", "return-to-stock", "show"]
    assert script.last()["remedy"][2]["who"] == "N"
    assert script.of("irregularity")[0].secret == {"cards": ["8S"]}


def test_f08a_a_second_draw_and_its_return(script: Any) -> None:
    script.draw("W", "4C#1")
    script.draw("W", "8S#1")
    assert script.verdicts() == [("F-08a", "W", "open")]
    script.console("rule", row="F-08a", seat="W")
    script.put_back("W", "8S#1")
    assert [e.data.do for e in script.of("sanction.served")] == ["return-to-stock"]
    script.lay("W", 0, "4C 5C 6C")
    script.discard("W", "3S")
    script.turn("N")
    assert script.verdicts() == [("F-08a", "W", "open"), ("F-08a", "W", "ruled")]
    assert script.fold.state()["hands"]["W"] == 8


def test_f08a_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.draw("W", "?? ??")
    script.discard("W", "3S")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-08a", "W", "healed")


def test_f33_going_out_without_a_burraco(script: Any) -> None:
    taken_pot(script, burraco="")
    script.hands(W="KH KD KC 5S")
    script.lay("W", 0, "KH KD KC")
    script.discard("W", "5S")
    verdict = script.last()
    assert script.verdicts() == [("F-33", "W", "open")]
    assert (verdict["severity"], verdict["cards"]) == ("score", ["KH", "KD", "KC"])
    assert verdict["found"] == "after_discard_before_next_draw"
    assert script.of("deal.ended") == []


def test_f33_ruled_the_penalised_cards_are_discarded_from_the_highest(script: Any) -> None:
    taken_pot(script, burraco="")
    script.hands(W="4H 4D JK 5S")
    script.lay("W", 0, "JK 4H 4D")
    script.discard("W", "5S")
    script.console("rule", row="F-33", seat="W")
    script.move("JK 4H 4D", "melds-EW", "hand-W", "W", row=0, result=())
    script.move("JK 4H 4D", "hand-W", "side-W", "W")
    assert script.fold.state()["sides"] == {"W": ["JK", "4H", "4D"]}
    for card in ("JK", "4H", "4D"):
        for seat in "NES":
            script.turn(seat)
        script.draw("W")
        script.move(card, "side-W", "discard", "W")
    assert [e.data.do for e in script.of("sanction.served")] == ["discard"]
    assert script.of("sanction.broken") == []
    assert script.verdicts() == [("F-33", "W", "open"), ("F-33", "W", "ruled")]


def test_f33_last_play_of_an_addition_is_its_outermost_card_only(script: Any) -> None:
    taken_pot(script, burraco="")
    script.lay("W", 0, "5H 6H 7H")
    script.hands(W="8H 9H TH 5S")
    script.lay("W", 0, "8H 9H TH", before="5H 6H 7H")
    script.discard("W", "5S")
    assert script.last()["cards"] == ["TH"]


def test_f33_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    taken_pot(script, burraco="")
    script.hands(W="5S")
    script.discard("W", "5S")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-33", "W", "healed")


def test_f34_going_out_by_discarding_a_wild(script: Any) -> None:
    taken_pot(script)
    script.hands(W="KH KD KC 2S")
    script.lay("W", 0, "KH KD KC")
    script.discard("W", "2S")
    assert script.verdicts() == [("F-34", "W", "open")]
    assert script.last()["severity"] == "score"
    assert script.of("deal.ended") == []
    script.console("rule", row="F-34", seat="W")
    script.move("KH KD KC", "melds-EW", "hand-W", "W", row=0, result=())
    assert [e.data.do for e in script.of("sanction.served")] == ["take-back"]
    assert script.fold.state()["hands"]["W"] == 3
    script.turn("N")
    assert script.verdicts() == [("F-34", "W", "open"), ("F-34", "W", "ruled")]


def test_f34_the_lack_of_a_burraco_does_not_matter(script: Any) -> None:
    taken_pot(script, burraco="")
    script.hands(W="2S")
    script.discard("W", "2S")
    assert script.verdicts() == [("F-34", "W", "open")]


def test_f34_nobody_is_told_to_have_gone_out_if_a_gap_left_every_hand_in_doubt(script: Any) -> None:
    taken_pot(script)
    script.hands(W="2S")
    script.fold.game.parts.course.change(lambda deal: deal.doubt_hands(SEATS))
    script.discard("W", "2S")
    assert script.verdicts() == []


def test_f35a_art35_the_last_meld_opened_card_by_card_is_one_play(script: Any) -> None:
    taken_pot(script)
    script.hands(W="KH KD KC")
    for before, card in (("", "KH"), ("KH", "KD"), ("KH KD", "KC")):
        script.lay("W", 0, card, before=before)
    assert script.verdicts() == [("F-35a", "W", "open")], "a meld opened (35, first), no card added (35, second)"
    assert script.last()["cards"] == ["KH", "KD", "KC"]


def test_f35b_art35_a_card_added_after_the_meld_was_complete_is_an_addition(script: Any) -> None:
    taken_pot(script)
    script.hands(W="KH KD KC KS")
    script.lay("W", 0, "KH KD KC")
    script.lay("W", 0, "KS", before="KH KD KC")
    assert script.verdicts() == [("F-35b", "W", "open")]
    assert script.last()["cards"] == ["KS"]
    assert not script.last()["needs_referee"]


def test_f35b_art35_a_fourth_card_of_a_meld_opened_card_by_card_is_an_addition_that_needs_the_arbitro(
    script: Any,
) -> None:
    taken_pot(script)
    script.hands(W="KH KD KC KS")
    for before, card in (("", "KH"), ("KH", "KD"), ("KH KD", "KC"), ("KH KD KC", "KS")):
        script.lay("W", 0, card, before=before)
    assert script.verdicts() == [("F-35b", "W", "open")], "three cards are a meld, what follows is added to it"
    assert script.last()["cards"] == ["KS"]
    assert script.last()["needs_referee"], "he may say that he meant one opening"


def test_f35a_going_out_without_a_discard_by_opening(script: Any) -> None:
    taken_pot(script)
    script.hands(W="KH KD KC")
    script.lay("W", 0, "KH KD KC")
    assert script.verdicts() == [("F-35a", "W", "open")]
    assert script.last()["found"] == "during_turn"
    script.console("rule", row="F-35a", seat="W")
    script.move("KH KD KC", "melds-EW", "hand-W", "W", row=0, result=())
    script.discard("W", "KC")
    assert [e.data.do for e in script.of("sanction.served")] == ["take-back"]
    for seat in "NES":
        script.turn(seat)
    script.draw("W", "KS")
    script.hands(W="KH KD KS 5S")
    script.lay("W", 0, "KH KD KS")
    assert [e.data.do for e in script.of("sanction.served")] == ["take-back", "expose"]
    assert script.of("sanction.broken") == []
    assert script.verdicts() == [("F-35a", "W", "open"), ("F-35a", "W", "ruled")]


def test_f35b_going_out_without_a_discard_by_adding_the_last_card(script: Any) -> None:
    taken_pot(script)
    script.lay("W", 0, "KH KD KC")
    script.hands(W="KS")
    script.lay("W", 0, "KS", before="KH KD KC")
    assert script.verdicts() == [("F-35b", "W", "open")]
    assert script.last()["cards"] == ["KS"]
    script.console("rule", row="F-35b", seat="W")
    script.move("KS", "melds-EW", "hand-W", "W", row=0, result=("KH", "KD", "KC"))
    script.discard("W", "KS")
    assert [e.data.do for e in script.of("sanction.served")] == ["take-back", "bar-closing"]
    assert script.of("deal.ended") == []  # he may go out at his next turn


def test_f35_a_penalised_card_at_the_side_can_still_be_discarded(script: Any) -> None:
    taken_pot(script)
    script.lay("W", 0, "KH KD KC")
    script.hands(W="KS 4D")
    script.move("4D", "hand-W", "side-W", "W")
    script.lay("W", 0, "KS", before="KH KD KC")
    assert script.verdicts() == []
    ended = script.move("4D", "side-W", "discard", "W")
    assert [e.data.manner for e in ended if e.type == "deal.ended"] == ["closed"]


def test_f35_an_empty_hand_with_a_pot_to_take_is_regular(script: Any) -> None:
    script.draw("W")
    script.hands(W="KH KD KC")
    script.lay("W", 0, "KH KD KC")
    assert script.verdicts() == []
    events = script.take_pot("W", giver="S")
    assert [e.data.manner for e in events if e.type == "pot.taken"] == ["in-flight"]


CASES: Final = {
    "test_f30a_ruled_in_the_turn_limits_it_and_freezes_until_the_next":
        "lay W 0 4C,5C,6C; console rule row=F-30a seat=W; meld 0 frozen=temporary; draw W; discard W 3S; "
        "each sanction.served do = limit-turn; turn N; turn E; turn S; meld 0 frozen=temporary; draw W; "
        "meld 0 frozen=none; verdicts = F-30a:W:open F-30a:W:ruled",
    "test_f30a_a_limited_turn_ended_without_the_draw_is_broken":
        "lay W 0 4C,5C,6C; console rule row=F-30a seat=W; discard W 3S; "
        "each sanction.broken reason = a,card,was,discarded,without,drawing",
    "test_f30a_a_mere_discard_without_a_draw_is_left_to_the_arbitro":
        "discard W 3S; verdicts = F-30a:W:open; last found=after_discard_before_next_draw needs_referee=True",
    "test_f30a_is_healed_when_the_next_opponent_draws":
        "lay W 0 4C,5C,6C; discard W 3S; draw N; verdicts = F-30a:W:open F-30a:W:healed",
    "test_f30a_is_not_alleged_where_the_stock_cannot_be_relied_on":
        "counted stock 40; lay W 0 4C,5C,6C; discard W 9C; verdicts =",
    "test_f30a_no_draw_is_owed_after_a_pot_in_flight": "taken_pot; lay W 0 4C,5C,6C; verdicts =",
    "test_f27a_a_meld_after_the_discard":
        "turn W; lay W 0 4C,5C,6C; verdicts = F-27a:W:open; last found=after_discard_before_next_draw; "
        "console rule row=F-27a seat=W; meld 0 frozen=temporary; turn N; turn E; turn S; draw W; meld 0 frozen=none",
    "test_f34_a_wild_discarded_before_the_pot_is_regular": "draw W; hands W=2S; discard W 2S; verdicts =",
    # The ledger had taken a card too many from him, as where the partner's was given to him.
    "test_f35b_is_dismissed_when_who_is_said_to_have_no_card_left_discards_one":
        "taken_pot; lay W 0 KH,KD,KC; hands W=KS; lay W 0 KS before=KH,KD,KC; discard W 4C; "
        "verdicts = F-35b:W:open F-35b:W:dismissed",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, taken_pot)
