"""Four people who know how to play Burraco: what each does in its turn, out of the cards that it holds.

Players are plausible, not strong: they miss things, hold cards back and differ in style, so that deals differ in length
and every phenomenon of regular play occurs. All choices are drawn from the caller's ``random.Random``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import face, rank, suit
from table_service.games.burraco.rehearsal.oracle import OracleMeld, extend, is_wild, meld, points

_PLACES: Final = "A23456789TJQKA"
RANK_ORDER: Final = ("JK", *"2AKQJT9876543")
"""Ranks from the highest to the lowest (art. 1)."""


@dataclass(frozen=True, slots=True)
class Style:
    """Style of a player: each figure is a probability, or a weight if it says so."""

    opens: float
    extends: float
    spends_wilds: float
    collects: float
    """Weight of what the pile brings against what it burdens."""
    minds_opponents: float
    """Weight of not discarding what the opponents could use."""
    careless: float
    """Weight of chance in the choice of a discard."""


STYLES: Final[dict[str, Style]] = {
    "steady": Style(0.75, 0.9, 0.35, 1.0, 4.0, 0.6),
    "eager": Style(0.97, 0.98, 0.75, 1.3, 2.0, 0.5),
    "collector": Style(0.8, 0.85, 0.3, 2.4, 3.0, 0.6),
    "hoarder": Style(0.4, 0.65, 0.15, 1.5, 5.0, 0.8),
    "novice": Style(0.65, 0.75, 0.5, 0.9, 0.0, 4.0),
}


@dataclass(frozen=True, slots=True)
class View:
    """A player's view: its hand, the melds it may add to, the opponents' melds, pile and pots.

    ``own`` and ``theirs`` map row numbers to melds. ``barred`` is the face that may not be discarded (art. 9, the sole
    card of the pile). ``owed`` are cards of the hand that lie exposed: they are to be played or discarded (art. 24).
    ``closed_to_owed`` are the rows that ``owed`` may not be added to.
    """

    hand: tuple[str, ...]
    own: Mapping[int, OracleMeld]
    theirs: Mapping[int, OracleMeld]
    pile: tuple[str, ...]
    pot_taken: bool
    burraco: bool
    may_open: bool = True
    closed_ranks: frozenset[str] = frozenset()
    """Ranks of which no further set may be opened."""
    barred: str | None = None
    owed: tuple[str, ...] = ()
    closed_to_owed: frozenset[int] = frozenset()
    penalised: tuple[str, ...] = ()
    """Cards of ``hand`` that lie in the side zone: they can only be discarded (art. 25)."""
    lowest_first: bool = False
    """Such cards go from the lowest value up."""
    last: bool = False
    """The stock is used up: no pot can be gained by this discard."""
    late: float = 0.0
    """0 when the deal is young, 1 when it has gone on long: players hold less back."""
    keeps: int = 0
    """With fewer cards than these he does not go on, so that nobody goes out."""


@dataclass(frozen=True, slots=True)
class MeldPlay:
    """Cards of the hand that go to row ``row`` (None: a new one), which then is ``result``."""

    row: int | None
    cards: tuple[str, ...]
    result: OracleMeld


def may_discard(view: View, hand: Sequence[str], card: str) -> bool:
    """Return True if ``card`` of ``hand`` may end the turn (arts. 9, 14, 17; no closing without a burraco)."""
    if face(card) == view.barred and sum(face(other) == view.barred for other in hand) < 2:
        return False
    if len(hand) == 1 and (view.pot_taken or view.last):
        return view.pot_taken and view.burraco and not is_wild(card)
    return True


def can_go_on(view: View, hand: Sequence[str], burraco: bool) -> bool:
    """Return True if a turn can still be ended by the rules from ``hand`` (empty: the pot is taken in flight)."""
    if not hand:
        return not view.pot_taken
    after = replace(view, burraco=burraco)
    return any(may_discard(after, hand, card) for card in hand)


def _without(hand: Sequence[str], cards: Iterable[str]) -> tuple[str, ...]:
    gone = set(cards)
    return tuple(card for card in hand if card not in gone)


# What can be played


def _sets(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    by_rank: dict[str, list[str]] = {}
    for card in hand:
        if not is_wild(card):
            by_rank.setdefault(rank(card), []).append(card)
    wilds = sorted((card for card in hand if is_wild(card)), key=lambda card: (rank(card) != "2", card))
    for cards in by_rank.values():
        if len(cards) >= 3:
            yield tuple(cards[:8])
        if len(cards) >= 2 and wilds:
            yield (*cards[:8], wilds[0])


def _runs(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    wilds = sorted((card for card in hand if is_wild(card)), key=lambda card: (rank(card) != "2", card))
    for letter in "HDCS":
        held: dict[str, str] = {}
        for card in hand:
            if suit(card) == letter:
                held.setdefault(rank(card), card)
        # Stretches of neighbours, as places 1 to 14; a 2 counts in its own place.
        places = [place for place, printed in enumerate(_PLACES, start=1) if printed in held]
        for start in places:
            if start - 1 in places:
                continue
            end = start
            while end + 1 in places:
                end += 1
            yield from _stretch(
                held, start, end, places, [card for card in wilds if card not in held.values()] or wilds
            )


def _stretch(
    held: Mapping[str, str], start: int, end: int, places: Sequence[int], wilds: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Yield runs out of the neighbours from ``start`` to ``end``, alone or with a wild leading to the next stretch."""
    names = [_PLACES[place - 1] for place in range(start, end + 1)]
    if start == 1 and end == 14:
        names = names[:-1]
    cards = tuple(held[name] for name in names)
    if len(cards) >= 3:
        yield cards
    if not wilds:
        return
    wild = wilds[0]
    if len(cards) >= 2 and wild not in cards:
        yield (*cards, wild)
    beyond = end + 2
    if beyond in places and beyond <= 14 and wild not in cards:
        more = []
        while beyond in places:
            more.append(held[_PLACES[beyond - 1]])
            beyond += 1
        together = (*cards, *more)
        if len(set(together)) == len(together) and wild not in together:
            yield (*together, wild)


