"""A board is one board over the whole session, in whichever round a table plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from table_service.games.bridge.pages.compared_session import sessions_of
from table_service.games.bridge.pages.event_standing import event_standing, pairs_standing
from table_service.games.bridge.pages.traveller import session_boards, traveller
from table_service.games.reports import ArbitroAward, DealPlayed, RoundPlayed
from tests.games.bridge.hall_of_boards import hall, round_of

TABLES = 5


def evening(
    tables: int = TABLES,
    rounds: int = TABLES,
    *,
    switch: bool = False,
    plays: Callable[[int, int], bool] = lambda _round, _table: True,
    rename: dict[tuple[int, str], str] | None = None,
) -> list[RoundPlayed]:
    """A Mitchell of one board a round, which moves down a table while East and West move up.

    ``switch``: the last round with the lines exchanged. ``plays``: whether a table has told its board.
    """
    held = {one.place: {deal.events[0]["deal"]: deal.events for deal in one.deals()} for one in hall(7, tables, tables)}
    found = []
    for number in range(1, rounds + 1):
        pairs, played = {}, []
        for table in range(1, tables + 1):
            names = [f"N{table}", f"E{(table - number) % tables + 1}"]
            if switch and number == rounds:
                names.reverse()
            names = [(rename or {}).get((number, name), name) for name in names]
            place, board = f"T{table}", (table + number - 2) % tables + 1
            pairs |= {(place, "NS"): names[0], (place, "EW"): names[1]}
            if plays(number, table):
                played.append(DealPlayed(place, held[place][board], {"NS": names[0], "EW": names[1]}))
        found.append(round_of(hall(7, tables, tables), 1, number=number, played=tuple(played), pairs=pairs))
    return found


def by_hand(rounds: list[RoundPlayed]) -> dict[str, Fraction]:
    """Per cent of each pair: two for each worse result of the same line on the board, one for each equal one."""
    results: dict[int, list[tuple[int, str, str]]] = {}
    for session in sessions_of(rounds):
        for number, boards in session.boards.items():
            results[number] = [(one.points or 0, one.pairs["NS"], one.pairs["EW"]) for one in boards]
    made: dict[str, list[Fraction]] = {}
    most = max(map(len, results.values()))
    for every in results.values():
        for points, ns, ew in every:
            got = sum(2 * (other < points) + (other == points) for other, *_ in every) - 1
            neuberg = Fraction(got + 1) * most / len(every) - 1
            made.setdefault(ns, []).append(neuberg / (2 * most - 2) * 100)
            made.setdefault(ew, []).append(100 - neuberg / (2 * most - 2) * 100)
    return {name: sum(own, Fraction(0)) / len(own) for name, own in made.items()}


def lines_of(rounds: list[RoundPlayed]) -> str:
    return "\n".join(line for one in event_standing(rounds, "en").sections for line in one.lines)


def test_boards_that_travel_are_compared_over_all_rounds_and_every_pair_is_ranked() -> None:
    rounds = evening(switch=True)
    (session,) = sessions_of(rounds)
    assert {number: len(boards) for number, boards in session.boards.items()} == dict.fromkeys(range(1, 6), 5)
    standing = pairs_standing(rounds)
    assert {one.pair: one.percent for one in standing} == by_hand(rounds)
    assert all(one.place and one.boards == TABLES for one in standing)
    assert sum(one.percent or 0 for one in standing) == 50 * 2 * TABLES
    assert lines_of(rounds) == ""
    report = session_boards(rounds, "en")
    assert len(report.sections) == TABLES
    assert {row[0] for row in report.sections[0].grids[0].rows} == {
        f"T{(6 - n) % 5 + 1} (round {n})" for n in range(1, 6)
    }
    assert "Boards of the event" in traveller(rounds[0], "en").sections[0].lines[0]


def test_a_board_played_less_often_goes_by_neuberg_and_what_is_missing_is_named() -> None:
    rounds = evening(plays=lambda number, table: (number, table) != (2, 3))
    assert {one.pair: one.percent for one in pairs_standing(rounds)} == by_hand(rounds)
    assert "Round 2, T3: 0 of 1 boards." in lines_of(rounds)


def test_a_board_that_no_table_played_is_named() -> None:
    rounds = evening(plays=lambda number, table: (table + number - 2) % TABLES + 1 != 3)
    assert "Boards that nobody played: 3." in lines_of(rounds)


def test_an_artificial_score_counts_in_the_session_and_a_table_that_told_nothing_may_have_one() -> None:
    rounds = evening(plays=lambda number, table: (number, table) != (2, 3))
    award = ArbitroAward("T3", 4, {"kind": "artificial", "NS": "60", "EW": "40"})
    rounds[1] = replace(rounds[1], awards=(award,))
    (session,) = sessions_of(rounds)
    (given,) = [one for one in session.compared()[4] if one.board.adjusted is not None]
    assert given.share is not None
    assert (given.share.ns, given.share.ew) == (60, 40)
    assert "Round 2" not in lines_of(rounds)


def test_lines_that_nobody_changes_have_a_ranking_each() -> None:
    report = event_standing(evening(), "en")
    assert [one.title for one in report.sections] == [
        "Pairs, in per cent: North-South",
        "Pairs, in per cent: East-West",
    ]
    for section, letter in zip(report.sections, "NE", strict=True):
        assert {row[1][0] for row in section.grids[0].rows} == {letter}
        assert section.grids[0].rows[0][0] == "1"


def test_a_pair_that_has_a_board_a_second_time_is_named_and_the_second_counts_for_nobody() -> None:
    rounds = evening(rename={(2, "N5"): "N1"})  # who had board 1 in round 1 has it again, at table 5
    assert "N1 has played board 1 twice (round 2, T5)" in lines_of(rounds)
    (session,) = sessions_of(rounds)
    assert [one.share for one in session.compared()[1] if one.board.round == 2] == [None]
    assert session.most == TABLES


def test_numbers_that_begin_anew_are_other_boards() -> None:
    rounds = evening()
    again = [replace(one, number=one.number + TABLES) for one in rounds]
    assert [len(one.rounds) for one in sessions_of(rounds + again)] == [TABLES, TABLES]


@pytest.mark.parametrize(
    ("played", "why"),
    [
        (lambda: evening(rounds=1), "Each board was played at one table alone"),
        (lambda: evening(plays=lambda _round, _table: False), "No table has reported a board."),
    ],
)
def test_an_empty_ranking_says_why(played: Callable[[], list[RoundPlayed]], why: str) -> None:
    rounds = played()
    assert all(one.percent is None for one in pairs_standing(rounds))
    assert why in lines_of(rounds)
