"""What is uncertain accuses nobody: every row that is rehearsed, with every movement of the table badly seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.observation_log import Header
from table_service.games.tarocco.fold.game import Tarocco, open_fold
from table_service.games.tarocco.rehearsal.faults import KINDS
from table_service.rehearsal.rehearse import prepare
from table_service.table.game_fold import GameFold
from table_service.tracking.movements import Movement

BY_WEIGHT = "T09"
"""It rests on the mean of what a scale says, not on how well a movement was seen."""
UNSURE = 0.6
"""More likely than not, and no more."""


def badly_seen(monkeypatch: pytest.MonkeyPatch, header: Header) -> GameFold[Tarocco]:
    """A table whose movements are all of low confidence."""
    taken = Tarocco.moved

    def moved(game: Tarocco, move: Movement) -> None:
        taken(game, replace(move, confidence=min(move.confidence, UNSURE)))

    monkeypatch.setattr(Tarocco, "moved", moved)
    return open_fold(header)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.told and kind.row != BY_WEIGHT])
def test_no_row_is_more_than_a_note_where_every_movement_was_badly_seen(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rehearsal = prepare("tarocco", 5400, 1, (name,))
    fold = badly_seen(monkeypatch, rehearsal.header)
    found = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
    told = [event for event in found if event.type == "irregularity" and "console" not in event.basis]
    assert [event.data for event in told if event.data.model_dump()["severity"] != "note"] == []
