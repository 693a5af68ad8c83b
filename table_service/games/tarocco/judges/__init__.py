"""Certain faults of a deal as it was sensed: charges, one a fault.

``charges`` gathers those of every judge; each looks at the course of the deal alone and keeps nothing.
"""

from __future__ import annotations

from table_service.games.tarocco.judges.before_play import accusi, scarto, turned_up
from table_service.games.tarocco.judges.charge import Charge, Watched
from table_service.games.tarocco.judges.in_play import (
    called_out,
    claims,
    numbers,
    out_of_turn,
    pauses,
    revokes,
    shown,
    signals,
    signals_by_others,
)

_JUDGES = (
    turned_up,
    scarto,
    accusi,
    signals,
    signals_by_others,
    pauses,
    shown,
    revokes,
    claims,
    out_of_turn,
    numbers,
    called_out,
)


def charges(watched: Watched) -> tuple[Charge, ...]:
    """Everything that is certain by now, in a fixed order."""
    return tuple(one for judge in _JUDGES for one in judge(watched))


__all__ = ["Charge", "Watched", "charges"]
