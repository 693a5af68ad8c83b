"""Evidence of gates, places and single pictures that is better than the seat a movement was credited to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.observations import Sight
from hw.seats import Seat
from hw.zones import hand, zone_seat
from table_service.games.tarocco.fold.course import PROMPT_S, SIDES, SURE, TRICK, Course
from table_service.games.tarocco.rules.card_points import ALIKE
from table_service.tracking.movements import Movement

CROSSED_S: Final = 3.0
"""A card comes to rest so soon after its player's gate has read it."""
READ_AND_SEEN: Final = 0.98
"""How sure a card is that both its player's gate and pictures have named."""
UNSURE: Final = 0.9
"""How sure at most a movement is that sensors tell of two seats."""


def seen_in_trick(sight: Sight) -> Iterator[tuple[Seat, str]]:
    """Yield the cards that ``sight`` surely shows in the trick, each with its place's seat: the side of the centre.

    Of the look-alike Mori no picture tells which it is.
    """
    for one in sight.cards:
        card = face(one.card)
        if one.zone == TRICK and card not in ALIKE and card != UNKNOWN and one.confidence >= SURE:
            if abs(one.x) > abs(one.y):
                yield (Seat.EAST if one.x > 0 else Seat.WEST), card
            else:
                yield (Seat.NORTH if one.y > 0 else Seat.SOUTH), card


def as_witnessed(course: Course, move: Movement) -> Movement:
    """``move`` by what its card and its place tell better than the hand that it was given to.

    A card that its player's gate has read only after that hand was laid by a later one; where his beam has missed the
    hand, his gate says when he laid what pictures show. What comes to lie at a seat's
    side is that player's, when pictures first showed it: his beam has missed him, so that it accuses nobody.
    """
    owner = zone_seat(move.target or "") if move.target in SIDES else None
    if owner is not None and move.seat not in (None, owner):
        seen = max(move.committed_t, move.t - PROMPT_S)
        return replace(move, seat=owner, source=hand(owner), committed_t=seen, confidence=min(move.confidence, UNSURE))
    if move.target != TRICK or move.seat is None or len(move.cards) != 1:
        return move
    return _dated_by_its_gate(course, move)


def _dated_by_its_gate(course: Course, move: Movement) -> Movement:
    """``move``, one card to the trick, at the time at which its player's gate read that card."""
    read = [one.committed_t for one in course.read if (one.seat, one.card) == (move.seat, face(move.cards[0]))]
    if "reach" not in move.basis and read and read[-1] <= move.t:
        sure = max(move.confidence, READ_AND_SEEN)
        return replace(move, committed_t=read[-1], confidence=sure, basis=(*move.basis, "tags"))
    if any(move.committed_t - CROSSED_S <= t <= move.committed_t for t in read):
        return move
    later = [t for t in read if move.committed_t < t <= move.t]
    return replace(move, committed_t=later[0]) if later else move
