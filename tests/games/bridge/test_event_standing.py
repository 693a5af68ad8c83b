"""The standing of a bridge event over all its rounds: per cent, rests (78.4), ties (78.5), IMPs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from table_service.games.bridge.pages import event_standing as module
from table_service.games.bridge.pages.board_facts import facts_of
from table_service.games.bridge.pages.comparison import by_board, compared
from table_service.games.bridge.pages.event_standing import event_standing, pairs_standing, teams_standing
from table_service.games.reports import RoundPlayed
from tests.games.bridge.hall_of_boards import hall, round_of

NAMES = {
    ("T1", "NS"): "A",
    ("T1", "EW"): "B",
    ("T2", "NS"): "C",
    ("T2", "EW"): "D",
    ("T3", "NS"): "E",
    ("T3", "EW"): "F",
}


def played(number: int = 1, seed: int = 3, pairs: dict[tuple[str, str], str] | None = None, **more: Any) -> RoundPlayed:
    """A round of three boards at three tables, with names."""
    tables, names = hall(seed, 3, 3), NAMES if pairs is None else pairs
    deals = tuple(
        deal
        for one in tables
        for deal in one.deals(**{line: names[one.place, line] for line in ("NS", "EW") if (one.place, line) in names})
    )
    return round_of(tables, 3, number=number, played=deals, pairs=names, **more)


def by_hand(rounds: list[RoundPlayed]) -> dict[str, list[Fraction]]:
    """Per cent of each board of each pair, counted again from the travellers."""
    found: dict[str, list[Fraction]] = {}
    for one in rounds:
        for results in by_board(map(facts_of, one.played)).values():
            for row in compared(results):
                assert row.share is not None
                found.setdefault(row.board.pairs["NS"], []).append(row.share.ns)
                found.setdefault(row.board.pairs["EW"], []).append(row.share.ew)
    return found


def test_every_board_of_every_round_counts_alike() -> None:
    swapped = dict(zip(NAMES, ("A", "D", "C", "F", "E", "B"), strict=True))
    rounds = [played(1), played(2, seed=4, pairs=swapped)]
    standing = pairs_standing(rounds)
    counted = by_hand(rounds)
    assert {one.pair: one.percent for one in standing} == {
        name: sum(own, Fraction(0)) / len(own) for name, own in counted.items()
    }
    assert all(one.boards == 6 for one in standing)
    assert sum(one.percent for one in standing) == 300, "six pairs share what is there"
    assert [one.percent for one in standing] == sorted((one.percent for one in standing), reverse=True)


def test_who_rests_has_its_own_mean_for_that_round_and_stands_as_it_would_without() -> None:
    """Norm 78.4: a pair that rests has the mean that it has made."""
    four = {at: name for at, name in NAMES.items() if at[0] != "T3"} | {("T3", "NS"): "X", ("T3", "EW"): "Y"}
    resting = {**four, ("", "NS"): "E"}
    rounds = [played(1), played(2, seed=4, pairs=resting)]
    standing = {one.pair: one for one in pairs_standing(rounds)}
    alone = {one.pair: one for one in pairs_standing(rounds[:1])}
    assert standing["E"].rested == 1
    assert standing["E"].percent == alone["E"].percent
    never = pairs_standing([played(1, pairs={**four, ("", "NS"): "Z"})])
    (unknown,) = [one for one in never if one.pair == "Z"]
    assert (unknown.place, unknown.percent) == (0, None), "it has made nothing"


@pytest.mark.parametrize(("complete", "norm"), [(False, "78.5a2"), (True, "78.5b")])
def test_equal_pairs_are_parted_by_the_norm(complete: bool, norm: str) -> None:
    """78.5a2: on boards of several equal pairs two points for each worse; 78.5b: the boards between them first."""
    on = module.OnBoard
    half = Fraction(1, 2)
    pairs = {
        "A": module.PairRecord([half], {"1.1": on(Fraction(4), 4), "1.2": on(Fraction(0), 4)}),
        "B": module.PairRecord([half], {"1.1": on(Fraction(2), 4), "1.2": on(Fraction(2), 4)}),
        "C": module.PairRecord([half], {"1.1": on(Fraction(0), 4), "1.2": on(Fraction(4), 4)}),
    }
    met = {("B", "A"): Fraction(4), ("A", "C"): Fraction(1)}
    found = module.parted(("A", "B", "C"), 0, pairs, met, all_alike=complete)
    if complete:
        assert [(one.place, one.pair) for one in found] == [(1, "B"), (2, "C"), (3, "A")]
        assert {one.by for one in found} == {norm}
    else:
        # A 4 and 0, B 2 and 2, C 0 and 4 points on the common boards: equal; then A and C have a top each, B none
        assert [(one.place, one.pair) for one in found] == [(1, "A"), (1, "C"), (3, "B")]
        assert {one.by for one in found} == {norm}


def test_a_round_that_is_not_over_counts_for_nothing_yet() -> None:
    report = event_standing([played(1), played(2, seed=4, is_over=False)], "en")
    assert report.about == "Rounds that are over: 1"
    assert "No round is over." in event_standing([], "en").sections[0].lines


def test_teams_are_added_up_over_their_matches() -> None:
    tables = hall(3, 2, 3)
    names = {("T1", "NS"): "Leoni", ("T1", "EW"): "Tigri", ("T2", "NS"): "Tigri", ("T2", "EW"): "Leoni"}
    deals = tuple(deal for one in tables for deal in one.deals(NS=names[one.place, "NS"], EW=names[one.place, "EW"]))
    one = round_of(tables, 3, played=deals, pairs=names)
    single, double = teams_standing([one]), teams_standing([one, one])
    assert {row.team for row in single} == {"Leoni", "Tigri"}
    assert sum(row.imps for row in single if row.imps is not None) == 0
    assert {row.team: row.imps for row in double} == {row.team: 2 * (row.imps or 0) for row in single}
    assert [row.matches for row in double] == [2, 2]
    assert "Squadre" in event_standing([one], "it").sections[0].title
