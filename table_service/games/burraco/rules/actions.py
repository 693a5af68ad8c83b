"""Actions of a player in Burraco, as values: made from movements, taken by the deal and the referee.

``id`` is that of its movement; ``t`` and ``committed_t`` as in tracking. ``seat`` is None if the hand was not seen.
``cards``: as they moved, ``??`` if unknown. ``confidence``: 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from hw.seats import Line, Seat

ALONE: Final = 0.9
"""From this confidence on, no other hand than the one seen can have moved the cards."""
PotManner = Literal["discard", "in-flight"]
ChangeReason = Literal["reordered", "taken-out", "corrected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Fields of all actions."""

    id: int = 0
    t: float = 0.0
    committed_t: float = 0.0
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    confidence: float = 1.0
    basis: tuple[str, ...] = ()
    frames: tuple[int | str, ...] = ()
    supposed: bool = False
    """Whether ``seat`` rests on the order of play alone, no hand having been seen."""

    @property
    def is_by_one_hand(self) -> bool:
        """True if no other hand than the one seen can have moved the cards, or a gate has read them."""
        return self.confidence >= ALONE or "tags" in self.basis


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Action):
    """The first card of the stock is turned up onto the discard spot (art. 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """Cards leave the top of the stock for a hand (art. 8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect(Action):
    """Cards leave the discard pile for a hand (art. 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Action):
    """Cards are laid as a new meld (art. 7). ``result``: how the row reads; ``source``: where they lay (None: hand).

    ``beside``: the row in whose column they lie, apart from it. ``ordered``: a ruling has told to put the meld right.
    """

    row: int
    line: Line
    result: tuple[str, ...] = ()
    source: str | None = None
    beside: int | None = None
    unread: bool = False
    """Whether a single card came that the gate of that hand, which answers, has not read."""
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extend(Action):
    """Cards are laid to a meld that lies there (art. 7). ``unread``, ``ordered``: as with ``Open``."""

    row: int
    line: Line
    result: tuple[str, ...] = ()
    source: str | None = None
    unread: bool = False
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncover(Action):
    """Cards that had lain hidden in a meld come to light there (art. 26). ``seat``: whose hand pushed cards aside.

    ``by``: who may have hidden them, having laid the cards next to them; empty where nobody was seen to.
    """

    row: int
    line: Line
    result: tuple[str, ...]
    by: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Action):
    """A meld reads otherwise than before although no card came to it or left it."""

    row: int
    line: Line
    result: tuple[str, ...]
    why: ChangeReason = "reordered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Action):
    """A card is laid on the discard pile. ``left``: it was left lying by who took the others (art. 9)."""

    left: bool = False
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePot(Action):
    """A pot comes to a hand, after the discard or in flight (art. 23). ``by``: whose hand was seen to lift it."""

    manner: PotManner
    by: Seat | None = None
    declared: bool | None = None
    """Whether he had turned his hand-shield over; None: it is not asked for, or cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expose(Action):
    """Cards of a hand come to lie face up outside melds and pile (art. 24)."""

    zone: str
    visible_to: tuple[Seat, ...] | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declare(Action):
    """A player names cards of his hand (art. 24)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch(Action):
    """A hand rests at ``zone`` and takes nothing (art. 8)."""

    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Action):
    """A player calls the arbitro (art. 21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowHand(Action):
    """A hand lay face up before its player, and then play went on (art. 24); not ``played_on``: nobody has yet."""

    played_on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalise(Action):
    """Cards are laid face up at the side of the table (art. 25)."""

    zone: str
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Action):
    """Cards go back to a hand, out of meld ``row`` or from ``zone``; ``result``: how the row reads afterwards.

    ``holder``: whose hand the ledger had taken them from, where that is known; ``ordered``: a ruling has told to.
    """

    zone: str
    row: int | None = None
    result: tuple[str, ...] = ()
    holder: Seat | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnToStock(Action):
    """Cards go from a hand back onto the stock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnToPile(Action):
    """Cards that had been collected go back onto the pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnToPot(Action):
    """Cards go back to a pot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift(Action):
    """Cards went from ``source`` to ``target`` in a way that is none of the other actions."""

    source: str | None
    target: str | None


Playing = Draw | Collect | Open | Extend | Discard
"""What makes up a time of play (art. 7)."""
