"""Arts. 25 to 28 of fibur2024: penalised cards, ghost cards, cards laid too late or thrown, frozen melds."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from tests.games.burraco.referee.test_wrong_melds import aside, dos, rest


def ruled(script: Any, row: str, seat: str, **fields: Any) -> dict[str, Any]:
    """A ruling of the arbitro on what no sensor tells: what it is told as."""
    script.console("rule", row=row, seat=seat, **fields)
    verdict: dict[str, Any] = script.last()
    assert (verdict["row"], verdict["offender"], verdict["state"]) == (row, seat, "ruled")
    return verdict


def imposed(script: Any) -> list[tuple[str, str]]:
    return [(e.data.do, str(e.data.who)) for e in script.of("sanction.imposed")]


def served(script: Any) -> list[str]:
    return [e.data.do for e in script.of("sanction.served")]


def warned(script: Any) -> list[tuple[str, str]]:
    return [(str(e.line), e.data.row) for e in script.of("warning.given")]


# -- art. 25: what is left at the end -----------------------------------------------------------------------------


def test_f25d_art25_penalised_cards_left_at_the_end_count_negative(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise")
    aside(script, "W", 0, "5H 6H 8H")
    script.suppose(lambda deal: deal.correct("stock", ("??", "??")))
    script.move("8H", "side-W", "discard", "W")
    verdict = script.last()
    assert (verdict["row"], verdict["offender"], verdict["found"]) == ("F-25d", "W", "hand_end")
    assert (verdict["severity"], sorted(verdict["cards"]), dos(script)) == ("score", ["5H", "6H"], ["score"])
    script.press("N", "count")
    assert script.of("score.counted")[-1].data.ledger["EW"]["items"]["penalised"] == -10


def test_f25d_art25_nothing_at_the_sides_accuses_nobody(script: Any) -> None:
    script.draw("W")
    script.suppose(lambda deal: deal.correct("stock", ("??", "??")))
    script.discard("W", "3S")
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]
    assert script.verdicts() == []


# -- art. 26: ghost cards -----------------------------------------------------------------------------------------


def opened(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 9C")


def test_f26a_art26_a_ghost_card_found_in_the_turn_is_penalised(script: Any) -> None:
    opened(script)
    verdict = ruled(script, "F-26a", "W", meld=0, cards=["9C"])
    assert (verdict["article"], verdict["severity"]) == ("26.1", "play-stops")
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn"], "found at once it ends his play (25)"
    assert imposed(script) == [("penalise", "W"), ("discard", "W"), ("limit-turn", "W")]
    aside(script, "W", 0, "9C", result="5H 6H 7H")
    script.move("9C", "side-W", "discard", "W")
    assert sorted(served(script)) == ["discard", "limit-turn", "penalise"]
    assert script.verdicts() == [("F-29b", "W", "open"), ("F-26a", "W", "ruled")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1, "it is the same fact"


def test_f26b_art26_found_after_the_discard_it_is_discarded_at_the_next_turn(script: Any) -> None:
    opened(script)
    script.discard("W", "3S")
    ruled(script, "F-26b", "W", meld=0, cards=["9C"])
    aside(script, "W", 0, "9C", result="5H 6H 7H")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.move("9C", "side-W", "discard", "W")
    assert sorted(served(script)) == ["discard", "penalise"]
    assert script.of("sanction.broken") == []


def test_f26b_art26_found_is_a_field_of_the_ruling_and_chooses_the_row(script: Any) -> None:
    row = FIBUR2024.row("F-26a")
    assert FIBUR2024.found(row, "after_discard_before_next_draw").id == "F-26b"
    assert FIBUR2024.found(row, "later").id == "F-26c"


def test_f26c_art26_found_in_an_older_meld_the_next_of_the_line_discards_it(script: Any) -> None:
    opened(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    ruled(script, "F-26c", "W", meld=0, cards=["9C"])
    assert imposed(script) == [("penalise", "E"), ("discard", "E")], "east plays next of the line"
    assert script.fold.deal.meld(0).frozen == "definitive"
    script.move("9C", "melds-EW", "hand-E", "E", row=0, result=("5H", "6H", "7H"))
    script.move("9C", "hand-E", "side-E", "E")
    script.draw("E")
    script.move("9C", "side-E", "discard", "E")
    assert sorted(served(script)) == ["discard", "penalise"]
    assert script.fold.deal.meld(0).negative == ()


def test_f26c_art26_another_card_than_the_ghost_is_told(script: Any) -> None:
    opened(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    ruled(script, "F-26c", "W", meld=0, cards=["9C"])
    script.turn("E", "KD")
    assert "another card was discarded" in [e.data.reason for e in script.of("sanction.broken")]


def test_f26d_art26_cards_whose_addition_showed_the_ghost_stay_and_count_negative(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.discard("W", "3S")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.lay("W", 0, "8H 9H", before="5H 6H 7H")
    ruled(script, "F-26d", "W", meld=0, cards=["9C"], added=["8H", "9H"])
    lies = script.fold.deal.meld(0)
    assert (lies.frozen, sorted(lies.negative)) == ("definitive", ["8H", "9H"])
    assert imposed(script) == [("penalise", "W"), ("discard", "W")]


def test_f26e_xf10_art26_the_card_on_top_is_the_discard_the_other_goes_back(script: Any) -> None:
    script.draw("W")
    script.hands(W="KH KD 4C TS 7H 3C")
    script.move("TS 7H", "hand-W", "discard", "W")
    verdict = script.last()
    assert script.verdicts() == [("F-26e", "W", "open")]
    assert (verdict["severity"], verdict["found"]) == ("play-stops", "after_discard_before_next_draw")
    assert verdict["cards"] == ["??"], "what lay hidden beneath another card was not seen"
    assert dos(script) == ["stop-play", "nothing", "take-back", "expose"]
    script.console("rule", row="F-26e", seat="W")
    script.move("??", "discard", "hand-W", "W")
    assert served(script) == ["take-back"]
    assert script.fold.deal.pile == ("TD", "7H")
    assert "TS" in script.fold.deal.hand(Seat.WEST)
    script.turn("N", "4C")
    assert script.of("sanction.broken") == []
    assert {row for row, _, _ in script.verdicts()} == {"F-26e"}


def test_f26e_art26_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.draw("W")
    script.move("TS 7H", "hand-W", "discard", "W")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-26e", "W", "healed")


# -- art. 27: laid too late, or on frozen melds -------------------------------------------------------------------


def penalised_in_turn(script: Any) -> None:
    """W's wrong opening has been ruled and lies at his side; he has not discarded yet."""
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise")
    aside(script, "W", 0, "5H 6H 8H")


