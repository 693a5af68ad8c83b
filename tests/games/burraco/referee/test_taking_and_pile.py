"""Arts. 7 to 9 of fibur2024: the stock that is inspected, two cards drawn, what is done with the pile."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.tracking.movements import Touched
from tests.games.burraco.cases_by_text import play

SITUATIONS = ("F-07a", "F-07b", "F-08b", "F-08d", "F-09a", "F-09e")


def touch(script: Any, seat: str, seconds: float = 2.5) -> None:
    """A hand rests at the stock and takes nothing."""
    script.t += seconds + 2.0
    script.take(Touched(script.t, script.t - seconds - 2.0, "stock", Seat(seat), seconds))


def dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


@pytest.fixture
def pile(make_script: Any) -> Any:
    """W to play, the pile 5D QS 9C from below to above."""
    script = make_script()
    script.turn_up("5D")
    for seat, card in (("W", "QS"), ("N", "TH"), ("E", "8C"), ("S", "9C")):
        script.turn(seat, card)
    return script


# -- situations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_of_arts_7_to_9_can_be_no_irregularity(script: Any, name: str) -> None:
    assert FIBUR2024.row(name).kind == "situation"
    script.console("rule", row=name, seat="W")
    assert script.verdicts() == []
    assert [e.data.state for e in script.of("table.health")] == ["ignored"]


def test_f07a_art7_a_card_lifted_and_put_back_is_still_the_draw(script: Any) -> None:
    script.draw("W")
    assert script.fold.state()["turn"] == {"n": 1, "seat": "W", "begun": True, "drawn": True}
    assert FIBUR2024.row("F-07a").steps[0].do == "nothing"


def test_f07b_art7_a_meld_laid_over_another_row_is_a_new_meld(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4C 5C 6C")
    script.lay("W", 1, "9H 9D 9S")
    assert script.verdicts() == []
    assert [m["id"] for m in script.fold.state()["melds"]["EW"]] == [0, 1]


def test_f08b_art8_a_card_face_up_in_the_stock_is_covered_and_play_goes_on(script: Any) -> None:
    row = FIBUR2024.row("F-08b")
    assert (row.kind, row.article, [step.do for step in row.steps]) == ("situation", "8", ["nothing"])


def test_f09a_art9_who_draws_the_pile_near_need_not_pick_it_up(script: Any) -> None:
    script.draw("W")
    script.discard("W", "3S")
    assert script.verdicts() == []
    assert FIBUR2024.row("F-09a").steps[0].do == "nothing"


def test_f09e_art9_the_one_card_left_behind_is_the_discard(pile: Any) -> None:
    pile.collect("W", "QS TH 8C 9C")
    pile.draw("N")
    assert pile.verdicts() == []
    left = pile.of("card.discarded")[-1]
    assert (left.seat, left.data.card, left.data.left) == ("W", "5D", True)


# -- art. 8 --------------------------------------------------------------------------------------------------------


def test_f08a_art8_the_next_opponent_chooses_between_the_shown_card_and_the_pile(script: Any) -> None:
    script.draw("W", "?? 8S")
    verdict = script.last()
    assert [(one["key"], one["who"]) for one in verdict["choices"]] == [("draw", "N"), ("collect", "N")]
    script.console("rule", row="F-08a", seat="W", option="collect")
    assert script.last()["ruling"]["option"] == "collect"


def test_f08c_art8_the_stock_inspected_by_a_player_not_in_turn(script: Any) -> None:
    script.draw("W")
    touch(script, "S")
    verdict = script.last()
    assert script.verdicts() == [("F-08c", "S", "open")]
    assert (verdict["severity"], verdict["needs_referee"], verdict["warn"]) == ("note", True, False)
    assert [(one["key"], one["who"]) for one in verdict["choices"]] == [("draw", "W"), ("collect", "W")]


def test_f08c_art8_the_partner_must_take_as_the_opponent_chose(script: Any) -> None:
    script.draw("W")
    touch(script, "S")
    script.console("rule", row="F-08c", seat="S", option="collect")
    imposed = script.of("sanction.imposed")
    assert [(e.data.do, e.data.who) for e in imposed] == [("limit-turn", "N")]
    script.discard("W", "3S")
    script.draw("N")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["a card was drawn"]


def test_f08c_is_not_alleged_of_a_hand_that_comes_for_a_fault_that_waits(script: Any) -> None:
    script.draw("W", "?? 8S")
    touch(script, "N")
    assert [row for row, _, _ in script.verdicts()] == ["F-08a"]


# -- art. 9 --------------------------------------------------------------------------------------------------------


def test_f09c_art9_own_cards_on_pile_cards_not_lifted(pile: Any) -> None:
    pile.collect("W", "QS TH 8C 9C")
    pile.lay("W", 0, "9C 9D 9H")
    pile.console("rule", row="F-09c", seat="W", meld=0)
    assert (pile.last()["article"], pile.last()["severity"]) == ("9", "play-stops")
    assert pile.fold.deal.meld(0).frozen == "temporary"
    pile.collect("W", "5D")
    pile.discard("W", "5D")
    assert [e.data.do for e in pile.of("sanction.served")] == ["limit-turn"]


def test_f09d_art9_the_rest_left_open_is_a_warning(script: Any) -> None:
    script.console("rule", row="F-09d", seat="W")
    assert [(e.line, e.data.row) for e in script.of("warning.given")] == [("EW", "F-09d")]
    assert (script.last()["severity"], dos(script)) == ("warning", ["warn"])


def test_f09f_art9_several_cards_left_and_a_meld_laid(pile: Any) -> None:
    pile.collect("W", "8C 9C")
    pile.lay("W", 0, "4C 5C 6C")
    verdict = pile.last()
    assert pile.verdicts() == [("F-09f", "W", "open")]
    assert (verdict["severity"], verdict["found"]) == ("play-stops", "during_turn")
    assert verdict["cards"] == ["TH", "5D"]  # the queen of spades is the highest in rank: his discard


def test_f09f_art9_the_highest_in_rank_not_in_suit_is_the_discard(make_script: Any) -> None:
    script = make_script()
    script.turn_up("8H")
    for seat, card in (("W", "KS"), ("N", "TH"), ("E", "7C"), ("S", "9C")):
        script.turn(seat, card)
    script.collect("W", "7C 9C")
    script.draw("N")
    left = script.of("card.discarded")[-1]
    assert (left.seat, left.data.card, left.data.left) == ("W", "KS", True)
    assert script.verdicts() == [("F-09f", "W", "open"), ("F-09f", "W", "healed")]


def test_f09f_art9_the_others_are_taken_when_it_is_ruled(pile: Any) -> None:
    pile.collect("W", "8C 9C")
    pile.discard("W", "3S")
    assert pile.verdicts() == [("F-09f", "W", "open")]
    pile.console("rule", row="F-09f", seat="W")
    pile.collect("W", "5D TH 3S")
    assert [e.data.do for e in pile.of("sanction.served")] == ["collect"]
    pile.turn("N")
    assert pile.verdicts()[-1] == ("F-09f", "W", "ruled")


def test_f09f_is_not_alleged_of_a_pile_taken_in_two_grips(pile: Any) -> None:
    pile.collect("W", "8C 9C")
    pile.collect("W", "5D QS TH")
    pile.lay("W", 0, "4C 5C 6C")
    pile.discard("W", "3S")
    pile.draw("N")
    assert pile.verdicts() == []


def test_f09g_art9_the_sole_card_laid_back_at_once_asks_for_its_twin(script: Any) -> None:
    script.collect("W", "TD")
    script.discard("W", "TD")
    verdict = script.last()
    assert script.verdicts() == [("F-09g", "W", "open")]
    assert (verdict["severity"], verdict["needs_referee"]) == ("note", True)
    assert verdict["found"] == "after_discard_before_next_draw"
    assert [one["key"] for one in verdict["choices"]] == ["twin", "no-twin"]
    script.console("rule", row="F-09g", seat="W", option="twin")
    assert (dos(script), script.of("sanction.imposed")) == (["show"], [])


def test_f09g_art9_without_the_twin_the_card_is_taken_back(script: Any) -> None:
    script.collect("W", "TD")
    script.discard("W", "TD")
    script.console("rule", row="F-09g", seat="W", option="no-twin")
    assert dos(script) == ["stop-play", "take-back", "discard", "expose"]
    script.collect("W", "TD")
    assert [e.data.do for e in script.of("sanction.served")] == ["take-back"]
    script.discard("W", "4H")
    script.turn("N")
    assert script.verdicts() == [("F-09g", "W", "open"), ("F-09g", "W", "ruled")]
    assert script.fold.state()["pile"][0] == "4H"


def test_f09h_art9_the_sole_card_penalised_and_discarded_at_once(script: Any) -> None:
    script.collect("W", "TD")
    script.console("rule", row="F-25a", seat="W", cards=["TD"])
    script.discard("W", "TD")
    assert ("F-09h", "W", "open") in script.verdicts()
    verdict = next(e.data for e in script.of("irregularity") if e.data.row == "F-09h")
    assert (verdict.article, verdict.severity) == ("9, 25", "play-stops")
    assert [step.do for step in verdict.remedy] == ["stop-play", "take-back", "discard"]


def test_f25a_art9_the_sole_card_penalised_waits_for_the_next_turn(script: Any) -> None:
    script.collect("W", "TD")
    script.console("rule", row="F-25a", seat="W", cards=["TD"], remedy="penalise;discard")
    script.move("TD", "hand-W", "side-W", "W")
    script.discard("W", "4H")
    assert [event.data.reason for event in script.of("sanction.broken")] == []
    for seat in "NES":
        script.turn(seat, "5C")
    script.draw("W")
    script.discard("W", "6H")
    broken = [event.data for event in script.of("sanction.broken")]
    assert [(one.do, str(one.who)) for one in broken] == [("discard", "W")], "now it had to go"


def test_f31a_art9_a_draw_after_one_card_was_left_comes_after_the_turn(pile: Any) -> None:
    pile.collect("W", "QS TH 8C 9C")
    pile.draw("W")
    assert [(e.seat, e.data.left) for e in pile.of("card.discarded")][-1] == ("W", True)
    assert pile.verdicts() == [("F-31a", "W", "open")]


def test_f30a_art9_the_next_player_who_lays_at_once_has_missed_his_draw(pile: Any) -> None:
    pile.collect("W", "QS TH 8C 9C")
    pile.lay("N", 4, "4H 4D 4C")
    assert [(e.seat, e.data.left) for e in pile.of("card.discarded")][-1] == ("W", True)
    assert pile.verdicts() == [("F-30a", "N", "open")], "his turn has begun: no play out of turn (32)"


def test_f32_art9_the_one_after_the_next_lays_out_of_turn(pile: Any) -> None:
    pile.collect("W", "QS TH 8C 9C")
    pile.lay("E", 4, "4H 4D 4C")
    assert [row for row, _, _ in pile.verdicts()] == ["F-32"]


CASES: Final = {
    "test_f08d_art8_the_player_in_turn_may_inspect_the_stock":
        "turn W; touch N; verdicts =; draw N; touch N; verdicts =",
    "test_f08c_art8_the_partner_who_draws_as_chosen_may_play":
        "draw W; touch S; console rule row=F-08c seat=S option=draw; discard W 3S; draw N; lay N 0 4C,5C,6C; "
        "discard N KS; each sanction.served do = limit-turn",
    "test_f08c_is_not_alleged_before_play_has_begun": "touch S; verdicts =",
    "test_f09b_art9_a_pile_drawn_near_and_own_cards_laid_is_ruled_as_a_missed_draw":
        "lay W 0 4C,5C,6C; console rule row=F-09b seat=W meld=0; last row=F-09b; meld 0 frozen=temporary; "
        "each sanction.imposed do = limit-turn; draw W; discard W 3S; each sanction.served do = limit-turn",
    "test_f09g_is_not_alleged_where_the_tags_tell_two_copies": "collect W TD#1; discard W TD#2; verdicts =",
    "test_f09g_is_not_alleged_where_the_twin_is_known": "hands W=TD,3C,4C; collect W TD; discard W TD; verdicts =",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, touch)
