"""Art. 23 of fibur2024: pots handed over, counted, taken twice by one line, reached through a wrong meld."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.observations import Health, Shield
from hw.seats import Line, Seat
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.conftest import Script

CLEAN = "3H 4H 5H 6H 7H 8H 9H"


def to_pot(script: Any, *, giver: str = "N", count: int = 11, burraco: str = CLEAN) -> None:
    """W plays out his hand in turn 1 and takes the first pot in flight."""
    script.draw("W")
    script.lay("W", 90, burraco)
    script.hands(W="")
    script.take_pot("W", giver=giver, count=count)


def second_pot(script: Any, last: str = "QC QD QH") -> None:
    """W, who has had his line's pot, plays out his hand with ``last`` and takes the other pot in flight."""
    to_pot(script)
    script.hands(W=last)
    script.lay("W", 91, last)
    script.take_pot("W", giver="N")


def rows(script: Any) -> list[tuple[str, str]]:
    return [(row, state) for row, _, state in script.verdicts()]


def dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


# -- handed over and counted ---------------------------------------------------------------------------------------


def test_f23b_art23_a_pot_that_the_taker_lifts_himself_warns_both_pairs(script: Any) -> None:
    to_pot(script, giver="W")
    verdict = script.last()
    assert script.verdicts() == [("F-23b", "W", "open")]
    assert (verdict["article"], verdict["severity"], verdict["warn"]) == ("23", "warning", True)
    assert dos(script) == ["warn"]
    script.console("rule", row="F-23b", seat="W")
    assert sorted((e.line, e.data.row) for e in script.of("warning.given")) == [("EW", "F-23b"), ("NS", "F-23b")]


def test_f23b_art23_is_not_alleged_where_no_beam_told_whose_hand_it_was(script: Any) -> None:
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="")
    script.move(" ".join(["??"] * 11), "pots", None, "W", basis=("scale", "tags"))
    assert script.verdicts() == []


def test_f23b_art23_is_not_alleged_where_the_hand_is_only_thought_to_be_empty(script: Any) -> None:
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="")
    script.move("4C 5C 6C", None, "melds-EW", None, row=92, result=("4C", "5C", "6C"))
    script.take_pot("W", giver="W")
    assert script.verdicts() == []


def test_f23c_art23_a_pot_taken_in_two_grips_is_eleven_cards(script: Any) -> None:
    to_pot(script, count=10)
    script.take_pot("W", giver="N", count=1)
    assert rows(script) == [("F-23c", "open"), ("F-23c", "dismissed")]
    assert len(script.fold.deal.at("pot-2")) == 11


def test_f23c_art23_the_giver_of_the_first_pot_counts_what_is_left(make_script: Any) -> None:
    script = make_script(pots=21)
    script.turn_up()
    to_pot(script)
    assert ("F-23c", None, "open") in script.verdicts()


def test_f23d_art23_a_second_pot_of_ten_is_not_put_right(script: Any) -> None:
    to_pot(script)
    script.discard("W", "3S")
    script.draw("N")
    script.lay("N", 80, CLEAN)
    script.hands(N="")
    script.take_pot("N", giver="W", count=10)
    assert script.verdicts() == []


def test_f23p_art23_of_nine_cards_taken_the_rest_is_still_to_come(script: Any) -> None:
    to_pot(script, count=9)
    assert script.verdicts() == [], "no miscount (F-23c) before it shows that no more are taken"
    script.lay("W", 91, "4C 5C 6C")
    assert script.verdicts() == [("F-23p", "W", "open")]


def test_f23p_art23_a_pot_taken_card_by_card_before_play_is_in_order(script: Any) -> None:
    to_pot(script, count=4)
    for _ in range(7):
        script.take_pot("W", giver="W", count=1)
    script.lay("W", 91, "4C 5C 6C")
    assert script.verdicts() == []
    assert script.fold.state()["hands"]["W"] == 8


def test_f23f_art23_a_pot_looked_at_before_the_partners_discard_is_a_warning(script: Any) -> None:
    script.console("rule", row="F-23f", seat="W")
    assert (script.last()["severity"], dos(script)) == ("warning", ["warn"])
    assert [(e.line, e.data.row) for e in script.of("warning.given")] == [("EW", "F-23f")]


def test_f23g_art23_who_is_reminded_to_draw_before_the_pot_takes_and_discards_only(script: Any) -> None:
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="3S")
    script.discard("W", "3S")
    script.take_pot("W", giver="N")
    for seat in "NES":
        script.turn(seat)
    script.console("rule", row="F-23g", seat="E")
    assert [(e.line, e.data.row) for e in script.of("warning.given")] == [("EW", "F-23g")]
    assert [(e.data.do, e.data.who) for e in script.of("sanction.imposed")] == [("limit-turn", "W")]
    script.draw("W")
    script.lay("W", 91, "4C 5C 6C")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["cards were laid"]


