"""The auction: calls in any order are taken; which are lawful and what comes of them is asked apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.rules.contract import BIDS, Contract, Doubling, is_higher

NO_BID: Final = "P"
"""A pass."""
DOUBLE: Final = "X"
REDOUBLE: Final = "XX"
CALLS: Final = (NO_BID, DOUBLE, REDOUBLE, *BIDS)


class CallFault(StrEnum):
    """Fault of a call."""

    UNREADABLE = "unreadable"
    OUT_OF_TURN = "out-of-turn"  # laws 29 to 32
    INSUFFICIENT = "insufficient"  # law 27
    INADMISSIBLE = "inadmissible"  # a double or redouble that law 19 does not allow (law 36)
    AFTER_THE_END = "after-the-end"  # law 39
    SILENCED = "must-pass"  # an action by who must pass by a ruling (law 37)


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls of a board so far, each with who made it.

    ``bid``, ``bidder``, ``doubled``: the last bid that stands; ``passes``: in a row since the last other call.

    >>> auction = Auction(Seat.NORTH)
    >>> for seat, call in zip(CLOCKWISE.seats, ("1H", "P", "4H", "X"), strict=True):
    ...     auction = auction.called(seat, call)
    >>> auction.turn, auction.faults(Seat.NORTH, "3S")
    (<Seat.NORTH: 'N'>, (<CallFault.INSUFFICIENT: 'insufficient'>,))
    """

    dealer: Seat
    calls: tuple[tuple[Seat, str], ...] = ()
    bid: str | None = None
    bidder: Seat | None = None
    doubled: Doubling = ""
    passes: int = 0

    @property
    def turn(self) -> Seat | None:
        """Seat that is to call; None after the end. After a call out of turn: the seat after its maker."""
        if self.is_over:
            return None
        return CLOCKWISE.next(self.calls[-1][0]) if self.calls else self.dealer

    @property
    def is_over(self) -> bool:
        """True if three passes follow a bid, or all four have passed (law 22)."""
        return self.passes >= (4 if self.bid is None else 3)

    def faults(self, seat: Seat, call: str) -> tuple[CallFault, ...]:
        """Everything that is wrong with ``call`` by ``seat`` now; empty where it is lawful."""
        if call not in CALLS:
            return (CallFault.UNREADABLE,)
        found = []
        if self.is_over:
            found.append(CallFault.AFTER_THE_END)
        elif seat is not self.turn:
            found.append(CallFault.OUT_OF_TURN)
        if call in BIDS and not is_higher(call, self.bid):
            found.append(CallFault.INSUFFICIENT)
        if call in (DOUBLE, REDOUBLE) and not self._may_double(seat, call):
            found.append(CallFault.INADMISSIBLE)
        return tuple(found)

    def _may_double(self, seat: Seat, call: str) -> bool:
        """Law 19: a double of an opponent's undoubled bid, a redouble of an own bid that was doubled."""
        if self.bidder is None:
            return False
        if call == DOUBLE:
            return self.bidder.line is not seat.line and self.doubled == ""
        return self.bidder.line is seat.line and self.doubled == "X"

    def lawful(self, seat: Seat) -> tuple[str, ...]:
        """Every call that ``seat`` may make now."""
        return tuple(call for call in CALLS if not self.faults(seat, call))

    def called(self, seat: Seat, call: str) -> Auction:
        """Return the auction after ``call``, lawful or not; one that cannot be read is kept and changes nothing."""
        calls = (*self.calls, (seat, call))
        if call == NO_BID:
            return Auction(self.dealer, calls, self.bid, self.bidder, self.doubled, self.passes + 1)
        if call in BIDS:
            return Auction(self.dealer, calls, call, seat)
        if call in (DOUBLE, REDOUBLE):
            return Auction(self.dealer, calls, self.bid, self.bidder, "X" if call == DOUBLE else "XX")
        return Auction(self.dealer, calls, self.bid, self.bidder, self.doubled, self.passes)

    def contract(self) -> Contract | None:
        """Return the contract once the auction is over; None before, and if all have passed (law 22).

        The declarer is who of the side that bid last was the first to name its strain.
        """
        if not self.is_over or self.bid is None or self.bidder is None:
            return None
        line, strain = self.bidder.line, self.bid[1]
        declarer = next(seat for seat, call in self.calls if seat.line is line and call in BIDS and call[1] == strain)
        return Contract(self.bid, declarer, self.doubled)
