"""Cricche and sequences of a set of cards: those shown in an accuso, or a line's pile at the end of the deal.

The same tables hold for both, and each set of cards is counted by itself (facts file, section 5). All functions take
the faces of cards that are known, each once; what a card nobody knows would change is for ``score`` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from hw.cards import TAROCCO_SUITS
from table_service.games.tarocco.rules.card_points import (
    ACE,
    ANGELO,
    CONTATORI,
    FIGURES,
    KING,
    LUNA,
    MORI,
    NEXT_THREE,
    NUMBERED,
    SOLE,
    TAROCCHI,
)

Kind = Literal["cricca", "sequence"]
Family = Literal[
    "tarocchi", "kings", "queens", "knights", "jacks",
    "great", "cups", "coins", "swords", "clubs", "mori", "aces",
]  # fmt: skip

CRICCHE: Final[Mapping[Family, tuple[tuple[str, ...], int, int]]] = MappingProxyType(
    {
        "tarocchi": (TAROCCHI, 18, 36),
        "kings": (tuple(KING + suit for suit in TAROCCO_SUITS), 17, 34),
        "queens": (tuple("Q" + suit for suit in TAROCCO_SUITS), 14, 28),
        "knights": (tuple("C" + suit for suit in TAROCCO_SUITS), 13, 26),
        "jacks": (tuple("F" + suit for suit in TAROCCO_SUITS), 12, 24),
    }
)
"""The cards of each cricca, and the points of three and of four of them (Barilli, points)."""
SHORTEST: Final = 3
SEQUENCE_POINTS: Final = 10
"""For three cards; every further one adds ``CARD_POINTS``."""
CARD_POINTS: Final = 5
DOUBLED_FROM: Final = 3
"""So many cricche, or sequences of different families, are doubled."""

_SUITS: Final[Mapping[str, Family]] = MappingProxyType({"C": "cups", "D": "coins", "S": "swords", "B": "clubs"})
_ACES: Final = tuple(ACE + suit for suit in TAROCCO_SUITS)


@dataclass(frozen=True, slots=True)
class Combination:
    """One cricca or sequence: its ``cards`` in order, and what they count before doubling.

    ``stands_for``: which missing card a contatore takes the place of; a contatore that is not in it is appended.
    ``missing``: a card that may be missing for nothing (one of Mondo, Sole, Luna). ``ends``: the missing cards at which
    a great sequence breaks (scavezzo), the highest first; empty where it runs to its end.
    """

    kind: Kind
    family: Family
    cards: tuple[str, ...]
    points: int
    stands_for: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Combinations:
    """All combinations of one kind in one set of cards; ``doubled``: there are three or more."""

    found: tuple[Combination, ...]

    @property
    def doubled(self) -> bool:
        """True if the sum counts twice."""
        return len(self.found) >= DOUBLED_FROM

    @property
    def points(self) -> int:
        """The points of all of them, doubled where they are three or more."""
        return sum(one.points for one in self.found) * (2 if self.doubled else 1)


def cricche(cards: Iterable[str]) -> Combinations:
    """Return the cricche in ``cards``: three or four tarocchi, kings, queens, knights, jacks.

    >>> cricche(["KC", "KD", "KS", "QB"]).points
    17
    """
    held = frozenset(cards)
    found = []
    for family, (group, three, four) in CRICCHE.items():
        own = tuple(card for card in group if card in held)
        if len(own) >= SHORTEST:
            found.append(Combination("cricca", family, own, four if len(own) == len(group) else three))
    return Combinations(tuple(found))


def sequences(cards: Iterable[str]) -> Combinations:
    """Return the sequences in ``cards``: the great one, four suits, Mori, aces. Contatori count in each at once.

    >>> [(one.family, one.points) for one in sequences(["t20", "t19", "t17", "t16"]).found]
    [('great', 15)]
    """
    held = frozenset(cards)
    contatori = tuple(card for card in CONTATORI if card in held)
    found = [great(held, contatori)]
    found += [_suit(suit, held, contatori) for suit in TAROCCO_SUITS]
    found += [_equals("mori", MORI, held, contatori), _equals("aces", _ACES, held, contatori)]
    return Combinations(tuple(one for one in found if one is not None))


def great(held: Collection[str], contatori: tuple[str, ...]) -> Combination | None:
    """Return the great sequence (Grande): the Angelo and two of Mondo, Sole, Luna, then 16 down to 5, then the Mori.

    One of the three may be missing; a second only if a contatore takes its place, which then makes up the three cards
    that are needed (Barilli, pp. 50, 51). A missing number must be covered by a contatore; of two that follow each
    other the first breaks the sequence (scavezzo). Without both Rosse and the 16, two contatori do not carry it beyond
    16, but it stands (comma 16).
    """
    absent = [card for card in NEXT_THREE if card not in held]
    if ANGELO not in held or len(absent) > len(contatori) + 1 or len(absent) == len(NEXT_THREE):
        return None  # no source lets two contatori stand beside the Angelo alone
    spare = list(contatori)
    stands_for = {spare.pop(0): card for card in absent[:-1]}
    below = _Below(held, spare, stands_for, barred=_is_barred(held))
    reached = below.run()
    cards = (ANGELO, *(card for card in NEXT_THREE if card in held), *reached)
    return Combination(
        "sequence",
        "great",
        _in_places(cards, stands_for, contatori),
        _points(len(cards) + len(contatori)),
        stands_for,
        tuple(absent[-1:]),
        below.broken,
    )


def _is_barred(held: Collection[str]) -> bool:
    """Return True if comma 16 keeps contatori from bridging the 16."""
    return SOLE not in held and LUNA not in held and NUMBERED[0] not in held


class _Below:
    """Goes down the numbered trumps as far as they are held or covered, then to the Mori."""

    def __init__(self, held: Collection[str], spare: list[str], stands_for: dict[str, str], *, barred: bool) -> None:
        self._held, self._spare, self._stands_for, self._barred = held, spare, stands_for, barred
        self.broken: tuple[str, ...] = ()

    def run(self) -> list[str]:
        """Return the cards held below the Luna that belong to the sequence; contatori take places as needed."""
        reached = []
        for place, card in enumerate(NUMBERED):
            if card in self._held:
                reached.append(card)
            elif not self._cover(place, card):
                self.broken = tuple(one for one in NUMBERED[place : place + 2] if one not in self._held)
                return reached
        return [*reached, *(card for card in MORI if card in self._held)]

    def _cover(self, place: int, card: str) -> bool:
        follows = NUMBERED[place + 1] if place + 1 < len(NUMBERED) else None
        two_missing = follows is not None and follows not in self._held
        if not self._spare or two_missing or (self._barred and place == 0):
            return False
        self._stands_for[self._spare.pop(0)] = card
        return True


def _suit(suit: str, held: Collection[str], contatori: tuple[str, ...]) -> Combination | None:
    """Return a suit's sequence: the king and two of queen, knight, jack, one perhaps by a contatore; the ace."""
    if KING + suit not in held:
        return None
    figures = [rank + suit for rank in FIGURES if rank + suit in held]
    stands_for: dict[str, str] = {}
    if len(figures) == 1 and contatori:
        stands_for[contatori[0]] = next(rank + suit for rank in FIGURES if rank + suit not in held)
    if len(figures) + len(stands_for) < SHORTEST - 1:
        return None
    ace = [ACE + suit] if ACE + suit in held else []
    cards = (KING + suit, *figures, *ace)
    return Combination(
        "sequence",
        _SUITS[suit],
        _in_places(cards, stands_for, contatori),
        _points(len(cards) + len(contatori)),
        stands_for,
    )


def _equals(
    family: Family, group: tuple[str, ...], held: Collection[str], contatori: tuple[str, ...]
) -> Combination | None:
    """Mori or aces: at least two of them, three cards with the contatori."""
    own = tuple(card for card in group if card in held)
    if len(own) < SHORTEST - 1 or len(own) + len(contatori) < SHORTEST:
        return None
    return Combination("sequence", family, (*own, *contatori), _points(len(own) + len(contatori)))


def _in_places(cards: tuple[str, ...], stands_for: Mapping[str, str], contatori: tuple[str, ...]) -> tuple[str, ...]:
    """``cards`` with each contatore where the card lies that it stands for, the others at the end."""
    order: Callable[[str], int] = (ANGELO, *NEXT_THREE, *NUMBERED, *MORI, *_SUIT_ORDER).index
    placed = sorted([*cards, *stands_for], key=lambda card: order(stands_for.get(card, card)))
    return (*placed, *(card for card in contatori if card not in stands_for))


_SUIT_ORDER: Final = tuple(rank + suit for suit in TAROCCO_SUITS for rank in (KING, *FIGURES, ACE))


def _points(cards: int) -> int:
    return SEQUENCE_POINTS + (cards - SHORTEST) * CARD_POINTS
