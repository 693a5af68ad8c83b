"""Acts ordered by rulings: cards go to the side or back to the hand, a row is frozen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.seats import Seat
from hw.twin.gestures import (
    Lift,
    PutAside,
    Rest,
    TakeFromRow,
)
from hw.zones import melds
from table_service.games.burraco.rehearsal.scripted_acts import OVER_HAND
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

_LEANS: Final = 0.5
"""How often his partner's arm lies over the melds meanwhile."""


def to_side(deal: SimulatedDeal, seat: Seat, row: int, cards: Sequence[str], cue: int) -> None:
    """``cards`` of row ``row`` go to ``seat``'s side of the table, penalised; they fell with cue ``cue``."""
    cards = tuple(cards)
    lay_aside(deal, seat, row, cards)
    deal.excess.pop(row, None)
    deal.owed[seat] = dict.fromkeys(cards, cue)


def lay_aside(deal: SimulatedDeal, seat: Seat, row: int, cards: tuple[str, ...]) -> None:
    """Carry ``cards`` of row ``row`` to the side of ``seat``: over its hand, or at once, an arm over the melds."""
    if not deal.staged or deal.rng.random() < OVER_HAND:
        deal.script.do(TakeFromRow(seat, row, cards), deal.act("take-back", seat, cards, meld=row))
        deal.script.do(PutAside(seat, cards), deal.act("penalise", seat, cards))
        return
    zone = melds(deal.lines[row])
    leans = deal.rng.random() < _LEANS
    if leans:
        deal.script.do(Rest(seat.partner, zone))
    taken = deal.act("take-back", seat, cards, meld=row)
    deal.script.do(PutAside(seat, cards, row), taken, deal.act("penalise", seat, cards))
    if leans:
        deal.script.wait(deal.rng.uniform(2.0, 9.0))
        deal.script.do(Lift(seat.partner, zone))


def take_back(deal: SimulatedDeal, seat: Seat) -> tuple[str, ...]:
    """``seat`` takes the cards of the newest play back into its hand; the cards."""
    _, row, cards, _ = deal.plays[-1]
    deal.script.do(TakeFromRow(seat, row, cards), deal.act("take-back", seat, cards, meld=row))
    return _unplay(deal)


def take_aside(deal: SimulatedDeal, seat: Seat) -> tuple[str, ...]:
    """Move the cards of the newest play to ``seat``'s side of the table, penalised (art. 33); return the cards."""
    _, row, cards, _ = deal.plays[-1]
    lay_aside(deal, seat, row, cards)
    return _unplay(deal)


def _unplay(deal: SimulatedDeal) -> tuple[str, ...]:
    _, row, cards, before = deal.plays.pop()
    if before is None:
        del deal.melds[row]
    else:
        deal.melds[row] = before
    return cards


def freeze_undrawn(deal: SimulatedDeal, seat: Seat, row: int, cards: tuple[str, ...]) -> None:
    """Record that the arbitro has frozen row ``row``, to which ``seat`` just laid ``cards`` undrawn (art. 30)."""
    deal.frozen[row] = Freeze(seat, undrawn=cards, before=deal.plays[-1][3])
