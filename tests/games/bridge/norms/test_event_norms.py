"""The norms about the event: times, slow play, lateness, forfeits, altered boards, byes, seats, protests."""

from fractions import Fraction

import pytest

from table_service.games.bridge.norms.adjusted_scores import (
    bye_of_pair,
    bye_of_team,
    knockout_margin,
    least_imps,
)
from table_service.games.bridge.norms.altered_boards import shares
from table_service.games.bridge.norms.protests import deadlines
from table_service.games.bridge.norms.time_penalties import (
    Penalty,
    minutes_of,
    slow_play,
)
from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.bridge.rules.match_points import VP_BOUNDS, imps, match_points, neuberg, victory_points

# the tables of 8.1, minutes by boards
WITHOUT = {6: 45, 8: 60, 10: 75, 12: 90, 14: 105, 16: 120, 18: 135, 20: 150}
WITH = {6: 50, 8: 65, 10: 80, 12: 95, 14: 110, 16: 130, 18: 145, 20: 160}


@pytest.mark.parametrize("boards", WITHOUT)
def test_every_time_of_the_tables_of_8_1(boards: int) -> None:
    assert minutes_of(boards, screens=False, teams=True) == WITHOUT[boards]
    assert minutes_of(boards, screens=True, teams=True) == WITH[boards]


def test_pairs_have_seven_and_a_half_minutes_a_board_and_eight_with_screens() -> None:
    assert [minutes_of(n, screens=False, teams=False) for n in (1, 2, 3)] == [Fraction(15, 2), 15, Fraction(45, 2)]
    assert [minutes_of(n, screens=True, teams=False) for n in (1, 2, 3)] == [8, 16, 24]
    with pytest.raises(ValueError, match="at least one board"):
        minutes_of(0, screens=True, teams=True)


@pytest.mark.parametrize(
    ("over", "warned", "penalty"),
    [
        (0, False, Penalty()),
        (5, True, Penalty()),
        (5.1, False, Penalty(warning=True, victory_points=1)),
        (5.1, True, Penalty(victory_points=2)),
        (10, True, Penalty(victory_points=2)),
        (10.1, True, Penalty(victory_points=3)),
        (21, False, Penalty(warning=True, victory_points=4)),
    ],
)
def test_slow_play_of_teams(over: float, warned: bool, penalty: Penalty) -> None:
    assert slow_play(over, warned=warned) == penalty


def test_the_other_reading_of_these_first_five_minutes_counts_five_later() -> None:
    assert slow_play(9, warned=False, reading="after-five-more") == Penalty(warning=True)
    assert slow_play(9, warned=True, reading="after-five-more") == Penalty(victory_points=1)
    assert slow_play(10.5, warned=False, reading="after-five-more") == Penalty(warning=True, victory_points=1)


@pytest.mark.parametrize(
    ("points", "ns"),
    [
        ((420,), (60,)),
        ((420, 420), (60, 60)),
        ((420, -50), (65, 55)),
        ((-50, 420), (55, 65)),
        ((100, 100, 100), (60, 60, 60)),
        ((50, 100, 70), (50, 70, 60)),
        ((100, 100, 50), (65, 65, 50)),
        ((50, 100, 50), (55, 70, 55)),
    ],
)
def test_every_small_group_of_87_2(points: tuple[int, ...], ns: tuple[int, ...]) -> None:
    found = shares(points, 9)
    assert tuple(one.ns for one in found) == ns
    assert all(one.ns + one.ew == 120 for one in found)


def test_for_east_west_the_same_group_reads_the_other_way_round() -> None:
    """Two best for one line are two worst for the other: 65 65 50 leaves 55 55 70, which is what 87.2c3 gives."""
    two_best, one_best = shares((100, 100, 50), 9), shares((-100, -100, -50), 9)
    assert [one.ew for one in two_best] == [one.ns for one in one_best] == [55, 55, 70]


def test_groups_from_four_on_are_counted_by_neuberg_and_average_half() -> None:
    small, large = (shares(group, 8) for group in ((420, 420, 450), (400, 420, 430, 430, 50)))
    assert [one.ns for one in small] == [55, 55, 70]
    own = match_points((400, 420, 430, 430, 50))
    assert [one.ns for one in large] == [100 * neuberg(points, 5, 8) / 14 for points in own]
    assert sum(one.ns for one in large) / 5 == 50
    assert all(one.ns + one.ew == 100 for one in large)


def test_a_whole_field_is_one_group_and_counts_as_usual() -> None:
    group = shares((620, 170, 620, -100), 4)
    assert [one.ns for one in group] == [100 * Fraction(points, 6) for points in match_points((620, 170, 620, -100))]
    with pytest.raises(BridgeError, match="1 to 4 results"):
        shares((), 4)


def test_the_worked_score_of_figb_2() -> None:
    """Split scores need not add up: -890 and 0 are -13 and 0 IMPs, and in a knock-out six and a half."""
    team_a, team_b = imps(-200 - 690), imps(690 - 690)
    assert (team_a, team_b) == (-13, 0)
    assert knockout_margin(team_a, team_b) == Fraction(13, 2)


@pytest.mark.parametrize("boards", VP_BOUNDS)
def test_the_least_lead_for_victory_points_gives_them_and_one_imp_less_does_not(boards: int) -> None:
    for won in range(15, 26):
        lead = least_imps(boards, won)
        assert victory_points(boards, lead)[0] == won
        assert lead == 0 or victory_points(boards, lead - 1)[0] == won - 1
    assert bye_of_team(boards) == (18, least_imps(boards, 18))


def test_there_is_no_lead_for_other_points_or_boards() -> None:
    with pytest.raises(BridgeError, match="no lead gives 14"):
        least_imps(16, 14)
    with pytest.raises(BridgeError, match="18 boards"):
        least_imps(18, 20)


def test_byes_of_pairs() -> None:
    assert bye_of_pair([Fraction(48), Fraction(55)]) == Fraction(103, 2)
    assert bye_of_pair([Fraction(48)], announced=True) == 60
    assert bye_of_pair([Fraction(64)], announced=True) == 64
    assert bye_of_pair([], announced=True) == 60
    with pytest.raises(BridgeError, match="unknown"):
        bye_of_pair([])


def test_both_times_for_an_appeal_are_shown_because_the_text_has_both() -> None:
    clocks = [(one.article, one.minutes, one.since) for one in deadlines(evident=False)]
    assert clocks == [
        ("93.2", 30, "official-score"),
        ("93.4", 30, "end-of-event"),
        ("93.2", 24 * 60, "end-of-event"),
        ("93.4", 48 * 60, "end-of-event"),
    ]
    assert deadlines(evident=True)[0].minutes == 15
