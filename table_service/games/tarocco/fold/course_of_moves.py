"""The course of a deal by what moved, was read or was stated: each kind of act goes to what knows of it."""

from __future__ import annotations

from dataclasses import replace

from hw.zones import TABLE
from table_service.games.tarocco.fold.course import (
    PILES,
    SIDES,
    TRICK,
    Act,
    CountBegins,
    Course,
    GateRead,
    Glimpse,
    ScartoSaid,
    Unwatched,
)
from table_service.games.tarocco.fold.pile_course import (
    closed_for_count,
    lifted_from_pile,
    put_on_pile,
    scarto_changed,
)
from table_service.games.tarocco.fold.shown_cards import laid_open, taken_back
from table_service.games.tarocco.fold.statements import AccusoStated, PileStated, ScartoStated, TrickStated, stated
from table_service.games.tarocco.fold.trick_course import laid_to_trick, taken_off_trick
from table_service.tracking.movements import Movement


def course_after(course: Course, move: Act) -> Course:
    """``course`` after ``move``."""
    if isinstance(move, TrickStated | PileStated | ScartoStated | AccusoStated):
        return stated(course, move)
    if course.closed:
        return course
    if isinstance(move, GateRead):
        return replace(course, read=(*course.read, move))
    if isinstance(move, Glimpse):
        return replace(course, glimpsed=(*course.glimpsed, move))
    if isinstance(move, ScartoSaid):
        return replace(course, scarto_said=move.committed_t)
    if isinstance(move, Unwatched):
        return _unwatched(course, move.zone)
    return closed_for_count(course, move.committed_t) if isinstance(move, CountBegins) else _moved(course, move)


def _unwatched(course: Course, zone: str) -> Course:
    if zone == TRICK:
        lies = course.deal.play.open.plays
        return replace(course, unwatched=course.unwatched | {course.deal.play.number}) if lies else course
    is_made = course.deal.scarto or course.deal.has_begun
    return course if is_made else replace(course, deal=replace(course.deal, scarto_sensed=False))


def _moved(course: Course, move: Movement) -> Course:
    if move.target == TRICK and move.source != TRICK:
        return laid_to_trick(course, move)
    if move.source == TRICK:
        return taken_off_trick(course, move)
    if move.target in PILES and move.source not in PILES:
        return put_on_pile(course, move)
    if move.source in PILES:
        has_begun = course.deal.has_begun
        return lifted_from_pile(course, move) if has_begun else scarto_changed(course, move, -len(move.cards))
    if move.target in SIDES or move.target == TABLE:
        return laid_open(course, move)
    if move.source in SIDES or move.source == TABLE:
        return taken_back(course, move)
    return course
