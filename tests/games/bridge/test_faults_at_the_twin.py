"""A card turned the wrong way, a result stated wrongly, from gestures at the twin: row and seat, and nothing else."""

import pytest

from tests.games.bridge.faults_at_the_twin import ROWS, board, told_of


@pytest.mark.parametrize("row", ROWS)
def test_the_fault_is_told_of_who_made_it_and_the_score_follows_the_cards(row: str) -> None:
    played, against = board(603, "normal", row)
    assert against is not None
    assert list(told_of(played)) == [(row, str(against))]
    assert played.total == played.points
