"""Winner of a match: Quattro Scartate, four deals, and Ottocento, to eight hundred (tournament rules)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hw.seats import LINES, Line

Form = Literal["quattro-scartate", "ottocento"]
DEALS: Final = 4
"""Deals of a Quattro Scartate: each player deals once."""
TARGET: Final = 800
"""Points that end an Ottocento."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal of a match: the points of each line, and who has the Begato in its pile (None: unknown)."""

    points: Mapping[Line, int | None]
    begato: Line | None = None

    @property
    def winner(self) -> Line | None:
        """The line with more points; None where they are equal or not known."""
        return _more({line: self.points[line] for line in LINES})


DecidedBy = Literal["points", "deals-won", "begati", "called-out", "wrong-call", "new-match", "unknown"]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The ``winner`` of a match, None where there is none yet, and what decided it."""

    winner: Line | None
    by: DecidedBy


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match. ``lost_by``: the line that has called itself out wrongly; its points are gone."""

    form: Form
    deals: tuple[DealResult, ...] = ()
    lost_by: Line | None = None
    called_out: Line | None = None
    """The line that has rightly called itself out (Ottocento)."""

    def total(self, line: Line) -> int | None:
        """Return the points of ``line`` in all deals; None if a deal's are not known."""
        if line is self.lost_by:
            return 0
        points = [deal.points[line] for deal in self.deals]
        known = [value for value in points if value is not None]
        return sum(known) if len(known) == len(points) else None

    def deals_won(self, line: Line) -> int:
        """Deals in which ``line`` has counted more."""
        return sum(deal.winner is line for deal in self.deals)

    def begati(self, line: Line) -> int | None:
        """Begati that ``line`` has captured; None where that of a deal is not known."""
        if any(deal.begato is None for deal in self.deals):
            return None
        return sum(deal.begato is line for deal in self.deals)

    @property
    def is_over(self) -> bool | None:
        """True if no further deal is played; None where it depends on points that nobody knows."""
        if self.lost_by is not None or self.called_out is not None:
            return True
        if self.form == "quattro-scartate":
            return len(self.deals) >= DEALS
        totals = [self.total(line) for line in LINES]
        if any(total is not None and total >= TARGET for total in totals):
            return True
        return None if None in totals else False

    def result(self) -> MatchResult:
        """Return who has won, and by what: points, deals won, Begati; a tie in all of them asks for a new match."""
        if self.called_out is not None:
            return MatchResult(self.called_out, "called-out")
        if self.lost_by is not None:
            return MatchResult(next(line for line in LINES if line is not self.lost_by), "wrong-call")
        for by, values in _TIE_BREAKS:
            told = {line: values(self, line) for line in LINES}
            if None in told.values():
                return MatchResult(None, "unknown")
            winner = _more(told)
            if winner is not None:
                return MatchResult(winner, by)
        return MatchResult(None, "new-match")


_TIE_BREAKS: Final[tuple[tuple[DecidedBy, Callable[[Match, Line], int | None]], ...]] = (
    ("points", Match.total),
    ("deals-won", Match.deals_won),
    ("begati", Match.begati),
)


def _more(values: Mapping[Line, int | None]) -> Line | None:
    first, second = (values[line] for line in LINES)
    if first is None or second is None or first == second:
        return None
    return LINES[0] if first > second else LINES[1]
