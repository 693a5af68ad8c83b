"""Cards that a player would need for a fault which chance seldom brings: a staged deal may deal them (``unseen``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from hw.cards import SUITS, face
from hw.seats import Seat
from table_service.games.burraco.rehearsal.mistaken_melds import additions, nearly_with_wild
from table_service.games.burraco.rehearsal.oracle import OracleMeld, extend, is_wild, meld
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal
from table_service.games.burraco.rehearsal.unseen_cards import unseen

Wish = Callable[[SimulatedDeal, Seat], Iterator[tuple[str, ...]]]
"""Hands, or parts of them, by faces: each of them would do."""
_RANKS: Final = "A3456789TJQK"
_RUN: Final = "A23456789TJQKA"
_MOST: Final = 40
"""Hands that are thought of at one moment."""


def _within_reach(deal: SimulatedDeal, seat: Seat) -> tuple[list[str], list[str]]:
    """Return the cards that ``seat`` may be given or holds, and those of its hand that others have seen."""
    hidden = unseen(deal.script)
    hand = deal.world.hands[seat]
    return sorted(hidden | set(hand)), [card for card in hand if card not in hidden]


def _fitting(cards: Iterable[str], own: Mapping[int, OracleMeld]) -> list[str]:
    """Keep the ``cards`` that can be added to one of the current melds ``own``."""
    return [card for card in cards if any(extend(lying, (card,)) is not None for lying in own.values())]


def _of_one_rank(reach: list[str], size: int, shown: list[str]) -> Iterator[tuple[str, ...]]:
    """For each rank ``size`` cards of it, those first that others have seen."""
    for rank in _RANKS:
        same = sorted((card for card in reach if card[0] == rank), key=lambda card: card not in shown)
        if len(same) >= size:
            yield tuple(same[:size])


def _in_order(reach: list[str], size: int, shown: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield runs of ``size`` naturals, of two like cards the one that others have seen."""
    for suit in SUITS:
        for start in range(len(_RUN) - size + 1):
            run: list[str] = []
            for rank in _RUN[start : start + size]:
                of_it = [card for card in reach if face(card) == rank + suit and card not in run]
                run += sorted(of_it, key=lambda card: card not in shown)[:1]
            if len(run) == size and not any(is_wild(card) for card in run):
                yield tuple(run)


def _whole_melds(deal: SimulatedDeal, seat: Seat, size: int, shown: list[str]) -> Iterator[tuple[str, ...]]:
    """Melds of ``size`` naturals that hold ``shown``, of cards within reach."""
    reach, _ = _within_reach(deal, seat)
    found = [*_of_one_rank(reach, size, shown), *_in_order(reach, size, shown)]
    deal.rng.shuffle(found)
    for cards in found[:_MOST]:
        if set(shown) <= set(cards) and meld(cards) is not None:
            yield cards


