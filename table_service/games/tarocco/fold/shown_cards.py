"""Cards that lie face up apart from the trick: accusi, claims, cards that fell. Each step makes another course."""

from __future__ import annotations

from dataclasses import replace

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import zone_seat
from table_service.games.tarocco.fold.course import SEATS_OF_A_TRICK, SIDES, Course, FacedCards
from table_service.games.tarocco.rules.card_points import told_apart
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.games.tarocco.rules.score import accuso_points
from table_service.tracking.movements import Movement


def _first_shown(deal: TaroccoDeal, seat: Seat, cards: tuple[str, ...], move: Movement) -> FacedCards:
    """``cards`` that ``seat`` shows while none of his lies open, with what had been played by then."""
    turn = deal.play.turn
    return FacedCards(
        seat,
        cards,
        move,
        late=deal.has_played(seat),
        before_scarto=deal.scarto_sensed and not deal.scarto and not deal.has_begun,
        in_turn=None if turn is None or not deal.has_begun else seat is turn,
        number=deal.play.number,
        turn=turn,
    )


def is_whole_hand(deal: TaroccoDeal, seat: Seat, cards: tuple[str, ...]) -> bool:
    """Return True if ``seat`` has laid out all that he holds, in play: a claim to the tricks that are left.

    In the last trick, of one card each, nobody claims any more: another card beside his is somebody else's.
    """
    left = deal.hands.left.get(seat, 0)
    return deal.has_begun and len(cards) > 1 and len(cards) >= left and (left > 1 or len(cards) > SEATS_OF_A_TRICK)


def are_all_his(course: Course, seat: Seat, move: Movement) -> bool:
    """Return True if the cards of ``move``, first seen at once in the middle, are all of ``seat``, none others' plays.

    They are where the trick has no room for them all, or where more than one of them has crossed his gate.
    """
    room = SEATS_OF_A_TRICK - len(course.deal.play.open.plays)
    own = {one.card for one in course.read if one.seat is seat}
    return len(move.cards) > room or sum(face(card) in own for card in move.cards) > 1


def laid_open(course: Course, move: Movement) -> Course:
    """Cards come to lie face up at a seat's side or on the open table; whose they are may be known by neither."""
    owner = zone_seat(move.target or "") if move.target in SIDES else None
    seat = owner or move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    return course if seat is None else _shown_by(course, seat, move)


def _shown_by(course: Course, seat: Seat, move: Movement) -> Course:
    deal = course.deal
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    cards = tuple(map(face, move.cards))
    before = () if lying is None else lying.cards
    cards = told_apart((*before, *cards))[len(before) :]
    more = _first_shown(deal, seat, cards, move) if lying is None else replace(lying, cards=(*lying.cards, *cards))
    shown = tuple(more if one is lying else one for one in course.shown)
    course = replace(course, shown=shown if lying is not None else (*shown, more))
    known = [card for card in cards if card != UNKNOWN]
    course = replace(course, deal=replace(course.deal, hands=course.deal.hands.shown(seat, known)))
    if is_whole_hand(deal, seat, more.cards):
        others = tuple(one for one in course.shown if one is not more)
        return claimed(replace(course, shown=others), more)
    return course


def taken_back(course: Course, move: Movement) -> Course:
    """Cards that lay face up apart are taken back."""
    owner = zone_seat(move.source or "") if move.source in SIDES else None
    seat = owner or move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    return course if seat is None else settled_shown(course, seat, move.committed_t)


def settled_shown(course: Course, seat: Seat, t: float) -> Course:
    """Return what ``seat`` had lying face up is taken back, or was shown before its card: an accuso, or just cards."""
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    if lying is None:
        return course
    known = [card for card in lying.cards if card != UNKNOWN]
    is_accuso = not lying.before_scarto and len(lying.cards) > 2 and accuso_points(known) > 0
    told = replace(lying, what="accuso" if is_accuso else "cards", until=t)
    course = replace(course, shown=tuple(told if one is lying else one for one in course.shown))
    if not is_accuso or (seat in course.named and not lying.late):
        return course
    deal = course.deal.with_accuso(seat, lying.cards)
    accusi = (*deal.accusi[:-1], replace(deal.accusi[-1], late=lying.late))
    return replace(course, deal=replace(deal, accusi=accusi))


def claimed(course: Course, shown: FacedCards) -> Course:
    """``shown`` is a claim to the tricks that are left, unless somebody has claimed them before."""
    if course.deal.claims:
        return course
    deal = course.deal.with_claim(shown.seat, shown.cards)
    return replace(course, deal=deal, shown=(*course.shown, replace(shown, what="claim")))
