"""A table that was sent its boards with the round's start begins them without an order, and its log says when."""

from __future__ import annotations

from pathlib import Path

from hw.observations import Console
from tests.service.test_deal_outlives_power import begun, journal_of, killed


def test_the_boards_of_a_round_outlive_a_restart_and_the_log_holds_each_beginning(tmp_path: Path) -> None:
    now = [0.0]
    first = begun(tmp_path / "1", now, rules="bridge")
    told = first.observe(Console(0.5, "arbitro", "start-round", {"deals": 2, "boards": [7, 8]}))
    assert [one.type for one in told] == ["round.started", "round.seated", "deal.started", "board.placed"]
    assert first.table.state()["board"] == 7
    killed(first, tmp_path / "1", tmp_path / "2")
    second = begun(tmp_path / "2", now, rules="bridge")
    state = second.table.state()
    assert (state["boards"], state["board"], state["next_board"]) == ([7, 8], 7, 8)
    assert [one["type"] for one in journal_of(second)].count("board.placed") == 1
    second.close(0.0)
