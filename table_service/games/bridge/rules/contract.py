"""Bids, contracts and vulnerability (laws 18, 22; law 77 for the values)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from hw.errors import TavoloError
from hw.seats import Line, Seat

STRAINS: Final = "CDHSN"
"""Clubs, diamonds, hearts, spades, no trump: from the lowest."""
LEVELS: Final = "1234567"
BIDS: Final = tuple(level + strain for level in LEVELS for strain in STRAINS)
"""The 35 bids from the lowest (law 18)."""
_PLACE: Final[Mapping[str, int]] = MappingProxyType({bid: place for place, bid in enumerate(BIDS)})
SUIT_LETTERS: Final[Mapping[int, int | None]] = MappingProxyType(
    str.maketrans("\u2663\u2667\u2666\u2662\u2665\u2661\u2660\u2664", "CCDDHHSS", "\ufe0e\ufe0f")
)
"""The suits' signs as letters, for ``str.translate``; what chooses between a sign's forms goes."""
BOOK: Final = 6
"""Tricks that a declarer must win before those that he bid for."""
TRICKS: Final = 13

Doubling = Literal["", "X", "XX"]
Vulnerable = Literal["none", "NS", "EW", "both"]
DOUBLINGS: Final[tuple[Doubling, ...]] = ("", "X", "XX")
VULNERABLE: Final[tuple[Vulnerable, ...]] = ("none", "NS", "EW", "both")


class BridgeError(TavoloError, ValueError):
    """A contract, a call or a board that is none; the message says what is wrong with it, all of it."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Last bid, the seat that plays it, and how it was doubled. ``bid``: as ``3N``."""

    bid: str
    declarer: Seat
    doubled: Doubling = ""

    def __post_init__(self) -> None:
        if self.bid not in _PLACE:
            raise BridgeError(f"'{self.bid}' is no bid: write a level from 1 to 7 and C, D, H, S or N")

    @property
    def level(self) -> int:
        """Number of tricks beyond six that were bid."""
        return int(self.bid[0])

    @property
    def strain(self) -> str:
        """The trump suit's letter, ``N`` for no trump."""
        return self.bid[1]

    @property
    def needed(self) -> int:
        """The tricks that make it."""
        return BOOK + self.level

    def __str__(self) -> str:
        return f"{self.level}{'NT' if self.strain == 'N' else self.strain}{self.doubled}"


def parse_bid(text: str) -> str:
    """Return the bid that ``text`` names, as ``3N``: ``3NT``, ``3n``, ``3SA``, suits' signs too. Raises BridgeError.

    >>> parse_bid("3nt"), parse_bid("7s"), parse_bid("4\u2660")
    ('3N', '7S', '4S')
    """
    short = text.translate(SUIT_LETTERS).strip().upper()
    short = short[:1] + {"NT": "N", "SA": "N"}.get(short[1:], short[1:])
    if short not in _PLACE:
        raise BridgeError(f"'{text}' is no bid: write a level from 1 to 7 and C, D, H, S or NT")
    return short


def is_higher(bid: str, than: str | None) -> bool:
    """Return True if ``bid`` is sufficient over ``than``; any bid is over none (law 18)."""
    return than is None or _PLACE[bid] > _PLACE[than]


def is_vulnerable(line: Line, vulnerable: Vulnerable) -> bool:
    """Return True if ``line`` is vulnerable."""
    return vulnerable in ("both", line.value)


def board_dealer(number: int) -> Seat:
    """Return who deals board ``number``, from 1 (law 2)."""
    return tuple(Seat)[(number - 1) % 4]


def board_vulnerable(number: int) -> Vulnerable:
    """Return who is vulnerable on board ``number``, from 1 (law 2): a cycle of sixteen.

    >>> [board_vulnerable(number) for number in (1, 2, 3, 4, 5, 13, 16, 17)]
    ['none', 'NS', 'EW', 'both', 'NS', 'both', 'EW', 'none']
    """
    place = (number - 1) % 16
    return VULNERABLE[(place + place // 4) % 4]