# -- a second pot of the same line ---------------------------------------------------------------------------------


def test_f23h_art23_a_second_pot_in_flight_is_a_closing_without_a_discard(script: Any) -> None:
    second_pot(script)
    assert rows(script) == [("F-35a", "open"), ("F-23h", "open")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1
    verdict = script.last()
    assert (verdict["article"], verdict["severity"], verdict["offender"]) == ("23, 35", "score", "W")
    assert dos(script) == ["stop-play", "correct-count", "discard", "expose"]
    assert verdict["cards"] == ["QC", "QD", "QH"]


def test_f23h_art23_the_ruling_puts_the_pot_back_and_takes_the_last_play_up(script: Any) -> None:
    second_pot(script)
    script.console("rule", row="F-23h", seat="W")
    assert [e.data.do for e in script.of("sanction.imposed")] == ["correct-count", "take-back", "expose"]
    script.move(" ".join(["??"] * 11), "hand-W", "pots", "W")
    script.move("QC QD QH", "melds-EW", "hand-W", "W", row=91)
    assert [e.data.do for e in script.of("sanction.served")] == ["correct-count", "take-back"]
    script.discard("W", "QC")
    deal = script.fold.deal
    assert (deal.count(deal.last_out), deal.pots_left, dict(deal.second)) == (2, ("pot-2",), {})
    assert deal.pot_is_open(Line.NS)
    assert script.of("deal.ended") == []
    assert rows(script)[-1] == ("F-23h", "ruled")


def test_f23h_art23_a_pot_left_where_it_lay_is_broken_by_the_next_draw(script: Any) -> None:
    second_pot(script)
    script.console("rule", row="F-23h", seat="W")
    script.draw("N")
    assert "the pot was not put back" in " ".join(e.data.reason for e in script.of("sanction.broken"))


def test_f23i_art23_a_second_pot_with_the_discard_and_no_burraco(script: Any) -> None:
    to_pot(script, burraco="3H 4H 5H 6H")
    script.hands(W="QC QD QH 4S")
    script.lay("W", 91, "QC QD QH")
    script.discard("W", "4S")
    script.take_pot("W", giver="N")
    assert rows(script) == [("F-33", "open"), ("F-23i", "open")]
    verdict = script.last()
    assert (verdict["article"], verdict["severity"]) == ("23, 33", "score")
    assert dos(script) == ["correct-count", "nothing", "penalise", "discard"]
    assert verdict["cards"] == ["QC", "QD", "QH"]
    script.draw("N")
    assert rows(script)[-1] == ("F-23i", "open")


def test_f23i_art23_with_a_burraco_the_closing_is_valid_and_the_pot_is_nobodys(script: Any) -> None:
    to_pot(script)
    script.hands(W="4S")
    script.discard("W", "4S")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    script.take_pot("W", giver="N")
    assert script.verdicts() == []
    assert script.fold.state()["hands"]["W"] == 0


def test_f23n_art23_the_second_pot_is_restored_with_the_cards_played(script: Any) -> None:
    second_pot(script)
    script.lay("W", 92, "4C 5C 6C")
    script.console("rule", row="F-23n", seat="W")
    script.move("4C 5C 6C", "melds-EW", "hand-W", "W", row=92)
    script.move(" ".join(["??"] * 11), "hand-W", "pots", "W")
    assert "correct-count" in [e.data.do for e in script.of("sanction.served")]
    assert dict(script.fold.deal.second) == {}
    assert len(script.fold.deal.at("pot-2")) == 11
    assert rows(script)[-1] == ("F-23n", "ruled")


def test_f23o_art23_two_pots_of_one_line_found_after_the_next_draw(script: Any) -> None:
    second_pot(script)
    script.lay("W", 92, "4C 5C 6C")
    script.discard("W", "3S")
    script.draw("N")
    verdict = script.last()
    assert rows(script)[-1] == ("F-23o", "open")
    assert (verdict["found"], verdict["severity"]) == ("later", "score")
    assert dos(script) == ["nothing", "score"]


def test_f23o_art23_the_other_line_goes_out_where_it_would_have_taken_the_pot(script: Any) -> None:
    second_pot(script)
    script.discard("W", "3S")
    script.draw("N")
    script.hands(N="4C 5C 6C", S="", E="")
    script.lay("N", 80, "4C 5C 6C")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.lines["NS"]["items"]
    assert (items["closing"], items["bonus"], items["pot"]) == (100, 100, 0)


def test_f23o_art23_with_a_burraco_there_is_no_arbitral_score(script: Any) -> None:
    second_pot(script)
    script.discard("W", "3S")
    script.draw("N")
    script.hands(N="3H 4H 5H 6H 7H 8H 9H KS", S="", E="")
    script.lay("N", 80, CLEAN)
    script.discard("N", "KS")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.lines["NS"]["items"]
    assert (items["closing"], items["bonus"], items["pot"], items["burraco"]) == (100, 0, 0, 200)


# -- through a wrong meld ------------------------------------------------------------------------------------------


def wrong_to_pot(script: Any) -> None:
    """W plays out his hand with a meld that is none."""
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="9C TC QC")
    script.lay("W", 91, "9C TC QC")


