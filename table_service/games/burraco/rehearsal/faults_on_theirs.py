"""A card added to a meld of the other line: forbidden by one code, and no sentence of the others speaks of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hw.seats import Seat
from hw.twin.gestures import TakeFromRow
from table_service.games.burraco.rehearsal import arbitro_acts, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    keeps_order,
    settled,
)
from table_service.games.burraco.rehearsal.players import additions
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_MANY = 4
"""With fewer cards nobody is bothered with it: he may be about to go out."""


def _adds(row: str, variants: dict[str, float], director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """``seat`` adds a card to a meld of the other line. ``variants``: what comes of it, by weight."""
    if not settled(deal, 12) or any(len(deal.world.hands[one]) < _MANY for one in deal.world.hands):
        return False
    plays = additions(deal.world.hands[seat], dict(deal.view(seat).theirs))
    plays = [play for play in plays if keeps_order(deal.melds, play)]
    if not plays:
        return False
    play = director.rng.choice(plays)
    meld = play.row or 0
    cue = scripted_acts.spoil(deal, seat, play.cards, meld, play.result.cards)
    variant = drawn_variant(director.rng, **variants)
    deal.inject(row, seat, variant, play.cards, cue)
    if variant == "play-goes-on" or variant == "taken-back":
        director.script.wait(director.rng.uniform(2.5, 6.0))
    else:
        arbitro_acts.call(deal, caller(deal, seat))
        chosen = {"option": variant} if variant in ("back", "stay") else {}
        arbitro_acts.rule(deal, row, seat, "take-back", play.cards, **chosen)
    if variant not in ("play-goes-on", "stay"):
        director.script.do(TakeFromRow(seat, meld, play.cards), deal.act("take-back", seat, play.cards, meld=meld))
    else:
        deal.melds[meld] = play.result
    turns.end_turn(director, deal, seat)
    return True


def added_to_theirs(row: str, **variants: float) -> DealFaultKind:
    """Kind that commits ``row``; ``variants``: outcome → weight; without them it is ruled and taken back."""
    return DealFaultKind(row, (DealMoment.BEFORE_DISCARD,), partial(_adds, row, variants or {"ruled": 1}), (2, 16))


__all__ = ["added_to_theirs"]
