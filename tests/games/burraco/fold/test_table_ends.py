"""How deals end: stalemate, the last two cards of the stock, the last round after the time-out; and ends taken back."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.seats import SEATS
from tests.games.burraco.cases_by_text import play

NOTHING = {"burraco": 0, "closing": 0, "melds": 0, "pot": 0, "hand": 0, "penalised": 0, "bonus": 0}


def swaps(script: Any, seats: str, last: str = "TD") -> str:
    """``seats`` take the pile's only card in turn and lay another; the card that lies there afterwards."""
    for number, seat in enumerate(seats):
        script.collect(seat, last)
        last = f"{3 + number % 7}{'HDCS'[number % 4]}"
        script.discard(seat, last)
    return last


def ends(script: Any) -> list[tuple[str | None, str]]:
    return [(event.seat, event.data.manner) for event in script.of("deal.ended")]


def close_out(script: Any) -> None:
    """West goes out in his second turn with a clean burraco, the pot taken before."""
    script.draw("W")
    script.lay("W", 0, "3H 4H 5H 6H 7H 8H 9H")
    script.lay("W", 1, "KH KD KC")
    script.discard("W", "KS")
    script.hands(W="")
    script.take_pot("W")
    for seat in "NES":
        script.turn(seat)
    script.hands(W="2C")
    script.draw("W", "5D")
    script.lay("W", 1, "2C", before="KH KD KC")
    script.discard("W", "5D")


# -- art. 16 ---------------------------------------------------------------------------------------------------------


def test_f16_four_exchanges_in_the_arbitros_presence_end_the_deal_in_stalemate(script: Any) -> None:
    swaps(script, "WN")
    script.console("rule", row="F-16")
    assert script.of("table.health")[-1].data.state == "ok"
    last = script.fold.state()["pile"][-1]
    last = swaps(script, "ESW", last)
    assert ends(script) == []
    swaps(script, "N", last)
    assert ends(script) == [("N", "stalemate")]
    assert script.of("irregularity") == []


def test_f16_what_was_before_the_arbitro_came_does_not_count(script: Any) -> None:
    script.console("confirm", row="F-16")
    last = swaps(script, "WNE")
    script.turn("S", "3S")
    script.collect("W", f"{last} 3S")
    script.discard("W", "9S")
    last = swaps(script, "NES", "9S")
    assert ends(script) == []
    swaps(script, "W", last)
    assert ends(script) == [("W", "stalemate")]


def test_f16_a_turn_that_ran_when_the_arbitro_came_does_not_count(script: Any) -> None:
    script.collect("W", "TD")
    script.console("rule", row="F-16")
    script.discard("W", "9S")
    last = swaps(script, "NES", "9S")
    assert ends(script) == []
    swaps(script, "W", last)
    assert ends(script) == [("W", "stalemate")]


def test_f16_declared_after_four_exchanges_the_deal_ends_at_the_last_discard(script: Any) -> None:
    swaps(script, "WNES")
    assert ends(script) == [], "nobody but the arbitro declares it"
    script.console("rule", row="F-16", declared=True)
    assert ends(script) == [("S", "stalemate")]


@pytest.mark.parametrize("breaking", ["draw", "lay", "two"])
def test_f16_a_draw_a_meld_or_more_than_one_card_taken_is_no_exchange(script: Any, breaking: str) -> None:
    script.console("rule", row="F-16")
    last = swaps(script, "WNE")
    if breaking == "draw":
        script.turn("S", "9C")
    elif breaking == "lay":
        script.collect("S", last)
        script.lay("S", 0, "7H 7D 7C")
        script.discard("S", "9C")
    else:
        script.draw("S")
        script.discard("S", "9C")
        script.collect("W", f"{last} 9C")
        script.discard("W", "JC")
    script.press("N", "count")
    assert ends(script) == []


