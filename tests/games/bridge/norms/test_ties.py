"""Equal results (norms 78.5, 78.6): each criterion decides alone, in its order."""

import random
from fractions import Fraction

import pytest

from table_service.games.bridge.norms.ties import (
    ORDER,
    OnBoard,
    PlayedMatch,
    by_common_boards,
    by_direct_boards,
    by_teams,
    common_points,
)


def on(*points: int, top: int = 10) -> dict[str, OnBoard]:
    """A pair's match points on boards 1, 2 and so on."""
    return {str(number): OnBoard(Fraction(one), top) for number, one in enumerate(points, 1)}


def test_three_pairs_on_one_board_get_four_two_and_nothing() -> None:
    cards = {"a": on(9), "b": on(4), "c": on(1)}
    assert [common_points(pair, cards, cards) for pair in "abc"] == [4, 2, 0]


def test_a_board_that_one_alone_has_played_is_measured_by_its_mean() -> None:
    cards = {
        "a": {"7": OnBoard(Fraction(6), 10)},
        "b": {"8": OnBoard(Fraction(5), 10)},
        "c": {"9": OnBoard(Fraction(1), 10)},
    }
    assert [common_points(pair, cards, cards) for pair in "abc"] == [2, 1, 0]


def test_common_boards_then_tops_then_bottoms_then_half_ones() -> None:
    assert by_common_boards("ab", {"a": on(6, 6, 1), "b": on(5, 5, 9)}) == (("a",), ("b",))
    assert by_common_boards("ab", {"a": on(10, 3), "b": on(4, 9)}) == (("a",), ("b",))  # one each: a has the top
    assert by_common_boards("ab", {"a": on(9, 0), "b": on(4, 6)}) == (("b",), ("a",))  # a has the bottom
    assert by_common_boards("ab", {"a": on(8, 1), "b": on(4, 6)}) == (("b",), ("a",))  # a has half of one
    assert by_common_boards("ab", {"a": on(9, 3), "b": on(4, 6)}) == (("a",), ("b",))  # a has half a top
    assert by_common_boards("ab", {"a": on(8, 3), "b": on(4, 6)}) == (("a", "b"),)


def test_where_all_have_met_the_boards_between_them_go_first() -> None:
    cards = {"a": on(2, 2), "b": on(5, 5), "c": on(5, 5)}
    met = {("a", "b"): 4, ("c", "a"): -1, ("b", "c"): 0}
    assert by_direct_boards("abc", met, cards) == (("a",), ("c",), ("b",))
    assert by_direct_boards("bc", {("b", "c"): 0}, cards) == (("b", "c"),)


def two(**changes: tuple[int, int]) -> list[PlayedMatch]:
    """Two teams that have drawn with each other and done the same against a third; ``changes`` of the direct match."""
    direct = {"vp": (15, 15), "imps": (20, 20), "points": (900, 900)} | changes
    return [
        PlayedMatch(("a", "b"), direct["vp"], direct["imps"], direct["points"]),
        PlayedMatch(("a", "x"), (18, 12), (40, 20), (500, 300)),
        PlayedMatch(("b", "x"), (18, 12), (40, 20), (500, 300)),
    ]


def test_two_teams_that_are_equal_in_everything_play_extra_boards() -> None:
    assert by_teams("ab", two(), "round-robin") == (("a", "b"),)
    assert by_teams("ab", two(), "swiss", resistance=False) == (("a", "b"),)


@pytest.mark.parametrize(
    "changes",
    [{"vp": (14, 16)}, {"imps": (19, 20)}, {"points": (890, 900)}],
)
def test_each_direct_result_decides_between_two(changes: dict[str, tuple[int, int]]) -> None:
    assert by_teams("ab", two(**changes), "round-robin") == (("b",), ("a",))


def test_victory_points_between_them_go_before_imps() -> None:
    assert by_teams("ab", two(vp=(14, 16), imps=(30, 20)), "round-robin") == (("b",), ("a",))


