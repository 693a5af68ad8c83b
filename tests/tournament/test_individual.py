"""Single players who change partner: whist tournaments, by lot, by the standing."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_service.tournament import NoSeatingError, Seating, by_fours, drawn, partners, players_of, whist, whist_field
from table_service.tournament.individual import WHOLE


def field(size: int) -> list[str]:
    return [f"P{n}" for n in range(size)]


def together(rounds: list[Seating]) -> tuple[Counter[frozenset[str]], Counter[frozenset[str]]]:
    """How often two were partners, and how often opponents."""
    meetings = [meeting for seating in rounds for meeting in seating.meetings]
    with_ = Counter(frozenset(partners(line)) for one in meetings for line in (one.ns, one.ew))
    against = Counter(frozenset((a, b)) for one in meetings for a in partners(one.ns) for b in partners(one.ew))
    return with_, against


@pytest.mark.parametrize("size", sorted(WHOLE))
def test_in_a_whist_tournament_all_are_partners_of_all_once_and_opponents_twice(size: int) -> None:
    """Moore's definition of a whist tournament; one rests in each round where the field leaves one over."""
    odd = size % 2
    rounds = [whist(field(size), n) for n in range(1, size + odd)]
    with_, against = together(rounds)
    every = {frozenset(two) for two in combinations(field(size), 2)}
    assert with_ == Counter(every)
    assert against == Counter(dict.fromkeys(every, 2))
    assert Counter(one for seating in rounds for one in seating.resting) == Counter(field(size) if odd else ())
    assert whist_field(rounds[0]) == tuple(field(size))
    with pytest.raises(NoSeatingError, match="all have met"):
        whist(field(size), size + odd)


def test_a_field_without_such_an_order_is_told_which_have_one() -> None:
    with pytest.raises(NoSeatingError, match=r"known for 4, 5, 8, 12, 13.* not 10"):
        whist(field(10), 1)


@given(st.integers(4, 40), st.integers(0, 2**32))
def test_by_lot_nobody_has_a_partner_again_while_there_is_another_and_all_rest_alike(size: int, seed: int) -> None:
    rng, played = random.Random(seed), []
    for _ in range(min(4, size // 4 + 1)):
        played.append(drawn(rng.sample(field(size), size), played))
        assert sorted(players_of(played[-1])) == sorted(field(size))
        assert len(played[-1].resting) == size % 4
    with_, _ = together(played)
    if size > 8:
        assert set(with_.values()) == {1}
    rests = Counter(one for seating in played for one in seating.resting)
    assert max(rests.values(), default=0) - min((rests[one] for one in field(size)), default=0) <= 1


@given(st.integers(4, 60), st.integers(0, 2**32))
def test_by_the_standing_four_sit_together_the_first_with_the_fourth(size: int, seed: int) -> None:
    ranked = random.Random(seed).sample(field(size), size)
    first = by_fours(ranked)
    left = [one for one in ranked if one not in first.resting]
    for n, one in enumerate(first.meetings):
        a, b, c, d = left[4 * n : 4 * n + 4]
        assert (partners(one.ns), partners(one.ew)) == ((a, d), (b, c))
    second = by_fours(ranked, [first]) if size % 4 == 0 else None
    assert second is None or not together([first])[0].keys() & together([second])[0].keys()


def test_a_large_field_is_drawn_round_after_round_without_a_repeat() -> None:
    rng, played = random.Random(3), []
    for _ in range(4):
        played.append(drawn(rng.sample(field(402), 402), played))
    with_, against = together(played)
    assert set(with_.values()) == {1}
    assert set(against.values()) == {1}
