"""Double-dummy tricks and par on hand records where the solver is installed; without it records stay as they are."""

from __future__ import annotations

import pytest

from hw.seats import Seat
from table_service.games.bridge.pages import double_dummy as solver
from table_service.games.bridge.pages.hand_records import event_hands
from tests.games.bridge.test_lin_files import played

GRAND = {
    Seat.NORTH: "AS KS QS JS AH KH QH AD KD QD AC KC QC",
    Seat.EAST: "TS 9S 8S JH TH 9H JD TD 9D 8D JC TC 9C",
    Seat.SOUTH: "7S 6S 5S 8H 7H 6H 7D 6D 5D 8C 7C 6C 5C",
    Seat.WEST: "4S 3S 2S 5H 4H 3H 2H 4D 3D 2D 4C 3C 2C",
}
HANDS = {seat: frozenset(cards.split()) for seat, cards in GRAND.items()}


def test_without_the_solver_there_is_no_table_and_no_par(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "find_spec", lambda _name: None)
    assert solver.double_dummy(HANDS, Seat.NORTH, "none") is None
    report = event_hands([played()], "en")
    assert not any("Par" in line for section in report.sections for line in section.lines)


@pytest.mark.slow
def test_a_grand_slam_is_found_and_stands_on_the_records() -> None:
    pytest.importorskip("endplay")
    found = solver.double_dummy(HANDS, Seat.NORTH, "none")
    assert found is not None
    assert found.tricks["N", "N"] == 13
    assert found.par == 1520
    assert found.contracts == ("7N N =", "7N S =")
    report = event_hands([played()], "en")
    assert all(any(line.startswith("Par") for line in section.lines) for section in report.sections)
    assert all(len(section.grids[1].rows) == 4 for section in report.sections)
