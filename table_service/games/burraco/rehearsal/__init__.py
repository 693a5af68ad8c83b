"""Burraco rehearsed: simulated players, the faults that they commit, what the code orders, the oracle's score."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from hw.twin.twin_table import DRAWN, DRAWN_FOR_TWO
from table_service.games.burraco.rehearsal.comparable_steps import steps_of_events, steps_of_truth
from table_service.games.burraco.rehearsal.customs import FEBURIT as FEBURIT_CUSTOMS
from table_service.games.burraco.rehearsal.customs import ONLINE as ONLINE_CUSTOMS
from table_service.games.burraco.rehearsal.director import STAGES, direct
from table_service.games.burraco.rehearsal.faults import KINDS
from table_service.games.burraco.rehearsal.faults_feburit import FEBURIT_KINDS, FEBURIT_REMEDIES
from table_service.games.burraco.rehearsal.faults_online import ONLINE_KINDS, ONLINE_REMEDIES
from table_service.games.burraco.rehearsal.habits import HABITS
from table_service.games.burraco.rehearsal.moves import compare_moves
from table_service.games.burraco.rehearsal.remedies import REMEDIES
from table_service.games.burraco.rehearsal.ruled import FEBURIT as FEBURIT_RULABLE
from table_service.games.burraco.rehearsal.ruled import ONLINE as ONLINE_RULABLE
from table_service.games.burraco.rehearsal.ruled import can_be_ruled
from table_service.rehearsal.game_rehearsal import GameRehearsal


def _options(deals: int) -> dict[str, Any]:
    return {"deals": deals, "screens": True, "event": "pairs", "keepers": {"NS": "N", "EW": "E"}}


FIBUR2024: Final = GameRehearsal(
    table=DRAWN,
    direct=direct,
    options=_options,
    kinds=KINDS,
    remedies=REMEDIES,
    habits=HABITS,
    stages=STAGES,
    can_be_ruled=lambda name, stage: can_be_ruled(KINDS[name], stage),
    steps_of_truth=steps_of_truth,
    steps_of_events=steps_of_events,
    limits_turn="limit-turn",
    compare_moves=compare_moves,
    shown=("F-31a", "F-24a"),
    shown_seed=36,
)


def _feburit_options(deals: int) -> dict[str, Any]:
    return {"deals": deals, "event": "pairs"}


FEBURIT: Final = GameRehearsal(
    table=DRAWN,
    direct=partial(direct, customs=FEBURIT_CUSTOMS, kinds=FEBURIT_KINDS),
    options=_feburit_options,
    kinds=FEBURIT_KINDS,
    remedies=FEBURIT_REMEDIES,
    habits=HABITS,
    stages=STAGES,
    can_be_ruled=lambda name, stage: can_be_ruled(FEBURIT_KINDS[name], stage, FEBURIT_RULABLE),
    steps_of_truth=steps_of_truth,
    steps_of_events=steps_of_events,
    limits_turn="limit-turn",
    compare_moves=compare_moves,
    shown=("B-14a", "B-10e"),
    shown_seed=17,
)
_TARGET: Final = 2005


def _online_options(deals: int) -> dict[str, Any]:
    return {"deals": deals, "event": "pairs", "target": _TARGET}


_ONLINE_STAGES: Final = ("mid", "closing", "stock")
"""A match has neither time nor stalemate."""


def _can_be_ruled_online(name: str, stage: str) -> bool:
    return can_be_ruled(ONLINE_KINDS[name], stage, ONLINE_RULABLE)


ONLINE: Final = GameRehearsal(
    table=DRAWN,
    direct=partial(direct, customs=ONLINE_CUSTOMS, kinds=ONLINE_KINDS),
    options=_online_options,
    kinds=ONLINE_KINDS,
    remedies=ONLINE_REMEDIES,
    habits=HABITS,
    stages=_ONLINE_STAGES,
    can_be_ruled=_can_be_ruled_online,
    steps_of_truth=steps_of_truth,
    steps_of_events=steps_of_events,
    limits_turn="limit-turn",
    compare_moves=compare_moves,
    shown=("O-20", "O-32"),
    shown_seed=7,
    of_two=GameRehearsal(
        table=DRAWN_FOR_TWO,
        direct=partial(direct, customs=ONLINE_CUSTOMS, kinds=ONLINE_KINDS, table=DRAWN_FOR_TWO),
        options=_online_options,
        kinds=ONLINE_KINDS,
        remedies=ONLINE_REMEDIES,
        habits=HABITS,
        stages=_ONLINE_STAGES,
        can_be_ruled=_can_be_ruled_online,
        steps_of_truth=steps_of_truth,
        steps_of_events=steps_of_events,
        limits_turn="limit-turn",
        compare_moves=compare_moves,
    ),
)
