"""Faults at a table of tarocco: when each can be committed, and how the Giudice rules on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hw.seats import ANTICLOCKWISE, Seat
from hw.twin.gestures import ConsoleGesture, Press
from table_service.games.tarocco.rehearsal.table_deal import TableDeal


class TrickMoment(StrEnum):
    """Moment of committing a fault."""

    DEALT = "dealt"
    """The cards are dealt, nobody has discarded; committing has them dealt anew."""
    SCARTO = "scarto"
    """The dealer is about to discard; committing makes the scarto."""
    TURN = "turn"
    """The seat is about to play; committing leaves it to play, or has played for it."""
    END = "end"
    """All tricks are gathered, nothing is counted."""


@dataclass(frozen=True, slots=True)
class TrickFaultKind:
    """Way of committing a row, with its moment and tricks. ``told`` False: nothing has to be reported."""

    row: str
    moment: TrickMoment
    commit: Callable[[TableDeal, Seat], bool]
    tricks: tuple[int, int] = (1, 12)
    told: bool = True
    way: str = ""
    misdeals: tuple[str, ...] = ()
    """The rows by which the cards are dealt anew, one after the other, while they are dealt."""
    loses: bool = False
    """Whether the dealer has lost the scarto by then."""
    misdealt: bool = False
    """Whether a hand is dealt a card too few and another one too many, and nobody counts them."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of the table under which it is staged."""

    @property
    def name(self) -> str:
        """Name of the kind on a command line."""
        return f"{self.row}:{self.way}" if self.way else self.row


@dataclass(frozen=True, slots=True)
class TrickFault:
    """A fault that is to happen from trick ``number`` on."""

    kind: TrickFaultKind
    number: int

    def is_due(self, moment: TrickMoment, deal: TableDeal) -> bool:
        """Return True if it may happen now."""
        return moment is self.kind.moment and (moment is not TrickMoment.TURN or deal.play.number >= self.number)


def rules(deal: TableDeal, row: str, seat: Seat, **fields: object) -> None:
    """Have an opponent call the Giudice, who comes and rules."""
    script, rng = deal.script, deal.rng
    script.wait(rng.uniform(1.0, 3.0))
    script.do(Press(ANTICLOCKWISE.next(seat), "referee"), deal.act("call", seat))
    script.wait(rng.uniform(5.0, 9.0))
    what = {"row": row, "seat": str(seat), **fields}
    script.do(ConsoleGesture("rule", fields=what), deal.act("ruled", seat, row=row))
