"""Faults against the order of turns: drawing, collecting and playing when it is not one's turn, or without drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import Draw, PutBack, ReturnToPile, SlideBack, SlideOff, TakeUp
from table_service.rehearsal.deal import Deal, Freeze, Limit
from table_service.rehearsal.fault import Kind, Moment, caller, drawn_variant, limited, settled
from table_service.rehearsal.players import Play, additions, new_melds

if TYPE_CHECKING:
    from table_service.rehearsal.director import Director


def _out_of_turn(director: Director, deal: Deal, seat: Seat) -> Seat:
    """Who acts though it is ``seat``'s turn."""
    return director.rng.choices([seat.partner, seat.next, seat.previous], weights=[3, 4, 3 if deal.turn else 2], k=1)[0]


def _draws_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-31a: ``seat`` should play next, but another one draws (art. 31)."""
    rng = director.rng
    if not settled(deal):
        return False
    offender = _out_of_turn(director, deal, seat)
    card = deal.world.stock[-1]
    cue = deal.draw(offender, "draw", out_of_turn=True)
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=2)
    deal.inject("F-31a", offender, variant, (card,), cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    deal.call(caller(deal, offender))
    if variant == "dismissed":
        deal.dismiss("F-31a", offender)
        return True
    deal.rule("F-31a", offender, "return-to-stock;next-turn-draw-and-discard-only", (card,))
    back = card if rng.random() < 0.7 else rng.choice(deal.world.hands[offender])
    director.script.do(PutBack(offender, back), deal.act("return-to-stock", offender, (back,)))
    deal.limits[offender] = limited(rng, "draw", "F-31a")
    return True


def _collects_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-31d: another one than ``seat`` takes the pile (art. 31)."""
    rng = director.rng
    pile = deal.world.pile
    if not settled(deal) or not pile:
        return False
    offender = _out_of_turn(director, deal, seat)
    cue = deal.collect(offender)
    deal.barred = None
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=2)
    deal.inject("F-31d", offender, variant, pile, cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    deal.call(caller(deal, offender))
    if variant == "dismissed":
        deal.dismiss("F-31d", offender)
        return True
    deal.rule("F-31d", offender, "return-to-pile;next-turn-collect-and-discard-only", pile)
    director.script.do(ReturnToPile(offender, pile), deal.act("return-to-pile", offender, pile))
    deal.limits[offender] = limited(rng, "collect", "F-31d")
    return True


def a_play(director: Director, deal: Deal, seat: Seat, keep: int) -> Play | None:
    """Something that ``seat`` could lay down and still hold ``keep`` cards; None where there is nothing."""
    view = deal.view(seat)
    plays = additions(view.hand, view.own) + (new_melds(view.hand) if view.may_open else [])
    plays = [play for play in plays if len(view.hand) - len(play.cards) >= keep]
    return director.rng.choice(plays) if plays else None


def _plays_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-32: another one than ``seat`` opens or extends a meld (art. 32)."""
    rng = director.rng
    if not settled(deal):
        return False
    offender = rng.choice([seat.partner, seat.next])
    return _lays_wrongly(director, deal, offender, "F-32")


def _plays_after_discard(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-27a: who has just discarded opens or extends a meld (art. 27)."""
    if not settled(deal) or deal.turn == 0:
        return False
    return _lays_wrongly(director, deal, seat.previous, "F-27a")


def _lays_wrongly(director: Director, deal: Deal, offender: Seat, row: str) -> bool:
    rng = director.rng
    play = a_play(director, deal, offender, keep=3)
    if play is None:
        return False
    number = deal.next_row if play.row is None else play.row
    cue = deal.lay(offender, play)
    variant = drawn_variant(rng, ruled=6, play_goes_on=3, dismissed=1)
    deal.inject(row, offender, variant, play.cards, cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    deal.call(caller(deal, offender))
    if variant == "dismissed":
        deal.dismiss(row, offender)
        return True
    remedy = "freeze;next-turn-take-and-discard-only" if row == "F-32" else "freeze"
    deal.rule(row, offender, remedy, play.cards, meld=number, freeze="temporary")
    deal.frozen[number] = Freeze(offender)
    if row == "F-32":
        deal.limits[offender] = limited(rng, "any", "F-32")
    return True


def _plays_without_drawing(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-30a: ``seat`` plays in its turn before it has drawn or collected (art. 30)."""
    rng = director.rng
    play = a_play(director, deal, seat, keep=3) if settled(deal) else None
    if play is None:
        return False
    row = deal.next_row if play.row is None else play.row
    cue = deal.lay(seat, play)
    variant = drawn_variant(rng, ruled=6, draws_afterwards=2, never_draws=3)
    deal.inject("F-30a", seat, variant, play.cards, cue)
    if variant == "ruled":
        deal.call(caller(deal, seat))
        deal.rule("F-30a", seat, "draw-or-collect;discard;freeze", play.cards, meld=row, freeze="temporary")
        deal.freeze_undrawn(seat, row, play.cards)
        freezes = dict(deal.frozen)
        director.take(deal, seat, Limit("draw"))
        director.end_turn(deal, seat)
        deal.kept("F-30a", seat, "served", len(director.script.cues) - 1)
        deal.frozen = freezes
        return True
    director.script.wait(rng.uniform(1.0, 4.0))
    if variant == "draws-afterwards":
        director.take(deal, seat, Limit("draw"))
        director.play_cards(deal, seat)
    director.end_turn(deal, seat)
    return True


def _takes_two(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-08a: ``seat`` draws two cards, or two slide off the stock (art. 8)."""
    rng, script = director.rng, director.script
    if not settled(deal) or len(deal.world.stock) < 10:
        return False
    second, first = deal.world.stock[-2:]
    slides = rng.random() < 0.4
    if slides:
        cue = script.do(SlideOff(seat, 2), deal.act("slide-off", seat, (second, first)))
        script.do(TakeUp(seat, (first,)), deal.act("pick", seat, (first,)))
    else:
        cue = script.do(Draw(seat, 2), deal.act("draw", seat, (second, first), two=True))
    deal.unplayed.discard(seat)
    variant = drawn_variant(rng, ruled=7, play_goes_on=3)
    deal.inject("F-08a", seat, f"{variant}{', slid' if slides else ''}", (first, second), cue)
    if variant == "ruled":
        deal.call(caller(deal, seat))
        deal.rule("F-08a", seat, "return-to-stock;show", (second,))
    else:
        script.wait(rng.uniform(1.5, 4.0))
    if slides:
        script.do(SlideBack(seat, (second,)), deal.act("return-to-stock", seat, (second,)))
    elif variant == "ruled":
        script.do(PutBack(seat, second), deal.act("return-to-stock", seat, (second,)))
    director.play_cards(deal, seat)
    director.end_turn(deal, seat)
    return True


TURN_KINDS: Final = (
    Kind("F-31a", (Moment.BEFORE_TURN,), _draws_out_of_turn),
    Kind("F-30a", (Moment.INSTEAD_OF_TAKING,), _plays_without_drawing, (1, 14)),
    Kind("F-31d", (Moment.BEFORE_TURN,), _collects_out_of_turn),
    Kind("F-32", (Moment.BEFORE_TURN,), _plays_out_of_turn, (0, 14)),
    Kind("F-08a", (Moment.INSTEAD_OF_TAKING,), _takes_two, (1, 16)),
    Kind("F-27a", (Moment.BEFORE_TURN,), _plays_after_discard, (1, 14)),
)
