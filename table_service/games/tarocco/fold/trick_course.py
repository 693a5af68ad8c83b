"""Effects of movements on the open trick: cards are laid, taken off, gathered. Each step gives a new course."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import ANTICLOCKWISE, Line, Seat
from hw.zones import zone_seat
from table_service.games.tarocco.fold.course import (
    SEATS_OF_A_TRICK,
    TOGETHER_S,
    Course,
    FacedCards,
    Gathered,
    Laid,
    Lifted,
)
from table_service.games.tarocco.fold.shown_cards import are_all_his, claimed, is_whole_hand, settled_shown
from table_service.games.tarocco.rules.card_points import ALIKE, MATTO, told_apart
from table_service.games.tarocco.rules.deal import TRICKS_OF_A_DEAL, TaroccoDeal
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import Taken
from table_service.tracking.movements import Movement

AS_LIKELY_AS_NOT: Final = 0.5
"""Below it the likeliest content of the middle is more likely wrong than right."""
LIFTED_S: Final = 4.0
"""A card lifted from a full trick so shortly before the others belongs to the gathering."""


def laid_to_trick(course: Course, move: Movement) -> Course:
    """Cards come to the trick: a play, several of which nobody saw the first, or a whole hand laid out as a claim."""
    seat = move.seat or zone_seat(move.source or "")
    if seat is not None and is_whole_hand(course.deal, seat, move.cards) and are_all_his(course, seat, move):
        return claimed(course, FacedCards(seat, move.cards, move, late=True, before_scarto=False, in_turn=None))
    cards, is_his = _new_cards(course, move, seat)
    for place, printed in enumerate(cards):
        (card,) = told_apart((printed,), course.deal.hands.gone)
        seen = card not in course.deal.hands.gone  # each face is there once: one that is gone was misread
        if not seen and card in course.guessed:
            course = replace(course, contradicted=True)
        # nobody lays two: the other came while nothing could be seen
        who, shared = (None, True) if place else (seat, not is_his)
        course = lay(course, move, who, card if seen else UNKNOWN, shared=shared)
    return course


def _new_cards(course: Course, move: Movement, seat: Seat | None) -> tuple[list[str], bool]:
    """Return the cards of ``move`` that did not lie in the trick before, and whether the first is surely ``seat``'s.

    A card that lay there all the while was missed by a picture. Of several the gate tells which one is his; where the
    pictures more likely than not do not show them all, the others are taken for misreadings of that one.
    """
    open_ = course.deal.play.open
    is_another = seat is not None and open_.card_of(seat) is None  # a Moro like the one that another seat has laid
    cards = [
        card
        for card in map(face, move.cards)
        if card == UNKNOWN or card not in open_.cards or (card in ALIKE and is_another)
    ]
    own = {one.card for one in course.read if one.seat is seat}
    cards.sort(key=lambda card: card not in own)
    if move.confidence < AS_LIKELY_AS_NOT and own & set(cards):
        cards = [card for card in cards if card in own]
    return cards, len(cards) == 1 or [card in own for card in cards[:2]] == [True, False]


def lay(course: Course, move: Movement, seat: Seat | None, card: str, *, shared: bool = False) -> Course:
    """``seat`` lays ``card`` (None: whose turn it is); ``shared``: it may be the one that was seen with it."""
    course = course if seat is None else _with_replaced(course, seat)
    if course.deal.play.open.is_full(course.deal.play.rules):
        course = gather(course, move.committed_t, None, None, None)
    if len(course.deal.play.taken) >= TRICKS_OF_A_DEAL:
        return replace(course, numbers_wrong=(*course.numbers_wrong, (seat, TRICKS_OF_A_DEAL + 1, move)))
    play = course.deal.play
    due = play.turn
    who = seat or due or next(one for one in ANTICLOCKWISE.seats if play.open.card_of(one) is None)
    course = settled_shown(course, who, move.committed_t)
    sure = seat is not None and not shared
    deal = _won_by_who_leads(course, who) if sure else course.deal
    laid = Laid(deal.play.number, who, card, move, due, sure, len(deal.play.open.plays), shared)
    last = course.laid[-1] if deal.play.open.plays and course.laid else None
    if last is not None and _came_together(last, laid):
        # Pictures have shown both at once: they came in the order of turns, as far as anybody can tell.
        first = replace(laid, due=who, place=last.place)
        then = replace(last, due=last.seat if ANTICLOCKWISE.next(who) is last.seat else last.due, place=laid.place)
        deal = deal.with_taken_back(last.seat, last.card).with_play(who, card).with_play(last.seat, last.card)
        return replace(course, deal=deal, laid=(*course.laid[:-1], first, then))
    return replace(course, deal=deal.with_play(who, card), laid=(*course.laid, laid))


def _won_by_who_leads(course: Course, seat: Seat) -> TaroccoDeal:
    """Take the leader for the winner of the trick before, if nothing else has shown it and the pile agrees."""
    play = course.deal.play
    if play.open.plays or not play.taken or play.taken[-1].by is not None:
        return course.deal
    if course.gathered and course.gathered[-1].pile not in (None, seat.line):
        return course.deal
    won = replace(play.taken[-1], by=seat)
    return replace(course.deal, play=replace(play, taken=(*play.taken[:-1], won), leader=seat))


def _came_together(last: Laid, laid: Laid) -> bool:
    """Return True if ``laid`` was due before ``last`` and may have come before it."""
    near = abs(laid.move.committed_t - last.move.committed_t) <= TOGETHER_S
    return near and last.due is laid.seat and last.seat is not laid.seat


def taken_off_trick(course: Course, move: Movement) -> Course:
    """Cards leave the trick: it is gathered, a player takes his own back, or a picture had missed what lies there."""
    open_, faces = course.deal.play.open, Counter(map(face, move.cards))
    lying = Counter(map(face, open_.cards))
    if not open_.plays or not (faces & lying or UNKNOWN in faces):
        return course  # the trick that was told as gathered already
    if next_led := _shown_as_these_went(course, move, faces):
        for one in next_led:
            course = replace(course, deal=course.deal.with_taken_back(one.seat, one.card))
        course = replace(course, laid=tuple(one for one in course.laid if one not in next_led))
        course = gather(course, move.committed_t, None, None, move.id)
        for one in next_led:
            course = lay(course, one.move, one.seat if one.is_sure else None, one.card, shared=one.shared)
        return course
    full = open_.is_full(course.deal.play.rules)
    if len(move.cards) == 1:
        return _one_taken_off(course, move, face(move.cards[0]), full=full)
    fits = sum((faces & lying).values()) + faces[UNKNOWN]
    whole = fits >= len(open_.plays) or (full and fits > 1)  # else pictures have missed some that still lie there
    return gather(course, move.committed_t, None, None, move.id) if whole else _disturbed(course)


def _shown_as_these_went(course: Course, move: Movement, gone: Counter[str]) -> tuple[Laid, ...]:
    """Cards told of the open trick that no picture showed with the others: these had gone when it first showed them.

    So it is where nothing was seen from before the trick was full until the next was led. ``gone``: what ``move`` takes
    off, more than one card and all that lay there before.
    """
    laid = course.of_trick(course.deal.play.number)
    later = tuple(one for one in laid if move.frames and one.move.frames == move.frames and one.card not in gone)
    before = [one.card for one in laid if one not in later]
    return later if len(before) > 1 and all(card in gone for card in before) else ()


def _one_taken_off(course: Course, move: Movement, card: str, *, full: bool) -> Course:
    """``card`` alone leaves the trick: its player takes it back, or a picture had missed it."""
    plays = course.deal.play.open.plays
    owner = next((seat for seat, one in plays if one == card), None)
    if owner is None or (card == MATTO and full):
        return course  # missed by pictures, or the Matto going back to its owner's pile
    again = _read_again(course, owner, card)
    has_two = sum(seat is owner for seat, _ in plays) > 1
    unsensed = not full and course.deal.play.number in course.unwatched  # it went meanwhile
    if move.seat is not owner and again is None and not has_two and not unsensed:
        return _disturbed(course)  # missed by pictures, or the first of a gathering
    return _lifted(course, owner, card, move.committed_t if again is None else again)


def _read_again(course: Course, seat: Seat, card: str) -> float | None:
    """Return when the gate of ``seat`` read ``card`` again after it was laid to the open trick: he took it back."""
    laid = [one.move.committed_t for one in course.of_trick(course.deal.play.number) if one.card == card]
    read = (one.committed_t for one in course.read if (one.seat, one.card) == (seat, card))
    return next((t for t in read if laid and t > laid[-1] + TOGETHER_S), None)


def _with_replaced(course: Course, seat: Seat) -> Course:
    """``course`` where ``seat`` lays another card: the one before, if his gate has read it again, was taken back."""
    card = course.deal.play.open.card_of(seat)
    if card is None or card == MATTO:
        return course  # the Matto goes back to its owner's pile
    when = _read_again(course, seat, card)
    return course if when is None else _lifted(course, seat, card, when)


def _disturbed(course: Course) -> Course:
    return replace(course, disturbed=course.disturbed | {course.deal.play.number})


def _lifted(course: Course, owner: Seat, card: str, t: float) -> Course:
    """``owner`` took ``card`` back that he had played to the open trick."""
    number = course.deal.play.number
    gone = next(one for one in course.laid if (one.number, one.seat, one.card) == (number, owner, card))
    laid = tuple(
        replace(one, due=gone.due) if (one.number, one.seat) == (number, owner) else one  # the card that replaces it
        for one in course.laid
        if one is not gone
    )
    lifted = (*course.lifted, Lifted(number, owner, card, t))
    return replace(course, deal=course.deal.with_taken_back(owner, card), laid=laid, lifted=lifted)


def gather(course: Course, t: float, pile: Line | None, cards: int | None, move: int | None) -> Course:
    """Gather the open trick; a card of it that was not seen is unread, if the scale does not deny it."""
    for seat in ANTICLOCKWISE.seats:
        course = _with_replaced(course, seat)
    number, leader, seen = course.deal.play.number, course.deal.play.leader, course.deal.play.open
    for seat in ANTICLOCKWISE.seats:
        if course.deal.play.open.card_of(seat) is None:
            course = _with_unseen(course, seat, t, cards)
    deal = course.deal
    deal = replace(deal, play=replace(deal.play, open=_as_led(course, deal.play.open, seen, leader)))
    who_led = seen.is_full(deal.play.rules) or leader is not None
    deal = deal.with_gathered()
    if not who_led or _won_by_shared(course, deal.play.taken[-1]):
        deal = replace(deal, play=replace(deal.play, leader=None, taken=_with_last(deal.play.taken, by=None)))
    gathered = Gathered(number, t, pile, cards, move)
    return put_to_pile(replace(course, deal=deal, gathered=(*course.gathered, gathered)))


def _with_unseen(course: Course, seat: Seat, t: float, cards: int | None) -> Course:
    """``seat`` has laid a card that nobody saw, or has lifted it just before the others; ``cards`` were weighed."""
    number = course.deal.play.number
    lies = len({who for who, card in course.deal.play.open.plays if card != MATTO})  # it may have been put away before
    card = _unseen(course, seat, t)
    if card == UNKNOWN:
        lifted = (one for one in course.lifted if (one.number, one.seat) == (number, seat) and t - one.t <= LIFTED_S)
        card = next((one.card for one in lifted), UNKNOWN)
    if card != MATTO and cards is not None and cards <= lies:  # the Matto is not gathered with the others
        return course
    return replace(course, deal=course.deal.with_play(seat, card), guessed=course.guessed | ({card} - {UNKNOWN}))


def _as_led(course: Course, trick: Trick, seen: Trick, leader: Seat | None) -> Trick:
    """``trick`` of which ``seen`` was told, in the order of turns from ``leader`` unless he surely did not lead."""
    if leader is None or _came_later(course, leader, trick.card_of(leader)):
        return trick
    late = any(not one.is_prompt for one in course.of_trick(course.deal.play.number))
    return _in_turn(trick, seen, leader, late=late)


def _came_later(course: Course, leader: Seat, card: str | None) -> bool:
    """Return True if ``card`` of ``leader``, not reported before, came to the open trick after one that was dated.

    His gate or a picture that showed it tells when.
    """
    laid = course.of_trick(course.deal.play.number)
    if not laid or not laid[0].is_dated or any(one.seat is leader for one in laid):
        return False
    first = laid[0].move.committed_t
    read = [one.committed_t for one in course.read if (one.seat, one.card) == (leader, card)]
    glimpsed = [one.committed_t for one in course.glimpsed if (one.seat, one.card) == (leader, card)]
    return min((*read, *glimpsed), default=-math.inf) > first


def _in_turn(trick: Trick, seen: Trick, leader: Seat, *, late: bool) -> Trick:
    """``trick`` in the order of turns where cards that were not seen may have come between those of ``seen``.

    ``late``: some came to light late, so that the order in which they were seen tells nothing.
    """
    seats = [seat for seat, _ in seen.plays]
    if (trick == seen and not late) or len(set(seats)) < len(seats):
        return trick
    order = [ANTICLOCKWISE.after(leader, turns) for turns in range(SEATS_OF_A_TRICK)]
    if sorted(seats, key=order.index) != seats and not late:
        return trick  # out of turn
    return Trick(tuple(sorted(trick.plays, key=lambda one: order.index(one[0]))))


def _won_by_shared(course: Course, taken: Taken) -> bool:
    """Return True if the card that has won was seen with another, so that it may be the other's."""
    won = [one for one in course.laid if one.number == taken.number and one.seat is taken.by]
    return any(one.shared for one in won)