def a_hand_that_is_a_meld(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """All that ``seat`` holds makes one new meld (art. 35, first case)."""
    _, shown = _within_reach(deal, seat)
    size = len(deal.world.hands[seat])
    if 3 <= size <= len(_RUN) - 2 and deal.view(seat).may_open:
        yield from (tuple(map(face, cards)) for cards in _whole_melds(deal, seat, size, shown))


def a_hand_to_add(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """All that ``seat`` holds can be played, and the last card is added to a meld (art. 35, second case)."""
    reach, shown = _within_reach(deal, seat)
    size = len(deal.world.hands[seat])
    fits = _fitting(reach, deal.view(seat).own)
    deal.rng.shuffle(fits)
    if size == 2:
        for two in list(combinations(fits, 2))[:_MOST]:
            if set(shown) <= set(two):
                yield tuple(map(face, two))
    for last in fits[: _MOST // 4] if size > 3 else ():
        for cards in _whole_melds(deal, seat, size - 1, [card for card in shown if card != last]):
            if last not in cards:
                yield tuple(map(face, (*cards, last)))


def _played_before(deal: SimulatedDeal, seat: Seat, shown: list[str], fits: list[str]) -> Iterator[tuple[str, ...]]:
    """All cards of ``seat`` but one: a new meld, or one or two of ``fits``; ``shown`` are among them."""
    size = len(deal.world.hands[seat])
    if size in (2, 3):
        added = list(combinations(fits, size - 1))[: _MOST // 4]
        yield from (cards for cards in added if set(shown) <= set(cards))
    elif size > 3:
        yield from _whole_melds(deal, seat, size - 1, shown)


def plays_and_a_discard(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """All but a natural card can be played, in one play or in two (art. 33)."""
    reach, shown = _within_reach(deal, seat)
    naturals = [card for card in reach if not is_wild(card)]
    fits = _fitting(naturals, deal.view(seat).own)
    deal.rng.shuffle(fits)
    deal.rng.shuffle(naturals)
    for last in naturals[: _MOST // 2]:
        others = [card for card in shown if card != last]
        for cards in _played_before(deal, seat, others, [card for card in fits if card != last]):
            if last not in cards:
                yield tuple(map(face, (*cards, last)))


def a_meld_and_a_wild(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """All but a wild can be played at once (art. 34)."""
    reach, shown = _within_reach(deal, seat)
    size = len(deal.world.hands[seat])
    wild = next((card for card in (*shown, *reach) if is_wild(card)), None)
    rest = [card for card in shown if card != wild]
    if wild is None:
        return
    if size == 2:
        fits = _fitting(reach, deal.view(seat).own)[:_MOST]
        yield from ((face(wild), face(card)) for card in fits if set(rest) <= {card} and card != wild)
    if size > 3:
        yield from (tuple(map(face, (*cards, wild))) for cards in _whole_melds(deal, seat, size - 1, rest))


def three_wilds(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Wilds that make no meld (art. 10)."""
    reach, _ = _within_reach(deal, seat)
    wilds = [card for card in reach if is_wild(card)]
    deal.rng.shuffle(wilds)
    for three in list(combinations(wilds, 3))[:_MOST]:
        if meld(three) is None:
            yield tuple(map(face, three))


def nearly_a_meld_with_a_wild(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Yield a wild and two cards that it does not join (art. 29)."""
    reach, _ = _within_reach(deal, seat)
    wilds = [card for card in reach if is_wild(card)]
    naturals = [card for card in reach if not is_wild(card)]
    hand = [card for card in deal.world.hands[seat] if not is_wild(card)]
    pairs = [(one, other) for one in hand for other in naturals if one != other]
    deal.rng.shuffle(pairs)
    for one, other in pairs[: 4 * _MOST] if wilds else ():
        if nearly_with_wild((one, other)) and meld((one, other, wilds[0])) is None:
            yield tuple(map(face, (one, other, wilds[0])))


def goes_out_with_a_wrong_card(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Two cards, of which one could be added wrongly and the other discarded, where a closing is staged (art. 25)."""
    reach, shown = _within_reach(deal, seat)
    if deal.end != "closing" or len(deal.world.hands[seat]) != 2:
        return
    naturals = [card for card in reach if not is_wild(card)]
    wrong = [each.cards[0] for each in additions(naturals, dict(deal.view(seat).own))]
    deal.rng.shuffle(wrong)
    deal.rng.shuffle(naturals)
    for card in wrong[:_MOST]:
        yield from ((face(card), face(one)) for one in naturals[:4] if one != card and set(shown) <= {card, one})


def _one_right_one_wrong(free: list[str], own: Mapping[int, OracleMeld]) -> Iterator[tuple[str, ...]]:
    """Yield a card that can be added to one of ``own`` and one that could be added wrongly."""
    right = _fitting(free, own)[:_MOST]
    wrong = [each.cards[0] for each in additions(free, dict(own))][:_MOST]
    yield from ((face(one), face(other)) for one in right for other in wrong if one != other)


def a_last_card_to_add_wrongly(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """One or two cards, of which one could be added wrongly (art. 23: a pot reached through a wrong meld)."""
    reach, shown = _within_reach(deal, seat)
    size, own = len(deal.world.hands[seat]), dict(deal.view(seat).own)
    if size not in (1, 2) or len(shown) >= size:
        return
    free = [card for card in reach if card not in shown]
    if deal.end is not None and size == 2 and not shown:
        yield from _one_right_one_wrong(free, own)
    fits = [each.cards[0] for each in additions(free, own)]
    deal.rng.shuffle(fits)
    yield from ((*map(face, shown), face(card)) for card in fits[:_MOST])


def a_rank_that_was_laid(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Three naturals of the rank of a set that the own line has laid (feburit, art. 15)."""
    reach, shown = _within_reach(deal, seat)
    for lying in deal.rows(deal.line_of(seat)).values():
        rank = lying.cards[-1][0]
        same = sorted((card for card in reach if card[0] == rank), key=lambda card: card not in shown)
        if lying.kind == "set" and not is_wild(lying.cards[-1]) and len(same) >= 3:
            yield tuple(map(face, same[:3]))


WISHES: Final[dict[str, Wish]] = {
    "F-35a": a_hand_that_is_a_meld,
    "F-35b": a_hand_to_add,
    "F-25a": goes_out_with_a_wrong_card,
    "F-25b": goes_out_with_a_wrong_card,
    "F-29d": goes_out_with_a_wrong_card,
    "F-33": plays_and_a_discard,
    "F-33:at-once": plays_and_a_discard,
    "F-23i": plays_and_a_discard,
    "F-34": a_meld_and_a_wild,
    "F-23h": a_hand_that_is_a_meld,
    "F-23n": a_hand_that_is_a_meld,
    "F-23o": a_hand_that_is_a_meld,
    "F-23j": a_last_card_to_add_wrongly,
    "F-23k": a_last_card_to_add_wrongly,
    "F-23l": a_last_card_to_add_wrongly,
    "F-23m": a_last_card_to_add_wrongly,
    "F-10b": three_wilds,
    "F-29c": nearly_a_meld_with_a_wild,
    "B-21a": plays_and_a_discard,
    "B-21b": a_meld_and_a_wild,
    "B-21c": a_hand_that_is_a_meld,
    "B-21c:single": a_hand_to_add,
    "B-15a": a_rank_that_was_laid,
    "B-15b": a_rank_that_was_laid,
    "O-24": a_rank_that_was_laid,
    "O-29": plays_and_a_discard,
    "O-29:wild": a_meld_and_a_wild,
    "O-29:no-discard": a_hand_that_is_a_meld,
    "O-30": a_hand_that_is_a_meld,
}
"""By the name of the kind of fault; the others come about often enough."""
IN_ANY_DEAL: Final = frozenset({"B-15a", "B-15b", "O-24"})
"""Those whose cards chance brings so seldom that they are dealt in a deal without a staged end, too."""
