"""The public table of a deal of tarocco: nothing in it that did not lie face up for all to see."""

from __future__ import annotations

from typing import Any

from hw.seats import ANTICLOCKWISE, LINES, SEATS, Seat
from table_service.games.tarocco.fold.course import Course
from table_service.games.tarocco.rules.piles import last_trick


def deal_state(number: int, dealer: Seat, course: Course, turn: int | None, *, announced: bool) -> dict[str, Any]:
    """Return what anybody may know. ``announced``: the scarto was made, or play has begun."""
    deal = course.deal
    play = deal.play
    won = play.tricks_of({seat: ANTICLOCKWISE.line(seat) for seat in SEATS})
    taker = last_trick(deal)
    return {
        "game": "tarocco",
        "deal": number,
        "dealer": str(dealer),
        "scartatore": str(deal.scartatore),
        "phase": _phase(course, announced=announced),
        "turn": {"n": turn, "seat": None if course.is_over or play.turn is None else str(play.turn)},
        "hands": {str(seat): deal.hands.left.get(seat) for seat in SEATS},
        "scarto": None if deal.scarto is None else len(deal.scarto),
        "trick": {
            "n": min(play.number, 15),
            "cards": [{"seat": str(seat), "card": card} for seat, card in play.open.plays],
        },
        "last_trick": _last_trick(course),
        "tricks": {str(line): won.get(line) for line in LINES},
        "last_to": None if taker is None else str(taker),
        "accusi": [{"seat": str(one.seat), "cards": list(one.cards), "late": one.late} for one in deal.accusi],
        "claims": [{"seat": str(one.seat), "cards": list(one.cards)} for one in deal.claims],
    }


def _phase(course: Course, *, announced: bool) -> str:
    if course.is_over:
        return "over"
    if course.deal.has_begun:
        return "playing"
    return "scarto" if announced else "dealt"


def _last_trick(course: Course) -> dict[str, Any] | None:
    """Return the trick that was gathered last, as everybody saw it."""
    taken = course.deal.play.taken
    if not taken:
        return None
    last = taken[-1]
    return {
        "n": last.number,
        "cards": [{"seat": str(seat), "card": card} for seat, card in last.trick.plays],
        "winner": None if last.by is None else str(last.by),
    }