def with_others(a: tuple[int, int], b: tuple[int, int], points: bool = False) -> list[PlayedMatch]:
    """Two teams that drew; their IMPs, or their points, against others."""
    direct = PlayedMatch(("a", "b"), (15, 15), (20, 20), (900, 900))
    return [
        direct,
        *(PlayedMatch((team, "x"), (15, 15), (0, 0) if points else own, own if points else (0, 0)) for team, own in
          (("a", a), ("b", b))),
    ]  # fmt: skip


def test_the_quotient_of_all_matches_goes_before_the_difference() -> None:
    # a: (20+40)/(20+10) = 2, difference 30; b: (20+100)/(20+60) = 1.5, difference 40
    assert by_teams("ab", with_others((40, 10), (100, 60)), "round-robin") == (("a",), ("b",))


def test_the_difference_decides_where_the_quotient_is_the_same() -> None:
    direct = PlayedMatch(("a", "b"), (15, 15), (0, 0), (0, 0))
    rest = [PlayedMatch(("a", "x"), (15, 15), (40, 20)), PlayedMatch(("b", "x"), (15, 15), (80, 40))]
    assert by_teams("ab", [direct, *rest], "round-robin") == (("b",), ("a",))


def test_total_points_of_all_matches_come_last() -> None:
    assert by_teams("ab", with_others((500, 300), (900, 100), points=True), "round-robin") == (("b",), ("a",))


def test_a_team_that_has_lost_nothing_has_the_best_quotient() -> None:
    direct = PlayedMatch(("a", "b"), (15, 15), (0, 0), (0, 0))
    rest = [PlayedMatch(("a", "x"), (15, 15), (3, 0)), PlayedMatch(("b", "x"), (15, 15), (80, 1))]
    assert by_teams("ab", [direct, *rest], "round-robin") == (("a",), ("b",))


def test_of_three_teams_the_last_is_left_out_and_the_others_are_looked_at_anew() -> None:
    matches = [
        PlayedMatch(("a", "b"), (14, 16), (10, 12)),
        PlayedMatch(("a", "c"), (20, 10), (40, 10)),
        PlayedMatch(("b", "c"), (18, 12), (30, 20)),
        PlayedMatch(("c", "x"), (25, 0), (99, 0)),  # with another team: not looked at among three
    ]
    # among the three: a 34-26 = +8, b 34-26 = +8, c 22-38; then a and b alone: b has won
    assert by_teams("abc", matches, "round-robin") == (("b",), ("a",), ("c",))


def test_swiss_looks_first_at_whom_one_has_met() -> None:
    matches = [
        PlayedMatch(("a", "strong"), (15, 15), (10, 10)),
        PlayedMatch(("b", "weak"), (15, 15), (50, 10)),
        PlayedMatch(("strong", "weak"), (25, 3), (90, 0)),
    ]
    assert by_teams("ab", matches, "swiss") == (("a",), ("b",))
    assert by_teams("ab", matches, "swiss", resistance=False) == (("b",), ("a",))
    assert ORDER["swiss"][1:3] == ("imp-quotient", "imp-difference")


def test_nobody_is_lost_or_stands_twice_whatever_the_matches() -> None:
    chance = random.Random(78)
    for _ in range(300):
        teams = [f"t{n}" for n in range(chance.randint(2, 7))]
        matches = [
            PlayedMatch(
                (one, other), (v := chance.randint(13, 17), 30 - v), (chance.randint(0, 3), chance.randint(0, 3))
            )
            for place, one in enumerate(teams)
            for other in teams[place + 1 :]
        ]
        for formula in ORDER:
            ranked = by_teams(teams, matches, formula)
            assert sorted(team for group in ranked for team in group) == teams
            turned = by_teams(teams[::-1], matches, formula)
            assert [set(group) for group in turned] == [set(group) for group in ranked]
