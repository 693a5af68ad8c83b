"""Cards as codes, and the packs that hold them (interfaces, section 1).

A *face* is what is printed: ``7H``, ``TD``, ``JK``. A *card* may add which physical copy it is: ``7H#2``.
``??`` is a card that nobody identified; it is a value like any other and never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
    """The cards a game is played with: each face and how many physical copies of it there are."""

    name: str
    copies: dict[str, int]

    @property
    def size(self) -> int:
        """How many physical cards the pack has."""
        return sum(self.copies.values())

    def cards(self) -> tuple[str, ...]:
        """Every physical card with its copy mark, in a fixed order."""
        return tuple(f"{face}#{n}" for face, count in self.copies.items() for n in range(1, count + 1))


BURRACO: Final = Pack("burraco", {**{r + s: 2 for s in SUITS for r in RANKS}, JOKER: 4})
"""Two French packs and four jokers, 108 cards (fibur2024, art. 1)."""
BRIDGE: Final = Pack("bridge", {r + s: 1 for s in SUITS for r in RANKS})


def face(card: str) -> str:
    """What is printed on ``card``: its code without the copy mark."""
    return card.partition("#")[0]


def same_face(one: str, other: str) -> bool:
    """Whether two cards show the same face; an unknown card shows none and is the same as no other."""
    return face(one) == face(other) != UNKNOWN


def rank(card: str) -> str:
    """The rank letter of a French-suited card; a joker's is ``JK``, an unknown one's ``??``."""
    printed = face(card)
    return printed if printed in (JOKER, UNKNOWN) else printed[0]


def suit(card: str) -> str | None:
    """The suit letter of a French-suited card; None for a joker or an unknown card."""
    printed = face(card)
    return None if printed in (JOKER, UNKNOWN) else printed[1]


def parse_card(text: str) -> str:
    """The French-suited card that ``text`` names, in canonical spelling.

    Takes ``7h``, ``10D``, ``jk``, ``7H#2`` and ``??``. Raises CardError for anything else.
    """
    printed, mark, copy = text.strip().upper().partition("#")
    if printed.startswith("10"):
        printed = "T" + printed[2:]
    if printed not in FRENCH_FACES and printed not in (JOKER, UNKNOWN):
        raise CardError(f"'{text}' is no card: write rank A23456789TJQK then suit HDCS (7H), or JK for a joker")
    if mark and not copy.isdigit():
        raise CardError(f"'{text}': after '#' stands the number of the copy (7H#2)")
    return f"{printed}#{int(copy)}" if mark else printed


def parse_cards(texts: Iterable[str]) -> tuple[str, ...]:
    """The cards that ``texts`` name, in the same order. Raises CardError for the first that names none."""
    return tuple(parse_card(text) for text in texts)
