"""A person's statements on a deal, whatever the sensors have seen: cards of a trick, whose it is, scarto, accuso.

A statement is one act among the movements of a deal, so that a deal that is made anew holds it too. An impossible one
is refused with the reason, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hw.cards import TAROCCO, UNKNOWN, face
from hw.seats import ANTICLOCKWISE, SEATS, Line, Seat
from hw.zones import SCARTO, hand, tricks, zone_line
from table_service.events.orders import Correct
from table_service.games.tarocco.rules.score import accuso_points
from table_service.games.tricks.trick import Trick
from table_service.referee.rulings import cards_named

if TYPE_CHECKING:
    from table_service.games.tarocco.fold.course import Course

_TRICK: Final = "trick"


@dataclass(frozen=True, slots=True)
class TrickStated:
    """The Giudice says which cards trick ``number`` held, in the order in which they were played; ``??``: as seen."""

    committed_t: float
    number: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PileStated:
    """The Giudice says that trick ``number`` lies in the pile of ``line``."""

    committed_t: float
    number: int
    line: Line


@dataclass(frozen=True, slots=True)
class ScartoStated:
    """The Giudice says how many cards the scarto has, and which, as far as he names them."""

    committed_t: float
    number: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AccusoStated:
    """``seat`` has declared its combinations, as a person has heard. ``cards``: the composition; empty: not entered."""

    committed_t: float
    seat: Seat
    cards: tuple[str, ...] = ()


Stated = TrickStated | PileStated | ScartoStated | AccusoStated
"""What a person says of the deal, whatever the sensors have seen."""


def stated(course: Course, one: Stated) -> Course:
    """``course`` with what ``one`` says of it; as it is where that cannot be."""
    if why_not_stated(course, one) is not None:
        return course
    deal = course.deal
    match one:
        case TrickStated():
            return _trick_stated(course, one)
        case PileStated(number=number, line=line):
            gathered = tuple(replace(one, pile=line) if one.number == number else one for one in course.gathered)
            return replace(course, deal=deal.with_trick_of(number, line), gathered=gathered)
        case ScartoStated(number=number, cards=cards):
            return replace(course, deal=deal.with_scarto(number, cards))
        case AccusoStated(seat=seat, cards=cards):
            return _accuso_stated(course, seat, cards)


def _accuso_stated(course: Course, seat: Seat, cards: tuple[str, ...]) -> Course:
    deal = course.deal
    course = replace(course, declared=course.declared | {seat})
    if not cards:
        return course
    others = tuple(one for one in deal.accusi if one.seat is not seat or one.late)
    named = replace(deal.with_accuso(seat, cards).accusi[-1], late=False)
    hands = deal.hands.shown(seat, cards)
    deal = replace(deal, accusi=(*others, named), hands=hands)
    return replace(course, deal=deal, named=course.named | {seat})


def plays_stated(course: Course, stated: TrickStated) -> tuple[tuple[Seat, str], ...]:
    """Seats and cards of ``stated``: as the trick was seen, else from its leader on in the direction of play.

    If the leader was assumed wrongly, the cards that were seen show from which seat on the stated ones were played.
    """
    play = course.deal.play
    seen = play.open if stated.number == play.number else play.taken[stated.number - 1].trick
    seats = [seat for seat, _ in seen.plays]
    leader = seen.leader
    if leader is not None and (len(seats) < len(stated.cards) or len(set(seats)) < len(seats)):
        seats = [ANTICLOCKWISE.after(leader, turns) for turns in range(len(stated.cards))]
    if len(seats) == len(stated.cards) == len(SEATS):
        turned = ([ANTICLOCKWISE.after(first, turns) for turns in range(len(SEATS))] for first in SEATS)
        seats = max((seats, *turned), key=lambda order: _agreeing(seen, order, stated.cards))
    return tuple(
        (seat, (seen.card_of(seat) or UNKNOWN) if card == UNKNOWN else card)
        for seat, card in zip(seats, map(face, stated.cards), strict=False)
    )


def _agreeing(seen: Trick, order: Sequence[Seat], cards: Sequence[str]) -> int:
    """Return how many of ``cards``, played in ``order``, were seen of just that seat."""
    return sum(card != UNKNOWN and seen.card_of(seat) == face(card) for seat, card in zip(order, cards, strict=True))


def _trick_stated(course: Course, stated: TrickStated) -> Course:
    plays = plays_stated(course, stated)
    named = {seat: card for (seat, card), told in zip(plays, stated.cards, strict=True) if told != UNKNOWN}
    laid = tuple(
        replace(one, card=named[one.seat], is_sure=True) if one.number == stated.number and one.seat in named else one
        for one in course.laid
    )
    deal = course.deal.with_trick(stated.number, plays)
    return replace(course, deal=deal, laid=laid, guessed=course.guessed - set(named.values()))


def why_not_stated(course: Course, stated: Stated) -> str | None:
    """Why ``stated`` cannot be, as one sentence; None where it may be."""
    match stated:
        case TrickStated():
            return _why_no_trick(course, stated)
        case PileStated(number=number, line=line):
            return _why_not_of(course, number, line)
        case ScartoStated(number=number, cards=cards):
            return _why_no_scarto(course, number, cards)
        case AccusoStated(seat=seat, cards=cards):
            return _why_not_shown(course, seat, cards)


def _last_trick(course: Course) -> int:
    """Return the number of the newest trick to which a card was played; 0 before the first."""
    play = course.deal.play
    return play.number if play.open.plays else len(play.taken)


def _why_no_trick(course: Course, stated: TrickStated) -> str | None:
    deal, play, number, cards = course.deal, course.deal.play, stated.number, stated.cards
    if not 1 <= number <= _last_trick(course):
        return f"no trick {number} has been seen"
    seen = play.open if number == play.number else play.taken[number - 1].trick
    if seen.leader is None or not len(seen.plays) <= len(cards) <= len(SEATS):
        return f"of trick {number} as many cards must be named as were played to it, in order"
    known = [face(card) for _, card in plays_stated(course, stated) if card != UNKNOWN]
    elsewhere = set(known) & (deal.hands.gone - set(map(face, seen.cards)))
    twice = elsewhere or {card for card in known if known.count(card) > 1}
    return f"{', '.join(sorted(twice))} was played before" if twice else None


def _why_not_of(course: Course, number: int, line: Line) -> str | None:
    play = course.deal.play
    if not 1 <= number <= len(play.taken):
        return f"trick {number} has not been gathered"
    by = play.taken[number - 1].by
    return None if by is None or by.line is line else f"trick {number} is {by}'s by its cards: name these"


def _why_no_scarto(course: Course, number: int, cards: tuple[str, ...]) -> str | None:
    deal = course.deal
    elsewhere = set(map(face, cards)) & deal.hands.gone
    if not 0 <= number <= deal.hands.left.get(deal.scartatore, 0) + len(deal.scarto or ()):
        return "so many cards nobody can have discarded"
    return f"{', '.join(sorted(elsewhere))} was played" if elsewhere else None


def _why_not_shown(course: Course, seat: Seat, cards: tuple[str, ...]) -> str | None:
    deal = course.deal
    played = {card for one in deal.play.taken for who, card in one.trick.plays if who is not seat}
    played |= {card for who, card in deal.play.open.plays if who is not seat}
    shown = {card for one in deal.accusi if one.seat is not seat for card in one.cards}
    elsewhere = set(map(face, cards)) & ((played | shown) - {UNKNOWN})
    if elsewhere:
        return f"{', '.join(sorted(elsewhere))} was another player's"
    return "these cards make no combination" if cards and not accuso_points(cards) else None


def pile_named(order: Correct, course: Course) -> tuple[Seat, tuple[str, ...]] | None:
    """Before whom a pile lies open for the count, and its cards, by a correction of his hand's zone; else None."""
    named = () if isinstance(order.cards, int) else cards_named(TAROCCO, order.cards)
    seat = next((one for one in SEATS if order.zone == hand(one)), None)
    return None if seat is None or not course.is_over or not named else (seat, named)


def stated_by(order: Correct, course: Course) -> Stated | str | None:
    """Return what a correction states; the reason where it makes no sense, None where it says nothing of the deal."""
    zone, number, line = order.zone, order.row, zone_line(order.zone)
    count = order.cards if isinstance(order.cards, int) else None
    named = () if isinstance(order.cards, int) else cards_named(TAROCCO, order.cards)
    if zone == _TRICK:
        return TrickStated(order.t, _last_trick(course) if number is None else number, named)
    pile = line if line is not None and zone == tricks(line) else None
    if pile is not None and number is not None:
        return PileStated(order.t, number, pile)
    if zone == SCARTO or (pile is course.deal.scartatore.line and not course.deal.has_begun):
        return _scarto_by(order, course, count, named)
    if pile is not None and count is not None:
        return None  # how many cards a pile has is the scale's, which has taken it
    return f"a correction cannot be made in the zone '{zone}' now"


def _scarto_by(order: Correct, course: Course, count: int | None, named: tuple[str, ...]) -> ScartoStated:
    """Return the scarto as stated; its cards, which lie face down, are named only once the deal is over."""
    return ScartoStated(order.t, len(named) if count is None else count, named if course.is_over else ())
