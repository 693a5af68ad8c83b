"""Arts. 2, 6, 15, 16, 19, 20, 37, 40, powers of the arbitro, conduct: warnings that add up, results of a round.

The tables of art. 18 stand here as the text prints them, so that what the table tells can be checked by hand.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.observations import Button
from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.rules.vp import victory_points
from tests.games.burraco.console_round import Round, both, result

TABLES: Final = {
    (2, False): "0 40 10 45 120 11 125 200 12 205 300 13 305 400 14 405 500 15 505 620 16 625 740 17 745 870 18 "
    "875 1000 19",
    (3, False): "0 50 10 55 150 11 155 250 12 255 350 13 355 500 14 505 650 15 655 800 16 805 1000 17 1005 1250 18 "
    "1255 1500 19",
    (4, False): "0 100 10 105 300 11 305 500 12 505 700 13 705 900 14 905 1100 15 1105 1300 16 1305 1500 17 "
    "1505 1700 18 1705 2000 19",
    (4, True): "0 150 10 155 350 11 355 550 12 555 800 13 805 1050 14 1055 1300 15 1305 1600 16 1605 1900 17 "
    "1905 2200 18 2205 2500 19",
}
"""As art. 18 prints them: from, to, victory points of the winner."""


# -- art. 18: the tables, by hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(TABLES))
def test_art18_every_step_of_the_tables_as_printed(kind: tuple[int, bool]) -> None:
    deals, teams = kind
    figures = [int(one) for one in TABLES[kind].split()]
    steps = list(zip(figures[::3], figures[1::3], figures[2::3], strict=True))
    for low, high, winner in steps:
        for diff in (low, high):
            assert victory_points(BOOK, deals, diff, teams=teams) == (winner, 20 - winner)
            assert victory_points(BOOK, deals, -diff, teams=teams) == (20 - winner, winner)
    assert victory_points(BOOK, deals, steps[-1][1] + 5, teams=teams) == (20, 0)


@pytest.mark.parametrize(
    ("lead", "bonus", "points", "vp"),
    [(0, 0, 0, (10, 10)), (100, 5, 105, (11, 9)), (850, 0, 850, (14, 6)), (-1500, -5, -1505, (2, 18))],
)
def test_art18_a_bonus_of_the_arbitro_counts_in_the_result(
    lead: int, bonus: int, points: int, vp: tuple[int, int]
) -> None:
    one = Round()
    one.play(lead)
    if bonus:
        one.console("bonus", line="NS", points=bonus)
    assert result(one.end()) == (both(points, -points), both(*vp))
    counted = one.of("score.counted")[-1].data
    assert (counted.match_points, counted.victory_points) == (both(points, -points), both(*vp))


def test_a_bonus_after_the_end_of_the_round_tells_its_result_again() -> None:
    one = Round()
    one.play(100)
    first = one.end()
    one.console("bonus", line="NS", points=5)
    ended = one.of("round.ended")
    assert [result(event.data) for event in ended] == [
        (both(100, -100), both(10, 10)),
        (both(105, -105), both(11, 9)),
    ]
    assert (first.supersedes, ended[1].data.supersedes) == (None, ended[0].id)


# -- warnings --------------------------------------------------------------------------------------------------------


def test_fg04_the_second_warning_costs_a_victory_point_in_the_ranking() -> None:
    one = Round()
    for _ in range(4):
        one.console("warn", line="NS")
    told = [(e.data.count, e.data.total, e.data.victory_points) for e in one.of("warning.given")]
    assert told == [(1, 1, 0), (2, 2, -1), (3, 3, 0), (4, 4, -1)]
    one.play(0)
    ended = one.end()
    assert (ended.deductions, ended.victory_points) == (both(-2, 0), both(10, 10))
    assert FIBUR2024.row("F-G04").kind == "principle"


def test_fg04_warnings_of_earlier_rounds_come_with_the_log_or_with_the_order() -> None:
    by_log = Round(warnings={"EW": 1})
    by_log.rule("F-B1", seat="E")
    assert [(e.data.count, e.data.total, e.data.victory_points) for e in by_log.of("warning.given")] == [(1, 2, -1)]
    by_order = Round(start={"warnings": {"NS": 3}}, warnings={"NS": 9})
    by_order.rule("F-B1", seat="N")
    assert [(e.data.total, e.data.victory_points) for e in by_order.of("warning.given")] == [(4, -1)]


def test_fg04_the_other_reading_is_an_option_of_the_tournament() -> None:
    one = Round(warning_count="each-after-first")
    for _ in range(3):
        one.console("warn", line="NS")
    assert [e.data.victory_points for e in one.of("warning.given")] == [0, -1, -1]


def test_fg04_one_irregularity_warns_once_and_a_dismissal_takes_the_warning_back() -> None:
    one = Round()
    one.rule("F-B1", seat="N")
    key = one.of("irregularity")[-1].data.key
    one.console("rule", key=key)
    assert len(one.of("warning.given")) == 1
    one.console("dismiss", key=key)
    assert [(e.data.total, e.data.withdrawn) for e in one.of("warning.given")] == [(1, False), (0, True)]
    one.play(0)
    assert one.end().deductions == both(0, 0)


def test_fg04_a_warning_may_name_the_row_it_is_for() -> None:
    one = Round()
    one.console("warn", line="EW", row="F-B1")
    one.console("warn", line="EW", row="no such row")
    assert [(e.data.line, e.data.row, e.data.total) for e in one.of("warning.given")] == [
        ("EW", "F-B1", 1),
        ("EW", None, 2),
    ]


def test_fg05_a_second_arbitro_is_a_principle_and_no_irregularity() -> None:
    one = Round()
    one.rule("F-G05", seat="N")
    assert (one.of("irregularity"), one.of("table.health")[-1].data.state) == ([], "ignored")


# -- rows that warn or only say what to do ---------------------------------------------------------------------------


def test_f02_art2_a_pair_at_the_wrong_table_is_warned_and_the_game_counts() -> None:
    one = Round()
    one.rule("F-02", line="EW")
    verdict = one.of("irregularity")[-1].data
    assert (verdict.offender, verdict.pair, verdict.severity, verdict.warn) == (None, "EW", "warning", True)
    assert one.of("irregularity")[-1].line == "EW"
    assert [step.do for step in verdict.remedy] == ["nothing", "warn"]
    assert one.fold.state()["warnings"] == both(0, 1)


def test_f02_art2_a_ruling_against_a_pair_must_name_it() -> None:
    one = Round()
    one.rule("F-02")
    assert one.of("irregularity") == []
    assert "NS or EW" in one.of("table.health")[-1].data.note


def test_f06_art6_asking_for_the_time_has_no_penalty() -> None:
    one = Round()
    one.rule("F-06", seat="S")
    verdict = one.of("irregularity")[-1].data
    assert (verdict.severity, verdict.warn, [step.do for step in verdict.remedy]) == ("note", False, ["nothing"])


def test_f06b_art6_minutes_of_a_round_by_its_deals() -> None:
    assert dict(BOOK.round_minutes) == {2: 25, 3: 32, 4: 42}
    assert FIBUR2024.row("F-06b").kind == "situation"


def test_f19a_art19_a_sheet_left_on_the_table_warns_the_winners() -> None:
    one = Round()
    one.rule("F-19a", line="NS")
    assert [(e.data.line, e.data.row) for e in one.of("warning.given")] == [("NS", "F-19a")]


def test_f37_art37_who_plays_slowly_is_asked_first_and_warned_then() -> None:
    one = Round()
    one.rule("F-37", seat="W", option="urge")
    assert (one.of("warning.given"), one.of("irregularity")[-1].data.warn) == ([], False)
    one.rule("F-37", seat="W", option="warn")
    assert [e.data.line for e in one.of("warning.given")] == ["EW"]
    assert [step.do for step in one.of("irregularity")[-1].data.remedy] == ["warn"]


def test_fb1_conduct_against_the_norms_is_a_warning() -> None:
    one = Round()
    one.rule("F-B1", seat="W")
    verdict = one.of("irregularity")[-1].data
    assert (verdict.article, verdict.severity, verdict.offender) == ("Norme comportamentali", "warning", "W")


def test_fb2_a_kibitzer_costs_nobody_anything() -> None:
    one = Round()
    one.rule("F-B2")
    assert (one.of("irregularity")[-1].data.severity, one.of("warning.given")) == ("note", [])


def test_f40_art40_a_tournament_interrupted_past_half_goes_by_the_last_ranking() -> None:
    one = Round()
    one.rule("F-40", option="past-half")
    assert [step.option for step in one.of("irregularity")[-1].data.remedy] == ["past-half"]
    assert FIBUR2024.row("F-40").form == ("option",)


# -- arts. 15 and 16 -------------------------------------------------------------------------------------------------


def test_f15a_art15_time_out_while_somebody_plays(script: Any) -> None:
    script.turn("W")
    script.console("time-out")
    for seat in "NESWNE":
        assert script.of("deal.ended") == []
        script.turn(seat)
    script.turn("S")
    assert [(e.data.manner, e.seat) for e in script.of("deal.ended")] == [("time-out", "S")]


def test_f15b_art15_time_out_before_the_first_draw_leaves_one_round(script: Any) -> None:
    script.console("time-out")
    for seat in "WNE":
        script.turn(seat)
    assert script.of("deal.ended") == []
    script.turn("S")
    assert [e.data.manner for e in script.of("deal.ended")] == ["time-out"]


def test_f15c_art15_time_out_between_two_deals_ends_the_game() -> None:
    one = Round()
    one.deal()
    assert [e.data.last_turns for e in one.console("time-out")] == [False]


def test_f15d_art15_nobody_out_in_the_last_round_no_bonus(script: Any) -> None:
    script.console("time-out")
    for seat in "WNES":
        script.turn(seat)
    script.press("N", "count")
    counted = script.of("score.counted")[-1].data
    assert [counted.ledger[line]["items"]["closing"] for line in ("NS", "EW")] == [0, 0]


def test_art18_pots_cleared_away_after_an_end_without_a_closing_are_nobodys(make_script: Any) -> None:
    """The deal is over by time, nobody has counted yet, and a hand lifts the pot that is left: it is not taken."""
    script = make_script()
    script.turn_up()
    script.console("time-out")
    for seat in "WNES":
        script.turn(seat)
    assert script.fold.deal.manner == "time-out"
    script.take_pot("S", giver="W", count=22)
    assert script.of("pot.taken") == []
    assert script.fold.deal.pots_taken == {}


def test_f16_art16_the_arbitro_sees_four_exchanges_and_the_deal_ends(script: Any) -> None:
    script.console("rule", row="F-16")
    for seat, card in zip("WNES", ("4S", "5S", "6S", "8S"), strict=True):
        script.collect(seat, script.fold.deal.pile[-1])
        script.discard(seat, card)
    assert [e.data.manner for e in script.of("deal.ended")] == ["stalemate"]
    assert script.verdicts() == []


# -- score sheets ----------------------------------------------------------------------------------------------------


def test_f19b_art19_a_lost_sheet_gives_seven_each_until_it_is_found() -> None:
    one = Round()
    one.play(850)
    one.end()
    one.rule("F-19b", option="lost")
    one.rule("F-19b", key=one.of("irregularity")[-1].data.key, option="found")
    assert [result(e.data) for e in one.of("round.ended")] == [
        (both(850, -850), both(14, 6)),
        (both(None, None), both(7, 7)),
        (both(850, -850), both(14, 6)),
    ]


def test_f19b_art19_found_in_the_merit_groups_it_stays_seven_each() -> None:
    one = Round()
    one.play(850)
    one.rule("F-19b", option="found-in-merit-groups")
    assert result(one.end()) == (both(None, None), both(7, 7))


@pytest.mark.parametrize(
    ("option", "fields", "points", "vp"),
    [
        ("correct", {"line": "EW", "points": 50}, both(800, -800), both(14, 6)),
        ("correct", {"line": "EW", "points": 150}, both(700, -700), both(13, 7)),
        ("swap", {"line": "NS"}, both(-850, 850), both(6, 14)),
        ("refuse", {"line": "NS"}, both(850, -850), both(14, 6)),
        ("void", {"line": "NS"}, both(None, None), both(7, 7)),
    ],
)
def test_f20_art20_a_mistake_in_the_sheet_that_was_handed_in(
    option: str, fields: dict[str, Any], points: Any, vp: Any
) -> None:
    one = Round()
    one.play(850)
    one.end()
    one.rule("F-20", option=option, **fields)
    assert result(one.of("round.ended")[-1].data) == (points, vp)


def test_f20b_art20_the_ranking_shown_for_checking_is_a_situation() -> None:
    assert FIBUR2024.row("F-20b").kind == "situation"


# -- powers ----------------------------------------------------------------------------------------------------------


def test_fp1_powers_e_the_deal_is_stopped_and_counts_so_far() -> None:
    one = Round(deals=1)
    one.console("deal", deal=1, dealer="S")
    for seat, cards in {"N": ["KH"], "E": [], "S": [], "W": []}.items():
        one.console("correct", zone=f"hand-{seat}", cards=cards)
    one.rule("F-P1", seat="N", option="stop")
    assert [e.data.manner for e in one.of("deal.ended")] == ["stopped"]
    assert one.end().match_points == both(-10, 10)


def test_fp1_powers_e_play_may_go_on() -> None:
    one = Round(deals=1)
    one.console("deal", deal=1, dealer="S")
    one.rule("F-P1", option="play-on")
    assert one.of("deal.ended") == []


def test_fp3_powers_a_an_arbitral_score_in_points_or_as_a_result() -> None:
    one = Round()
    one.play(0)
    one.rule("F-P3", line="NS", points=120)
    one.rule("F-P3", vp={"NS": 9, "EW": 11})
    assert one.of("irregularity")[-1].data.row == "F-P1"
    ended = one.end()
    assert result(ended) == (both(120, -120), both(9, 11))
    assert [(a.row, a.line, a.do, a.points) for a in ended.adjustments if a.do == "bonus"] == [
        ("F-P3", "NS", "bonus", 120)
    ]


CAPPED: Final = [
    (2005, (7, 0)),
    (1705, (7, 1)),
    (1505, (7, 2)),
    (1305, (7, 3)),
    (1105, (7, 4)),
    (905, (7, 5)),
    (800, (7, 6)),
    (-2005, (0, 7)),
]
"""Powers, g, as printed: 20-0 = 7-0, 19-1 = 7-1 … 14-6 = 7-6."""


@pytest.mark.parametrize(("lead", "vp"), CAPPED)
def test_fp2_powers_g_a_lead_of_800_nobody_called_for(lead: int, vp: tuple[int, int]) -> None:
    one = Round(call_at=800)
    one.play(lead)
    one.forget_visits()
    one.end()
    assert one.of("score.counted")[-1].data.must_call
    found = one.of("irregularity")[-1].data
    assert (found.row, found.severity, found.needs_referee, found.found) == ("F-P2", "score", True, "hand_end")
    one.console("rule", key=found.key, option="not-called")
    assert one.of("round.ended")[-1].data.victory_points == both(*vp)


@pytest.mark.parametrize("lead", [505, 305, 105, 0])
def test_xf16_fp2_powers_g_results_closer_than_14_to_6_become_seven_each(lead: int) -> None:
    one = Round(call_at=800)
    one.deal(850, 0)
    one.deal(0, 850 - lead)
    one.deal()
    one.deal()
    one.forget_visits()
    one.end()
    one.rule("F-P2", option="not-called")
    assert one.of("round.ended")[-1].data.victory_points == both(7, 7)


@pytest.mark.parametrize("sign", ["button", "console", "nobody"])
def test_fp2_powers_g_whoever_calls_has_done_his_duty(sign: str) -> None:
    one = Round(call_at=800)
    one.deal(850, 0)
    one.console("deal", deal=2, dealer="E")
    one.forget_visits()
    if sign == "button":
        one.notice(Button(one.t, Seat.EAST, "referee"))
    elif sign == "console":
        one.rule("F-39", line="EW", minutes=1)
    one.end()
    told = {e.data.row for e in one.of("irregularity")}
    assert ("F-P2" in told) is (sign == "nobody")


def test_fp2_powers_g_only_where_it_was_announced() -> None:
    one = Round()
    one.play(2005)
    one.forget_visits()
    assert result(one.end()) == (both(2005, -2005), both(20, 0))
    assert "F-P2" not in {e.data.row for e in one.of("irregularity")}


def test_fp2_powers_g_below_800_there_is_no_duty() -> None:
    one = Round(call_at=800)
    one.play(795)
    one.forget_visits()
    one.end()
    assert "F-P2" not in {e.data.row for e in one.of("irregularity")}


def test_fp2_powers_g_the_arbitro_was_called_by_voice() -> None:
    one = Round(call_at=800)
    one.play(850)
    one.forget_visits()
    one.end()
    one.rule("F-P2", option="called")
    assert one.of("round.ended")[-1].data.victory_points == both(14, 6)
