"""The calls on the tray in the order in which they stand for, who passed it when, and what was changed before.

Any physical order is taken: a call is where its card lies. Nothing here raises on what players do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.judges.sides import Side, side_of
from table_service.games.bridge.rules.auction import NO_BID, Auction, CallFault

TOGETHER_S: Final = 0.4
"""Two calls within so many seconds were made at once (law 33): the one out of turn counts as the later."""


@dataclass(frozen=True, slots=True)
class Passing:
    """The tray goes to the side ``to``; ``by`` None: no sensor names the hand."""

    t: float
    by: Seat | None
    to: Side


@dataclass(frozen=True, slots=True)
class TrayCall:
    """A call whose card lies on the tray, and how it was passed to the other side; None while it was not."""

    seat: Seat
    call: str
    t: float
    passed: Passing | None = None


@dataclass(frozen=True, slots=True)
class Faulty:
    """A call with something wrong in it. ``due``: whose turn it was. ``over``: the bid that stood then.

    ``called_over``: the opponent on the same side has called after it, and before the tray was passed.
    ``answered``: who plays next for the other side has called after it was passed, and so has accepted it.
    """

    seat: Seat
    call: str
    t: float
    faults: tuple[CallFault, ...]
    due: Seat | None
    over: str | None
    passed: Passing | None
    called_over: bool
    answered: bool


@dataclass(frozen=True, slots=True)
class CallChange:
    """``seat`` took ``old`` from the tray and made ``new`` instead (None: nothing yet). ``fault``: what was wrong.

    ``passed``: it had been passed to the other side by then.
    """

    seat: Seat
    old: str
    new: str | None
    t: float
    fault: Faulty | None
    passed: bool


@dataclass(frozen=True, slots=True)
class TrayAuction:
    """The auction of a board as its cards lie. ``silent``: since when players must pass by a ruling (law 37)."""

    dealer: Seat
    calls: tuple[TrayCall, ...] = ()
    passings: tuple[Passing, ...] = ()
    changes: tuple[CallChange, ...] = ()
    silent: Mapping[Seat, float] = field(default_factory=dict)
    _places: Mapping[Seat, int] = field(default_factory=dict)

    def called(self, seat: Seat, call: str, t: float) -> TrayAuction:
        """``seat`` makes ``call``; after taking one back it stands in the old one's place."""
        lying = TrayCall(seat, call, t)
        place = self._places.get(seat)
        if place is not None:
            calls = (*self.calls[:place], lying, *self.calls[place:])
            places = {who: at + (at > place) for who, at in self._places.items() if who is not seat}
            changes = tuple(
                replace(one, new=call) if one.seat is seat and one.new is None else one for one in self.changes
            )
            return replace(self, calls=calls, changes=changes, _places=places)
        if self._is_simultaneous(seat, t):
            return replace(self, calls=(*self.calls[:-1], lying, self.calls[-1]))
        return replace(self, calls=(*self.calls, lying))

    def _is_simultaneous(self, seat: Seat, t: float) -> bool:
        """Return True if the last call came with this one, and this one alone was in turn (law 33)."""
        if not self.calls:
            return False
        last = self.calls[-1]
        before = _auction(self.dealer, self.calls[:-1]).turn
        return t - last.t <= TOGETHER_S and last.passed is None and last.seat is not before and seat is before

    def withdrawn(self, seat: Seat, call: str, t: float) -> TrayAuction:
        """``seat`` takes its last ``call`` from the tray; nothing changes where none lies there."""
        place = next((n for n in reversed(range(len(self.calls))) if _is(self.calls[n], seat, call)), None)
        if place is None:
            return self
        fault = next((one for one in self.faulty() if (one.seat, one.call, one.t) == _key(self.calls[place])), None)
        change = CallChange(seat, call, None, t, fault, self.calls[place].passed is not None)
        places = {who: at - (at > place) for who, at in self._places.items()}
        return replace(
            self,
            calls=(*self.calls[:place], *self.calls[place + 1 :]),
            changes=(*self.changes, change),
            _places={**places, seat: place},
        )

    def pushed(self, by: Seat | None, to: Side, t: float) -> TrayAuction:
        """Pass the tray to the side ``to`` with what lies on it; a place that was left empty is closed."""
        passing = Passing(t, by, to)
        calls = tuple(
            replace(one, passed=passing) if one.passed is None and side_of(one.seat) != to else one
            for one in self.calls
        )
        return replace(self, calls=calls, passings=(*self.passings, passing), _places={})

    def silenced(self, seat: Seat, t: float) -> TrayAuction:
        """``seat`` must pass from ``t`` on; what it has called before is no fault."""
        return replace(self, silent={seat: t, **self.silent})

    def nth(self, one: TrayCall) -> int:
        """Return which of its seat's calls of that name ``one`` is, from 1."""
        same = [it for it in self.calls if (it.seat, it.call) == (one.seat, one.call)]
        return 1 + next((n for n, it in enumerate(same) if it.t == one.t), len(same))

    @property
    def auction(self) -> Auction:
        """The auction that the calls make."""
        return _auction(self.dealer, self.calls)

    @property
    def lawful_part(self) -> Auction:
        """The auction as far as its end: what is called after that is no part of it (law 39)."""
        auction = Auction(self.dealer)
        for one in self.calls:
            if auction.is_over:
                break
            auction = auction.called(one.seat, one.call)
        return auction

    def faulty(self) -> tuple[Faulty, ...]:
        """Every call that lies there and has something wrong in it, in order."""
        found = []
        auction = Auction(self.dealer)
        for place, one in enumerate(self.calls):
            faults = auction.faults(one.seat, one.call)
            if one.t > self.silent.get(one.seat, math.inf) and one.call != NO_BID:
                faults = (*faults, CallFault.SILENCED)
            if faults:
                found.append(self._fault(place, faults, auction))
            auction = auction.called(one.seat, one.call)
        return tuple(found)

    def _fault(self, place: int, faults: tuple[CallFault, ...], auction: Auction) -> Faulty:
        one, later = self.calls[place], self.calls[place + 1 :]
        passed_t = one.passed.t if one.passed is not None else None
        over = any(
            side_of(other.seat) == side_of(one.seat)
            and other.seat.line is not one.seat.line
            and (passed_t is None or other.t <= passed_t)
            for other in later
        )
        next_ = CLOCKWISE.next(one.seat)
        answered = passed_t is not None and any(other.seat is next_ and other.t > passed_t for other in later)
        return Faulty(one.seat, one.call, one.t, faults, auction.turn, auction.bid, one.passed, over, answered)


def _auction(dealer: Seat, calls: tuple[TrayCall, ...]) -> Auction:
    auction = Auction(dealer)
    for one in calls:
        auction = auction.called(one.seat, one.call)
    return auction


def _is(lying: TrayCall, seat: Seat, call: str) -> bool:
    return lying.seat is seat and lying.call == call


def _key(lying: TrayCall) -> tuple[Seat, str, float]:
    return lying.seat, lying.call, lying.t
