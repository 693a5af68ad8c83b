"""Bridge rehearsed: four simulated players behind screens, the faults that they commit, the true score."""

from __future__ import annotations

from typing import Any, Final

from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import SEATS
from hw.twin.twin_table import BUTTONS, TableKind
from table_service.games.bridge.rehearsal.comparable_steps import compare_moves, steps_of_events, steps_of_truth
from table_service.games.bridge.rehearsal.director import HABITS, direct
from table_service.games.bridge.rehearsal.faults import KINDS
from table_service.games.bridge.rehearsal.real_boards import direct_real
from table_service.games.bridge.rehearsal.remedies import REMEDIES
from table_service.rehearsal.game_rehearsal import GameRehearsal

SCREENED: Final = TableKind(
    BRIDGE_TABLE,
    BRIDGE_LAYOUT,
    beside=(
        *BRIDGE_TABLE.beside,
        *(f"button:{seat}:{name}" for seat in SEATS for name in BUTTONS),
        *(f"knock:{seat}" for seat in SEATS),
    ),
)
"""A table with screens."""


def _options(deals: int) -> dict[str, Any]:
    return {"deals": deals}


SCREENS: Final = GameRehearsal(
    table=SCREENED,
    direct=direct,
    direct_real=direct_real,
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
    shown=("FIGB-7", "law-61"),
    shown_deals=2,
    shown_seed=398,
    sights="error model",
    frames="error model",
)
