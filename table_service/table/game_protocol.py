"""The seam between a table and the game that is played at it: what a game answers, and the values it is given.

The table follows the cards, numbers events, keeps the round and its sheets; the game knows the meaning of a movement.
It reports through the table's ``voice`` and ``reporting``, and asks it about sensors, round and sheets
(``table.Table``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from hw.observations import Button, Knock, Observation, Said, Shield
from hw.seats import Seat
from table_service.events.orders import Order, StartDeal, StartRound
from table_service.table.round_state import RoundReferee
from table_service.tracking.movements import (
    Counted,
    Movement,
    Named,
    Retracted,
    RowChanged,
    Shown,
    Touched,
    Unverified,
    Verified,
)

Revision = Named | Retracted | RowChanged | Counted | Unverified | Verified
"""Revisions and doubts of what was accepted of earlier movements."""
Signal = Button | Said | Shield | Knock | Touched | Shown
"""Signals that players give without moving a card from zone to zone."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A deal begins at ``t``, or with neither number nor dealer a round, of which no deal runs yet.

    ``order``: by which it begins; None if the game has seen itself that it does.
    """

    t: float
    number: int | None = None
    dealer: Seat | None = None
    order: StartRound | StartDeal | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """Time has come to ``t`` seconds of the log. ``called``: the arbitro is called, or acts, at this moment."""

    t: float
    called: bool = False


@dataclass(frozen=True, slots=True)
class Sensed:
    """An observation as it came, after all that tracking made of it. ``waiting``: movements are held back."""

    observation: Observation
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class DealEnd:
    """At ``t`` the next deal begins, ``following`` its number, or the round ends (None)."""

    t: float
    following: int | None = None


class Doubts(Protocol):
    """Knowledge of a game about movements that would accuse a player: whether evidence may still put them in order."""

    def dated(self, move: Movement) -> Movement:
        """Return ``move``, dated earlier if it may have happened before it was seen."""
        ...

    def open_in(self, track: Movement | RowChanged) -> str | None:
        """Return the zone in which something may have gone unnoticed that would put ``track`` in order; None: it is."""
        ...

    def is_awaited(self, track: Movement | RowChanged, zone: str) -> bool:
        """Return True if ``track``, dated late, is what may have gone unnoticed in ``zone``."""
        ...

    def is_assured(self, zone: str, held: Movement | RowChanged) -> bool:
        """Return True if the sensors assure that nothing went unnoticed in ``zone`` before ``held``."""
        ...

    def unsettled(self, held: Movement | RowChanged, zone: str) -> Movement | RowChanged:
        """Give up waiting: the evidence is unknown; return ``held`` with the confidence that it has then."""
        ...


class NoDoubts:
    """The doubts of a game in which nothing waits: every movement is handed on at once."""

    def dated(self, move: Movement) -> Movement:
        """``move`` as it is."""
        return move

    def open_in(self, track: Movement | RowChanged) -> None:
        """Return None: nothing could put it in order."""

    def is_awaited(self, track: Movement | RowChanged, zone: str) -> bool:  # noqa: ARG002 - as `Doubts`
        """Return False: nothing is waited for."""
        return False

    def is_assured(self, zone: str, held: Movement | RowChanged) -> bool:  # noqa: ARG002 - as `Doubts`
        """Return True: nothing is held."""
        return True

    def unsettled(self, held: Movement | RowChanged, zone: str) -> Movement | RowChanged:  # noqa: ARG002 - as `Doubts`
        """``held`` as it is."""
        return held


class Game(Protocol):
    """One game at one table. It raises on no input, and no player has to keep to the rules."""

    @property
    def referee(self) -> RoundReferee:
        """Its referee, as far as rounds know it."""
        ...

    @property
    def doubts(self) -> Doubts:
        """Evidence that movements may have to wait for."""
        ...

    @property
    def in_play(self) -> bool:
        """True if a deal has begun and is not over."""
        ...

    def begin(self, beginning: Beginning) -> None:
        """Begin a round, or a deal of it."""

    def moved(self, move: Movement) -> None:
        """Cards have moved."""

    def revised(self, revision: Revision) -> None:
        """Take a revision of something accepted: it is known better, can no longer be relied on, or can again."""

    def signalled(self, signal: Signal) -> None:
        """Take a player's signal, or a hand laid out."""

    def ordered(self, order: Order) -> None:
        """Follow the arbitro: he has decided, stated a fact, given points, or begun or ended play of the running deal.

        Points are booked before; what is not about a deal (``seating``, ``foresee`` …) does not come here.
        """

    def at(self, now: Now) -> None:
        """Say what has shown itself by now without a further act. Asked before every track and every observation."""

    def sensed(self, sensed: Sensed) -> None:
        """Take an observation: compare what sensors show with what is accepted."""

    def end(self, end: DealEnd) -> None:
        """End the deal: nothing more of it can come; what was not counted is counted now."""

    def state(self) -> dict[str, Any]:
        """Return the public state of the deal that runs, as JSON values; ``{"deal": None}`` if none does."""
        ...
