"""Movements by their properties on fields of every size, and by tables that were published."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_service.tournament import (
    Meeting,
    NoSeatingError,
    Seating,
    at_tables,
    danese,
    howell,
    howell_field,
    in_order,
    knock_out,
    mitchell,
    round_robin,
    round_robin_field,
    swiss,
)

SIZES = range(2, 41)
BERGER = {
    4: ("1-4 2-3", "4-3 1-2", "2-4 3-1"),
    6: ("1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"),
    8: (
        "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1",
    ),
}  # fmt: skip
"""Berger's tables as FIDE's handbook prints them."""


def field(size: int) -> list[str]:
    return [str(n) for n in range(1, size + 1)]


def whole(seating: Seating, names: list[str]) -> None:
    """Everybody sits once or rests, each meeting at a table of its own."""
    assert sorted(seating.entries) == sorted(names)
    assert sorted(one.table for one in seating.meetings) == list(range(1, len(seating.meetings) + 1))


def meetings(rounds: list[Seating]) -> Counter[frozenset[str]]:
    return Counter(one.both for seating in rounds for one in seating.meetings)


@pytest.mark.parametrize("size", SIZES)
def test_in_mitchell_nobody_meets_twice_north_south_stay_and_nobody_rests_twice(size: int) -> None:
    first = in_order(field(size))
    tables = len(first.meetings) + len(first.resting)
    rounds = [mitchell(first, n) for n in range(1, tables + 1)]
    assert rounds[0] == first
    for one in rounds:
        whole(one, field(size))
        assert [(m.table, m.ns) for m in one.meetings] == [(m.table, m.ns) for m in first.meetings]
    assert set(meetings(rounds).values()) == {1}
    assert max(Counter(one for seating in rounds for one in seating.resting).values(), default=1) == 1
    with pytest.raises(NoSeatingError, match="meet again"):
        mitchell(first, tables + 1)


def test_who_comes_late_to_mitchell_is_seated_and_still_nobody_meets_twice() -> None:
    """Three thousand fields: late entries in any round; who sat North-South stays, at most one rests, nobody twice."""
    chance = random.Random(20)
    for _ in range(3000):
        size = chance.randrange(4, 24)
        first, here = in_order(field(size)), field(size)
        joined: dict[int, list[str]] = {}
        rounds = [first]
        for number in range(2, 2 + (size + 1) // 2 - 1):
            if chance.random() < 0.3:
                joined[number] = [f"L{number}.{n}" for n in range(chance.choice((1, 1, 2)))]
                here = here + joined[number]
            rounds.append(mitchell(first, number, joined=joined))
        for played, one in enumerate(rounds, start=1):
            late = [name for number, names in joined.items() if number <= played for name in names]
            whole(one, [*field(size), *late])
            assert len(one.resting) <= 1
            fixed = {m.table: m.ns for m in rounds[played - 2].meetings} if played > 1 else {}
            assert all(m.ns == fixed.get(m.table, m.ns) for m in one.meetings)
        assert set(meetings(rounds).values()) == {1}


def test_a_late_entry_to_an_odd_mitchell_takes_the_place_that_lacks_a_pair() -> None:
    first = in_order(field(5))
    second = mitchell(first, 2, joined={2: ["late"]})
    assert second.resting == ()
    assert second.meetings[-1].ns == "late"
    assert mitchell(first, 3, joined={2: ["late"]}).meetings[-1].ns == "late"


def test_in_mitchell_east_west_go_on_by_more_tables_where_that_is_asked_for() -> None:
    first = in_order(field(10))
    assert [(m.ns, m.ew) for m in mitchell(first, 2, 2).meetings] == [
        ("1", "8"), ("3", "10"), ("5", "2"), ("7", "4"), ("9", "6"),
    ]  # fmt: skip
    assert len({mitchell(first, n, 2) for n in range(1, 6)}) == 5
    with pytest.raises(NoSeatingError, match="can play 2 rounds"):
        mitchell(in_order(field(8)), 3, 2)


@pytest.mark.parametrize("size", BERGER)
def test_the_round_robin_is_bergers(size: int) -> None:
    rounds = [round_robin(field(size), n) for n in range(1, size)]
    assert [" ".join(f"{m.ns}-{m.ew}" for m in one.meetings) for one in rounds] == list(BERGER[size])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("movement", [round_robin, howell])
def test_all_meet_all_once_and_sit_on_either_side_as_often(movement: object, size: int) -> None:
    if movement is howell and size < 4:
        with pytest.raises(NoSeatingError, match="4 at least"):
            howell(field(size), 1)
        return
    last = size - 1 if size % 2 == 0 else size
    rounds = [movement(field(size), n) for n in range(1, last + 1)]  # type: ignore[operator]
    for one in rounds:
        whole(one, field(size))
    assert meetings(rounds) == Counter(map(frozenset, itertools.combinations(field(size), 2)))
    assert Counter(one for seating in rounds for one in seating.resting) == Counter(field(size) if size % 2 else [])
    north = Counter(m.ns for one in rounds for m in one.meetings)
    moving = field(size)[:-1] if movement is howell and size % 2 == 0 else field(size)
    assert max(north[one] for one in moving) - min(north[one] for one in moving) <= 1
    with pytest.raises(NoSeatingError, match="have all met"):
        movement(field(size), last + 1)  # type: ignore[operator]


@pytest.mark.parametrize("size", SIZES)
def test_the_first_round_says_in_which_order_the_field_was(size: int) -> None:
    assert round_robin_field(round_robin(field(size), 1)) == tuple(field(size))
    if size > 3:
        assert howell_field(howell(field(size), 1)) == tuple(field(size))


@pytest.mark.parametrize("size", [4, 5, 8, 13, 20])
def test_in_a_howell_each_follows_the_one_numbered_before_it(size: int) -> None:
    moving = size - 1 if size % 2 == 0 else size

    def place(seating: Seating, one: str) -> tuple[int, bool] | None:
        return next(((m.table, m.ns == one) for m in seating.meetings if one in m.both), None)

    for number in range(1, moving):
        now, then = howell(field(size), number), howell(field(size), number + 1)
        for one in range(1, moving + 1):
            assert place(then, str(one % moving + 1)) == place(now, str(one))
        if size % 2 == 0:
            assert now.meetings[0].ns == str(size)


@pytest.mark.parametrize("size", SIZES)
def test_a_knock_out_leaves_one_and_the_best_two_can_meet_in_the_final_alone(size: int) -> None:
    won: list[set[str]] = []
    met: list[int] = []
    for _ in range((size - 1).bit_length()):
        seating = knock_out(field(size), won)
        met.append(len(seating.meetings))
        best = {min(m.both, key=int) for m in seating.meetings}
        if seating.resting:
            assert (len(won), set(seating.resting)) == (0, set(field(size)[: len(seating.resting)]))
        if frozenset(("1", "2")) in {m.both for m in seating.meetings}:
            assert len(seating.meetings) == 1
        won.append(best)
    assert sum(met) == size - 1
    with pytest.raises(NoSeatingError, match="1 has won"):
        knock_out(field(size), won)


def test_a_knock_out_asks_for_the_winner_it_does_not_know() -> None:
    with pytest.raises(NoSeatingError, match="round 1: say which of 1 and 4 has won"):
        knock_out(field(4), [{"2"}])
    with pytest.raises(NoSeatingError, match="say which"):
        knock_out(field(4), [{"1", "4", "2"}])


@given(st.integers(2, 60), st.integers(0, 2**32))
def test_danese_seats_neighbours_of_the_standing_and_rests_the_lowest_that_has_not(size: int, seed: int) -> None:
    rng, played = random.Random(seed), []
    for number in range(min(6, size)):
        ranked = rng.sample(field(size), size)
        seating = danese(ranked, played)
        whole(seating, field(size))
        if size % 2:
            before = {one for old in played for one in old.resting}
            assert seating.resting == ([one for one in ranked if one not in before][-1],), number
        left = [one for one in ranked if one not in seating.resting]
        assert [m.both for m in seating.meetings] == [frozenset(two) for two in zip(left[::2], left[1::2], strict=True)]
        played.append(seating)


def test_an_odd_field_in_which_all_have_rested_is_seated_no_more() -> None:
    played = [Seating((Meeting(1, "1", "2"),), ("3",)), Seating((Meeting(1, "1", "3"),), ("2",))]
    played.append(danese(field(3), played))
    assert played[-1].resting == ("1",)
    with pytest.raises(NoSeatingError, match="nobody may rest twice"):
        danese(field(3), played)


@given(st.integers(2, 24), st.integers(0, 2**32))
def test_in_a_swiss_tournament_nobody_meets_or_rests_twice(size: int, seed: int) -> None:
    rng, played = random.Random(seed), []
    points = dict.fromkeys(field(size), 0)
    for _ in range(min(7, (size - 1) // 2)):
        ranked = sorted(points, key=lambda one: (-points[one], int(one)))
        played.append(swiss(ranked, points, played))
        whole(played[-1], field(size))
        for one in played[-1].meetings:
            share = rng.randint(0, 20)
            points[one.ns] += share
            points[one.ew] += 20 - share
    assert set(meetings(played).values()) <= {1}
    assert max(Counter(one for seating in played for one in seating.resting).values(), default=1) == 1


@given(st.integers(2, 8), st.integers(0, 2**32))
def test_a_swiss_round_differs_in_points_as_little_as_any_round_could(size: int, seed: int) -> None:
    rng = random.Random(seed)
    size -= size % 2
    points = {one: rng.randint(0, 20) for one in field(size)}
    ranked = sorted(points, key=lambda one: (-points[one], int(one)))
    played = [in_order(rng.sample(field(size), size))]
    before = {one.both for one in played[0].meetings}

    def pairings(left: list[str]) -> list[list[tuple[str, str]]]:
        if not left:
            return [[]]
        rests = [other for other in left[1:] if frozenset((left[0], other)) not in before]
        return [
            [(left[0], other), *more] for other in rests for more in pairings([one for one in left[1:] if one != other])
        ]

    possible = [sum((points[a] - points[b]) ** 2 for a, b in one) for one in pairings(ranked)]
    if not possible:
        with pytest.raises(NoSeatingError, match="meets anybody again"):
            swiss(ranked, points, played)
        return
    found = swiss(ranked, points, played)
    assert sum((points[one.ns] - points[one.ew]) ** 2 for one in found.meetings) == min(possible)


def test_a_large_field_is_paired_without_a_repeat() -> None:
    rng, played = random.Random(7), []
    points = dict.fromkeys(field(201), 0)
    for _ in range(4):
        ranked = sorted(points, key=lambda one: (-points[one], int(one)))
        played.append(swiss(ranked, points, played))
        for one in played[-1].meetings:
            share = rng.randint(0, 20)
            points[one.ns] += share
            points[one.ew] += 20 - share
    assert set(meetings(played).values()) == {1}


def test_who_cannot_move_keeps_the_table_and_who_stood_there_goes_to_the_other() -> None:
    seating = at_tables(in_order(field(8)), {"5": 1})
    assert [(m.table, m.ns, m.ew) for m in seating.meetings] == [
        (1, "5", "6"),
        (2, "3", "4"),
        (3, "1", "2"),
        (4, "7", "8"),
    ]
    assert at_tables(in_order(field(5)), {"5": 1}) == in_order(field(5)), "who rests keeps no table"
    with pytest.raises(NoSeatingError, match="none of this round"):
        at_tables(in_order(field(4)), {"1": 3})
    with pytest.raises(NoSeatingError, match="let one of them move"):
        at_tables(in_order(field(8)), {"1": 2, "3": 2})
    with pytest.raises(NoSeatingError, match="let one of them move"):
        at_tables(in_order(field(8)), {"1": 2, "2": 3})


@pytest.mark.parametrize(
    ("names", "said"),
    [(["A", "a"], "'A' is entered twice"), (["A", " "], "entry 2 has no name"), (["A"], "1 entered: it takes 2")],
)
def test_a_field_that_is_none_is_refused_in_one_sentence(names: list[str], said: str) -> None:
    for seat in (in_order, danese, lambda one: swiss(one, {}), lambda one: round_robin(one, 1), knock_out):
        with pytest.raises(NoSeatingError, match=said):
            seat(names)  # type: ignore[operator]