def test_f27b_art27_cards_laid_before_the_penalised_discard_are_frozen(script: Any) -> None:
    penalised_in_turn(script)
    script.lay("W", 1, "KH KD KC")
    verdict = script.last()
    assert script.verdicts()[-1] == ("F-27b", "W", "open")
    assert (verdict["article"], verdict["severity"], dos(script)) == ("27", "play-stops", ["stop-play", "freeze"])
    script.console("rule", row="F-27b", seat="W")
    assert script.fold.deal.meld(1).frozen == "temporary"
    script.move("8H", "side-W", "discard", "W")
    assert script.of("sanction.broken") == []
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    assert script.fold.deal.meld(1).frozen == "none"


def test_f27b_art25_in_later_turns_he_plays_normally(script: Any) -> None:
    penalised_in_turn(script)
    script.move("8H", "side-W", "discard", "W")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.lay("W", 1, "KH KD KC")
    script.move("6H", "side-W", "discard", "W")
    assert {row for row, _, _ in script.verdicts()} == {"F-29b"}
    assert script.of("sanction.broken") == []


def frozen_meld(script: Any) -> None:
    """W has laid a set after his discard; it is frozen until his next turn. N has played, E is to play."""
    script.turn("W")
    script.lay("W", 0, "KH KD KC")
    script.console("rule", row="F-27a", seat="W")
    script.turn("N", "4C")


