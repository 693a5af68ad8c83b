"""Cards that look like a meld and are none: what players lay by mistake, for the rehearsal of arts. 25 to 29."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from hw.cards import rank, suit
from table_service.games.burraco.rehearsal.oracle import OracleMeld, extend, is_wild, meld

_PLACES: Final = "A23456789TJQK"
_TWINS: Final = ({"H", "D"}, {"C", "S"})
"""Suits of one colour, which are taken for one another."""


@dataclass(frozen=True, slots=True)
class MistakenMeld:
    """``cards`` of the hand that come to lie in row ``row`` (None: a new one), which then reads ``result``.

    ``core`` is the valid meld among them, if there is one; the ``excess`` does not belong to it.
    """

    cards: tuple[str, ...]
    result: tuple[str, ...]
    core: OracleMeld | None
    excess: tuple[str, ...]
    row: int | None = None


def _place(card: str) -> int:
    return _PLACES.index(rank(card))


def _looks_right(cards: Sequence[str]) -> bool:
    """Return True if three naturals are nearly a meld: a run with a hole or a wrong suit, a set with a neighbour."""
    ranks = {rank(card) for card in cards}
    suits = {suit(card) for card in cards}
    places = sorted(_place(card) for card in cards)
    span = places[-1] - places[0]
    if len(suits) == 1:
        return len(ranks) == 3 and span <= 4
    if len(ranks) == 2:
        return span == 1 or "69" in "".join(sorted(ranks)) or ranks == {"6", "9"}
    return len(ranks) == 3 and span == 2 and any(suits <= twins for twins in _TWINS)


def openings(hand: Sequence[str], *, wild: bool) -> list[MistakenMeld]:
    """Wrong openings out of ``hand``, with a wild or without, in a fixed order."""
    naturals = [card for card in hand if not is_wild(card)]
    wilds = [card for card in hand if is_wild(card)]
    return list(_with_wild(naturals, wilds[0]) if wild and wilds else () if wild else _of_naturals(naturals))


def _of_naturals(naturals: Sequence[str]) -> Iterator[MistakenMeld]:
    for three in combinations(naturals, 3):
        good = meld(three)
        if good is None and _looks_right(three):
            ordered = tuple(sorted(three, key=_place))
            yield MistakenMeld(ordered, ordered, None, ordered)
        if good is not None and good.wild is None:
            yield from (_longer(good, card) for card in naturals if _strange(good, card))


def _with_wild(naturals: Sequence[str], wild: str) -> Iterator[MistakenMeld]:
    for two in combinations(naturals, 2):
        if meld((*two, wild)) is None and nearly_with_wild(two):
            cards = (wild, *sorted(two, key=_place))
            yield MistakenMeld(cards, cards, None, cards)


def nearly_with_wild(two: Sequence[str]) -> bool:
    """Return True if ``two`` naturals look as if a wild could join them, and it cannot."""
    apart = abs(_place(two[0]) - _place(two[1]))
    return (suit(two[0]) == suit(two[1]) and 3 <= apart <= 4) or (suit(two[0]) != suit(two[1]) and apart == 1)


def _longer(good: OracleMeld, card: str) -> MistakenMeld:
    return MistakenMeld((*good.cards, card), (*good.cards, card), good, (card,))


def _strange(lying: OracleMeld, card: str) -> bool:
    """Return True if ``card`` could be taken for one that fits ``lying``, but never fits, even if its 2 moves up."""
    if is_wild(card) or card in lying.cards or extend(lying, (card,), lift_two=True) is not None:
        return False
    top = lying.cards[-1]
    if is_wild(top):
        return False
    if lying.kind == "set":
        return abs(_place(card) - _place(top)) == 1
    near = _place(card) - _place(top)
    twins = any({suit(card), suit(top)} <= pair for pair in _TWINS)
    return (suit(card) == suit(top) and near in (2, 3)) or (suit(card) != suit(top) and near == 1 and twins)


def additions(hand: Sequence[str], rows: dict[int, OracleMeld]) -> list[MistakenMeld]:
    """Single cards of ``hand`` that could be added to ``rows`` by mistake, in a fixed order."""
    return [
        MistakenMeld((card,), (*lying.cards, card), lying, (card,), row)
        for row, lying in rows.items()
        for card in hand
        if _strange(lying, card)
    ]


def second_wilds(hand: Sequence[str], rows: dict[int, OracleMeld]) -> list[MistakenMeld]:
    """Wilds of ``hand`` for rows that hold one already, in a fixed order."""
    return [
        MistakenMeld((card,), (*lying.cards, card), lying, (card,), row)
        for row, lying in rows.items()
        for card in hand
        if is_wild(card) and lying.wild is not None and extend(lying, (card,)) is None
    ]


def wilds_alone(hand: Sequence[str]) -> list[MistakenMeld]:
    """Three wilds as a meld of their own (art. 10 forbids it)."""
    wilds = tuple(card for card in hand if is_wild(card))[:3]
    return [MistakenMeld(wilds, wilds, None, wilds)] if len(wilds) == 3 and meld(wilds) is None else []


def halves(hand: Sequence[str]) -> list[MistakenMeld]:
    """One or two cards with which a meld could begin, in a fixed order."""
    naturals = [card for card in hand if not is_wild(card)]
    pairs = [
        two
        for two in combinations(naturals, 2)
        if rank(two[0]) == rank(two[1]) or (suit(two[0]) == suit(two[1]) and abs(_place(two[0]) - _place(two[1])) == 1)
    ]
    chosen = [*pairs, *[(card,) for card in naturals]]
    return [MistakenMeld(cards, cards, None, cards) for cards in chosen]


def mended(wrong: MistakenMeld, hand: Sequence[str]) -> tuple[str, OracleMeld] | None:
    """Return a card of ``hand`` that makes a meld of a wrong opening, and the meld (art. 29)."""
    for card in hand:
        if card not in wrong.cards:
            good = meld((*wrong.result, card))
            if good is not None:
                return card, good
    return None
