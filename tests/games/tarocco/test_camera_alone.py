"""Tarocco by a camera alone: what is shown before the first card is an accuso, as nothing tells of the scarto."""

from __future__ import annotations

import pytest

from table_service.rehearsal.prove import ProofCase, events_of, run_case, table_fold
from table_service.rehearsal.rehearse import prepare


@pytest.mark.parametrize("seed", [32_006, 32_020])
def test_accusi_count_where_no_sensor_tells_that_the_scarto_was_made(seed: int) -> None:
    """Seeds in which a combination is shown: it was told as cards exposed, and the accusi as none."""
    report = run_case(ProofCase(seed, None, "normal", rules="tarocco", step=1))["report"]
    assert report["wrong"] == []
    assert report["score_wrong"] == []
    assert report["false"] == []


@pytest.mark.parametrize(("seed", "unknown"), [(20_740_002, 0), (20_740_004, 0), (20_740_015, 2)])
def test_accusi_are_known_where_frames_saw_each_first_card_come_and_unknown_where_they_saw_nothing(
    seed: int, unknown: int
) -> None:
    """A first card of which no hand was told, one told late for the next hand's sake; four seconds without a look."""
    report = run_case(ProofCase(seed, None, "normal", rules="tarocco", step=1))["report"]
    assert report["score_wrong"] == []
    assert report["score_doubtful"] == unknown


def test_how_many_cards_lie_in_a_scarto_that_nothing_weighs_is_unknown() -> None:
    rehearsal = prepare("tarocco", 33_000, 1, step=1)
    events, _, _ = events_of(table_fold(rehearsal.header), rehearsal.observations())
    assert [event["data"]["cards"] for event in events if event["type"] == "scarto.made"] == [None]
