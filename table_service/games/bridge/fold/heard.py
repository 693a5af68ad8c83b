"""Declarations, buttons and rulings of a board, as acts beside those that sensors show."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat
from table_service.games.bridge.reading.acts import Act


@dataclass(frozen=True, slots=True)
class Attention:
    """Somebody has called the arbitro."""

    t: float


@dataclass(frozen=True, slots=True)
class ResultStated:
    """``tricks`` of declarer's side were stated by a player of the table, or by the arbitro, whose word holds."""

    t: float
    tricks: int
    by_arbitro: bool = False


@dataclass(frozen=True, slots=True)
class Agreed:
    """``seat`` has pressed that it agrees with the result."""

    t: float
    seat: Seat


@dataclass(frozen=True, slots=True)
class ClaimStated:
    """``seat`` has claimed or conceded, as a person has entered it."""

    t: float
    seat: Seat


@dataclass(frozen=True, slots=True)
class Ruled:
    """The arbitro has ruled ``row`` against ``seat``, by ``option`` where the row leaves a choice."""

    t: float
    row: str
    seat: Seat | None
    option: str | None


@dataclass(frozen=True, slots=True)
class PenaltyCardsSet:
    """The arbitro says which ``cards`` of ``seat`` are penalty cards; all others are none any more."""

    t: float
    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrickCorrected:
    """The arbitro says that ``seat`` gave ``card`` to trick ``number``, or gives it now where it gave none."""

    t: float
    number: int
    seat: Seat
    card: str


FoldAct = Act | Attention | ResultStated | Agreed | ClaimStated | Ruled | PenaltyCardsSet | TrickCorrected
