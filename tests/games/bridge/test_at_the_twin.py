"""Boards by gestures at the twin: auction, tricks and score as they happened, and nobody accused."""

import pytest

from tests.games.bridge.boards_at_the_twin import board


@pytest.mark.parametrize(("noise", "seed", "record"), [("none", 2, True), ("normal", 11, False), ("normal", 14, True)])
def test_a_board_at_the_twin_is_told_as_it_was_played(noise: str, seed: int, record: bool) -> None:
    one = board(seed, noise, record=record)
    assert one.calls == list(one.auction.calls)
    assert one.play is not None
    assert one.tricks == {
        trick.number: (str(trick.by), {str(seat): card for seat, card in trick.trick.plays})
        for trick in one.play.turned
    }
    assert (one.total, one.found) == (one.points, [])