def test_f27c_fg06_art27_the_partner_may_add_nothing_to_a_frozen_meld(script: Any) -> None:
    frozen_meld(script)
    script.draw("E")
    script.lay("E", 0, "KS", before="KH KD KC")
    verdict = script.last()
    assert script.verdicts()[-1] == ("F-27c", "E", "open")
    assert (verdict["cards"], dos(script)) == (["KS"], ["stop-play", "penalise", "discard"])
    script.console("rule", row="F-27c", seat="E")
    aside(script, "E", 0, "KS", result="KH KD KC")
    script.move("KS", "side-E", "discard", "E")
    assert sorted(served(script)) == ["discard", "penalise"]


def test_fg06_def_a_temporary_freeze_ends_with_the_offenders_next_turn(script: Any) -> None:
    frozen_meld(script)
    for seat in "ES":
        script.turn(seat, "4C")
    assert script.fold.deal.meld(0).frozen == "temporary"
    script.draw("W")
    assert script.fold.deal.meld(0).frozen == "none"
    script.lay("W", 0, "KS", before="KH KD KC")
    assert script.verdicts()[-1] == ("F-27a", "W", "ruled")


def test_fg06_def_a_freeze_for_good_lasts_until_the_deal_ends(script: Any) -> None:
    frozen_meld(script)
    script.console("rule", key=script.last()["key"], row="F-27a", freeze="definitive")
    for seat in "ESWNES":
        script.turn(seat, "4C")
    script.draw("W")
    script.lay("W", 0, "KS", before="KH KD KC")
    assert script.verdicts()[-1] == ("F-27c", "W", "open")


def test_fg02_xf09_a_freeze_that_the_table_makes_itself_is_none(script: Any) -> None:
    script.lay("W", 0, "JH JD JC")
    script.draw("W")
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    script.lay("E", 0, "JS", before="JH JD JC")
    rest(script)
    assert script.verdicts() == [("F-30a", "W", "open"), ("F-30a", "W", "healed")]
    assert script.fold.deal.meld(0).frozen == "none"


def test_fg01_the_right_to_a_penalty_lapses_with_the_opponents_draw(script: Any) -> None:
    script.turn("W")
    script.lay("W", 0, "KH KD KC")
    script.draw("N")
    assert script.verdicts() == [("F-27a", "W", "open"), ("F-27a", "W", "healed")]
    script.console("dismiss", row="F-27a", seat="W")
    assert "no open irregularity" in script.of("table.health")[-1].data.note


