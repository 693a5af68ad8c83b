"""Arts. 21, 22 and 24 of fibur2024, and tables with screens: silence, hints, exposed cards."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.observations import Shield
from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from tests.games.burraco.cases_by_text import play

CLEAN = "3H 4H 5H 6H 7H 8H 9H"


def ruled(script: Any, row: str, seat: str, **fields: Any) -> dict[str, Any]:
    """The arbitro rules ``row`` of ``seat``; the newest telling of it."""
    script.console("rule", row=row, seat=seat, **fields)
    return script.last()


def dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


def warned(script: Any) -> list[tuple[str, str]]:
    return [(e.line, e.data.row) for e in script.of("warning.given")]


def imposed(script: Any) -> list[tuple[str, str]]:
    return [(e.data.do, e.data.who) for e in script.of("sanction.imposed")]


# -- art. 21 -------------------------------------------------------------------------------------------------------


def test_f21a_art21_ruled_the_pair_is_warned_and_the_player_only_discards(script: Any) -> None:
    script.draw("W")
    verdict = ruled(script, "F-21a", "E")
    assert (verdict["article"], verdict["severity"], verdict["state"]) == ("21", "play-stops", "ruled")
    assert dos(script) == ["stop-play", "bar-closing", "warn"]
    assert (warned(script), imposed(script)) == ([("EW", "F-21a")], [("limit-turn", "W")])
    script.lay("W", 0, "4C 5C 6C")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["cards were laid"]


def test_f21a_is_not_alleged_of_who_calls_for_a_fault_of_the_others(script: Any) -> None:
    script.draw("W")
    script.expose("N", "7H")
    script.press("E", "referee")
    assert [row for row, _, _ in script.verdicts()] == ["F-24a"]


@pytest.mark.parametrize("seat", ["N", "S", "W"])
def test_f21a_is_not_alleged_of_anybody_but_the_partner(script: Any, seat: str) -> None:
    script.draw("W")
    script.press(seat, "referee")
    assert script.verdicts() == []


def test_f21a_is_not_alleged_where_nobody_was_seen_to_begin_the_turn(make_script: Any) -> None:
    script = make_script()
    script.turn_up("5D")
    script.move("5D", "discard", None, None, confidence=0.5, basis=("scale",))
    script.press("E", "referee")
    assert script.verdicts() == [], "it may have been picked up out of turn, and that is why he calls"


def test_f21b_art21_the_first_burraco_pointed_out_is_only_a_warning(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, CLEAN)
    verdict = ruled(script, "F-21b", "E")
    assert (verdict["severity"], warned(script), imposed(script)) == ("warning", [("EW", "F-21b")], [])
    script.lay("W", 1, "QC QD QH")
    assert script.of("sanction.broken") == []


def test_f21b_art21_a_later_burraco_is_judged_by_the_general_rule(script: Any) -> None:
    script.draw("W")
    verdict = ruled(script, "F-21b", "E", option="F-21a")
    assert (verdict["row"], verdict["severity"], warned(script)) == ("F-21a", "play-stops", [("EW", "F-21a")])


def test_f21c_art21_a_wrong_opening_that_the_partner_notices_cannot_be_mended(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4C 5C 9C")
    verdict = ruled(script, "F-21c", "W", cards=["9C"])
    assert (verdict["severity"], verdict["cards"], warned(script)) == ("play-stops", ["9C"], [("EW", "F-21c")])
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn", "warn"]
    assert imposed(script) == [("penalise", "W"), ("discard", "W"), ("limit-turn", "W")], "the error ends his play"
    script.lay("W", 1, "KH KD KS")
    assert ("F-27b", "W", "open") in script.verdicts(), "what he lays now is judged by art. 27"


def test_f21d_art21_a_wrong_addition_that_the_partner_notices(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4C 5C 6C")
    script.lay("W", 0, "9C", before="4C 5C 6C")
    verdict = ruled(script, "F-21d", "W", cards=["9C"])
    assert (verdict["severity"], warned(script)) == ("play-stops", [("EW", "F-21d")])
    assert imposed(script) == [("penalise", "W"), ("discard", "W"), ("limit-turn", "W")]


# -- art. 22 -------------------------------------------------------------------------------------------------------


def test_f22a_art22_a_hint_stops_play_and_the_partner_does_the_opposite(script: Any) -> None:
    script.draw("W")
    verdict = ruled(script, "F-22a", "S", option="collect")
    assert (verdict["severity"], warned(script)) == ("play-stops", [("NS", "F-22a")])
    assert imposed(script) == [("limit-turn", "N")]
    script.discard("W", "3S")
    script.collect("N", "TD 3S")
    script.discard("N", "KS")
    assert [e.data.do for e in script.of("sanction.served")] == ["limit-turn"]


def test_f22b_art22_a_joker_put_where_a_hint_said_is_exposed(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "4C 5C 6C")
    script.lay("W", 0, "JK", before="4C 5C 6C")
    verdict = ruled(script, "F-22b", "E", cards=["JK"])
    assert (verdict["article"], verdict["cards"], warned(script)) == ("22, 24", ["JK"], [("EW", "F-22b")])
    assert dos(script) == ["stop-play", "take-back", "expose", "warn"]
    assert imposed(script) == [("expose", "W")]


def test_f22d_art22_who_is_reminded_to_play_after_a_pot_in_flight_only_discards(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, CLEAN)
    script.hands(W="")
    script.take_pot("W", giver="N")
    ruled(script, "F-22d", "E")
    assert imposed(script) == [("limit-turn", "W")]
    script.discard("W", "3S")
    assert [e.data.do for e in script.of("sanction.served")] == ["limit-turn"]


def test_f22e_art22_a_question_to_the_partner_is_a_warning(script: Any) -> None:
    verdict = ruled(script, "F-22e", "W")
    assert (verdict["severity"], warned(script), dos(script)) == (
        "play-stops",
        [("EW", "F-22e")],
        ["stop-play", "limit-turn", "warn"],
    )


@pytest.mark.parametrize("asker", ["W", "E"])
def test_f22e_art22_play_is_broken_off_for_who_of_the_pair_is_in_turn(script: Any, asker: str) -> None:
    script.draw("W")
    verdict = ruled(script, "F-22e", asker)
    assert [step["who"] for step in verdict["remedy"] if step["do"] == "limit-turn"] == ["W"]
    assert imposed(script) == [("limit-turn", "W")]
    script.lay("W", 0, "4C 5C 6C")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["cards were laid"]


# -- art. 24 -------------------------------------------------------------------------------------------------------


def test_f24b_art24_attention_called_to_exposed_cards_costs_them(script: Any) -> None:
    script.draw("W")
    script.expose("W", "4C 9S")
    ruled(script, "F-24b", "W", cards=["4C", "9S"], option="no-warning")
    assert (dos(script), warned(script)) == (["stop-play", "discard", "limit-turn"], [])
    assert imposed(script) == [("discard", "W"), ("limit-turn", "W")], "play is broken off"


def exposed_then_changed(script: Any) -> None:
    """W opens sevens, E exposes 7D in W's turn, which is ruled; W then adds to the sevens; E is to play."""
    script.draw("W")
    script.lay("W", 0, "7C 7S 7H")
    script.expose("E", "7D")
    script.console("rule", row="F-24a", seat="E")
    script.take_up("E", "7D")
    script.lay("W", 0, "JK", before="7C 7S 7H")
    script.discard("W", "3S")
    script.turn("N", "KS")
    script.draw("E")


