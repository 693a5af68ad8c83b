"""Effects of a ruling on the result of a round, as data: match points, victory points, warnings; a deal stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

ShareDo = Literal[
    "warn", "bonus", "win", "better", "lose", "seven", "zero", "nothing", "absent", "cap", "swap", "points", "assign"
]
"""Award of a line.

``warn`` a warning; ``bonus`` match points on the score sheet;
``win`` and ``lose`` the result by default of the code; ``better`` the same win, or what the line has acquired in play
if that is more; ``seven`` the code's ``assigned_vp``; ``zero`` no victory points; ``nothing`` neither victory nor
match points; ``absent`` there is no such pair at the table; ``cap`` its own victory points, but ``assigned_vp`` at the
most; ``swap`` what the other line has; ``points`` a bonus that the ruling names; ``assign`` what the arbitro names
(``vp``, ``mp``)."""


@dataclass(frozen=True, slots=True)
class Share:
    """Award of one line. ``points``: match points of a ``bonus``, if the row states them."""

    do: ShareDo
    points: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Awards of a ruling to the line that it is against, and to the other.

    ``option``: required choice; None: always. ``upto``: minutes within which it applies; of several the first that
    fits. ``stops``: it ends the deal that runs, in its present state.
    """

    offender: tuple[Share, ...] = ()
    other: tuple[Share, ...] = ()
    option: str | None = None
    upto: float = inf
    stops: Literal["stalemate", "stopped"] | None = None


WarningCount = Literal["every-second", "each-after-first"]
"""Warnings that cost a victory point: the code leaves open what the third does."""


@dataclass(frozen=True, slots=True)
class TournamentRules:
    """Figures of a code about rounds.

    ``defaults``: victory points and match points won by default, by the number of deals in the round, 0 for teams; a
    round that is not among them has none. ``warning_count``: unless the announcement of the tournament says otherwise.
    ``call_at``: the lead in match points at which the arbitro must be called, if that was announced, and the row
    ``call_row`` for the players who do not. ``unranked``: rows whose warnings cost nothing in the ranking, as they cost
    match points if they are repeated. ``total_vp``: the victory points of both lines together; ``assigned_vp``: those
    of a result that is assigned to both lines alike, or capped; None if the code states none.
    """

    defaults: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    warning_count: WarningCount = "every-second"
    call_at: int | None = None
    call_row: str | None = None
    unranked: frozenset[str] = frozenset()
    total_vp: int | None = None
    assigned_vp: int | None = None

    def default(self, deals: int | None, *, teams: bool) -> tuple[int, int] | None:
        """Victory points and match points of a win by default; None if the code states none for such a round."""
        return self.defaults.get(0 if teams else deals or -1)


__all__ = ["Outcome", "Share", "ShareDo", "TournamentRules", "WarningCount"]