def wait(script: Any, seconds: float = 8.0) -> None:
    """Time passes and frames go on."""
    script.t += seconds
    script.notice(Health(script.t, "node-1", "ok", ""))


# -- what the public state says ------------------------------------------------------------------------------------


def test_the_public_state_tells_who_took_a_pot_and_how(script: Any) -> None:
    assert script.fold.state()["keepers"] == {"NS": "N", "EW": "E"}
    assert script.fold.state()["pots"] == {"left": 2, "cards": [11, 11], "taken": {}, "how": {}, "second": {}}
    to_pot(script, giver="S")
    pots = script.fold.state()["pots"]
    assert (pots["left"], pots["cards"], pots["taken"]) == (1, [11], {"EW": "W"})
    assert pots["how"] == {"EW": {"seat": "W", "manner": "in-flight", "by": "S", "cards": 11, "played": True}}


def test_the_public_state_tells_a_second_pot_until_it_is_put_back(script: Any) -> None:
    second_pot(script)
    assert script.fold.state()["pots"]["second"]["EW"]["seat"] == "W"
    assert script.fold.state()["pots"]["cards"] == []
    script.move(" ".join(["??"] * 11), "hand-W", "pots", "W")
    assert (script.fold.state()["pots"]["second"], script.fold.state()["pots"]["cards"]) == ({}, [11])


def test_f23n_art35_the_card_discarded_after_the_ruling_is_exposed_no_more(script: Any) -> None:
    second_pot(script)
    script.discard("W", "3S")
    script.console("rule", row="F-23n", seat="W")
    script.move("3S", "discard", "hand-W", "W")
    script.move(" ".join(["??"] * 11), "hand-W", "pots", "W")
    script.move("QC QD QH", "melds-EW", "hand-W", "W", row=91)
    script.discard("W", "QH")
    owed = [one["cards"] for one in script.fold.state()["sanctions"] if one["do"] == "expose"]
    assert owed == [["QC", "QD"]]
    assert (script.of("sanction.broken"), script.fold.state()["hands"]["W"]) == ([], 2)


def test_f23j_art23_a_pot_in_flight_through_a_wrong_meld_and_then_played(script: Any) -> None:
    wrong_to_pot(script)
    script.take_pot("W", giver="N")
    script.lay("W", 92, "4C 5C 6C")
    wait(script)
    verdict = script.last()
    assert rows(script)[-1] == ("F-23j", "open")
    assert (verdict["severity"], verdict["found"]) == ("play-stops", "during_turn")
    assert dos(script) == ["stop-play", "freeze", "discard"]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f23j_art23_told_before_the_pot_is_played_it_becomes_this_row(script: Any) -> None:
    wrong_to_pot(script)
    wait(script)
    assert [row for row, _ in rows(script)] == ["F-29b"]
    script.take_pot("W", giver="N")
    assert [row for row, _ in rows(script)] == ["F-29b"]
    script.lay("W", 92, "4C 5C 6C")
    assert rows(script)[-1] == ("F-23j", "open")
    script.console("rule", row="F-23j", seat="W")
    assert script.fold.deal.meld(92).frozen == "temporary"
    assert "discard" in [e.data.do for e in script.of("sanction.imposed")]


def test_f23k_art23_found_after_the_next_draw_the_wrong_meld_counts_negative(script: Any) -> None:
    wrong_to_pot(script)
    wait(script)
    script.take_pot("W", giver="N")
    script.lay("W", 92, "4C 5C 6C")
    script.discard("W", "3S")
    assert rows(script)[-1] == ("F-23j", "open")
    script.draw("N")
    verdict = script.last()
    assert rows(script)[-1] == ("F-23k", "open")
    assert (verdict["severity"], verdict["found"], dos(script)) == ("score", "later", ["nothing", "freeze", "score"])
    script.console("rule", row="F-23k", seat="W")
    meld = script.fold.deal.meld(91)
    assert (meld.frozen, meld.negative) == ("definitive", ("9C", "TC", "QC"))
    assert (script.fold.deal.meld(92).frozen, script.fold.deal.meld(92).negative) == ("none", ())


