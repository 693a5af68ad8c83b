"""Calls out of turn: at whose turn somebody called, and which part of law 30 (Code of 2007) answers a pass."""

import pytest

from hw.seats import SEATS, Seat
from table_service.games.bridge.judges.calls import When, pass_law, when_of

N, E, S, W = Seat


def test_at_whose_turn_somebody_called() -> None:
    assert [when_of(seat, N) for seat in (E, S, W)] == ["right", "partner", "left"]
    assert {when_of(seat, None) for seat in SEATS} == {"left"}


@pytest.mark.parametrize(
    ("when", "anybody_bid", "law"),
    [("left", False, "30A"), ("right", True, "30B1"), ("partner", True, "30B2"), ("left", True, "30B3")],
)
def test_a_pass_out_of_turn_is_answered_by_its_part_of_law_30(when: When, anybody_bid: bool, law: str) -> None:
    assert pass_law(when, anybody_bid=anybody_bid) == law
