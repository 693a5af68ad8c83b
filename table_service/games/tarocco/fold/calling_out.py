"""Calling out (chiamarsi fuori, Ottocento): who may do so when, with which points, and whether a call stands.

The order is the text's: the scartatore on his first fifteen cards, then, each at his own turn, who leads first, the
scartatore's partner, and the leader's partner, who may add what the leader has shown. The scartatore who has taken the
last two cards may not add his combinations to his partner's; of a call on his own alone the text says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hw.cards import UNKNOWN
from hw.seats import ANTICLOCKWISE, Line, Seat
from table_service.games.tarocco.fold.course import SURE, Course, Laid
from table_service.games.tarocco.rules.match import TARGET
from table_service.games.tarocco.rules.score import accuso_points

Order = Literal["in-order", "out-of-order", "unstated", "unknown"]
SHOWS_S: Final = 4.0
"""So long after a call, and after the cards that were shown last, more may be shown on which it rests."""
ENTERED_S: Final = 15.0
"""A person may enter so much later what was said: a card that the caller laid meanwhile does not make it late."""


@dataclass(frozen=True, slots=True)
class CallingOut:
    """``seat`` has called itself out at ``t``; ``order``: whether it was that player's moment.

    ``unstated``: the scartatore's, who has taken the last two cards.
    """

    seat: Seat
    t: float
    order: Order


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """``points``: what the line has with what was shown, None: not known. ``valid`` None: nobody can say yet.

    ``jury``: the text leaves it open, so that the Giuria must say.
    """

    points: int | None
    valid: bool | None
    jury: bool = False


def called(course: Course, dealer: Seat, seat: Seat, t: float) -> CallingOut:
    """Return the call of ``seat`` as the deal stands."""
    return CallingOut(seat, t, _order(course, dealer, seat, t))


def _was_over(mine: Laid, t: float) -> bool:
    """Return True if the caller's moment was over, however late the call was entered."""
    return mine.move.committed_t < t - ENTERED_S


def _order(course: Course, dealer: Seat, seat: Seat, t: float) -> Order:
    deal = course.deal
    if deal.has_played(seat):
        mine = next((one for one in course.laid if one.seat is seat), None)
        return "out-of-order" if mine is not None and mine.is_sure and _was_over(mine, t) else "unknown"
    if deal.has_begun:
        return _in_trick(course, seat)
    if deal.scarto and seat is deal.scartatore:
        return "unstated"
    due = ANTICLOCKWISE.next(dealer) if deal.scarto else deal.scartatore
    return "in-order" if seat is due else "unknown"


def _in_trick(course: Course, seat: Seat) -> Order:
    """Return the order of the call in the open first trick; for the scartatore's last two cards the text is silent."""
    seen = all(one.is_sure and one.card != UNKNOWN for one in course.laid) and not course.gathered
    if seat is course.deal.scartatore:
        return "unstated"
    if not seen:
        return "unknown"
    return "in-order" if course.deal.play.turn is seat else "out-of-order"


def verdict(call: CallingOut, course: Course, dealer: Seat, totals: Mapping[Line, int | None], t: float) -> CallVerdict:
    """Return what becomes of ``call`` by log time ``t``: a call is never wrong by cards that nobody has seen."""
    before = totals[call.seat.line]
    shown = _shown(course, call.seat, ANTICLOCKWISE.next(dealer))
    least = None if before is None else before + sum(map(_least, shown))
    points = None if any(UNKNOWN in cards for cards in shown) else least
    if call.order == "out-of-order":
        return CallVerdict(points, valid=False)
    if call.order == "unknown" or least is None:
        return CallVerdict(points, valid=None)
    if least >= TARGET:
        is_stated = call.order == "in-order"
        return CallVerdict(points, valid=True if is_stated else None, jury=not is_stated)
    own = call.seat in {one.seat for one in course.deal.accusi} | {one.seat for one in course.shown}
    short = points is not None and own and _shows_no_more(course, call, t)
    return CallVerdict(points, valid=False if short else None)


def _shows_no_more(course: Course, call: CallingOut, t: float) -> bool:
    """Return True if the caller's cards were read well, and no further ones have come for a while."""
    moves = [one.move for one in course.shown if one.seat is call.seat]
    shown = max((one.committed_t for one in moves), default=call.t)
    return all(one.confidence >= SURE for one in moves) and t >= max(call.t, shown) + SHOWS_S


def _least(cards: tuple[str, ...]) -> int:
    """Return what the cards that are known count at least."""
    return accuso_points([card for card in cards if card != UNKNOWN])


def _shown(course: Course, seat: Seat, first: Seat) -> list[tuple[str, ...]]:
    """Return the combinations that ``seat`` may count: its own, and for ``first``'s partner also the leader's."""
    seats = {seat, first} if seat is ANTICLOCKWISE.after(first, 2) else {seat}
    shown = [one.cards for one in course.deal.accusi if one.seat in seats and not one.late]
    lying = [one.cards for one in course.shown if one.what == "lying" and one.seat in seats and not one.late]
    return shown + lying
