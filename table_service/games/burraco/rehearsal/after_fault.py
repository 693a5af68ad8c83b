"""Common parts of the faults of the FE.BUR.IT code: when one may happen, who calls, what a ruling leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from table_service.games.burraco.rehearsal import arbitro_acts, mistaken_melds
from table_service.games.burraco.rehearsal.fault import caller, drawn_variant, settled
from table_service.games.burraco.rehearsal.mistaken_melds import MistakenMeld
from table_service.games.burraco.rehearsal.simulated_deal import Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_MANY: Final = 4
"""With fewer cards nobody is bothered with a fault: he may be about to go out, and the text bars him."""


def is_calm(deal: SimulatedDeal, stock: int = 12) -> bool:
    """Return True if nothing is pending, and, when no end is staged, no player is near to going out."""
    many = all(len(deal.world.hands[seat]) >= _MANY for seat in deal.world.hands)
    return settled(deal, stock) and (many or deal.end is not None)


def somebody_else(director: Director, deal: SimulatedDeal, seat: Seat) -> Seat:
    """Another one than ``seat``; before the first turn not who played before, who has not."""
    others = [seat.partner, seat.next, seat.previous] if deal.turn else [seat.partner, seat.next]
    return director.rng.choice(others)


def what_follows(director: Director) -> str:
    """Somebody calls and the arbitro rules (``ruled``), or dismisses it; or nobody does and play goes on."""
    variant = drawn_variant(director.rng, ruled=6, play_goes_on=3, dismissed=1)
    if variant == "play-goes-on":
        director.script.wait(director.rng.uniform(2.5, 6.0))
    return variant


def is_ruled(deal: SimulatedDeal, row: str, offender: Seat, variant: str, playing: Seat | None = None) -> bool:
    """Let the arbitro come, if he is called; return True if he is to rule."""
    if variant == "play-goes-on":
        return False
    arbitro_acts.call(deal, caller(deal, offender, playing))
    if variant == "dismissed":
        arbitro_acts.dismiss(deal, row, offender)
    return variant != "dismissed"


def limit_next_turn(deal: SimulatedDeal, row: str, seat: Seat) -> None:
    """In his next turn he draws or picks up and discards; his partner does not go out in that round."""
    deal.limits[seat] = Limit("any", row)
    deal.may_not_close |= {seat, seat.partner}


def wrong_lays(row: str, deal: SimulatedDeal, seat: Seat) -> list[MistakenMeld]:
    """Return what ``seat`` could lay wrongly by ``row``."""
    view, hand = deal.view(seat), tuple(deal.world.hands[seat])
    own = dict(view.own)
    if row == "B-10j":
        found = [*mistaken_melds.openings(hand, wild=False), *mistaken_melds.openings(hand, wild=True)]
        found = found if view.may_open else []
    else:
        kind = "run" if row == "B-10k" else "set"
        found = [one for one in mistaken_melds.additions(hand, own) if own[one.row or 0].kind == kind]
    return [one for one in found if len(hand) - len(one.cards) >= deal.spare]