def new_melds(hand: Sequence[str]) -> list[MeldPlay]:
    """Melds that could be opened out of ``hand``, in a fixed order."""
    found = []
    for cards in (*_sets(hand), *_runs(hand)):
        result = meld(cards)
        if result is not None:
            found.append(MeldPlay(None, cards, result))
    return found


def openings(hand: Sequence[str], view: View) -> list[MeldPlay]:
    """Melds that could be opened out of ``hand`` as ``view`` allows, in a fixed order."""
    if not view.may_open:
        return []
    found = new_melds(hand)
    return [play for play in found if play.result.kind != "set" or rank(play.result.cards[-1]) not in view.closed_ranks]


def additions(hand: Sequence[str], own: Mapping[int, OracleMeld], lift_two: bool = False) -> list[MeldPlay]:
    """Single cards of ``hand`` that could be added to melds of the own line, in a fixed order."""
    found = []
    wilds = {card for card in hand if is_wild(card)}
    for row, lying in own.items():
        shared = rank if lying.kind == "set" else suit
        printed = shared(lying.naturals[0])
        for card in hand:
            if shared(card) != printed and card not in wilds:  # most pairs of a card and a meld end here
                continue
            result = extend(lying, (card,), lift_two=lift_two)
            if result is not None:
                found.append(MeldPlay(row, (card,), result))
    return found


# What is played


def _spends_wild(play: MeldPlay) -> bool:
    return any(is_wild(card) and card == play.result.wild for card in play.cards)


def _appetite(play: MeldPlay, view: View, style: Style, before: int) -> float:
    """Return how probably a player makes ``play`` now."""
    push = view.late
    after = len(play.result.cards)
    if _spends_wild(play):
        makes_burraco = before < 7 <= after
        base = 0.9 if makes_burraco else style.spends_wilds * (0.35 if play.row is not None else 0.7)
        return min(1.0, base + push * 0.6)
    base = style.opens if play.row is None else style.extends
    return min(1.0, base + push * 0.6 + (0.3 if before < 7 <= after else 0.0))


Declined = set[tuple[int | None, frozenset[str]]]
"""Rows and cards that a player has passed over in this turn."""


def choose_play(view: View, style: Style, rng: random.Random, declined: Declined) -> MeldPlay | None:
    """Return the next play of a turn; None when the player has enough. ``declined`` grows by what was passed over."""
    plays = additions(view.hand, view.own, lift_two=rng.random() < 0.3)
    plays += openings(view.hand, view)
    going_out = len(view.hand) <= (5 if view.pot_taken else 4)
    ranked = []
    for play in plays:
        key = (play.row, frozenset(play.cards))
        if key in declined or not _allowed(play, view):
            continue
        before = len(view.own[play.row].cards) if play.row is not None else 0
        if any(card in view.owed for card in play.cards):
            appetite = 1.0
        elif going_out and (not _spends_wild(play) or view.late > 0.2):
            appetite = 0.97
        else:
            appetite = _appetite(play, view, style, before)
        worth = len(play.cards) * 10 + points(play.cards) * 0.1 + len(play.result.cards) - 12 * _spends_wild(play)
        if any(card in view.owed for card in play.cards):
            worth += 200
        ranked.append((worth, rng.random(), appetite, key, play))
    ranked.sort(key=lambda entry: (-entry[0], entry[1]))
    for _, _, appetite, key, play in ranked:
        if rng.random() < appetite:
            return play
        declined.add(key)
    return None


