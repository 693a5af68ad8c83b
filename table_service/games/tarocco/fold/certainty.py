"""Tricks that may be relied on: what is uncertain accuses no player, and is reported as uncertain.

A trick is certain if every card of it was seen well, each of another player, and every trick before it surely was one:
an unnoticed trick, or one made of two, gives the later ones another number and other cards.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import takewhile

from hw.cards import UNKNOWN
from hw.seats import Seat
from table_service.games.tarocco.fold.course import SEATS_OF_A_TRICK, SURE, Course, Laid
from table_service.games.tarocco.rules.card_points import MATTO
from table_service.games.tarocco.rules.deal_checks import is_certainly_false, is_sure


def is_well_seen(laid: Laid) -> bool:
    """Return True if the player of each card is known."""
    return laid.is_sure and not laid.shared and laid.card != UNKNOWN and laid.move.confidence >= SURE


def certain_tricks(course: Course) -> frozenset[int]:
    """Return the numbers of the gathered tricks whose cards, players and winner are certain."""
    tricks = range(1, len(course.deal.play.taken) + 1)
    numbered = takewhile(lambda number: number == 1 or _is_one(course, number - 1), tricks)
    return frozenset(n for n in numbered if is_seen_whole(course, n) and not others_were_read(course, n))


def others_were_read(course: Course, number: int, until: float = math.inf, by: Seat | None = None) -> bool:
    """Return True if gates have read cards not of trick ``number`` while it lay there: another may have passed.

    ``until``: what they read from then on, seconds of the log, does not count. ``by``: the gate asked; None: all.
    """
    start, end = span_of(course, number)
    play = course.deal.play
    trick = play.open if number > len(play.taken) else play.taken[number - 1].trick
    taken_back = (one.card for one in course.lifted if one.number == number)
    own = {*trick.cards, *taken_back}
    read = (one for one in course.read if by in (None, one.seat) and start < one.committed_t < min(end, until))
    return any(one.card not in own for one in read)


def span_of(course: Course, number: int) -> tuple[float, float]:
    """From the gathering before trick ``number`` to its own."""
    gathered = {one.number: one.committed_t for one in course.gathered}
    return gathered.get(number - 1, -math.inf), gathered.get(number, math.inf)


def is_seen_whole(course: Course, number: int) -> bool:
    """Return True if pictures showed a card of every player in trick ``number``, well, to its end, undenied."""
    laid = course.of_trick(number)
    cards = course.deal.play.taken[number - 1].trick.cards
    own = {one.seat for one in laid}
    whole = len(laid) == len(own) == len(cards) == SEATS_OF_A_TRICK
    seen = whole and number not in course.unwatched
    return seen and all(map(is_well_seen, laid)) and not _lies_elsewhere(course, cards)


def _lies_elsewhere(course: Course, cards: tuple[str, ...]) -> bool:
    """Return True if one of ``cards`` was taken for another trick's too: each face is there once."""
    taken = Counter(card for one in course.deal.play.taken for card in one.trick.cards)
    return any(taken[card] > 1 for card in cards)


def is_numbered(course: Course, number: int) -> bool:
    """Return True if all tricks before ``number`` were played one by one: each seen whole, or weighed as one."""
    return all(_is_one(course, before) for before in range(1, number))


def _is_one(course: Course, number: int) -> bool:
    """Return True if what was gathered as trick ``number`` surely was one trick.

    Of one that no scale has weighed gates may tell that cards of another were laid meanwhile.
    """
    cards = course.deal.play.taken[number - 1].trick.cards
    weighed = course.gathered[number - 1].cards if number <= len(course.gathered) else None
    gathered = {SEATS_OF_A_TRICK, SEATS_OF_A_TRICK - (MATTO in cards)}
    if weighed is not None and weighed not in gathered:
        return False
    if weighed is not None and len(cards) == SEATS_OF_A_TRICK:
        return True
    return is_seen_whole(course, number) and not (weighed is None and others_were_read(course, number))


def is_certainly_laid(course: Course, laid: Laid) -> bool:
    """Return True if it is certain that ``laid`` was laid by its player to its trick."""
    before = [one.seat for one in course.of_trick(laid.number) if one.place <= laid.place]
    return is_well_seen(laid) and len(set(before)) == len(before) and is_numbered(course, laid.number)


def claim_holds(course: Course) -> bool | None:
    """Return True if all remaining tricks are surely won with the newest claim, False if one is surely not; else None.

    A trick that may be missing may hold the higher trumps.
    """
    claim = course.deal.claims[-1]
    if not is_numbered(course, claim.number):
        return None
    return True if is_sure(course.deal, claim) else False if is_certainly_false(course.deal, claim) else None
