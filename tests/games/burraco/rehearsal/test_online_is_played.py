"""Deals by the common online rules with four seats, through every sensor, and how a match to its target stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table_service.games.burraco.codes import EDITIONS
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.prove import ProofCase, events_of, run_case, table_fold
from table_service.rehearsal.rehearse import prepare
from tests.sweeps import rest_in_proof


def played(row: str | None, seed: int) -> dict[str, Any]:
    return run_case(ProofCase(seed, row, "normal", rules="online", habits="lively"))["report"]  # type: ignore[no-any-return]


def test_a_clean_deal_is_told_without_an_accusation_and_counted_right() -> None:
    report = played(None, 616710000)
    assert report["false"] == []
    assert report["score_wrong"] == []
    assert report["score_right"] > 0


ROWS = ("O-20:collects", "O-22:discards", "O-25", "O-30", "O-31", "O-32")
"""Rows, and ways to come to one, that hardly any test acts from gestures."""
OTHER_ROWS = (
    *("O-20", "O-21", "O-22", "O-23", "O-26", "O-27", "O-28", "O-28:but-one"),
    *("O-29", "O-29:wild", "O-29:no-discard", "O-32:discards"),
)
"""Rows that ``tests/games/burraco/codes`` acts at a table: whole deals with them are for `make proof`."""


STAGED_SOON = {"O-20:collects": 2000, "O-29:no-discard": 2000, "O-29:wild": 2001, "O-30": 2000}
"""Seeds whose first deals let these rows happen; with another one many deals are played until one does."""


@pytest.mark.parametrize("row", rest_in_proof([*ROWS, *OTHER_ROWS], len(ROWS)))
def test_a_move_that_the_rules_do_not_have_is_told_and_taken_back(row: str) -> None:
    report = played(row, STAGED_SOON.get(row, 616710001))
    assert report["false"] == []
    (fault,) = [one for one in report["faults"] if one["row"] == row.partition(":")[0]]
    assert fault["right_row"]
    assert fault["right_seat"]
    assert report["score_wrong"] == []


def test_every_irregularity_that_sensors_tell_is_staged() -> None:
    rows = EDITIONS["online"].catalogue.rows.values()
    told = {row.id for row in rows if row.kind == "irregularity" and row.senses != ("person",)}
    assert told == {kind.row for kind in rehearsal_of("online").kinds.values()}


def counted(rules: str, seed: int, **options: Any) -> list[dict[str, Any]]:
    """Every count that the table tells of one rehearsed deal."""
    rehearsal = prepare(rules, seed, 1, noise="none")
    header = replace(rehearsal.header, options={**rehearsal.header.options, **options})
    events, _, _ = events_of(table_fold(header), list(rehearsal.observations()))
    return [event["data"] for event in events if event["type"] == "score.counted"]


def test_o06_o10_the_count_says_how_the_match_to_its_target_stands() -> None:
    (first, *_) = counted("online", 616710000, target=100_000)
    assert first["match"] == {"target": 100_000, "over": False, "winner": None, "drawn": False}
    totals = {line: own["running"] for line, own in first["lines"].items()}
    best = max(totals, key=lambda line: totals[line])
    assert totals[best] > 0
    (reached, *_) = counted("online", 616710000, target=totals[best])
    assert reached["match"] == {"target": totals[best], "over": True, "winner": best, "drawn": False}


def test_a_code_whose_rounds_have_a_number_of_deals_tells_of_no_match() -> None:
    (first, *_) = counted("fibur2024", 616710000)
    assert "match" not in first
