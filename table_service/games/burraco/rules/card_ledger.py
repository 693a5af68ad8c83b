"""Places of cards, as a ledger that never loses one: piles of names, ``??`` for an unknown card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.seats import SEATS
from hw.zones import DISCARD, STOCK, TABLE, hand, side

Cards = tuple[str, ...]
POTS_IN_ORDER: Final = ("pot-1", "pot-2")
"""The places of the pots, the first to be played first."""
ASTRAY: Final = "astray"
"""Where the ledger keeps cards that it cannot place: a correction has said that they are not where they were."""
_LENDERS: Final = (ASTRAY, STOCK, *map(hand, SEATS), *reversed(POTS_IN_ORDER), TABLE, *map(side, SEATS), DISCARD)
"""Where a card that the ledger lacks elsewhere may have been, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Places:
    """The cards of every place outside melds, from below to above; no move changes their number.

    Where the ledger lacks a card that was seen to move, another place must have had it: that one gives a card, and both
    are ``unverified`` from then on. Values are shared between states and never changed in place.
    """

    cards: Mapping[str, Cards]
    unverified: tuple[str, ...] = ()

    def at(self, place: str) -> Cards:
        """Return the cards at ``place``; empty for a place not known."""
        return self.cards.get(place, ())

    @property
    def size(self) -> int:
        """All cards."""
        return sum(map(len, self.cards.values()))

    def doubt(self, place: str) -> Places:
        """``place`` can no longer be vouched for."""
        return self if place in self.unverified else Places(self.cards, (*self.unverified, place))

    def trust(self, place: str) -> Places:
        """``place`` is confirmed again."""
        return Places(self.cards, tuple(one for one in self.unverified if one != place))

    def rename(self, place: str, before: str, after: str) -> Places:
        """Rename a card at ``place`` that was taken for ``before``: it is ``after``."""
        if place not in self.cards:
            return self
        return Places({**self.cards, place: renamed(self.cards[place], before, after)}, self.unverified)

    def move(self, cards: Cards, source: str, target: str) -> Places:
        """``cards`` go from ``source`` to the top of ``target``; a target not known is ``table``."""
        have, place = self.cards.get(source, ()), target if target in self.cards else TABLE
        if not 0 < len(cards) <= len(have) or source == place:
            rest, taken = self.pull(cards, source)
            return rest.put(taken, target)
        left, taken = take_out(have, cards)
        return Places({**self.cards, source: left, place: (*self.cards[place], *taken)}, self.unverified)

    def put(self, cards: Cards, target: str) -> Places:
        """``cards``, pulled before, come to the top of ``target``."""
        if not cards:
            return self
        place = target if target in self.cards else TABLE
        return Places({**self.cards, place: (*self.cards[place], *cards)}, self.unverified)

    def pull(self, cards: Cards, source: str) -> tuple[Places, Cards]:
        """``cards`` taken from ``source``, or where it lacks them from wherever the ledger can spare them.

        What was taken is named as exactly as either side names it. It is less than asked for only where fewer cards
        exist.
        """
        if not cards:
            return self, ()
        have = self.cards.get(source, ())
        if len(have) >= len(cards):
            left, taken = take_out(have, cards)
            return Places({**self.cards, source: left}, self.unverified), taken
        rest, lent = self._borrow(len(cards) - len(have), source)
        left, taken = take_out((*have, *(UNKNOWN,) * lent), cards[: len(have) + lent])
        if source in self.cards:
            rest = Places({**rest.cards, source: left}, rest.unverified)
        return rest.doubt(source), taken

    def correct(self, place: str, cards: Cards) -> Places:
        """``cards`` are what lies at ``place``: what lacks comes from elsewhere, what is over is astray."""
        if place not in self.cards:
            return self
        have = len(self.cards[place])
        rest = self
        if have > len(cards):
            rest = rest.move(rest.at(place)[len(cards) - have :], place, ASTRAY)
        elif have < len(cards):
            lent, found = rest._borrow(len(cards) - have, place)  # noqa: SLF001 - of the same class
            rest = lent.put((UNKNOWN,) * found, place)
        return Places({**rest.cards, place: cards[: len(rest.at(place))]}, rest.unverified).trust(place)

    def recount(self, place: str, cards: Cards, unwatched: tuple[str, ...]) -> tuple[Places, bool]:
        """``cards`` are what lies at ``place``, which nobody had watched, no more than ``unwatched``.

        The other value: whether what lacked there can have come from those alone.
        """
        rest, lacks = self, len(cards) - len(self.cards[place])
        for one in (ASTRAY, *unwatched):
            lent = min(max(lacks, 0), len(rest.at(one)))
            if lent:
                rest, lacks = rest.move((UNKNOWN,) * lent, one, place), lacks - lent
        return rest.correct(place, cards), lacks <= 0

    def _borrow(self, count: int, borrower: str) -> tuple[Places, int]:
        found, cards, doubts = 0, dict(self.cards), self.unverified
        for place in _LENDERS:
            spare = 0 if place == borrower else min(count - found, len(cards.get(place, ())))
            if spare:
                cards[place] = cards[place][: len(cards[place]) - spare]
                found += spare
                doubts = doubts if place in doubts or place == ASTRAY else (*doubts, place)
        return Places(cards, doubts), found


