"""Tarocco rehearsed: four simulated players, the faults that they commit, what the rules order, the true score."""

from __future__ import annotations

from typing import Any, Final

from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.seats import ANTICLOCKWISE, SEATS
from hw.twin.twin_table import BUTTONS, TableKind
from table_service.games.tarocco.rehearsal.comparable_steps import steps_of_events, steps_of_truth
from table_service.games.tarocco.rehearsal.director import HABITS, direct
from table_service.games.tarocco.rehearsal.faults import KINDS
from table_service.games.tarocco.rehearsal.remedies import REMEDIES
from table_service.games.tricks.rehearsal.trick_moves import compare_moves
from table_service.rehearsal.game_rehearsal import GameRehearsal

_BUTTONS: Final = tuple(f"button:{seat}:{name}" for seat in SEATS for name in BUTTONS)
TABLE: Final = TableKind(TAROCCO_TABLE, TAROCCO_LAYOUT, ANTICLOCKWISE, (*TAROCCO_TABLE.beside, *_BUTTONS))
"""The table of the drawings: knock sensors, which the rules ask for, and the buttons that every table has."""


def _options(deals: int) -> dict[str, Any]:
    return {"deals": deals, "form": "quattro-scartate", "keepers": {"NS": "N", "EW": "E"}}


TOURNAMENT: Final = GameRehearsal(
    table=TABLE,
    direct=direct,
    options=_options,
    kinds=KINDS,
    remedies=REMEDIES,
    habits=HABITS,
    stages=(),
    can_be_ruled=lambda _name, _stage: False,
    steps_of_truth=steps_of_truth,
    steps_of_events=steps_of_events,
    limits_turn="limit-turn",
    compare_moves=compare_moves,
    shown=("T14",),
    shown_deals=4,
    shown_seed=321,
    sights="error model",
    frames="whole faces",
    options_with={name: kind.options for name, kind in KINDS.items() if kind.options},
)