def _allowed(play: MeldPlay, view: View) -> bool:
    rest = _without(view.hand, play.cards)
    if any(card in view.penalised for card in play.cards):
        return False
    if play.row in view.closed_to_owed and any(card in view.owed for card in play.cards):
        return False
    burraco = view.burraco or play.result.burraco != "none"
    if len(rest) < view.keeps or not can_go_on(view, rest, burraco):
        return False
    # An exposed card that is not played has to be discarded: one of them must be left to do so.
    left = [card for card in view.owed if card in rest]
    return not left or any(may_discard(view, rest, card) or len(rest) > 1 for card in left)


def wants_pile(view: View, style: Style, rng: random.Random) -> bool:
    """Return True if the player collects the pile rather than draw."""
    if not view.pile:
        return False
    gain = 0.0
    pile = set(view.pile)
    usable = {card for play in additions(view.pile, view.own) for card in play.cards if not _spends_wild(play)}
    gain += 2.2 * len(usable)
    gain += 2.5 * sum(is_wild(card) for card in view.pile)
    together = (*view.hand, *view.pile)
    for play in openings(together, view):
        fresh = pile & set(play.cards) - usable
        if fresh and not _spends_wild(play):
            gain += 1.6 * len(fresh)
            usable |= fresh
    burden = 1.2 + 0.35 * (len(view.pile) - len(usable)) * (1.0 + view.late)
    if len(view.pile) == 1 and face(view.pile[0]) not in [face(card) for card in view.hand] and len(view.hand) <= 1:
        return False
    return gain * style.collects * rng.uniform(0.6, 1.4) > burden * 2.2


def by_norm(card: str) -> tuple[int, int, int]:
    """Sorts penalised cards as they are discarded: by value, then suit (definition of "scartare secondo norma")."""
    letter = suit(card)
    return -points((card,)), "HDCS".index(letter) if letter else -1, RANK_ORDER.index(rank(card))


def choose_discard(view: View, style: Style, rng: random.Random) -> str:
    """Return the card that ends the turn. Falls back on any card if the rules leave none."""
    legal = [card for card in view.hand if may_discard(view, view.hand, card)] or list(view.hand)
    owed = [card for card in legal if card in view.owed]
    if owed:
        return min(owed, key=lambda card: points((card,))) if view.lowest_first else min(owed, key=by_norm)
    weighed = _weighed(view, style, rng, legal)
    if rng.random() < 0.012:
        wilds = [card for card in legal if is_wild(card)]
        if wilds and len(view.hand) > 2:
            return wilds[0]
    return min(weighed)[1]


def _weighed(view: View, style: Style, rng: random.Random, legal: Sequence[str]) -> list[tuple[float, str]]:
    """Return the cards of ``legal``, each with how much its player wants to keep it."""
    useful = {card for play in additions(view.hand, view.own) for card in play.cards}
    feeding = {card for play in additions(view.hand, view.theirs) for card in play.cards}

    def keep(card: str) -> float:
        if is_wild(card):
            return 30.0 + rng.uniform(0, style.careless * 8)
        others = [other for other in view.hand if other != card and not is_wild(other)]
        company = 2.0 * sum(rank(other) == rank(card) for other in others)
        company += 1.5 * sum(suit(other) == suit(card) and _near(other, card) for other in others)
        return (
            company
            + 5.0 * (card in useful)
            + style.minds_opponents * (card in feeding)
            - 0.05 * points((card,))
            + rng.uniform(0, style.careless)
        )

    return [(keep(card), card) for card in legal]


def _near(one: str, other: str) -> bool:
    return abs(_PLACES.index(rank(one)) - _PLACES.index(rank(other))) in (1, 2)


def random_styles(rng: random.Random) -> tuple[Style, Style, Style, Style]:
    """Four players' styles, seat by seat."""
    names = sorted(STYLES)
    return (
        STYLES[rng.choice(names)],
        STYLES[rng.choice(names)],
        STYLES[rng.choice(names)],
        STYLES[rng.choice(names)],
    )
