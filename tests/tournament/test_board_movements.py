"""Movements of pairs and boards: for every size no two meet twice and no pair has a board twice."""

from __future__ import annotations

import pytest

from table_service.tournament import NoSeatingError, offers
from table_service.tournament.board_movements import (
    BoardMovement,
    Sitting,
    arrow_switched,
    bumped,
    howell_movement,
    imbalance,
    mitchell,
    relay_mitchell,
    skip_mitchell,
    without,
)


def meetings(movement: BoardMovement) -> set[frozenset[int]]:
    return {frozenset((one.ns, one.ew)) for sittings in movement.rounds for one in sittings}


def repeats(movement: BoardMovement) -> list[str]:
    """Faults: a pair at two tables, two that meet again, a pair that has a set again."""
    found, met, had = list[str](), set[frozenset[int]](), set[tuple[int, int]]()
    for number, sittings in enumerate(movement.rounds, start=1):
        seated = [pair for one in sittings for pair in (one.ns, one.ew)]
        if len(set(seated)) < len(seated):
            found.append(f"round {number}: a pair sits at two places")
        for one in sittings:
            both = frozenset((one.ns, one.ew))
            if both in met:
                found.append(f"round {number}: {one.ns} and {one.ew} meet again")
            met.add(both)
            for pair in (one.ns, one.ew):
                if (pair, one.set) in had:
                    found.append(f"round {number}: {pair} has set {one.set} again")
                had.add((pair, one.set))
    return found


@pytest.mark.parametrize("tables", range(3, 31))
def test_in_a_mitchell_each_meets_the_other_line_once_and_no_board_twice(tables: int) -> None:
    made = [mitchell(tables)] if tables % 2 else [skip_mitchell(tables), relay_mitchell(tables)]
    for one in made:
        assert repeats(one) == []
        assert len(meetings(one)) == tables * len(one.rounds)
        assert one.has_two_rankings
        assert one.is_shared is (one.kind == "relay")
        assert not any(one.resting(number) for number in range(1, len(one.rounds) + 1))
    assert [len(one.rounds) for one in made] == ([tables] if tables % 2 else [tables - 1, tables])


@pytest.mark.parametrize("tables", range(3, 15))
def test_in_a_howell_all_meet_all_once_and_no_board_twice(tables: int) -> None:
    made = howell_movement(tables)
    assert made is not None
    assert repeats(made) == []
    assert len(made.rounds) == 2 * tables - 1
    assert len(meetings(made)) == tables * (2 * tables - 1), "each of the others once"
    assert all(len({one.set for one in sittings}) == tables for sittings in made.rounds) or tables == 3
    assert not made.has_two_rankings


@pytest.mark.parametrize("tables", range(3, 15))
def test_a_shorter_howell_exists_of_every_length_but_those_named(tables: int) -> None:
    lengths = [rounds for rounds in range(tables + 1, 2 * tables - 1) if tables in (5, 9) or rounds % 3 == 0]
    for rounds in lengths:
        made = howell_movement(tables, rounds)
        if made is None:
            assert (tables % 2 == 0 and rounds == tables + 1) or (tables, rounds) in {(4, 6), (5, 8)}
            continue
        kind = "hesitation" if rounds == tables + 1 else "three-quarter"
        assert (made.kind, len(made.rounds), repeats(made)) == (kind, rounds, [])
        assert not any(made.resting(number) for number in range(1, rounds + 1))


def test_the_same_howell_is_found_every_time() -> None:
    made = howell_movement(5)
    assert made is not None
    assert [tuple(one) for one in made.rounds[0]] == [
        (1, 6, 1, 1),
        (2, 9, 3, 2),
        (3, 2, 4, 5),
        (4, 7, 8, 4),
        (5, 10, 5, 3),
    ]


@pytest.mark.parametrize("tables", range(5, 14))
def test_a_pair_too_many_takes_a_place_of_each_only_once(tables: int) -> None:
    whole = mitchell(tables) if tables % 2 else skip_mitchell(tables)
    made = bumped(whole)
    assert made is not None
    assert repeats(made) == []
    rests = [made.resting(number) for number in range(1, len(made.rounds) + 1)]
    assert rests[0] == (2 * tables + 1,), "it rests first"
    assert len({one for (one,) in rests}) == len(rests), "nobody rests twice"


def test_with_half_a_table_the_opponents_of_the_pair_that_lacks_rest() -> None:
    made = without(mitchell(5), 10)
    assert repeats(made) == []
    assert [made.resting(number) for number in range(1, 6)] == [(5,), (1,), (2,), (3,), (4,)]


def test_what_may_not_be_is_found() -> None:
    one, again = Sitting(1, 1, 2, 1), Sitting(1, 2, 1, 1)
    found = repeats(BoardMovement("howell", 1, 2, 1, ((one,), (again,), (one, Sitting(2, 1, 2, 1)))))
    assert {text.split(": ")[1] for text in found} >= {
        "2 and 1 meet again", "2 has set 1 again", "a pair sits at two places",
    }  # fmt: skip


@pytest.mark.parametrize("tables", [7, 9, 13])
def test_an_eighth_of_the_rounds_with_the_lines_exchanged_makes_one_ranking_and_fairer_comparisons(tables: int) -> None:
    whole = mitchell(tables)
    switched = arrow_switched(whole)
    assert repeats(switched) == []
    assert not switched.has_two_rankings
    assert imbalance(switched) < imbalance(whole) / 5
    turned = sum(one != other for one, other in zip(whole.rounds, switched.rounds, strict=True))
    assert turned == round(tables / 8)


@pytest.mark.parametrize(("tables", "most"), [(4, 0), (6, 0), (7, 0.1), (9, 0.06)])
def test_howells_compare_all_pairs_almost_alike(tables: int, most: float) -> None:
    made = howell_movement(tables)
    assert made is not None
    assert imbalance(made) <= most


@pytest.mark.parametrize("pairs", [*range(5, 24), 27, 40])
def test_every_field_is_offered_movements_that_hold_and_their_cost(pairs: int) -> None:
    for one in offers(pairs, 26):
        assert repeats(one.movement) == []
        assert one.movement.pairs == pairs
        italian, english = one.cost
        assert f"{len(one.movement.rounds)} rounds of {one.each} boards" in english
        assert italian != english
        told = one.as_json()
        boards = {number for turn in told["rounds"] for table in turn["tables"] for number in table["boards"]}
        assert boards <= set(range(1, told["boards"] + 1))
        assert told["rankings"] == (2 if one.movement.has_two_rankings else 1)


def test_what_nobody_can_play_is_said() -> None:
    for pairs, boards in ((4, 24), (61, 24), (10, 0), (60, 60 + 1)):
        with pytest.raises(NoSeatingError):
            offers(pairs, boards)
