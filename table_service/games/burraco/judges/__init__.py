"""Which irregularities an action shows, a module for a group of articles. Pure functions of the deal around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from table_service.games.burraco.judges import closing, exposure, ghosts, melds, pack, pot, taking, turn, unseen
from table_service.games.burraco.judges.facts import SURE, Facts
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Phase
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Irregularity

Judge = Callable[[Catalogue, Facts], list[Irregularity]]

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
"""Asked in this order; each answers for its articles only."""
_INSTEAD_OF: Final = {"F-27d": ("F-33", "F-34"), "F-31f": ("F-08a",)}
"""A row that says more exactly what others would say of the same act."""


def judge_action(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """The irregularities that the action shows, or that it makes another of; those with a key were open before.

    None after a gap in sensing, until a whole turn has been seen: what was before it nobody knows.
    """
    action = facts.action
    unsure = action.confidence < SURE and not isinstance(action, act.Uncover)
    if facts.before.phase is Phase.OVER or facts.before.clouded:
        return []
    if unsure or action.supposed:
        return unseen.judge(catalogue, facts)
    found = [one for judge in JUDGES for one in judge(catalogue, facts)]
    taken = {row for one in found for row in _INSTEAD_OF.get(one.row.id, ())}
    return [one for one in found if one.row.id not in taken]


__all__ = ["JUDGES", "Facts", "Judge", "judge_action"]
