"""Faults against the order of turns: drawing, collecting and playing when it is not one's turn, or without drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import DrawGesture, PutBack, ReturnGesture, SlideBack, SlideOff, TakeUp
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    limited,
    settled,
)
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, openings
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> Seat:
    """Return who acts though it is ``seat``'s turn."""
    return director.rng.choices([seat.partner, seat.next, seat.previous], weights=[3, 4, 3 if deal.turn else 2], k=1)[0]


def _draws_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31a: ``seat`` should play next, but another one draws (art. 31)."""
    rng = director.rng
    if not settled(deal):
        return False
    offender = _out_of_turn(director, deal, seat)
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, offender, "draw", out_of_turn=True)
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=2)
    deal.inject("F-31a", offender, variant, (card,), cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    arbitro_acts.call(deal, caller(deal, offender))
    if variant == "dismissed":
        arbitro_acts.dismiss(deal, "F-31a", offender)
        return True
    arbitro_acts.rule(deal, "F-31a", offender, "return-to-stock;next-turn-draw-and-discard-only", (card,))
    back = card if rng.random() < 0.7 else rng.choice(deal.world.hands[offender])
    director.script.do(PutBack(offender, back), deal.act("return-to-stock", offender, (back,)))
    deal.limits[offender] = limited(rng, "draw", "F-31a")
    return True


def _collects_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31d: another one than ``seat`` takes the pile (art. 31)."""
    rng = director.rng
    pile = deal.pile
    if not settled(deal) or not pile:
        return False
    offender = _out_of_turn(director, deal, seat)
    cue = scripted_acts.collect(deal, offender)
    deal.barred = None
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=2)
    deal.inject("F-31d", offender, variant, pile, cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    arbitro_acts.call(deal, caller(deal, offender))
    if variant == "dismissed":
        arbitro_acts.dismiss(deal, "F-31d", offender)
        return True
    arbitro_acts.rule(deal, "F-31d", offender, "return-to-pile;next-turn-collect-and-discard-only", pile)
    director.script.do(ReturnGesture(offender, pile), deal.act("return-to-pile", offender, pile))
    deal.limits[offender] = limited(rng, "collect", "F-31d")
    return True


def a_play(director: Director, deal: SimulatedDeal, seat: Seat, keep: int) -> MeldPlay | None:
    """Something that ``seat`` could lay down and still hold ``keep`` cards; None where there is nothing."""
    view = deal.view(seat)
    plays = additions(view.hand, view.own) + openings(view.hand, view)
    plays = [play for play in plays if len(view.hand) - len(play.cards) >= keep]
    return director.rng.choice(plays) if plays else None


def _plays_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-32: another one than ``seat`` opens or extends a meld (art. 32)."""
    rng = director.rng
    if not settled(deal):
        return False
    offender = rng.choice([seat.partner, seat.next])
    return _lays_wrongly(director, deal, offender, "F-32")


def _plays_after_discard(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-27a: who has just discarded opens or extends a meld (art. 27)."""
    if not settled(deal) or deal.turn == 0:
        return False
    return _lays_wrongly(director, deal, seat.previous, "F-27a")


def _lays_wrongly(director: Director, deal: SimulatedDeal, offender: Seat, row: str) -> bool:
    rng = director.rng
    play = a_play(director, deal, offender, keep=3)
    if play is None:
        return False
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, offender, play)
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=1)
    deal.inject(row, offender, variant, play.cards, cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    arbitro_acts.call(deal, caller(deal, offender))
    if variant == "dismissed":
        arbitro_acts.dismiss(deal, row, offender)
        return True
    remedy = "freeze;next-turn-take-and-discard-only" if row == "F-32" else "freeze"
    arbitro_acts.rule(deal, row, offender, remedy, play.cards, meld=number, freeze="temporary")
    deal.frozen[number] = Freeze(offender)
    if row == "F-32":
        deal.limits[offender] = limited(rng, "any", "F-32")
    return True


def _plays_without_drawing(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-30a: ``seat`` plays in its turn before it has drawn or collected (art. 30)."""
    rng = director.rng
    play = a_play(director, deal, seat, keep=3) if settled(deal) else None
    if play is None:
        return False
    row = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    variant = drawn_variant(rng, ruled=6, draws_afterwards=2, never_draws=3)
    deal.inject("F-30a", seat, variant, play.cards, cue)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(
            deal, "F-30a", seat, "draw-or-collect;discard;freeze", play.cards, meld=row, freeze="temporary"
        )
        mending.freeze_undrawn(deal, seat, row, play.cards)
        freezes = dict(deal.frozen)
        turns.draw_or_collect(director, deal, seat, Limit("draw"))
        turns.end_turn(director, deal, seat)
        deal.kept("F-30a", seat, "served", len(director.script.cues) - 1)
        deal.frozen = freezes
        return True
    director.script.wait(rng.uniform(1.0, 4.0))
    if variant == "draws-afterwards":
        turns.draw_or_collect(director, deal, seat, Limit("draw"))
        turns.play_cards(director, deal, seat)
    turns.end_turn(director, deal, seat)
    return True


def _takes_two(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-08a: ``seat`` draws two cards, or two slide off the stock (art. 8)."""
    rng, script = director.rng, director.script
    at_the_end = deal.end == "stock"  # the card drawn with the last one that is played goes back (art. 17)
    if not settled(deal) or len(deal.stock) < (3 if at_the_end else 10):
        return False
    second, first = deal.stock[-2:]
    slides = rng.random() < 0.4
    if slides:
        cue = script.do(SlideOff(seat, 2), deal.act("slide-off", seat, (second, first)))
        script.do(TakeUp(seat, (first,)), deal.act("pick", seat, (first,)))
    else:
        cue = script.do(DrawGesture(seat, 2), deal.act("draw", seat, (second, first), two=True))
    deal.unplayed.discard(seat)
    variant = "ruled" if at_the_end else drawn_variant(rng, ruled=7, play_goes_on=3)
    deal.inject("F-08a", seat, f"{variant}{', slid' if slides else ''}", (first, second), cue)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-08a", seat, "return-to-stock;show", (second,))
    else:
        script.wait(rng.uniform(1.5, 4.0))
    if slides:
        script.do(SlideBack(seat, (second,)), deal.act("return-to-stock", seat, (second,)))
    elif variant == "ruled":
        script.do(PutBack(seat, second), deal.act("return-to-stock", seat, (second,)))
    turns.play_cards(director, deal, seat)
    turns.end_turn(director, deal, seat)
    return True


TURN_KINDS: Final = (
    DealFaultKind("F-31a", (DealMoment.BEFORE_TURN,), _draws_out_of_turn),
    DealFaultKind("F-30a", (DealMoment.INSTEAD_OF_TAKING,), _plays_without_drawing, (1, 14)),
    DealFaultKind("F-31d", (DealMoment.BEFORE_TURN,), _collects_out_of_turn),
    DealFaultKind("F-32", (DealMoment.BEFORE_TURN,), _plays_out_of_turn, (0, 14)),
    DealFaultKind("F-08a", (DealMoment.INSTEAD_OF_TAKING,), _takes_two, (1, 16)),
    DealFaultKind("F-27a", (DealMoment.BEFORE_TURN,), _plays_after_discard, (1, 14)),
)
