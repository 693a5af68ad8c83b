"""Arts. 30 and 31 of fibur2024: hints to draw, deals closed on frozen melds, pots in flight, a card at random."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import pytest

from hw.seats import Seat
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.referee.test_penalised_and_ghosts import imposed, ruled, served, warned
from tests.games.burraco.referee.test_wrong_melds import dos, rest

CLEAN = "3H 4H 5H 6H 7H 8H 9H"


def flown(script: Any) -> None:
    """W plays out his hand in turn 1 and takes the pot in flight; he has not laid anything of it."""
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="")
    script.take_pot("W", giver="N")


# -- art. 30 ------------------------------------------------------------------------------------------------------


def closed_by_north(script: Any) -> None:
    """N, who has had his pot and lays a burraco, goes out."""
    script.draw("N")
    script.lay("N", 91, "3D 4D 5D 6D 7D 8D 9D")
    script.hands(N="")
    script.take_pot("N", giver="W")
    script.hands(N="5S")
    script.discard("N", "5S")


def test_f30c_art30_the_score_of_melds_frozen_for_a_missed_draw(script: Any) -> None:
    script.lay("W", 0, "KH KD KC")
    script.console("rule", row="F-30a", seat="W")
    script.draw("W")
    script.discard("W", "3S")
    closed_by_north(script)
    verdict = script.last()
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    assert script.verdicts() == [("F-30a", "W", "open"), ("F-30a", "W", "ruled"), ("F-30c", "W", "ruled")]
    assert (verdict["row"], verdict["offender"], verdict["found"]) == ("F-30c", "W", "hand_end")
    assert (verdict["severity"], sorted(verdict["cards"]), dos(script)) == ("score", ["KC", "KD", "KH"], ["score"])
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.ledger["EW"]["items"]
    assert (items["melds"], items["penalised"]) == (0, -30)


def test_f30c_art30_where_cards_were_added_those_alone_are_negative(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4H 5H 6H 7H 8H 9H TH")
    script.discard("W", "3S")
    for seat in "NES":
        script.turn(seat, "4C")
    script.lay("W", 0, "JH", before="4H 5H 6H 7H 8H 9H TH")
    script.console("rule", row="F-30a", seat="W")
    script.draw("W")
    script.discard("W", "3C")
    closed_by_north(script)
    assert script.last()["cards"] == ["JH"]
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.ledger["EW"]["items"]
    assert items["burraco"] == 200, "the burraco was there before"
    assert (items["melds"], items["penalised"]) == (5 + 5 + 5 + 5 + 10 + 10 + 10, -10)


def test_f30c_art30_melds_frozen_by_other_articles_keep_their_points(script: Any) -> None:
    script.turn("W")
    script.lay("W", 0, "KH KD KC")
    script.console("rule", row="F-27a", seat="W")
    closed_by_north(script)
    assert [row for row, _, _ in script.verdicts()] == ["F-27a", "F-27a"]


# -- art. 31: pots in flight --------------------------------------------------------------------------------------


def test_f31f_art31_a_draw_with_a_pot_in_flight_to_play(script: Any) -> None:
    flown(script)
    script.draw("W", "8S#1")
    verdict = script.last()
    assert script.verdicts() == [("F-31f", "W", "open")], "it is no second card of one draw"
    assert (verdict["article"], verdict["severity"], verdict["found"]) == ("31", "play-stops", "during_turn")
    assert dos(script) == ["stop-play", "return-to-stock", "show", "limit-turn"]
    assert (verdict["remedy"][2]["who"], verdict["cards"]) == ("N", ["??"])
    script.console("rule", row="F-31f", seat="W")
    script.put_back("W", "8S#1")
    script.discard("W", "3S")
    assert sorted(served(script)) == ["limit-turn", "return-to-stock"]
    assert script.of("sanction.broken") == []
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.lay("W", 1, "KH KD KC")
    assert {row for row, _, _ in script.verdicts()} == {"F-31f"}


# -- art. 31: draws out of turn, cards laid -----------------------------------------------------------------------


def test_f31c_xf14_art31_a_card_added_after_a_draw_out_of_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4S 5S 6S")
    script.discard("W", "3S")
    script.draw("W", "7S#1")
    script.lay("W", 0, "7S 8S 9S 3S", before="4S 5S 6S", result="3S 4S 5S 6S 7S 8S 9S")
    verdict = script.last()
    assert [(row, seat) for row, seat, _ in script.verdicts()] == [("F-31a", "W"), ("F-31c", "W")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1
    assert verdict["severity"] == "play-stops"
    assert {"return-to-stock", "complete-or-penalise", "limit-turn", "freeze"} <= set(dos(script))
    script.console("rule", row="F-31c", seat="W")
    script.move("7S#1", "melds-EW", "stock", "W", row=0, result=("3S", "4S", "5S", "6S", "8S", "9S"))
    assert "return-to-stock" in served(script)
    script.move("8S 9S", "melds-EW", "hand-W", "W", row=0, result=("3S", "4S", "5S", "6S"))
    script.move("8S 9S", "hand-W", "side-W", "W")
    rest(script)
    assert script.fold.deal.meld(0).cards == ("3S", "4S", "5S", "6S")
    assert script.fold.deal.meld(0).frozen == "temporary"
    assert {row for row, _, _ in script.verdicts()} == {"F-31a", "F-31c"}


def test_f31c_art31_after_the_own_discard_it_is_still_a_draw_out_of_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4S 5S 6S")
    script.discard("W", "3S")
    script.draw("W")
    script.lay("W", 0, "7S", before="4S 5S 6S")
    assert [row for row, _, _ in script.verdicts()] == ["F-31a", "F-31c"], "and no F-27a besides"


def test_f31b_art31_where_the_card_is_not_known_every_reading_is_kept(script: Any) -> None:
    script.draw("E")
    script.lay("E", 0, "KH KD KC")
    verdict = script.last()
    assert (verdict["row"], verdict["needs_referee"]) == ("F-31b", True)
    assert verdict["candidates"] == ["KH", "KD", "KC"]
    assert "quale carta" in verdict["needs"]["it"]


def test_f31b_art31_a_card_that_a_gate_has_read_needs_no_guess(script: Any) -> None:
    script.draw("E", "KC#1")
    script.lay("E", 0, "KH KD KC#1")
    verdict = script.last()
    assert (verdict["candidates"], verdict["needs"]) == ([], None)
    assert "KC#1" not in str(verdict), "which card was drawn is not public"


# -- a card at random ---------------------------------------------------------------------------------------------


def drawn_out_of_turn(script: Any, **fields: Any) -> dict[str, Any]:
    script.draw("E")
    script.console("rule", row="F-31a", seat="E", **fields)
    verdict: dict[str, Any] = script.last()
    return verdict


def test_f31a_art31_the_place_of_the_random_card_can_be_worked_out_again(script: Any) -> None:
    verdict = drawn_out_of_turn(script, option="random-card")
    drawn = verdict["ruling"]["at_random"]
    assert (drawn["from"], drawn["cards"]) == ("left", 12)
    events = [event for event in script.events if event.deal == 1]
    ruling = next(e for e in events if e.type == "irregularity" and e.data.state == "ruled")
    before = events[: events.index(ruling)]
    chain = ""
    for event in before:
        chain = hashlib.sha256(f"{chain}\n{event.type}\n{event.t:.6f}".encode()).hexdigest()
    assert drawn["chain"] == chain
    digest = hashlib.sha256(f"{verdict['key']}\n{ruling.t:.6f}\n{chain}".encode()).digest()
    number = int.from_bytes(digest[:8], "big")
    assert (drawn["number"], drawn["position"]) == (str(number), 1 + number % 12)


def test_f31a_art31_what_happened_before_decides_the_place(make_script: Any) -> None:
    places = set()
    for turns in range(6):
        script = make_script()
        script.turn_up()
        for _ in range(turns):
            for seat in "WNES":
                script.turn(seat, "4C")
        places.add(drawn_out_of_turn(script)["ruling"]["at_random"]["number"])
    assert len(places) == 6


def test_f31a_art31_the_same_log_draws_the_same_place(make_script: Any) -> None:
    numbers = set()
    for _ in range(2):
        script = make_script()
        script.turn_up()
        numbers.add(drawn_out_of_turn(script)["ruling"]["at_random"]["number"])
    assert len(numbers) == 1


@pytest.mark.parametrize("fields", [{"option": "drawn-card"}, {"cards": ["7S"]}])
def test_f31a_art31_the_arbitro_may_name_the_card_himself(script: Any, fields: dict[str, Any]) -> None:
    assert "at_random" not in drawn_out_of_turn(script, **fields)["ruling"]


def test_f31a_art31_a_fan_whose_number_is_not_sure_is_counted_first(script: Any) -> None:
    script.counted("stock", 38)
    script.draw("E")
    script.console("rule", row="F-31a", seat="E", option="random-card")
    drawn = script.last()["ruling"]["at_random"]
    assert (drawn["cards"], drawn["position"]) == (None, None)
    assert drawn["number"].isdigit()


# -- the general part ---------------------------------------------------------------------------------------------


def test_fg03_art21_a_fault_that_the_partner_points_out_cannot_be_mended(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 9H")
    rest(script)
    script.console("rule", row="F-G03", seat="W")
    assert script.verdicts() == [("F-29b", "W", "open"), ("F-G03", "W", "ruled")]
    assert dos(script) == ["stop-play", "nothing", "penalise", "discard", "limit-turn", "warn"]
    assert [do for do, _ in imposed(script)] == ["penalise", "discard", "limit-turn"]
    assert warned(script) == [("EW", "F-G03")]


def test_fg07_def_a_card_is_played_once_it_has_left_the_hand(script: Any) -> None:
    script.draw("W")
    before = script.fold.deal.count(Seat.WEST)
    script.lay("W", 0, "KH KD KC")
    assert script.fold.deal.count(Seat.WEST) == before - 3
    assert [e.type for e in script.console("rule", row="F-G07", seat="W")] == ["table.health"]
    assert script.verdicts() == []


CASES: Final = {
    "test_f30d_art30_a_hint_to_draw_limits_the_partner_to_take_and_discard":
        "ruled F-30d E; dos = stop-play limit-turn warn; imposed = limit-turn:W; warned = EW:F-30d; draw W; "
        "discard W 3S; served = limit-turn",
    "test_f30d_art30_cards_laid_in_the_limited_turn_are_told":
        "ruled F-30d E; draw W; lay W 0 KH,KD,KC; each sanction.broken reason = cards,were,laid",
    "test_f31f_art31_a_pick_up_with_a_pot_in_flight_to_play":
        "flown; collect W TD; verdicts = F-31f:W:open; dos = stop-play return-to-pile limit-turn",
    "test_f31f_art31_once_he_has_laid_of_his_pot_it_is_a_second_draw":
        "flown; lay W 1 KH,KD,KC; draw W; verdicts = F-08a:W:open",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, flown, imposed, ruled, served, warned)
