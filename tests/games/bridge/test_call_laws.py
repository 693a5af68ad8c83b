"""Laws 26 to 32 as the Code of 2007 has them: what follows a call that was not accepted."""

import pytest

from hw.seats import SEATS, Seat
from table_service.games.bridge.judges.call_laws import (
    Consequence,
    bid_out_of_turn,
    double_out_of_turn,
    insufficient,
    lead_limits,
    pass_out_of_turn,
    when_of,
)

N, E, S, W = Seat


def test_at_whose_turn_somebody_called() -> None:
    assert [when_of(seat, N) for seat in (E, S, W)] == ["right", "partner", "left"]
    assert {when_of(seat, None) for seat in SEATS} == {"left"}


@pytest.mark.parametrize(
    ("found", "law", "expected"),
    [
        (pass_out_of_turn("left", anybody_bid=False), "30A", {"own_pass": True}),
        (pass_out_of_turn("right", anybody_bid=True), "30B1", {"own_pass": True}),
        (pass_out_of_turn("partner", anybody_bid=True), "30B2",
         {"partner": "throughout", "no_double": True, "see_23": True}),
        (pass_out_of_turn("left", anybody_bid=True), "30B3", {"as_change": True}),
        (bid_out_of_turn("right", bid="1H"), "31A1", {"repeat": True}),
        (bid_out_of_turn("right", bid="1H", right="P"), "31A1", {"repeat": True}),
        (bid_out_of_turn("right", bid="1H", right="1S", replaced="2H"), "31A2a", {"partner": "once", "see_23": True}),
        (bid_out_of_turn("right", bid="1H", right="1S", replaced="2C"), "31A2b",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (bid_out_of_turn("right", bid="1H", right="X", replaced="P"), "31A2b",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (bid_out_of_turn("partner", bid="1H"), "31B",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (double_out_of_turn("right", right="P"), "32A1", {"repeat": True}),
        (double_out_of_turn("right", right="1S"), "32A2",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (double_out_of_turn("partner"), "32B", {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (insufficient("1H", "2H", natural=True, same_meaning=False), "27B1a", {}),
        (insufficient("1H", "2H", natural=False, same_meaning=True), "27B1b", {}),
        (insufficient("1H", "3H", natural=False, same_meaning=False), "27B2",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (insufficient("1H", "P", natural=True, same_meaning=False), "27B2",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (insufficient("1H", "X", natural=True, same_meaning=False), "27B3",
         {"partner": "throughout", "lead_limits": True, "see_23": True}),
        (insufficient("1H", "X", natural=True, same_meaning=True), "27B1b", {}),
    ],
)  # fmt: skip
def test_what_a_law_prescribes(found: Consequence, law: str, expected: dict[str, object]) -> None:
    assert found == Consequence(law, **expected)  # type: ignore[arg-type]


def test_what_declarer_may_ask_at_the_first_lead() -> None:
    assert lead_limits("1H", ("2C",)).suits == ("H",)
    assert lead_limits("1H", ("2H",)).is_none
    assert lead_limits("1N", ("2C",)).any_suit
    assert lead_limits("X", ()).any_suit
    assert lead_limits("2D", ("3S",), suits="HS").suits == ("H",)
