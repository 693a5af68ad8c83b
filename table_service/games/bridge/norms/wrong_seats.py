"""Teams that sat in the wrong places (norm 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table_service.games.bridge.norms.time_penalties import Stage

SHOWN: Final = (10, 10)
"""Both teams' victory points where the official sheets showed the right places."""
NOT_SHOWN: Final = (15, 15)
THIRD_OF_PAR: Final = 5
"""Victory points off both teams, of several sessions, where the sheets showed it (scale 25-0)."""

Replay = Literal["no", "yes", "annulled"]


@dataclass(frozen=True, slots=True)
class Seating:
    """What becomes of the match. ``victory_points``: of both teams, None where it counts as played.

    ``off``: victory points off both. ``replay``: whether the boards are played again; ``annulled``: they count nothing
    and are not. ``scale``: boards by which victory points are looked up, those that should have been played.
    """

    victory_points: tuple[int, int] | None = None
    off: int = 0
    replay: Replay = "no"
    scale: int | None = None


def wrong_seats(
    stage: Stage, *, sessions: int, session: int, shown: bool, boards: int, places_a_team: bool = False
) -> Seating:
    """Return what the norm says where session ``session`` of ``sessions`` (from 1) was played in wrong places.

    ``shown``: the right places stood on the official sheets. ``boards``: those that the match should have had.
    ``places_a_team``: it was the last round, and the points given would secure a place in the ranking.
    """
    if stage == "knock-out":
        return Seating(replay="annulled" if session == 1 else "yes")
    if sessions > 1:
        return Seating(off=THIRD_OF_PAR if shown else 0, scale=boards)
    if places_a_team:
        return Seating(replay="yes")
    return Seating(victory_points=SHOWN if shown else NOT_SHOWN)
