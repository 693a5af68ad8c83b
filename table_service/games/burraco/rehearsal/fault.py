"""Faults: when each can be committed, and how the table continues after it.

A fault is offered every moment of a deal from its turn on and commits itself at the first that suits. What follows
(somebody calls the arbitro, who rules or dismisses; or no one does and play continues) is drawn as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from table_service.games.burraco.rehearsal.oracle import OracleMeld
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, openings
from table_service.games.burraco.rehearsal.simulated_deal import Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


BREAKS: Final = 1 / 6
"""How often a player breaks what he was ordered."""


_LAYS_OUT: Final = 6
"""With at most so many cards a player may go out in one turn by what he lays."""


class DealMoment(StrEnum):
    """Moment of committing a fault; the seat offered with it is the one in turn, or the one that just discarded."""

    SET_UP = "set-up"
    """The cards are about to be dealt; committing prepares something wrong. The seat is the dealer."""
    DEALT = "dealt"
    """The cards are dealt, nothing is turned up yet. The seat is the dealer."""
    BEFORE_TURN = "before-turn"
    """Nobody has drawn yet; committing leaves the turn to be played."""
    INSTEAD_OF_TAKING = "instead-of-taking"
    """The seat is about to draw or collect; committing plays its whole turn."""
    AFTER_DRAW = "after-draw"
    AFTER_FLIGHT = "after-flight"
    """The seat has just taken the pot in flight; committing plays the rest of its turn."""
    TAKING_POT = "taking-pot"
    """The seat is entitled to its pot, having discarded or not; committing takes it."""
    BEFORE_DISCARD = "before-discard"
    """The seat is about to discard; committing plays the rest of its turn."""
    COUNT = "count"
    """The deal is over, the hands are about to be laid out. The seat is the dealer."""


Commit = Callable[["Director", SimulatedDeal, Seat], bool]


@dataclass(frozen=True, slots=True)
class DealFaultKind:
    """Way of committing a catalogue row: moments, from which turn on at the earliest and at the latest.

    ``told`` False: no sensor detects it; it is staged to see that no player is accused of something else. ``way``:
    which of several ways of committing the row it is, if each is rehearsed and measured by itself.
    """

    row: str
    moments: tuple[DealMoment, ...]
    commit: Commit
    turns: tuple[int, int] = (0, 18)
    told: bool = True
    lead: int = 0
    """Turns from the one in which it is committed to the one in which it is ruled."""
    late: bool = False
    """Found some time later: it can be ruled after the end of the deal as well."""
    way: str = ""
    own: bool = False
    """Who is about to go out can commit it in that very turn: then his closing comes to nothing (art. 25)."""
    to_pot: bool = False
    """It leads its player to his line's first pot."""

    @property
    def name(self) -> str:
        """Name of the kind on a command line: the row, and the way after a colon (``F-05b:foreign``)."""
        return f"{self.row}:{self.way}" if self.way else self.row


@dataclass(frozen=True, slots=True)
class StagedFault:
    """A fault that is to happen in a deal from turn ``turn`` on."""

    kind: DealFaultKind
    turn: int

    def due(self, moment: DealMoment, deal: SimulatedDeal, seat: Seat) -> bool:
        """Return True if it may happen at ``moment`` of ``deal``, which is offered to ``seat``."""
        if moment not in self.kind.moments:
            return False
        if deal.end is None or self.kind.late:
            return deal.turn >= self.turn
        taken = moment not in (DealMoment.BEFORE_TURN, DealMoment.INSTEAD_OF_TAKING)
        if deal.end == "closing":
            return self.kind.lead == 0 and deal.may_close(seat, *((_LAYS_OUT,) if self.kind.own else ()))
        if deal.end == "stalemate":
            return moment is DealMoment.BEFORE_TURN and deal.stalling
        lead = self.kind.lead + (moment is DealMoment.BEFORE_TURN and deal.end == "time-out")
        return deal.is_last_turn(taken=taken, lead=lead)

    def commit(self, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
        """Commit it if the cards and the players allow; whether it was."""
        return self.kind.commit(director, deal, seat)


def settled(deal: SimulatedDeal, stock: int = 8) -> bool:
    """Return True if nothing of an earlier fault is served, no last round runs, and the stock will last a while."""
    if deal.last_turn is not None and deal.end is None:
        return False
    thawing = any(freeze.seat is not None for freeze in deal.frozen.values())
    pending = any(deal.owed.values()) or deal.limits or thawing or deal.excess
    return not pending and (deal.end is not None or len(deal.stock) >= stock)


def drawn_variant(rng: random.Random, **weights: float) -> str:
    """One of the names in ``weights`` (``_`` written as ``-``), drawn by weight."""
    names = list(weights)
    return rng.choices(names, weights=[weights[name] for name in names], k=1)[0].replace("_", "-")


def caller(deal: SimulatedDeal, offender: Seat, playing: Seat | None = None) -> Seat:
    """Player who calls the arbitro: an opponent of the offender, but not the partner of ``playing`` in his turn.

    The partner of the offender may call only after his discard (general part, procedure; art. 21).
    """
    partner = None if playing is None else deal.rotation.partner(playing)
    others = [seat for seat in deal.opponents(offender) if partner is None or seat is not partner]
    return deal.rng.choice(others)


def limited(rng: random.Random, must: str, row: str) -> Limit:
    """Return what a ruling on ``row`` leaves of the next turn; one player in six does not keep to it."""
    return Limit(must, row, breaks=rng.random() < BREAKS)


def plays_of(deal: SimulatedDeal, seat: Seat, keep: int) -> list[MeldPlay]:
    """Return what ``seat`` could lay now and still hold ``keep`` cards, in a fixed order."""
    view = deal.view(seat)
    plays = additions(view.hand, view.own) + openings(view.hand, view)
    return [play for play in plays if len(view.hand) - len(play.cards) >= keep]


def keeps_order(rows: Mapping[int, OracleMeld], play: MeldPlay) -> bool:
    """Return True if taking the cards of ``play`` out again leaves its row as it was."""
    before = rows[play.row].cards if play.row is not None and play.row in rows else ()
    return tuple(card for card in play.result.cards if card not in play.cards) == before
