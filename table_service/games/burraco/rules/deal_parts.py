"""Parts of a deal besides its cards: phases, faults, melds, pots, exposed cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from hw.seats import Line, Seat
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards

Frozen = Literal["none", "temporary", "definitive"]
Manner = Literal["closed", "stock", "time-out", "stalemate", "stopped"]


class Phase(StrEnum):
    """Phase of a deal."""

    DEALT = "dealt"
    """Before the first draw or collection."""
    PLAYING = "playing"
    OVER = "over"


class ActFault(StrEnum):
    """Fault of an act; an act may have several."""

    OUT_OF_TURN = "out-of-turn"
    ALREADY_DRAWN = "already-drawn"
    NOT_DRAWN = "not-drawn"
    SEVERAL = "several"
    STOCK_CLOSED = "stock-closed"
    PILE_EMPTY = "pile-empty"
    AFTER_DISCARD = "after-discard"
    NO_MELD = "no-meld"
    FROZEN = "frozen"
    OTHER_LINE = "other-line"
    SECOND_SET = "second-set"
    """A second set of a rank on one line, where the code does not allow it."""
    NO_BURRACO = "no-burraco"
    WILD_DISCARD = "wild-discard"
    NO_DISCARD = "no-discard"
    POT_NOT_DUE = "pot-not-due"
    POT_TAKEN_BEFORE = "pot-taken-before"
    DEAL_OVER = "deal-over"


@dataclass(frozen=True, slots=True)
class MeldRow:
    """A meld on the table: its number, line, how it lies and whether cards may be added (definitions of freezing).

    ``negative``: those of its cards that count against the line and make no burraco (arts. 23, 25).
    """

    row: int
    line: Line
    cards: Cards
    frozen: Frozen = "none"
    negative: Cards = ()


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot of a line: who took it, how, and whether he has played since.

    ``by``: whose hand was seen to lift it, None where none was; ``cards``: how many went to the hand; ``t``: when it
    was lifted; ``turn``: the number of the turn that ran or ran last. ``supposed``: it may not have been taken in
    flight, and so not be played: the pile was not vouched for in that turn, and a discard may have gone unnoticed.
    """

    seat: Seat
    manner: act.PotManner
    place: str
    played: bool = False
    by: Seat | None = None
    cards: int = 0
    t: float = 0.0
    turn: int = 0
    supposed: bool = False


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that lies face up outside melds and pile, and the hand that the ledger took it from.

    ``seen`` False: nobody saw whose hand it was, and that one is a supposition.
    """

    card: str
    seat: Seat
    seen: bool = True


@dataclass(frozen=True, slots=True)
class TurnBeforeGap:
    """The turn as it was known before a gap in sensing in which nothing was done, as far as that shows.

    ``known``, ``whole``: as the deal had them. ``lost``: of stock, pile and pots those that have not been counted since
    with what they held; ``t``: when the last of the others was.
    """

    known: bool
    whole: bool
    lost: tuple[str, ...] = ()
    t: float = -1.0


class Lay(NamedTuple):
    """``seat`` laid ``cards`` to a meld at ``t``; not ``seen``: no hand was, it was in that seat's turn."""

    seat: Seat
    t: float
    cards: Cards = ()
    seen: bool = True


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last thing laid in the running turn: meld ``row``, the cards laid, whether they opened it."""

    row: int
    cards: Cards
    opened: bool
    piecemeal: bool = False
    """Whether the meld has been opened card by card and nothing else was laid since: all of it may be meant as one."""

    def is_more_of(self, last: LastPlay) -> bool:
        """Return True if this is ``last`` with more cards, not a play of its own."""
        same = self.row == last.row and self.opened == last.opened
        return same and len(self.cards) > len(last.cards) and self.cards[: len(last.cards)] == last.cards
