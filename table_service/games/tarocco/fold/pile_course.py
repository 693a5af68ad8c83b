"""Evidence of piles and scarto on a deal: tricks that came there, the Matto, the count.

Each step gives a new course.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from hw.cards import TAROCCO, face
from hw.seats import Line, Seat
from hw.zones import SCARTO, zone_line, zone_seat
from table_service.games.tarocco.fold.course import SEATS_OF_A_TRICK, SURE, Course, Gathered
from table_service.games.tarocco.fold.trick_course import gather, lay, put_to_pile
from table_service.games.tarocco.rules.card_points import MATTO
from table_service.tracking.movements import Movement

GATHERS_S: Final = 6.0
"""So long after a trick was seen to leave the middle its pile may tell of it."""
TRICK_TAKES_S: Final = 4.0
"""No trick is gathered sooner after the one before: a pile that tells of two is wavering."""
COUNT_FROM: Final = 9
"""After so many tricks piles that are lifted, or the button of the count, say that all are played."""


def put_on_pile(course: Course, move: Movement) -> Course:
    """Cards come to a line's pile or to the scarto: a trick, the Matto alone, or, before play, the scarto."""
    deal, number = course.deal, len(move.cards)
    line = zone_line(move.target or "")
    if not deal.has_begun and not (deal.scarto and move.target != SCARTO and number >= SEATS_OF_A_TRICK - 1):
        return scarto_changed(course, move, number)
    if line is not None:
        course = replace(course, piled={**course.piled, line: course.piled[line] + number})
    seat = move.seat or zone_seat(move.source or "")
    if number == 1 and seat is not None and face(move.cards[0]) == MATTO:
        return _covered(course, move, seat)
    return course if number == 1 or line is None else _trick_to_pile(course, move, line)


def _trick_to_pile(course: Course, move: Movement, line: Line) -> Course:
    """Cards of a trick came to the pile of ``line``: the one that left the middle, or one that is gathered by that."""
    play, last = course.deal.play, course.gathered[-1] if course.gathered else None
    since = move.committed_t - (last.committed_t if last is not None else -math.inf)
    is_trick, full = len(move.cards) >= SEATS_OF_A_TRICK - 1, play.open.is_full(play.rules)
    waits = last is not None and last.pile is None and not full
    if last is not None and waits and (since <= GATHERS_S or not is_trick or not _played_since(course, last)):
        told = replace(last, pile=line, cards=_weighed(move), piled_t=move.committed_t)
        return put_to_pile(replace(course, gathered=(*course.gathered[:-1], told)))
    if full or (is_trick and (play.open.plays or since > TRICK_TAKES_S)):
        return gather(course, move.committed_t, line, _weighed(move), move.id)
    return course


def _played_since(course: Course, last: Gathered) -> bool:
    """Return True if a trick may have been played since ``last`` was gathered: a card seen, or several read."""
    read = {one.seat for one in course.read if one.committed_t > last.committed_t}
    return bool(course.deal.play.open.plays) or len(read) > 1


def _weighed(move: Movement) -> int | None:
    """Return how many cards a pile says were put to it; None where it is not sure."""
    return len(move.cards) if move.confidence >= SURE else None


def lifted_from_pile(course: Course, move: Movement) -> Course:
    """Cards are lifted from a pile: once both were, or all cards had been put there, the count has begun."""
    line = zone_line(move.source or "")
    if line is None or len(move.cards) < SEATS_OF_A_TRICK:
        return course
    lifted = course.lifted_piles | {line}
    course = replace(course, lifted_piles=lifted)
    all_there = sum(course.piled.values()) + len(course.deal.scarto or ()) >= TAROCCO.size - 1
    return closed_for_count(course, move.committed_t) if all_there or len(lifted) > 1 else course


def closed_for_count(course: Course, t: float) -> Course:
    """All tricks are played: what still lies open was gathered, what is missing was never noticed."""
    if course.deal.is_over or len(course.deal.play.taken) < COUNT_FROM:
        return course
    if course.deal.play.open.plays:
        course = gather(course, t, None, None, None)
    return course if course.deal.is_over else replace(course, closed=True)


def _covered(course: Course, move: Movement, seat: Seat) -> Course:
    """Put the Matto to its owner's pile: if no picture has shown it in the trick, it was played to that one."""
    if MATTO in course.deal.hands.gone or course.deal.play.open.card_of(seat) is not None:
        return course
    return lay(course, move, seat, MATTO)


def scarto_changed(course: Course, move: Movement, more: int) -> Course:
    """Add ``more`` cards to the scarto, or take some if negative; it never has fewer than none."""
    lying = max(0, len(course.deal.scarto or ()) + more)
    return replace(course, deal=course.deal.with_scarto(lying), scarto_by=move)
