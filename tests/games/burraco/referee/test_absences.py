"""Arts. 38 and 39 of fibur2024: delays, absences, pairs that leave. Expected figures are those that the text prints."""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from tests.games.burraco.console_round import Round, both, result

BY_DEFAULT: Final = {(4, "pairs"): (13, 505), (3, "pairs"): (14, 355), (2, "pairs"): (14, 305), (4, "teams"): (13, 555)}
"""Art. 39: victory points and match points of the pair that is there."""


def verdict(one: Round) -> Any:
    return one.of("irregularity")[-1].data


# -- art. 39 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", [0.5, 2])
def test_f39_art39_up_to_two_minutes_late_is_a_warning(minutes: float) -> None:
    one = Round()
    one.rule("F-39", line="EW", minutes=minutes)
    assert [(e.data.line, e.data.row) for e in one.of("warning.given")] == [("EW", "F-39")]
    assert (verdict(one).pair, verdict(one).warn, [s.do for s in verdict(one).remedy]) == ("EW", True, ["warn"])
    one.play(0)
    assert result(one.end()) == (both(0, 0), both(10, 10))


@pytest.mark.parametrize(
    ("minutes", "bonus", "vp"),
    [(2.5, 150, (11, 9)), (5, 150, (11, 9)), (5.5, 200, (11, 9)), (10, 200, (11, 9))],
)
def test_f39_art39_up_to_ten_minutes_late_is_a_bonus_on_the_sheet(
    minutes: float, bonus: int, vp: tuple[int, int]
) -> None:
    one = Round()
    one.rule("F-39", line="EW", minutes=minutes)
    assert one.of("warning.given") == []
    one.play(0)
    assert result(one.end()) == (both(bonus, -bonus), both(*vp))
    first = one.of("score.counted")[0].data
    assert (first.lines["NS"]["items"]["bonus"], first.lines["EW"]["items"]["bonus"]) == (bonus, 0)


@pytest.mark.parametrize("kind", list(BY_DEFAULT))
def test_f39_art39_more_than_ten_minutes_late_loses_the_round(kind: tuple[int, str]) -> None:
    deals, event = kind
    vp, points = BY_DEFAULT[kind]
    one = Round(deals=deals, event=event)
    one.rule("F-39", line="NS", minutes=10.5)
    ruled = one.of("round.ruled")[-1].data
    assert [(s.line, s.do, s.victory_points, s.match_points) for s in ruled.shares] == [
        ("NS", "lose", 20 - vp, -points),
        ("EW", "win", vp, points),
    ]
    assert result(one.end()) == (both(-points, points), both(20 - vp, vp))


def test_f39_art39_the_choice_may_be_named_instead_of_the_minutes() -> None:
    one = Round()
    one.rule("F-39", line="NS", option="within-5")
    assert verdict(one).ruling["option"] == "within-5"
    one.play(0)
    assert one.end().match_points == both(-150, 150)


def test_f39_art39_without_minutes_nothing_is_ruled() -> None:
    one = Round()
    one.rule("F-39", line="NS")
    assert one.of("irregularity") == []
    assert "minutes" in one.of("table.health")[-1].data.note


def test_f39_art39_ruled_otherwise_or_dismissed_the_first_ruling_counts_no_more() -> None:
    one = Round()
    one.rule("F-39", line="EW", minutes=4)
    key = verdict(one).key
    one.rule("F-39", key=key, minutes=7)
    one.play(0)
    assert one.end().match_points == both(200, -200)
    one.console("dismiss", key=key)
    assert result(one.of("round.ended")[-1].data) == (both(0, 0), both(10, 10))
    assert one.of("round.ruled")[-1].data.lifted


def test_f39_art39_in_a_match_of_teams_the_bonus_goes_to_the_open_room() -> None:
    for room, bonus in (("open", 150), ("closed", 0)):
        one = Round(event="teams", room=room)
        one.rule("F-39", line="EW", minutes=4)
        one.play(0)
        assert result(one.end()) == (both(bonus, -bonus), None)


def test_f39_art39_a_round_for_which_the_code_states_no_result_stays_unknown() -> None:
    one = Round(deals=5)
    one.rule("F-39", line="EW", minutes=30)
    assert result(one.end()) == (both(None, None), None)


@pytest.mark.parametrize(
    ("deals", "late", "points", "vp"),
    [
        (4, {"NS": 12, "EW": 15}, (-505, -505), (7, 7)),
        (3, {"NS": 12, "EW": 15}, (-355, -355), (6, 6)),
        (2, {"NS": 12, "EW": 15}, (-305, -305), (6, 6)),
        (4, {"NS": 3, "EW": 8}, (50, -50), (10, 10)),
        (4, {"NS": 1, "EW": 12}, (505, -505), (13, 7)),
    ],
)
def test_f39b_art39_both_late_each_delay_is_judged_apart(
    deals: int, late: dict[str, int], points: tuple[int, int], vp: tuple[int, int]
) -> None:
    one = Round(deals=deals)
    one.rule("F-39b", lines=late)
    one.play(0, deals)
    assert result(one.end()) == (both(*points), both(*vp))
    assert [e.data.line for e in one.of("warning.given")] == [line for line, minutes in late.items() if minutes <= 2]


