"""Kinds of faults at a table of tarocco, in plain terms; the rows that answer them (T02 to T19) are the code's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto

from hw.seats import Seat


class TaroccoFault(StrEnum):
    """One fact against the tournament rules or the base rules. Those by persons are told by no sensor."""

    DEALT_WRONGLY = auto()
    """Before play: a hand has another number of cards than 15 (the dealer 17), found while dealing (comma 7)."""
    NUMBERS_WRONG_IN_PLAY = auto()
    """A seat runs out of cards early or late."""
    CARD_TURNED_UP = auto()
    """A card showed its face before the scarto was made (comma 8)."""
    HAND_LOOKED_AT = auto()
    """A hand was taken up before the scarto lay (comma 6)."""
    SCARTO_OF_OTHER_NUMBER = auto()
    """The scarto had not two cards, found before the first card was led (comma 9)."""
    SCARTO_OF_OTHER_NUMBER_IN_PLAY = auto()
    SCARTO_CHANGED_IN_PLAY = auto()
    """Cards were put to the scarto or taken from it once play had begun (comma 6)."""
    SCARTO_HOLDS_A_FIVE = auto()
    """A king or one of the tarocchi lies in the scarto (Barilli, 3.3)."""
    ACCUSO_LATE = auto()
    """A combination was shown after the own first card (comma 10)."""
    SIGNAL_BEFORE_THE_KING = auto()
    """Busso, striscio or volo in a suit whose king has not been played while trumps are out (comma 11)."""
    SIGNAL_BY_ANOTHER = auto()
    """A signal by a player who does not lead (comma 11)."""
    PAUSE = auto()
    """More than five seconds before his card, by a player who could follow (comma 12)."""
    SHOWN_OUT_OF_TURN = auto()
    """A card was shown by a player whose turn it was not."""
    REVOKE = auto()
    """A suit was not followed by a player who held a card of it (comma 14)."""
    TRUMP_NOT_PLAYED = auto()
    """A third suit was played by a player who could not follow and held a trump."""
    FALSE_CLAIM = auto()
    """All cards were laid out, and not all of the remaining tricks were won with them (comma 15)."""
    PLAYED_OUT_OF_TURN = auto()
    CALLED_OUT_WRONGLY = auto()
    """A player has called himself out against the order of Ottocento, or without the points."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A fault as play shows it: by whom (None: not known), in which trick (from 1; 0 before play), with which cards.

    ``mends``: it can still be put right without a penalty (comma 14: before the next opponent plays).
    """

    kind: TaroccoFault
    seat: Seat | None
    number: int = 0
    cards: tuple[str, ...] = ()
    suit: str | None = None
    mends: bool = False