def with_discard(script: Any) -> None:
    """W plays out his hand through a wrong meld and a discard, and takes the pot after it."""
    script.draw("W")
    script.hands(W="9C TC QC 3S")
    script.lay("W", 91, "9C TC QC")
    wait(script)
    script.discard("W", "3S")
    script.take_pot("W", giver="N")


def test_f23l_art23_a_pot_with_the_discard_through_a_wrong_meld(script: Any) -> None:
    with_discard(script)
    assert [row for row, _ in rows(script)] == ["F-29b", "F-25b", "F-23l"]
    script.draw("N")
    assert rows(script)[-1] == ("F-23l", "open")
    verdict = script.last()
    assert (verdict["severity"], verdict["found"], dos(script)) == ("score", "later", ["limit-turn", "freeze", "score"])
    script.console("rule", row="F-23l", seat="W", meld=91)
    assert script.fold.deal.meld(91).frozen == "definitive"
    assert script.fold.deal.meld(91).negative == ("9C", "TC", "QC")
    script.discard("N", "KS")
    for seat in "ES":
        script.turn(seat)
    script.draw("W")
    script.lay("W", 92, "4C 5C 6C")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["cards were laid"]


def test_f23m_art23_found_after_his_draw_the_pot_is_played_as_usual(script: Any) -> None:
    with_discard(script)
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    verdict = script.last()
    assert rows(script)[-1] == ("F-23m", "open")
    assert dos(script) == ["nothing", "freeze", "score"]
    script.console("rule", row="F-23m", seat="W", meld=91)
    script.lay("W", 92, "4C 5C 6C")
    assert (verdict["severity"], script.of("sanction.broken")) == ("score", [])


def test_f23m_art23_the_wrong_meld_is_counted_negative(script: Any) -> None:
    with_discard(script)
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    script.console("rule", row="F-23m", seat="W", meld=91)
    script.lay("W", 90, CLEAN)
    script.hands(W="4S")
    script.discard("W", "4S")
    script.hands(N="KS", E="3D", S="3C")
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.lines["EW"]["items"]
    assert (items["closing"], items["burraco"], items["melds"], items["penalised"]) == (100, 200, 45, -30)


def test_f23m_art23_a_score_with_a_wrong_meld_that_nobody_has_ruled_is_doubtful(script: Any) -> None:
    with_discard(script)
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="4S")
    script.discard("W", "4S")
    script.says("W", "close")
    script.press("N", "count")
    counted = script.of("score.counted")
    assert not counted or "EW.melds" in counted[-1].data.doubtful


def test_f23o_art23_is_told_once_whatever_the_line_plays_on(script: Any) -> None:
    second_pot(script)
    script.lay("W", 92, "4C 5C 6C")
    script.discard("W", "3S")
    script.draw("N")
    script.console("rule", row="F-23o", seat="W")
    script.discard("N", "KS")
    for seat in "ES":
        script.turn(seat)
    script.draw("W")
    script.lay("W", 93, "9C TC JC")
    script.discard("W", "3D")
    assert rows(script)[-1] == ("F-23o", "ruled")
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_a_pot_lifted_while_nobody_is_known_to_be_out_is_not_held_against_a_line_that_had_its_own(script: Any) -> None:
    to_pot(script)
    script.discard("W", "3S")
    script.draw("N")
    script.says("W", "pot")
    script.take_pot("N", giver="E")  # N's hand is not empty by the ledger
    assert script.fold.state()["pots"]["second"] == {}
    assert script.fold.state()["pots"]["taken"] == {"EW": "W", "NS": "N"}
    assert script.verdicts() == []
    assert set(script.fold.state()["hands"].values()) == {None}


def test_f23b_art23_whichever_seat_the_ruling_names_it_is_the_one_that_was_told(script: Any) -> None:
    to_pot(script, giver="W")
    told = [row for row, _, _ in script.verdicts()]
    script.console("rule", row="F-23b", seat="N")
    assert len({e.data.key for e in script.of("irregularity") if e.data.row == "F-23b"}) == 1, told
    assert sorted(str(e.line) for e in script.of("warning.given")) == ["EW", "NS"], "both pairs, once each"