def _with_last(taken: tuple[Taken, ...], by: Seat | None, pile: Line | None = None) -> tuple[Taken, ...]:
    return (*taken[:-1], replace(taken[-1], by=by, pile=pile))


def put_to_pile(course: Course) -> Course:
    """Give the newest trick to the pile that it was put to: that tells whose it is if no card does."""
    play, gathered = course.deal.play, course.gathered[-1]
    taken = _with_last(play.taken, play.taken[-1].by, gathered.pile)
    return replace(course, deal=replace(course.deal, play=replace(play, taken=taken)))


def _unseen(course: Course, seat: Seat, t: float) -> str:
    """Return the card that ``seat`` must have laid although nothing was reported of it.

    It is the only one that its gate has read since the trick before, else the only one that a picture showed at its
    place; unread where there is none, or another seat may have laid it.
    """
    start = course.gathered[-1].committed_t if course.gathered else _play_began(course)
    held = {card for who, cards in course.deal.hands.held.items() if who is not seat for card in cards}
    taken_back = {one.card for one in course.lifted if (one.number, one.seat) == (course.deal.play.number, seat)}
    not_his = course.deal.hands.gone | held | taken_back
    for witnesses in (course.read, course.glimpsed):
        told = [one for one in witnesses if start < one.committed_t < t]
        others = {one.card for one in told if one.seat is not seat}  # a coil beside reads a neighbour's card
        cards = {one.card for one in told if one.seat is seat} - not_his - others
        if len(cards) == 1:
            return cards.pop()
    return UNKNOWN


def _play_began(course: Course) -> float:
    """From when on a card that crosses a gate may be played: the scarto lies, or the first card is soon seen."""
    scarto = -math.inf if course.scarto_by is None else course.scarto_by.committed_t
    first = min((one.move.committed_t for one in course.laid), default=math.inf)
    return max(scarto, -math.inf if first == math.inf else first - LIFTED_S)
