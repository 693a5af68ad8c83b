"""A wild laid on top of a run by who holds a card that goes on with it, and does not lay it (seeds 001, art. 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.cards import JOKER, rank, suit
from hw.seats import Seat
from table_service.games.burraco.rehearsal import arbitro_acts, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import is_calm
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller, drawn_variant
from table_service.games.burraco.rehearsal.oracle import OracleMeld, is_wild
from table_service.games.burraco.rehearsal.players import MeldPlay, may_discard
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_LOWEST, _HIGHEST = 3, 12
"""The lowest card of the run leaves a place below it, its highest one a place above it that is no ace's."""
_ABOVE: Final = dict(zip(range(_LOWEST + 1, 15), "456789TJQKA", strict=True))
"""Which rank has a place in a run, an ace the place above the king."""


def _goes_on(lying: OracleMeld, hand: tuple[str, ...]) -> list[str]:
    """Return the cards of ``hand`` that belong where a wild on top of ``lying`` lies, or directly beyond it."""
    top = lying.low + len(lying.cards) - 1
    ranks = {_ABOVE[place] for place in (top + 1, top + 2)}
    return [card for card in hand if suit(card) == suit(lying.cards[0]) and rank(card) in ranks]


def _came_by_the_gate(deal: SimulatedDeal, seat: Seat) -> set[str]:
    """Cards that ``seat`` drew or collected in this deal: the table has read them on their way into its hand."""
    taken = (action for cue in deal.script.cues for action in cue.actions)
    return {
        card
        for action in taken
        if action.seat is seat and action.deal == deal.number and action.type in ("draw", "collect")
        for card in action.cards
    }


def _leaves_room(deal: SimulatedDeal, row: int, lying: OracleMeld) -> bool:
    """Return True if a wild of the run could lie below it as well as on top of it."""
    top = lying.low + len(lying.cards) - 1
    plain = lying.kind == "run" and lying.wild is None and row not in deal.frozen
    return plain and lying.low >= _LOWEST and top <= _HIGHEST


def _held_to_go_on(deal: SimulatedDeal, seat: Seat, lying: OracleMeld) -> list[tuple[str, bool]]:
    """Return the cards that go on with the run and may be discarded, each with whether it is kept and so known."""
    view, known = deal.view(seat), _came_by_the_gate(deal, seat)
    cards = [card for card in _goes_on(lying, tuple(view.hand)) if may_discard(view, view.hand, card)]
    return [(card, kept) for card in cards for kept in (True, False) if card in known or not kept]


def _ways(deal: SimulatedDeal, seat: Seat) -> list[tuple[int, OracleMeld, str, str, bool]]:
    """Row, run, wild, the card that goes on with it, and whether that card is kept."""
    return [
        (row, lying, wild, card, kept)
        for row, lying in deal.view(seat).own.items()
        if _leaves_room(deal, row, lying)
        for wild in deal.view(seat).hand
        if rank(wild) == JOKER or (rank(wild) == "2" and suit(wild) != suit(lying.cards[0]))
        for card, kept in _held_to_go_on(deal, seat, lying)
    ]


def _lays_wild_on_top(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-06g: ``seat`` lays a wild on top of a run of its line, and discards without going on with it.

    What it could have laid the table knows: it was drawn or collected in this deal, or is what it discards.
    """
    view, found = deal.view(seat), _ways(deal, seat)
    if not is_calm(deal) or not found or len(view.hand) < deal.spare + 2:
        return False
    rng = director.rng
    row, lying, wild, card, kept = rng.choice(found)
    result = OracleMeld("run", (*lying.cards, wild), wild, low=lying.low)
    scripted_acts.lay(deal, seat, MeldPlay(row, (wild,), result))
    director.script.wait(rng.uniform(2.0, 5.0))
    hand = [one for one in deal.world.hands[seat] if one != wild]
    others = [one for one in hand if one != card and not is_wild(one) and may_discard(view, hand, one)]
    away = rng.choice(others) if kept and others else card
    cue = scripted_acts.discard(deal, seat, away)
    variant = drawn_variant(rng, nobody_calls=2, ruled=1)
    what = "keeps" if away != card else "discards"
    deal.inject("B-06g", seat, f"{what} the card for it, {variant}", (wild,), cue)
    deal.excess[row] = ()  # nobody adds to it any more: whether he has to, the arbitro has asked him
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "B-06g", seat, "referee", meld=row)
    turns.exhausted(deal, seat)
    return True


WILD_ON_TOP_KINDS: Final = (DealFaultKind("B-06g", (DealMoment.BEFORE_DISCARD,), _lays_wild_on_top, (1, 18)),)
