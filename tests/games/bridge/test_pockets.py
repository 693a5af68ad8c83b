"""Cards in the pockets of the board by weight, also where a scale was tared with cards in it or off its zero."""

import pytest

from hw.observations import Scale
from hw.seats import Seat
from hw.zones import board
from table_service.games.bridge.reading.pockets import PocketScale
from tests.games.bridge.table_of_bridge import TableOfBridge

CARD = 1.8


@pytest.mark.parametrize("zero", [0.0, -23.4, 0.9, -31.0, 140.0])
def test_once_a_pocket_was_emptied_its_cards_are_counted_from_there(zero: float) -> None:
    scale = PocketScale(CARD)
    scale.cards(zero + 13 * CARD)
    scale.cards(zero)
    assert [scale.cards(zero + n * CARD) for n in (0, 1, 12, 13, 14)] == [0, 1, 12, 13, 14]
    assert scale.cards(zero + 5.5 * CARD) is None


def test_before_it_was_emptied_the_scale_s_own_zero_counts() -> None:
    scale = PocketScale(CARD)
    assert [scale.cards(13 * CARD), scale.cards(12 * CARD)] == [13, 12]
    assert PocketScale(CARD).cards(-2 * CARD) is None


@pytest.mark.parametrize(("back", "complete"), [(13, True), (12, False)])
def test_a_board_whose_scales_were_tared_with_its_cards_is_checked_when_they_are_put_back(
    back: int, complete: bool
) -> None:
    table = TableOfBridge()
    table.begin(Seat.NORTH, vulnerable="none")
    for number in (13, 0):
        for seat in Seat:
            table.feed(Scale(table.wait(0.3), board(seat), (number - 13) * CARD, settled=True))
    table.auction(Seat.NORTH, "P P P P")
    for seat in Seat:
        number = back if seat is Seat.EAST else 13
        table.feed(Scale(table.wait(0.3), board(seat), (number - 13) * CARD, settled=True))
    assert table.of("board.checked")[-1] == {
        "counts": {"N": 13, "E": back, "S": 13, "W": 13},
        "complete": complete,
    }


def test_noise_at_the_edge_of_the_tolerance_is_no_change_of_the_count() -> None:
    scale = PocketScale(CARD)
    assert [scale.cards(CARD * n) for n in (13.3, 13.4, 13.3, 13.6, 13.7)] == [13, 13, 13, 13, 14]
    assert scale.cards(CARD * 10.5) is None