def test_f24c_art24_an_exposed_card_on_a_meld_that_the_partner_has_changed(script: Any) -> None:
    exposed_then_changed(script)
    script.lay("E", 0, "7D", before="7C 7S 7H JK")
    verdict = script.last()
    assert script.verdicts()[-1] == ("F-24c", "E", "open")
    assert (verdict["article"], verdict["severity"], verdict["cards"]) == ("24, 25", "play-stops", ["7D"])
    assert dos(script) == ["penalise", "discard"]
    ruled(script, "F-24c", "E")
    assert ("discard", "E") in imposed(script)


def test_f24c_art24_on_a_meld_that_the_partner_left_alone_it_is_in_order(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "7C 7S 7H")
    script.expose("E", "7D")
    script.console("rule", row="F-24a", seat="E")
    script.take_up("E", "7D")
    script.discard("W", "3S")
    script.turn("N", "KS")
    script.draw("E")
    script.lay("E", 0, "7D", before="7C 7S 7H")
    assert [row for row, _, _ in script.verdicts()] == ["F-24a", "F-24a"]
    assert [e.data.do for e in script.of("sanction.served")] == ["expose"]


def test_f24c_is_not_alleged_of_another_copy_that_a_tag_tells(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "7C 7S 7H")
    script.expose("E", "7D#1")
    script.console("rule", row="F-24a", seat="E")
    script.lay("W", 0, "JK", before="7C 7S 7H")
    script.discard("W", "3S")
    script.turn("N", "KS")
    script.draw("E")
    script.lay("E", 0, "7D#2", before="7C 7S 7H JK", result="7C 7S 7H JK 7D#2")
    assert "F-24c" not in [row for row, _, _ in script.verdicts()]


# -- tables with screens -------------------------------------------------------------------------------------------


def with_screens(make_script: Any, *, screens: bool = True) -> Any:
    script = make_script(screens=screens)
    script.turn_up()
    for seat in "NESW":
        script.notice(Shield(script.later(), Seat(seat), "up"))
    script.draw("W")
    script.lay("W", 90, CLEAN)
    script.hands(W="")
    return script


