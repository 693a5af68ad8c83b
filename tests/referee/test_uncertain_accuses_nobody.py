"""What is uncertain accuses nobody in any game: rehearsed rows, with every movement of the table badly seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_service.games.burraco.fold.game import Burraco
from table_service.rehearsal.prove import table_fold
from table_service.rehearsal.rehearse import prepare
from table_service.tracking.movements import Movement

UNSURE = 0.6
"""More likely than not, and no more."""


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        ("fibur2024", ("F-26a", "F-31a", "F-24a", "F-25b", "F-33")),
        ("feburit", ("B-10c", "B-10f")),
        ("online", ("O-20", "O-28")),
    ],
)
def test_no_row_is_more_than_a_note_where_every_movement_was_badly_seen(
    monkeypatch: pytest.MonkeyPatch, rules: str, rows: tuple[str, ...]
) -> None:
    taken = Burraco.moved

    def moved(game: Burraco, move: Movement) -> None:
        taken(game, replace(move, confidence=min(move.confidence, UNSURE)))

    monkeypatch.setattr(Burraco, "moved", moved)
    for row in rows:
        rehearsal = prepare(rules, 5400, 1, (row,))
        fold = table_fold(rehearsal.header)
        found = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
        told = [event for event in found if event.type == "irregularity" and "console" not in event.basis]
        moved_by = [event for event in told if event.data.state in ("open", "healed") and event.confidence <= UNSURE]
        assert moved_by, row
        assert {(event.data.severity, event.data.likely) for event in moved_by} == {("note", True)}