def test_f16_no_closing_bonus_and_no_pot_malus_where_neither_took_one(script: Any) -> None:
    script.console("rule", row="F-16")
    swaps(script, "WNES")
    script.hands(**dict.fromkeys("NESW", ""))
    (scored,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    assert scored.data.lines["NS"]["items"] == NOTHING
    assert scored.data.lines["EW"]["items"] == NOTHING


def test_f16_ordered_where_no_deal_is_in_play_is_told_as_ignored(script: Any) -> None:
    close_out(script)
    script.console("rule", row="F-16")
    assert script.of("table.health")[-1].data.state == "ignored"


# -- art. 17 ---------------------------------------------------------------------------------------------------------


def short_stock(script: Any, cards: int) -> None:
    script.suppose(lambda deal: deal.correct("stock", ("??",) * cards))


def test_f17b_the_closing_bonus_goes_to_who_closed_and_to_nobody_else(script: Any) -> None:
    close_out(script)
    script.hands(N="", E="", S="")
    (scored,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    assert [scored.data.lines[line]["items"]["closing"] for line in ("NS", "EW")] == [0, 100]


# -- art. 15 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "running", "left"),
    [
        ("", "", "WNES"),
        ("", "draw", "NESWNES"),
        ("W", "", "NESWNES"),
        ("WNE", "", "SWNES"),
        ("WNES", "", "WNES"),
        ("WNES", "lay", "NESWNES"),
    ],
)
def test_f15a_the_last_round_begins_with_who_was_served_first(
    script: Any, before: str, running: str, left: str
) -> None:
    for seat in before:
        script.turn(seat)
    if running == "draw":
        script.draw("W")
    elif running == "lay":
        script.lay("W", 0, "7H 7D 7C")  # he has played without drawing: his round has begun (art. 15)
    script.console("time-out")
    assert script.of("round.timeout")[0].data.last_turns is True
    if running:
        script.discard("W", "6D")
    for seat in left:
        assert ends(script) == []
        script.turn(seat)
    assert ends(script) == [("S", "time-out")]


def test_f15b_a_time_out_during_the_deal_gives_one_whole_round(make_script: Any) -> None:
    script = make_script(stock=None, pots=None)
    script.console("time-out")
    script.counted("pots", 22)
    script.counted("stock", 42)
    script.turn_up()
    for seat in "WNES":
        assert ends(script) == []
        script.turn(seat)
    assert ends(script) == [("S", "time-out")]


def test_f15c_a_time_out_while_the_points_are_counted_announces_no_last_turns(script: Any) -> None:
    close_out(script)
    script.console("time-out")
    assert script.of("round.timeout")[0].data.last_turns is False


def test_f15d_after_the_last_round_nobody_has_the_closing_bonus(script: Any) -> None:
    script.console("time-out")
    for seat in "WNES":
        script.turn(seat)
    script.hands(**dict.fromkeys("NESW", ""))
    (scored,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    assert [scored.data.lines[line]["items"]["closing"] for line in ("NS", "EW")] == [0, 0]


# -- ends that were none ---------------------------------------------------------------------------------------------


def test_a_retracted_closing_reopens_the_deal_and_takes_end_and_score_back(script: Any) -> None:
    close_out(script)
    closing = script.moves
    script.press("N", "count")
    (ended,), (scored,) = script.of("deal.ended"), script.of("score.counted")
    back = script.retracted(closing)
    gone = [event.data.event for event in back if event.type == "event.retracted"]
    assert {ended.id, scored.id} <= set(gone)
    assert script.fold.state()["phase"] == "playing"
    assert script.fold.state()["score"]["running"] == {"NS": 0, "EW": 0}
    assert script.fold.deal.to_play == "W"
    assert script.fold.deal.begun
    script.discard("W", "5D")
    assert ends(script) == [("W", "closed")] * 2
    (again,) = [event for event in script.press("N", "count") if event.type == "score.counted"]
    assert again.data.supersedes == scored.id


def test_a_closing_taken_back_by_its_player_reopens_the_deal(script: Any) -> None:
    close_out(script)
    (ended,) = script.of("deal.ended")
    back = script.move("5D", "discard", "hand-W", "W")
    assert [event.type for event in back] == ["event.retracted", "card.returned"]
    assert back[0].data.event == ended.id
    assert script.fold.deal.hand("W") == ("5D",)
    assert script.fold.deal.size == 108
    script.discard("W", "5D")
    assert ends(script) == [("W", "closed")] * 2


def test_a_closing_taken_back_and_then_counted_was_a_closing_after_all(script: Any) -> None:
    close_out(script)
    script.move("5D", "discard", "hand-W", "W")
    script.press("N", "count")
    assert ends(script) == [("W", "closed")] * 2
    assert script.of("score.counted") != []


def test_cards_gathered_after_the_count_take_no_closing_back(script: Any) -> None:
    close_out(script)
    script.shown("N", "AS 3D")
    script.move("5D", "discard", "hand-W", "W")
    assert script.fold.state()["phase"] == "over"


def test_a_deal_whose_end_nobody_saw_has_a_score_of_which_nothing_is_known(script: Any) -> None:
    script.turn("W")
    script.console("deal", deal=2, dealer="W")
    (scored,) = script.of("score.counted")
    assert scored.deal == 1
    assert set(scored.data.lines["NS"]["items"].values()) == {None}
    assert len(scored.data.doubtful) == 14
    script.console("end-round")
    assert script.of("round.ended")[0].data.victory_points is None
    assert script.of("round.ended")[0].data.match_points == {"NS": None, "EW": None}


# -- play gone through again -----------------------------------------------------------------------------------------


def test_a_replay_keeps_the_arbitros_corrections_frozen_melds_and_doubts(script: Any) -> None:
    script.draw("W")
    doubted = script.moves
    script.lay("W", 0, "7H 7D 7C")
    script.console("correct", zone="hand-N", cards=["AS", "KS"])
    script.console("correct", zone="melds-EW", row=0, cards=["7H", "7D", "7S"])
    script.console("rule", row="F-30a", seat="W", meld=0, freeze="definitive")
    script.suppose(lambda deal: deal.doubt("pots"))
    script.retracted(doubted)
    deal = script.fold.deal
    assert deal.hand("N") == ("AS", "KS")
    assert deal.meld(0).cards == ("7H", "7D", "7S")
    assert deal.meld(0).frozen == "definitive"
    assert "pots" in deal.places.unverified
    assert deal.size == 108


def test_a_replay_keeps_the_end_of_the_time(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "7H 7D 7C")
    doubted = script.moves
    script.console("time-out")
    script.retracted(doubted)
    assert script.fold.deal.dealer_discards_left == 2


def test_a_name_learnt_late_follows_the_card_where_it_went(script: Any) -> None:
    script.draw("W")
    drawn = script.moves
    script.discard("W", "??")
    laid = script.moves
    script.collect("N", "TD ??")
    script.named(laid, "QH#1")
    assert "QH#1" in script.fold.deal.hand("N")
    script.named(drawn, "4C#2")
    assert "4C#2" in script.fold.deal.hand("W")
    assert script.fold.deal.size == 108


@pytest.mark.parametrize("zone", ["moon", "melds-NS"])
def test_a_correction_without_a_place_is_told_as_ignored(script: Any, zone: str) -> None:
    script.console("correct", zone=zone, cards=["AS"])
    assert script.of("table.health")[-1].data.state == "ignored"
    assert script.fold.deal.size == 108


def test_pots_are_corrected_by_their_number(script: Any) -> None:
    script.console("correct", zone="pots", cards=21)
    deal = script.fold.deal
    assert [len(deal.at(place)) for place in deal.pots_left] == [11, 10]
    assert deal.size == 108
    assert all(deal.count(seat) == 11 for seat in SEATS)


CASES: Final = {
    "test_f16_hands_laid_out_after_four_exchanges_show_that_it_was_declared":
        "swaps WNES; press N referee; press N count; ends = S:stalemate",
    "test_f17_the_deal_ends_with_the_discard_of_who_drew_the_third_last_card":
        "short_stock 4; turn W; ends =; draw N; ends =; discard N 4S; ends = N:stock",
    "test_f17_a_stock_that_the_scale_doubts_ends_no_deal_until_it_is_counted":
        "short_stock 3; counted stock 5; turn W; ends =; counted stock 2; ends = W:stock",
    "test_f17_a_stock_in_doubt_whose_hands_are_laid_out_was_used_up":
        "short_stock 3; counted stock 5; turn W; press E count; ends = W:stock",
    "test_cards_dealt_anew_under_the_same_number_are_not_counted":
        "turn W; console deal deal=1 dealer=S; of score.counted =",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, ends, short_stock, swaps)