@pytest.mark.parametrize("kind", list(BY_DEFAULT))
def test_f39c_art39_the_pair_that_rests_has_the_points_of_a_win_by_default(kind: tuple[int, str]) -> None:
    deals, event = kind
    vp, points = BY_DEFAULT[kind]
    one = Round(deals=deals, event=event)
    one.rule("F-39c", line="NS")
    assert one.of("irregularity") == []
    assert result(one.end()) == (both(points, None), both(vp, None))


# -- art. 38 ---------------------------------------------------------------------------------------------------------


def test_f38_art38_the_overview_leads_to_its_cases() -> None:
    one = Round()
    one.rule("F-38", line="EW", option="F-38d")
    assert (verdict(one).row, verdict(one).pair) == ("F-38d", "EW")
    assert result(one.end()) == (both(505, -505), both(13, 7))


def test_f38b_art38_a_substitution_is_a_situation() -> None:
    one = Round()
    one.rule("F-38b", line="EW")
    assert (FIBUR2024.row("F-38b").kind, one.of("irregularity")) == ("situation", [])


def test_f38c_art38_who_comes_unannounced_is_seated_anew_and_no_points_change() -> None:
    one = Round()
    one.rule("F-38c", line="NS", option="unannounced")
    assert (verdict(one).severity, verdict(one).needs_referee) == ("note", False)
    one.play(0)
    assert result(one.end()) == (both(0, 0), both(10, 10))


@pytest.mark.parametrize(
    ("option", "points", "vp"),
    [("first-three", both(505, -505), both(13, 7)), ("from-fourth", both(505, None), both(13, 0))],
)
def test_f38d_art38_a_pair_that_cannot_go_on(option: str, points: Any, vp: Any) -> None:
    one = Round()
    one.rule("F-38d", line="EW", option=option)
    assert result(one.end()) == (points, vp)


@pytest.mark.parametrize(
    ("lead", "option", "points", "vp"),
    [
        (0, "by-default", both(505, -505), both(13, 7)),
        (1200, "by-default", both(505, -505), both(13, 7)),
        (300, "acquired", both(505, -505), both(13, 7)),
        (1200, "acquired", both(1200, -505), both(16, 7)),
        (1200, "advantage", both(1200, -1200), both(16, 4)),
    ],
)
def test_f38e_art38_a_pair_that_leaves_during_the_round(lead: int, option: str, points: Any, vp: Any) -> None:
    one = Round()
    one.play(lead)
    one.rule("F-38e", line="EW", option=option)
    assert result(one.end()) == (points, vp)


def test_f38e_art38_the_deal_that_runs_is_stopped() -> None:
    one = Round()
    one.console("deal", deal=1, dealer="S")
    one.rule("F-38e", line="EW", option="by-default")
    assert [e.data.manner for e in one.of("deal.ended")] == ["stopped"]


def test_f38e_art38_what_was_acquired_is_unknown_where_the_score_is() -> None:
    one = Round()
    one.console("deal", deal=1, dealer="S")
    one.rule("F-38e", line="EW", option="acquired")
    assert result(one.end()) == (both(None, -505), both(None, 7))


@pytest.mark.parametrize(
    ("event", "option", "points", "vp"),
    [
        ("pairs", "stopped", both(-505, -505), both(7, 7)),
        ("teams", "stopped", both(-555, -555), both(7, 7)),
        ("pairs", "both-left", both(0, 0), both(0, 0)),
    ],
)
def test_f38f_art38_stopped_for_intemperance_or_both_leave(event: str, option: str, points: Any, vp: Any) -> None:
    one = Round(event=event)
    one.console("deal", deal=1, dealer="S")
    one.rule("F-38f", option=option)
    assert [e.data.manner for e in one.of("deal.ended")] == ["stopped"]
    assert result(one.end()) == (points, vp)


@pytest.mark.parametrize(
    ("lead", "option", "points", "vp"),
    [(0, "by-default", both(505, None), both(13, 0)), (1200, "acquired", both(1200, None), both(16, 0))],
)
def test_f38g_art38_leaving_through_quarrel_loses_at_nothing(lead: int, option: str, points: Any, vp: Any) -> None:
    one = Round()
    one.play(lead)
    one.rule("F-38g", line="EW", option=option)
    assert result(one.end()) == (points, vp)


@pytest.mark.parametrize(
    ("minutes", "option", "points", "vp"),
    [
        (8, None, both(0, 0), both(10, 10)),
        (10, None, both(0, 0), both(10, 10)),
        (11, None, both(505, -505), both(13, 7)),
        (11, "acquired", both(505, -505), both(13, 7)),
        (11, "advantage", both(0, 0), both(10, 10)),
    ],
)
def test_f38h_art38_illness_during_a_deal(minutes: float, option: str | None, points: Any, vp: Any) -> None:
    one = Round()
    one.play(0)
    one.rule("F-38h", line="EW", minutes=minutes, **({"option": option} if option else {}))
    assert "F-38h" not in {e.data.row for e in one.of("irregularity")}
    assert result(one.end()) == (points, vp)
