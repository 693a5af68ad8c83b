"""End of a match to a target score: the totals of all deals decide (online rules)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hw.seats import LINES, Line
from table_service.games.burraco.rules.deal_parts import Manner
from table_service.games.burraco.rules.policies import MatchEnd


@dataclass(frozen=True, slots=True)
class MatchState:
    """After a deal: whether the match is over, who has won it, None where nobody has or it is drawn."""

    over: bool
    winner: Line | None = None
    drawn: bool = False


def match_state(rules: MatchEnd, totals: Mapping[Line, int | None], manner: Manner | None) -> MatchState | None:
    """Return how the match stands at ``totals`` when a deal has ended in ``manner``; None where a total is not known.

    It is over once a total has reached the target and the totals differ: the higher wins. Equal ones are played on, and
    so is every deal before. A deal ended by the stock with no total above zero makes it drawn.
    """
    first, second = (totals.get(line) for line in LINES)
    if first is None or second is None:
        return None
    if rules.target is not None and max(first, second) >= rules.target:
        if first == second:
            return MatchState(over=False)
        return MatchState(over=True, winner=LINES[0] if first > second else LINES[1])
    if manner == "stock" and rules.drawn_by_stock and max(first, second) <= 0:
        return MatchState(over=True, drawn=True)
    return MatchState(over=False)
