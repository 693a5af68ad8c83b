"""A wild of a run that is moved though nothing is laid with it (art. 10): it has to stay where it was placed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.cards import JOKER, rank, suit
from hw.seats import Seat
from hw.twin.gestures import LayGesture
from table_service.games.burraco.rehearsal import arbitro_acts, turns
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller, drawn_variant, settled
from table_service.games.burraco.rehearsal.oracle import OracleMeld
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_THINKS: Final = (1.5, 6.0)
"""Seconds for which the wild lies elsewhere before it goes back, somebody calls, or play goes on."""


def _elsewhere(lying: OracleMeld) -> list[tuple[str, ...]]:
    """Return the run with its wild in other places, where it stands for another card or for none.

    A wild between two cards may go nowhere. A free one that lies lowest, which is its place, may not go to the top.
    """
    wild = lying.wild or ""
    rest = tuple(card for card in lying.cards if card != wild)
    own = next((n for n, card in enumerate(rest) if rank(card) == "2"), None)
    if own is not None and rank(wild) == "2":
        return []  # two pinelle of which one is the natural 2 may be exchanged (art. 10, third example)
    if lying.inner:
        return [(wild, *rest), (*rest, wild)]
    if lying.cards[0] != wild or rank(rest[0]) == "A":
        return []  # below the ace no card comes: who moves the wild up from there puts a run in order (art. 11)
    return [(*rest, wild)]


def _moves_wild(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-10a: ``seat`` moves the wild of a run of its line, and lays nothing (art. 10, first example)."""
    rng, script = director.rng, director.script
    if not settled(deal, 10):
        return False
    found = [
        (row, lying, reads)
        for row, lying in deal.view(seat).own.items()
        if lying.kind == "run" and lying.wild and deal.world.rows[row].cards == lying.cards
        for reads in _elsewhere(lying)
    ]
    if not found:
        return False
    row, lying, reads = rng.choice(found)
    wild = lying.wild or ""
    moved = script.do(LayGesture(seat, row, reads), deal.act("move", seat, (wild,), meld=row))
    variant = drawn_variant(rng, moved_back=2, nobody_calls=2, ruled=2)
    sort = "joker" if rank(wild) == JOKER else "own pinella" if suit(wild) == suit(lying.naturals[0]) else "pinella"
    place = "between two cards" if lying.inner else "free"
    deal.inject("F-10a", seat, f"{sort} {place} moved alone, {variant}", (wild,), moved)
    script.wait(rng.uniform(*_THINKS))
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat, seat))
        arbitro_acts.rule(deal, "F-10a", seat, "take-back", (wild,), meld=row)
    if variant != "nobody-calls":
        script.do(LayGesture(seat, row, lying.cards), deal.act("move", seat, (wild,), meld=row))
    turns.end_turn(director, deal, seat)
    return True


WILD_ALONE_KINDS: Final = (DealFaultKind("F-10a", (DealMoment.BEFORE_DISCARD,), _moves_wild, (2, 20), way="alone"),)