def _find(have: list[str], card: str) -> int | None:
    """Return where in ``have`` ``card`` is to be found; None where nothing there can be it."""
    printed = face(card)
    if printed == UNKNOWN:
        return len(have) - 1 if len(set(have)) == 1 else None
    if card in have:
        return have.index(card)
    if printed not in map(face, have):
        return have.index(UNKNOWN) if UNKNOWN in have else None
    alike = [n for n, one in enumerate(have) if face(one) == printed]
    unmarked = next((n for n in alike if "#" not in card or "#" not in have[n]), None)
    if unmarked is not None:
        return unmarked
    return have.index(UNKNOWN) if UNKNOWN in have else alike[0]


def _blur_twins(left: list[str], known: str) -> str:
    """Name the twins of ``known`` in ``left`` by their face alone; return the name of ``known``, its face if any is."""
    printed = face(known)
    twins = [n for n, one in enumerate(left) if face(one) == printed]
    for n in twins:
        left[n] = printed
    return printed if twins else known


def take_out(have: Cards, wanted: Cards) -> tuple[Cards, Cards]:
    """Return what is left of ``have`` when ``wanted`` goes, and what went, as exactly as either names it.

    Where a card goes that nobody named, or one that was not known to be there, those left are no longer known either;
    of two twins that lie there, nobody knows which has gone where only its face is named.
    """
    if have.count(UNKNOWN) == len(have) >= len(wanted):  # as most hands, stock and pots are known
        return have[len(wanted) :], tuple(UNKNOWN if face(card) == UNKNOWN else card for card in wanted)
    left, taken, vague = list(have), [], 0
    for card in wanted:
        at = _find(left, card)
        if at is None:
            vague += 1
            taken.append(card)
            continue
        known = left.pop(at)
        if "#" not in card and face(known) != UNKNOWN:
            known = _blur_twins(left, known)
        sure = UNKNOWN not in have or have.count(known) == len(have)
        better = face(card) == UNKNOWN or (sure and "#" not in card and same_face(known, card))
        taken.append(known if better else card)
    return (UNKNOWN,) * max(0, len(left) - vague) if vague else tuple(left), tuple(taken)


def among(card: str, cards: Cards) -> bool:
    """Return True if ``cards`` hold one that ``card`` may be."""
    return any(same_face(card, one) for one in cards)


def name_as(order: Cards, cards: Cards) -> Cards:
    """Return the cards of ``order``, in order, named as exactly as ``cards`` names them, as many as ``cards`` has."""
    if order == cards:
        return order
    left, named = list(cards), []
    for wanted in order[: len(cards)]:
        at = _find(left, wanted)
        known = wanted if at is None else left.pop(at)
        named.append(known if same_face(known, wanted) and "#" in known else wanted)
    return (*named, *(UNKNOWN,) * (len(cards) - len(named)))


def newcomers(before: Cards, after: Cards) -> Cards:
    """Return what ``after`` holds that ``before`` does not."""
    left, new = list(map(face, before)), []
    for card in after:
        printed = face(card)
        if printed == UNKNOWN or printed not in left:
            new.append(card)
        else:
            left.remove(printed)
    return tuple(new)


def matching(wanted: Cards, cards: Cards) -> Cards:
    """Keep the ``cards`` that ``wanted`` names, each once."""
    left, found = list(map(face, wanted)), []
    for card in cards:
        printed = face(card)
        if printed != UNKNOWN and printed in left:
            left.remove(printed)
            found.append(card)
    return tuple(found)


def renamed(cards: Cards, before: str, after: str) -> Cards:
    """``cards`` with one ``before`` named ``after``; where there is none, an unknown one."""
    for old in (before, UNKNOWN):
        for n in range(len(cards) - 1, -1, -1):
            if cards[n] == old or same_face(cards[n], old):
                return (*cards[:n], after, *cards[n + 1 :])
    return cards
