"""Cards as codes, and the packs that hold them (interfaces, section 1).

A *face* is what is printed: ``7H``, ``TD``, ``JK``. A *card* may add which physical copy it is: ``7H#2``.
``??`` is an unidentified card; it is a value like any other and never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from hw.errors import TavoloError

UNKNOWN: Final = "??"
JOKER: Final = "JK"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "HDCS"
"""Hearts, diamonds, clubs, spades: from the highest suit of Burraco to the lowest (art. 1)."""

FRENCH_FACES: Final[frozenset[str]] = frozenset(rank + suit for rank in RANKS for suit in SUITS)


class CardError(TavoloError, ValueError):
    """A text that names no card; the message says which text and what would be right."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards a game is played with: each face and how many physical copies of it there are.

    ``spelling``: how a person writes one of its cards, as the end of a sentence.
    """

    name: str
    copies: dict[str, int]
    spelling: str
    _spellings: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tens = {f"10{printed[1:]}".casefold(): printed for printed in self.copies if printed[0] == "T"}
        own = {printed.casefold(): printed for printed in self.copies}
        object.__setattr__(self, "_spellings", {**tens, **own, UNKNOWN: UNKNOWN})

    @property
    def by_whole_faces(self) -> bool:
        """True if its cards are known by their whole faces: they lack the corner index of French-suited ones.

        >>> BURRACO.by_whole_faces, TAROCCO.by_whole_faces
        (False, True)
        """
        return not self.copies.keys() <= FRENCH_FACES | {JOKER}

    @property
    def size(self) -> int:
        """Number of physical cards in the pack."""
        return sum(self.copies.values())

    def cards(self) -> tuple[str, ...]:
        """Every physical card with its copy mark, in a fixed order."""
        return tuple(f"{face}#{n}" for face, count in self.copies.items() for n in range(1, count + 1))

    def parse(self, text: str) -> str:
        """Return the card of this pack that ``text`` names, in canonical spelling; ``??`` is an unidentified card.

        Large and small letters are the same, ``10`` is ``T``, and a copy mark may follow (``7H#2``). Raises CardError,
        which says how a card of this pack is written.

        >>> BURRACO.parse("10d"), TAROCCO.parse("T20"), TAROCCO.parse("qd")
        ('TD', 't20', 'QD')
        """
        printed, mark, copy = text.strip().partition("#")
        found = self._spellings.get(printed.casefold())
        if found is None:
            raise CardError(f"'{text}' is no card: write {self.spelling}")
        if mark and not copy.isdigit():
            raise CardError(f"'{text}': after '#' stands the number of the copy ({found}#2)")
        return f"{found}#{int(copy)}" if mark else found

    def parse_all(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the cards that ``texts`` name, in the same order. Raises CardError for the first that names none."""
        return tuple(self.parse(text) for text in texts)


_FRENCH_SPELLING: Final = "rank A23456789TJQK then suit HDCS (7H)"
BURRACO: Final = Pack(
    "burraco",
    {**{r + s: 2 for s in SUITS for r in RANKS}, JOKER: 4},
    f"{_FRENCH_SPELLING}, or JK for a joker",
)
"""Two French packs and four jokers, 108 cards (fibur2024, art. 1)."""
BRIDGE: Final = Pack("bridge", {r + s: 1 for s in SUITS for r in RANKS}, _FRENCH_SPELLING)
"""One French pack, 52 cards."""
FRENCH: Final = Pack("french", {**BRIDGE.copies, JOKER: 2}, BURRACO.spelling)
"""One French pack with two jokers."""
TAROCCO_RANKS: Final = "A6789TFCQK"
TAROCCO_SUITS: Final = "CDSB"
"""Coppe, denari, spade, bastoni."""
TRUMPS: Final = (*(f"t{n}" for n in range(20, 4, -1)), "m1", "m2", "m3", "m4", "beg", "mat")
"""Angelo (20), Mondo, Sole, Luna, 16 down to 5, the four Mori, Begato; and the Matto, which is no trump."""
TAROCCO: Final = Pack(
    "tarocco",
    {**{r + s: 1 for s in TAROCCO_SUITS for r in TAROCCO_RANKS}, **dict.fromkeys(TRUMPS, 1)},
    "rank A6789TFCQK then suit CDSB (QD), or a trump: t20 to t5, m1 to m4, beg, mat",
)
"""The 62 cards of the tarocco bolognese (interfaces, section 1)."""


@lru_cache(maxsize=4096)  # asked by the hundred thousand in a deal, of some hundred cards
def face(card: str) -> str:
    """Return what is printed on ``card``: its code without the copy mark."""
    return card.partition("#")[0]


def same_face(one: str, other: str) -> bool:
    """Return True if two cards show the same face; an unknown card shows none and is the same as no other."""
    return face(one) == face(other) != UNKNOWN


@lru_cache(maxsize=4096)
def rank(card: str) -> str:
    """Return the rank letter of a French-suited card; a joker's is ``JK``, an unknown one's ``??``."""
    printed = face(card)
    return printed if printed in (JOKER, UNKNOWN) else printed[0]


@lru_cache(maxsize=4096)
def suit(card: str) -> str | None:
    """Return the suit letter of a French-suited card; None for a joker or an unknown card."""
    printed = face(card)
    return None if printed in (JOKER, UNKNOWN) else printed[1]


def parse_card(text: str) -> str:
    """Return the French-suited card or joker that ``text`` names if no pack is known; see ``Pack.parse``."""
    return BURRACO.parse(text)
