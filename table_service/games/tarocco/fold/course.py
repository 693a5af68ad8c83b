"""Course of one deal, as frozen values; ``course_of_moves`` makes it, anew if a movement was another.

A card has moved whether a rule allows it or not. If no sensor shows who laid it, the player in turn is assumed, which
is then not certain: it accuses no player.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.seats import SEATS, Line, Seat
from hw.zones import SCARTO, side, tricks
from table_service.games.tarocco.fold.statements import (
    Stated,
)
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.tracking.movements import Movement

TRICK: Final = "trick"
PILES: Final = (*(tricks(line) for line in Line), SCARTO)
SIDES: Final = frozenset(side(seat) for seat in SEATS)
SEATS_OF_A_TRICK: Final = len(SEATS)
SURE: Final = 0.95
"""A movement at least so sure may accuse somebody, or deny a card."""
TOGETHER_S: Final = 1.0
"""Cards first seen so close to each other may have come in the other order: a picture is taken every half second."""
PROMPT_S: Final = 1.2
"""A card told later than that came to light late: what lay there before it may have been unseen as well."""
IN_VIEW_S: Final = 3.0
"""A time without pictures of the trick in which no combination can have been shown and taken back: that takes twice."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid to trick ``number``. ``due``: whose turn it was, None: nobody knows. ``is_sure``: who laid it is."""

    number: int
    seat: Seat
    card: str
    move: Movement
    due: Seat | None
    is_sure: bool

    @property
    def leads(self) -> bool:
        """True if it lies first: nobody's turn but the leader's."""
        return self.place == 0

    place: int = 0
    shared: bool = False
    """Whether it was first seen with another card, so that either may be the other's."""

    @property
    def is_dated(self) -> bool:
        """True if a beam or a gate told when it was laid; of one that none told of nobody knows how long it lay."""
        return "reach" in self.move.basis or "tags" in self.move.basis

    @property
    def is_prompt(self) -> bool:
        """True if pictures showed the card as it came to rest; else nobody could see for a while before."""
        return self.is_dated and self.move.t - self.move.committed_t <= PROMPT_S

    @property
    def earliest_t(self) -> float:
        """The earliest time at which it was laid: where no hand was reported, after the last picture without it."""
        since = self.move.since
        return self.move.committed_t if self.is_dated or since is None else since

    @property
    def came_in_view(self) -> bool:
        """True if pictures showed the place shortly before the card came and shortly after it."""
        if self.is_dated:
            return self.move.t - self.move.committed_t <= IN_VIEW_S
        return self.move.since is not None and self.move.committed_t - self.move.since <= IN_VIEW_S


@dataclass(frozen=True, slots=True)
class Gathered:
    """Trick ``number`` was gathered at ``committed_t``. ``pile``: where it was put; ``cards``: how many, if weighed."""

    number: int
    committed_t: float
    pile: Line | None = None
    cards: int | None = None
    move: int | None = None
    piled_t: float = -math.inf
    """When its pile told of it, where that came later: the Matto may have been taken away before the other cards."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """``seat`` took ``card`` back from trick ``number`` at ``t``."""

    number: int
    seat: Seat
    card: str
    t: float


@dataclass(frozen=True, slots=True)
class CountBegins:
    """The button of the count was pressed: all tricks are played, also those that nobody saw."""

    committed_t: float


@dataclass(frozen=True, slots=True)
class FacedCards:
    """Cards of ``seat`` that lie face up apart from the trick. ``late``: since after its first card to a trick."""

    seat: Seat
    cards: tuple[str, ...]
    move: Movement
    late: bool
    before_scarto: bool
    in_turn: bool | None
    """Whether it was the seat's turn; None: not known, or before play."""
    number: int = 0
    turn: Seat | None = None
    """Which trick lay open, and whose turn it was."""
    what: Literal["lying", "accuso", "claim", "cards"] = "lying"
    until: float | None = None
    """When they were taken back; None while they lie."""


@dataclass(frozen=True, slots=True)
class GateRead:
    """The gate of ``seat`` has named ``card`` at ``committed_t``: it crossed there, whatever the camera saw of it."""

    committed_t: float
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A picture at ``committed_t`` showed ``card`` at the place of ``seat`` in the trick; too few did to tell of it."""

    committed_t: float
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class ScartoSaid:
    """Knock of the player who discards at ``committed_t``, before a card was led: the scarto is made."""

    committed_t: float


@dataclass(frozen=True, slots=True)
class Unwatched:
    """At ``committed_t`` ``zone`` was not sensed: a scarto may have been made there unseen, or the trick changed."""

    committed_t: float
    zone: str


Act = Movement | GateRead | Glimpse | ScartoSaid | Unwatched | CountBegins | Stated


@dataclass(frozen=True, slots=True)
class Course:
    """A deal so far. ``shown``: cards that lay face up apart, in order; ``piled``: cards put to each line's pile."""

    deal: TaroccoDeal
    laid: tuple[Laid, ...] = ()
    gathered: tuple[Gathered, ...] = ()
    shown: tuple[FacedCards, ...] = ()
    scarto_by: Movement | None = None
    """The newest movement that changed the scarto before play."""
    scarto_said: float | None = None
    """When it was last announced by a knock."""
    lifted: tuple[Lifted, ...] = ()
    """Cards that their players took back from the trick that lay open."""
    piled: Mapping[Line, int] = field(default_factory=lambda: dict.fromkeys(Line, 0))
    read: tuple[GateRead, ...] = ()
    glimpsed: tuple[Glimpse, ...] = ()
    numbers_wrong: tuple[tuple[Seat | None, int, Movement], ...] = ()
    lifted_piles: frozenset[Line] = frozenset()
    guessed: frozenset[str] = frozenset()
    """Cards that no picture has shown well: a gate or one picture has, or they were lifted from the trick."""
    disturbed: frozenset[int] = frozenset()
    """Tricks of which another hand than its player's has taken a card while they seemed to lie open."""
    unwatched: frozenset[int] = frozenset()
    """Tricks that lay open while nothing sensed them: what was put right in that time is unknown."""
    contradicted: bool = False
    """Whether one of these came to light elsewhere."""
    declared: frozenset[Seat] = frozenset()
    """Who has declared combinations, as a person has heard."""
    named: frozenset[Seat] = frozenset()
    """Of whom a person has entered the composition too: it stands, whatever was seen of it."""
    closed: bool = False
    """Whether the count has begun although fewer tricks were noticed than are played."""

    @property
    def is_over(self) -> bool:
        """True if nothing more is played."""
        return self.deal.is_over or self.closed

    @property
    def has_scarto(self) -> bool:
        """True if the scarto is made: it lies and was announced, or play has begun."""
        return self.deal.has_begun or (self.scarto_said is not None and bool(self.deal.scarto))

    def of_trick(self, number: int) -> tuple[Laid, ...]:
        """Return what was laid to trick ``number`` and still counts."""
        return tuple(one for one in self.laid if one.number == number)
