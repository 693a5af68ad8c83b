"""The 62 cards of the tarocco bolognese: groups, names, points (Barilli, chapters 1 and 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from hw.cards import TAROCCO, TAROCCO_SUITS

ANGELO: Final = "t20"
MONDO: Final = "t19"
SOLE: Final = "t18"
LUNA: Final = "t17"
BEGATO: Final = "beg"
MATTO: Final = "mat"

NEXT_THREE: Final = (MONDO, SOLE, LUNA)
"""The three trumps below the Angelo, of which the great sequence needs two."""
NUMBERED: Final = tuple(f"t{number}" for number in range(16, 4, -1))
"""The trumps that carry a number, from 16 down to 5: where the great sequence can break (scavezzo)."""
MORI: Final = ("m1", "m2", "m3", "m4")
ALIKE: Final = ("m3", "m4")
"""Two of the Mori are one picture: only a tag tells which of them it is."""


def told_apart(cards: Iterable[str], gone: Collection[str] = ()) -> tuple[str, ...]:
    """``cards`` in which the second of two that are alike is the other one; ``gone``: cards that lie elsewhere.

    >>> told_apart(("m3", "KC", "m3")), told_apart(("m4",), {"m4"}), told_apart(("m3",), {"m3", "m4"})
    (('m3', 'KC', 'm4'), ('m3',), ('m3',))
    """
    found: list[str] = []
    for card in cards:
        there = {*gone, *found}
        other = ALIKE[1 - ALIKE.index(card)] if card in ALIKE else card
        found.append(other if card in there and other not in there else card)
    return tuple(found)


"""The four equal trumps."""
CONTATORI: Final = (BEGATO, MATTO)
"""The two cards that count in every sequence at once."""
TAROCCHI: Final = (ANGELO, MONDO, BEGATO, MATTO)

KING: Final = "K"
FIGURES: Final = "QCF"
"""Regina, cavallo, fante."""
ACE: Final = "A"

SUIT_NAMES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"C": ("coppe", "cups"), "D": ("denari", "coins"), "S": ("spade", "swords"), "B": ("bastoni", "clubs")}
)

_WORTH: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(TAROCCO.copies, 1),
        **{rank + suit: points for rank, points in zip("KQCF", (5, 4, 3, 2), strict=True) for suit in TAROCCO_SUITS},
        **dict.fromkeys(TAROCCHI, 5),
    }
)


def worth(card: str) -> int:
    """Return the points of ``card`` before pairing: 5, 4, 3, 2, and 1 for a scartino. Raises KeyError for none."""
    return _WORTH[card]