def test_fs1_a_pot_taken_with_the_hand_shield_upright(make_script: Any) -> None:
    script = with_screens(make_script)
    script.take_pot("W", giver="N")
    assert script.verdicts() == [("F-S1", "W", "open")]
    assert (script.last()["severity"], dos(script)) == ("note", ["show"])


def test_fs1_the_hand_shield_turned_over_is_the_sign(make_script: Any) -> None:
    script = with_screens(make_script)
    script.notice(Shield(script.later(), Seat("W"), "over"))
    script.take_pot("W", giver="N")
    assert script.verdicts() == []


def test_fs1_a_pot_of_a_hand_whose_number_is_in_doubt_accuses_nobody(make_script: Any) -> None:
    """After a gap it may be another's, as where a scale that lost its zero counts a card less."""
    script = with_screens(make_script)
    script.suppose(lambda deal: deal.doubt_hands([Seat.WEST]))
    script.take_pot("W", giver="N")
    assert script.verdicts() == []


def test_fs1_a_word_alone_is_not_enough(make_script: Any) -> None:
    script = with_screens(make_script)
    script.says("W", "pot")
    script.take_pot("W", giver="N")
    assert script.verdicts() == [("F-S1", "W", "open")]


def test_fs1_is_not_asked_for_without_screens(make_script: Any) -> None:
    script = with_screens(make_script, screens=False)
    script.take_pot("W", giver="N")
    assert script.verdicts() == []


def test_fs2_cards_asked_for_at_the_wrong_time_is_a_note(script: Any) -> None:
    assert (ruled(script, "F-S2", "N")["severity"], dos(script), warned(script)) == ("note", ["nothing"], [])


def test_fs3_a_pile_not_fanned_is_a_note(script: Any) -> None:
    assert (ruled(script, "F-S3", "N")["severity"], dos(script), warned(script)) == ("note", ["nothing"], [])


@pytest.mark.parametrize("name", ["F-S4", "F-S5"])
def test_fs4_fs5_the_setting_of_screens_is_a_situation(script: Any, name: str) -> None:
    assert FIBUR2024.row(name).kind == "situation"
    script.console("rule", row=name, seat="W")
    assert script.verdicts() == []


def test_fs1_is_not_alleged_while_the_partner_has_turned_his_shield_over(make_script: Any) -> None:
    script = with_screens(make_script)
    script.notice(Shield(script.later(), Seat.EAST, "over"))
    script.take_pot("W", giver="N")
    assert script.verdicts() == [], "who takes the pot is not that plain"


CASES: Final = {
    "test_f21a_art21_the_partner_who_calls_before_the_discard_is_a_note":
        "draw W; press E referee; verdicts = F-21a:E:open; last severity=note needs_referee=True warn=True",
    "test_f21a_is_not_alleged_after_the_discard": "turn W; press E referee; verdicts =",
    "test_f22c_art22_who_is_reminded_of_his_turn_takes_and_discards_only":
        "ruled F-22c E; warned = EW:F-22c; imposed = limit-turn:W; draw W; discard W 3S; "
        "each sanction.served do = limit-turn",
    "test_f22e_art22_before_the_draw_he_still_draws":
        "ruled F-22e E; turn W 3S; each sanction.served do who = limit-turn:W",
    "test_f22e_art22_in_the_opponents_turn_nobody_is_limited": "turn W 3S; ruled F-22e E; imposed =; warned = EW:F-22e",
    "test_f24a_art24_the_exposed_card_is_played_and_the_duty_served":
        "draw W; expose W 4C; verdicts = F-24a:W:open; last severity=play-stops; dos = stop-play expose penalise; "
        "ruled F-24a W; imposed = expose:W; take_up W 4C; lay W 0 4C,5C,6C; each sanction.served do = expose",
    "test_f24a_art24_a_card_that_only_opponents_saw_is_not_exposed": "draw W; expose W 4C visible_to=NS; verdicts =",
    "test_f24a_art24_who_saw_it_is_unknown_and_so_is_the_fault":
        "draw W; expose W 4C visible_to=None; last severity=note needs_referee=True; last cards=[??]",
    "test_f24b_art22_as_a_hint_it_may_bring_a_warning":
        "draw W; ruled F-24b W cards=[4C] option=warning; dos = stop-play discard limit-turn warn; warned = EW:F-24b",
    "test_f24d_art24_a_whole_hand_put_down":
        "hands E=3H,AH,9S; draw W; expose E 3H,AH,9S; verdicts = F-24d:E:open; "
        "last severity=play-stops cards=[3H,AH,9S]; ruled F-24d E; imposed = expose:E",
    "test_f24d_art24_a_hand_laid_out_and_play_goes_on":
        "turn W; shown E 3H,AH,9S; verdicts =; draw N; verdicts = F-24d:E:open; "
        "last needs_referee=True cards=[??,??,??]",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, imposed, ruled, warned)