def test_f23n_art23_a_second_pot_after_a_shield_turned_over_is_of_who_turned_it(script: Any) -> None:
    """His last meld has not been seen yet, so his hand is not known to be empty; nobody else is supposed to take it."""
    to_pot(script)
    script.discard("W", "3S")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.notice(Shield(script.later(), Seat.WEST, "over"))
    script.take_pot("W", giver="N")
    assert [(e.seat, e.confidence) for e in script.of("pot.taken")][-1] == ("W", 0.5)
    assert "F-23h" not in [row for row, _, _ in script.verdicts()], "a supposition accuses nobody"
    script.lay("W", 92, "4H 4D 4S")
    assert script.verdicts()[-1] == ("F-23n", "W", "open")


def test_art18_what_seemed_to_be_laid_upon_the_pots_and_goes_again_is_no_pot_taken(script: Any) -> None:
    script.draw("W")
    script.move("??", "hand-W", "pots", "W")
    script.move("??", "pots", None, "W")
    assert script.of("pot.taken") == []
    assert script.fold.deal.pots_taken == {}
    assert (script.fold.state()["pots"]["cards"], script.fold.deal.count(Seat.WEST)) == ([11, 11], 12)


def test_f23h_art23_what_led_to_the_second_pot_is_seen_only_after_it(script: Any) -> None:
    to_pot(script)
    script.discard("W", "3S")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.notice(Shield(script.later(), Seat.WEST, "over"))
    laid = script.t
    script.take_pot("W", giver="N")
    script.move("4H 4D 4S", "hand-W", "melds-EW", "W", row=92, result=("4H", "4D", "4S"), committed_t=laid)
    assert script.verdicts()[-1] == ("F-23h", "W", "open"), "no card of the second pot has been played"
    script.lay("W", 93, "8H 8D 8S")
    assert script.verdicts()[-1] == ("F-23n", "W", "open")


def test_art18_a_pot_that_no_sensor_has_seen_costs_nobody_anything() -> None:
    script = Script(pots=None)
    script.turn_up()
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.suppose(lambda deal: deal.correct("stock", ("??",) * 2))
    script.discard("W", "3S")
    script.press("N", "count")
    items = script.of("score.counted")[-1].data.ledger
    assert (items["NS"]["items"]["pot"], items["EW"]["items"]["pot"]) == (0, 0)


def test_f23o_art23_a_pot_that_the_other_line_has_taken_costs_nothing(script: Any) -> None:
    second_pot(script)
    script.lay("W", 92, "4C 5C 6C")
    script.suppose(lambda deal: deal.correct("stock", ("??",) * 2))
    script.discard("W", "3S")
    script.press("N", "count")
    assert script.of("score.counted")[-1].data.ledger["NS"]["items"]["pot"] == 0


CASES: Final = {
    "test_f23b_art23_a_pot_that_the_partner_hands_over": "to_pot giver=E; verdicts = F-23b:W:open",
    "test_f23b_art23_is_not_alleged_of_a_hand_that_an_opponent_serves": "to_pot giver=S; verdicts =",
    "test_f23c_art23_a_first_pot_of_twelve_is_put_right_or_played_on":
        "to_pot count=12; verdicts = F-23c:None:open; last severity=play-stops needs_referee=True; "
        "last options=[repair,seen]; dos = correct-count nothing; console rule row=F-23c option=seen; dos = nothing; "
        "last state=ruled",
    "test_f23p_art23_pot_cards_played_before_all_are_in_hand":
        "to_pot count=6; lay W 91 4C,5C,6C; verdicts = F-23p:W:open; last severity=note; dos = collect",
    "test_f23h_art23_after_an_added_card_the_other_case_of_art35_holds":
        "to_pot; hands W=TH; lay W 90 TH before=3H,4H,5H,6H,7H,8H,9H; take_pot W giver=N; "
        "rows = F-35b:open F-23h:open; dos = stop-play correct-count take-back discard",
    "test_f23n_art23_a_card_of_the_second_pot_is_played":
        "second_pot; lay W 92 4C,5C,6C; rows = F-35a:open F-23h:open F-23n:open; "
        "last severity=score needs_referee=True; dos = stop-play correct-count discard expose; "
        "last options=[opened,valid,no-burraco,wild,added]",
    "test_f23k_art23_of_a_wrong_meld_every_card_counts_negative":
        "draw W; hands W=9C,TC,JC,KC; lay W 91 9C,TC,JC,KC; wait; last cards=[KC]; take_pot W giver=N; discard W 3S; "
        "draw N; console rule row=F-23k seat=W; meld 91 negative=9C:TC:JC:KC",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, rows, second_pot, to_pot, wait)