def test_f27c_art27_cards_added_to_a_wrong_meld_are_penalised(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 9H")
    script.discard("W", "3S")
    rest(script)
    script.turn("N", "4C")
    script.draw("E")
    script.lay("E", 0, "8D", before="5H 6H 7H 9H")
    assert [row for row, _, state in script.verdicts() if state == "open"] == ["F-25b", "F-25c", "F-27c"]
    assert script.last()["offender"] == "E"


def test_f27d_art27_left_without_cards_by_a_frozen_meld_he_draws_a_wild(script: Any) -> None:
    script.draw("W")
    script.lay("W", 90, "3H 4H 5H 6H 7H 8H 9H")
    script.hands(W="")
    script.take_pot("W", giver="N")
    script.discard("W", "3S")
    script.hands(W="KH KD KC")
    script.lay("W", 0, "KH KD KC")
    script.console("rule", row="F-27a", seat="W")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    assert script.fold.deal.meld(0).frozen == "none"
    script.discard("W", "2S")
    verdict = script.last()
    assert script.verdicts()[-1] == ("F-27d", "W", "open")
    assert [row for row, _, _ in script.verdicts() if row == "F-34"] == []
    assert dos(script) == ["bar-closing", "freeze"]
    assert script.of("deal.ended") == []
    assert verdict["severity"] == "play-stops"
    script.console("rule", row="F-27d", seat="W")
    assert script.fold.deal.meld(0).frozen == "temporary"
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    ended = script.discard("W", "9S")
    assert [e.data.manner for e in ended if e.type == "deal.ended"] == ["closed"]


# -- art. 28: thrown and passed cards -----------------------------------------------------------------------------


def in_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")


def test_f28a_f28f_f28i_art28_thrown_or_passed_and_valid_the_turn_ends_with_a_warning(script: Any) -> None:
    in_turn(script)
    for row in ("F-28a", "F-28f", "F-28i"):
        verdict = ruled(script, row, "W", meld=0)
        assert (verdict["severity"], verdict["warn"]) == ("play-stops", True)
        assert dos(script) == ["stop-play", "nothing", "limit-turn", "warn"]
    assert warned(script) == [("EW", "F-28a"), ("EW", "F-28f"), ("EW", "F-28i")]
    assert set(imposed(script)) == {("limit-turn", "W")}
    assert script.fold.deal.meld(0).frozen == "none"
    script.discard("W", "3S")
    assert served(script) == ["limit-turn"] * 3


def test_f28b_art28_thrown_and_touching_no_meld_the_meld_is_frozen(script: Any) -> None:
    in_turn(script)
    ruled(script, "F-28b", "W", meld=0)
    assert dos(script) == ["stop-play", "nothing", "freeze", "limit-turn", "warn"]
    assert script.fold.deal.meld(0).frozen == "temporary"
    assert warned(script) == [("EW", "F-28b")]


@pytest.mark.parametrize("row", ["F-28c", "F-28g"])
def test_f28c_f28g_art28_the_opponent_in_turn_decides_where_the_cards_go(script: Any, row: str) -> None:
    in_turn(script)
    verdict = ruled(script, row, "W", cards=["KS"])
    assert verdict["options"] == ["place", "penalise"]
    assert {choice["who"] for choice in verdict["choices"]} == {"N"}
    assert verdict["remedy"][1]["who"] == "N"
    assert imposed(script) == [("limit-turn", "W")]
    assert warned(script) == [("EW", row)]


@pytest.mark.parametrize("row", ["F-28c", "F-28g"])
def test_f28c_f28g_art28_the_opponent_who_may_choose_breaks_nothing(script: Any, row: str) -> None:
    in_turn(script)
    ruled(script, row, "W", cards=["KS"], option="place")
    assert "N" not in [who for _, who in imposed(script)]
    script.discard("W", "3S")
    script.turn("N", "4C")
    assert script.of("sanction.broken") == []


def test_f28g_xf11_art28_what_finds_no_place_is_penalised(script: Any) -> None:
    in_turn(script)
    ruled(script, "F-28g", "W", cards=["5S"], option="penalise")
    assert [do for do, _ in imposed(script)] == ["penalise", "discard", "limit-turn"]
    script.move("5S", "hand-W", "side-W", "W")
    script.move("5S", "side-W", "discard", "W")
    assert sorted(served(script)) == ["discard", "limit-turn", "penalise"]


def test_f28g_xf12_art28_the_opponent_may_put_the_cards_on_different_melds(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "7S 8S 9S")
    script.lay("W", 1, "JH JD JC")
    ruled(script, "F-28g", "W", cards=["JK", "JS"], option="place")
    script.move("JK", "hand-W", "melds-EW", "N", row=0, result=("JK", "7S", "8S", "9S"))
    script.move("JS", "hand-W", "melds-EW", "N", row=1, result=("JH", "JD", "JC", "JS"))
    rest(script)
    assert {row for row, _, _ in script.verdicts()} == {"F-28g"}
    assert len(script.fold.deal.meld(0).cards) == len(script.fold.deal.meld(1).cards) == 4


def test_f28g_xf13_art28_where_one_meld_alone_can_hold_them_they_go_there(script: Any) -> None:
    in_turn(script)
    verdict = ruled(script, "F-28g", "W", cards=["JK", "JS"], option="place")
    assert "un solo gioco" in verdict["remedy"][2]["text"]["it"]


def test_f28d_art28_thrown_on_a_meld_that_cannot_hold_it_the_card_is_penalised(script: Any) -> None:
    in_turn(script)
    ruled(script, "F-28d", "W", cards=["7S"])
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn", "warn"]
    script.move("7S", "hand-W", "side-W", "W")
    script.move("7S", "side-W", "discard", "W")
    assert sorted(served(script)) == ["discard", "limit-turn", "penalise"]


@pytest.mark.parametrize("row", ["F-28e", "F-28h"])
def test_f28e_f28h_art28_as_the_last_play_before_going_out_only_a_warning(script: Any, row: str) -> None:
    in_turn(script)
    verdict = ruled(script, row, "W")
    assert (verdict["severity"], dos(script)) == ("warning", ["nothing", "warn"])
    assert imposed(script) == []
    assert warned(script) == [("EW", row)]


def test_f28j_art28_passed_after_a_clear_declaration_is_a_situation(script: Any) -> None:
    in_turn(script)
    said = script.console("rule", row="F-28j", seat="W")
    assert [e.type for e in said] == ["table.health"]
    assert script.verdicts() == []


# -- art. 28: passing, which looks like play out of turn ------------------------------------------------------------


def passes(script: Any) -> None:
    """West, in turn, passes a card to east, who lays it; the ledger takes it from east."""
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("E", 0, "8H", before="5H 6H 7H")


@pytest.mark.parametrize("way", ["by row and seat", "by key and option"])
def test_f28g_art28_ruled_it_takes_the_place_of_play_out_of_turn(script: Any, way: str) -> None:
    passes(script)
    assert script.verdicts() == [("F-32", "E", "open")]
    key, before = script.last()["key"], {seat: script.fold.deal.count(Seat(seat)) for seat in "EW"}
    fields = {"row": "F-28g", "seat": "W"} if way == "by row and seat" else {"key": key, "option": "F-28g"}
    script.console("rule", **fields)
    assert script.verdicts()[1:] == [("F-28g", "W", "ruled")], "one fact, one irregularity"
    assert script.last()["key"] == key
    assert {seat: script.fold.deal.count(Seat(seat)) - before[seat] for seat in "EW"} == {"E": 1, "W": -1}
    assert script.fold.deal.size == 108


def test_f28f_art28_the_cards_were_of_who_passed_them_though_nobody_was_accused(script: Any) -> None:
    passes(script)
    script.console("dismiss", key=script.last()["key"])
    before = {seat: script.fold.deal.count(Seat(seat)) for seat in "EW"}
    ruled(script, "F-28f", "W")
    assert {seat: script.fold.deal.count(Seat(seat)) - before[seat] for seat in "EW"} == {"E": 1, "W": -1}


def test_f32_art28_a_card_that_no_gate_has_read_may_have_been_passed(tagged: Any) -> None:
    script = tagged
    passes(script)
    assert (script.last()["row"], script.last()["severity"], script.last()["needs_referee"]) == ("F-32", "note", True)
    assert script.last()["options"] == ["F-32", "F-28f", "F-28g"]
    assert "art. 28" in script.last()["needs"]["it"]


def test_f32_art28_a_meld_that_no_gate_has_read_may_have_been_passed_and_the_arbitro_says_by_whom(script: Any) -> None:
    script.draw("W")
    script.lay("E", 0, "KH KD KC")
    said = script.last()
    assert (said["row"], said["severity"], said["needs_referee"]) == ("F-32", "play-stops", True)
    assert said["needs"]["en"].endswith("art. 28 holds.")
    script.console("rule", row="F-28f", seat="W")
    assert script.verdicts() == [("F-32", "E", "open"), ("F-28f", "W", "ruled")]


@pytest.mark.parametrize("seat", ["N", "E"])
def test_f32_art32_a_meld_that_a_gate_has_read_or_that_no_partner_in_turn_can_have_passed_is_his(
    script: Any, seat: str
) -> None:
    script.draw("W")
    script.lay(seat, 0, "KH KD KC", basis=("sight", "reach", "tags") if seat == "E" else ("sight", "reach"))
    assert script.verdicts() == [("F-32", seat, "open")]
    assert not script.last()["needs_referee"]
