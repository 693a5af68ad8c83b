"""A turn as a player plays it: what he takes, what he lays, what he discards, and what follows from that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import Say
from table_service.games.burraco.rehearsal import deal_end, scripted_acts
from table_service.games.burraco.rehearsal.fault import DealMoment
from table_service.games.burraco.rehearsal.players import Declined, additions, choose_discard, choose_play, wants_pile
from table_service.games.burraco.rehearsal.simulated_deal import LAST_CARDS, Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

LEAVES_ONE: Final = 0.01
"""How often a player who collects leaves one card as his discard (art. 9)."""
LAST_DRAWS: Final = 3
"""The last draws of a deal that is to end with the stock: nobody collects the pile any more."""


def play_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> None:
    """``seat`` plays its turn, by the rules and by what the arbitro has left it."""
    deal.taking = False
    limit = deal.limits.pop(seat, None)
    if limit is None and director.offer(DealMoment.INSTEAD_OF_TAKING, deal, seat):
        return
    ended = draw_or_collect(director, deal, seat, limit)
    broken = False
    if not ended:
        plan = director.plans.pop(seat, None)
        if plan is not None and (limit is None or not limit.row):
            plan(seat)
        elif limit is not None:
            broken = limit.breaks and _breaks(director, deal, seat, limit)
        else:
            play_cards(director, deal, seat)
        thaw(deal, seat)
        if deal.over is None and deal.turn_open and not director.offer(DealMoment.BEFORE_DISCARD, deal, seat):
            end_turn(director, deal, seat)
    deal.turn_open = True
    deal.may_not_close.discard(seat)
    if limit is not None and limit.row and not broken:
        deal.kept(limit.row, seat, "served", len(director.script.cues) - 1)


def _breaks(director: Director, deal: SimulatedDeal, seat: Seat, limit: Limit) -> bool:
    """``seat`` plays though its turn is limited; whether it could."""
    view = deal.view(seat)
    plays = [play for play in additions(view.hand, view.own) if len(view.hand) - len(play.cards) >= 2]
    if not plays:
        return False
    deal.kept(limit.row, seat, "broken", scripted_acts.lay(deal, seat, director.rng.choice(plays)))
    return True


def thaw(deal: SimulatedDeal, seat: Seat) -> None:
    """Count a turn of ``seat`` as over, as far as freezes count turns."""
    for row, freeze in tuple(deal.frozen.items()):
        if freeze.seat is seat:
            deal.frozen[row] = replace(freeze, turns=freeze.turns - 1)
    deal.frozen = {row: freeze for row, freeze in deal.frozen.items() if freeze.turns > 0}


def draw_or_collect(director: Director, deal: SimulatedDeal, seat: Seat, limit: Limit | None) -> bool:
    """Draw or collect; True where that ended the turn."""
    rng = director.rng
    pile = deal.pile
    must = limit.must if limit else None
    if deal.end == "stock" and len(deal.stock) <= LAST_CARDS + LAST_DRAWS:
        must = must or "draw"
    may_draw = len(deal.stock) > LAST_CARDS
    collects = must == "collect" or (must is None and wants_pile(deal.view(seat), director.styles[seat], rng))
    deal.barred = None
    if pile and (collects or not may_draw) and must != "draw":
        leaves_one = len(pile) >= 3 and not limit and not deal.owed.get(seat) and rng.random() < LEAVES_ONE
        scripted_acts.took(deal, seat, scripted_acts.collect(deal, seat, 1 if leaves_one else 0))
        return leaves_one
    scripted_acts.took(deal, seat, scripted_acts.draw(deal, seat))
    director.offer(DealMoment.AFTER_DRAW, deal, seat)
    return False


def play_cards(director: Director, deal: SimulatedDeal, seat: Seat) -> None:
    """Open and extend as long as ``seat`` likes, taking the pot in flight where the hand is played out."""
    declined: Declined = set()
    own = director.styles[seat]
    style = replace(own, opens=own.opens * director.pace, extends=own.extends * director.pace)
    while True:
        play = choose_play(deal.view(seat), style, director.rng, declined)
        if play is None:
            return
        scripted_acts.lay(deal, seat, play)
        if not deal.hand(seat):
            take_pot(director, deal, seat, "in-flight")
            if not deal.turn_open or director.offer(DealMoment.AFTER_FLIGHT, deal, seat):
                deal.turn_open = False
                return
            declined.clear()


def take_pot(director: Director, deal: SimulatedDeal, seat: Seat, manner: str) -> None:
    """``seat`` takes the pot that is its line's."""
    deal.flight = manner == "in-flight"
    if not director.offer(DealMoment.TAKING_POT, deal, seat):
        scripted_acts.take_pot(deal, seat, manner)


def end_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> None:
    """Discard, and what follows from it: pot, closing, the end of the stock."""
    card = choose_discard(deal.view(seat), director.styles[seat], director.rng)
    finish_with(director, deal, seat, card)


def finish_with(director: Director, deal: SimulatedDeal, seat: Seat, card: str) -> None:
    """``seat`` discards ``card`` and that has its consequences."""
    closes = len(deal.hand(seat)) == 1 and deal.pot_taken(deal.line_of(seat))
    if closes and director.rng.random() < 0.4:
        director.script.do(Say(seat, "close"))
    cue = scripted_acts.discard(deal, seat, card)
    if closes:
        scripted_acts.turn_shield(deal, seat, "over")
        deal_end.ends(deal, "closed", seat, cue)
        return
    if not exhausted(deal, seat) and not deal.hand(seat):
        take_pot(director, deal, seat, "discard")


def exhausted(deal: SimulatedDeal, seat: Seat) -> bool:
    """End the deal where ``seat`` has played its last turn (arts. 15, 17); whether it had."""
    if len(deal.stock) <= LAST_CARDS:
        deal_end.ends(deal, "stock", seat, deal.last_discard)
    elif deal.last_turn == deal.turn:
        deal_end.ends(deal, "time-out", seat, deal.last_discard)
    return deal.over is not None
