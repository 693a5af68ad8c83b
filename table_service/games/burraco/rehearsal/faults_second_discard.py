"""A second discard in one turn: each code has its own row for it, and the card goes back to the hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import DiscardGesture, TakeFromPile
from table_service.games.burraco.rehearsal import arbitro_acts
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller, drawn_variant, settled
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_MANY: Final = 4
"""With fewer cards nobody is bothered with it: he may be about to go out."""


def _discards_again(row: str, option: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """Stage a second discard of the player who has just discarded; it is taken up, unasked or as the arbitro says."""
    offender = deal.rotation.previous(seat)
    hand = deal.world.hands[offender]
    if not settled(deal, 12) or deal.turn == 0 or any(len(held) < _MANY for held in deal.world.hands.values()):
        return False
    card = director.rng.choice(hand)
    director.script.wait(director.rng.uniform(1.5, 4.0))
    cue = director.script.do(DiscardGesture(offender, card), deal.act("discard", offender, (card,)))
    variant = drawn_variant(director.rng, ruled=2, taken_back=1)
    deal.inject(row, offender, variant, (card,), cue)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, offender))
        arbitro_acts.rule(deal, row, offender, "take-back", (card,), **({"option": option} if option else {}))
    else:
        director.script.wait(director.rng.uniform(1.5, 4.0))
    director.script.do(TakeFromPile(offender, (card,)), deal.act("take-up", offender, (card,)))
    return True


def second_discard(row: str, option: str = "", way: str = "") -> DealFaultKind:
    """Kind that commits ``row``; ``option``: the choice by which the ruling has the card go back, if there is one."""
    return DealFaultKind(row, (DealMoment.BEFORE_TURN,), partial(_discards_again, row, option), (1, 16), way=way)


__all__ = ["second_discard"]
