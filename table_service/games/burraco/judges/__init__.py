"""Faults shown by an action, a module for a group of kinds. Pure functions of the deal around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.judges import (
    after_gap,
    closing,
    exposure,
    ghosts,
    melds,
    pack,
    pot,
    taking,
    turn,
    unseen,
)
from table_service.games.burraco.judges.facts import SURE, Facts
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Phase
from table_service.games.burraco.rules.sensing_gap import met_by
from table_service.referee.values import Irregularity

Judge = Callable[[Facts], list[Irregularity]]

JUDGES: Final[tuple[Judge, ...]] = (
    pack.judge,
    turn.judge,
    melds.judge,
    ghosts.judge,
    taking.judge,
    closing.judge,
    pot.judge,
    exposure.judge,
)
"""Asked in this order; each answers for its kinds only."""
_INSTEAD_OF: Final[Mapping[str, tuple[FaultKind, ...]]] = {
    FaultKind.WILD_LEFT_BY_FROZEN_MELD: (FaultKind.CLOSED_WITHOUT_BURRACO, FaultKind.CLOSED_WITH_WILD),
    FaultKind.DRAWN_WITH_POT_IN_FLIGHT: (FaultKind.TWO_DRAWN_AT_ONCE, FaultKind.DRAWN_AGAIN),
    FaultKind.COLLECTED_WITH_POT_IN_FLIGHT: (FaultKind.TWO_DRAWN_AT_ONCE, FaultKind.DRAWN_AGAIN),
}
"""A kind that says more exactly what others would say of the same act."""


def judge_action(facts: Facts) -> list[Irregularity]:
    """Return the irregularities that the action shows, or that it makes another of; those with a key were open before.

    After a gap in sensing only those that are none of turns (``after_gap``), until a whole turn has been seen or it
    shows that nothing was done in the gap.
    """
    action = facts.action
    unsure = action.confidence < SURE and not isinstance(action, act.Uncover)
    if met_by(facts.before, action.committed_t).clouded:
        return after_gap.judge(facts)
    if facts.before.phase is Phase.OVER:
        return pot.judge_after_the_end(facts)
    if unsure or action.supposed:
        return unseen.judge(facts)
    found = [one for judge in JUDGES for one in judge(facts)]
    taken = {kind for one in found for kind in _INSTEAD_OF.get(one.kind, ())}
    return [one for one in found if one.kind not in taken]


__all__ = ["JUDGES", "Facts", "Judge", "judge_action"]
