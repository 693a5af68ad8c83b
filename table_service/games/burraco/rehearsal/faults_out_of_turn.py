"""Draws and collections out of turn with which cards were laid at once (art. 31), and hands on the stock (art. 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import PutBack, ReachGesture, ReturnGesture, TakeFromRow
from hw.zones import STOCK
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import somebody_else
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    keeps_order,
    limited,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import meld
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, openings
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _with(deal: SimulatedDeal, seat: Seat, fresh: Sequence[str], *, opens: bool) -> list[MeldPlay]:
    """Return what ``seat`` could open (or add) if it had ``fresh`` as well, with at least one of these."""
    view = deal.view(seat)
    hand = (*view.hand, *fresh)
    if opens:
        found = [play for play in openings(hand, view) if set(play.cards) & set(fresh)]
    else:
        found = [play for play in additions(tuple(fresh), view.own) if keeps_order(deal.melds, play)]
    return [play for play in found if len(hand) - len(play.cards) >= 5]


def _what_is_left(deal: SimulatedDeal, seat: Seat, play: MeldPlay, gone: Sequence[str], cue: int) -> None:
    """Settle the meld of ``play`` that the cards ``gone`` have left: it stands, is completed, or is penalised."""
    _, number, _, before = deal.plays.pop()
    rest = tuple(card for card in play.result.cards if card not in gone)
    if play.row is not None:
        if before is not None:
            deal.melds[number] = before
        deal.frozen[number] = Freeze(seat, 2)
        return
    stands = meld(rest)
    if stands is None:
        for card in deal.world.hands[seat]:
            mended = meld((*rest, card))
            if mended is not None:
                deal.melds[number] = mended
                scripted_acts.spoil(deal, seat, (card,), number, mended.cards)
                deal.frozen[number] = Freeze(seat, 2)
                return
        del deal.melds[number]
        if rest:
            mending.to_side(deal, seat, number, rest, cue)
        return
    deal.melds[number] = stands
    deal.frozen[number] = Freeze(seat, 2)


def _draws_and_lays(director: Director, deal: SimulatedDeal, seat: Seat, row: str) -> bool:
    rng = director.rng
    if not settled(deal, 14):
        return False
    offender = somebody_else(director, deal, seat)
    card = deal.stock[-1]
    plays = _with(deal, offender, (card,), opens=row == "F-31b")
    if not plays:
        return False
    play = rng.choice(plays)
    cue = scripted_acts.draw(deal, offender, "draw", out_of_turn=True)
    laid = scripted_acts.lay(deal, offender, play)
    variant = drawn_variant(rng, ruled=3, play_goes_on=1)
    deal.inject(row, offender, variant, play.cards, cue, laid)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    arbitro_acts.call(deal, caller(deal, offender))
    number = deal.plays[-1][1]
    order = "return-to-stock;freeze;next-turn-draw-and-discard-only"
    arbitro_acts.rule(deal, row, offender, order, (card,), meld=number, freeze="temporary")
    director.script.do(TakeFromRow(offender, number, (card,)), deal.act("take-back", offender, (card,), meld=number))
    director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
    _what_is_left(deal, offender, play, (card,), laid)
    deal.limits[offender] = limited(rng, "draw", row)
    return True


def _draws_and_opens(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31b: another one than ``seat`` draws and opens a meld with the card."""
    return _draws_and_lays(director, deal, seat, "F-31b")


def _draws_and_adds(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31c: another one than ``seat`` draws and adds the card to a meld."""
    return _draws_and_lays(director, deal, seat, "F-31c")


def _collects_and_lays(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31e: another one than ``seat`` takes the pile and lays cards of it."""
    rng = director.rng
    pile = deal.pile
    if not settled(deal, 14) or not pile:
        return False
    offender = somebody_else(director, deal, seat)
    plays = _with(deal, offender, pile, opens=True) + _with(deal, offender, pile, opens=False)
    if not plays:
        return False
    play = rng.choice(plays)
    cue = scripted_acts.collect(deal, offender)
    deal.barred = None
    laid = scripted_acts.lay(deal, offender, play)
    variant = drawn_variant(rng, ruled=3, play_goes_on=1)
    deal.inject("F-31e", offender, variant, pile, cue, laid)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    arbitro_acts.call(deal, caller(deal, offender))
    number = deal.plays[-1][1]
    order = "return-to-pile;freeze;next-turn-collect-and-discard-only"
    arbitro_acts.rule(deal, "F-31e", offender, order, pile, meld=number, freeze="temporary")
    used = tuple(card for card in play.cards if card in pile)
    director.script.do(TakeFromRow(offender, number, used), deal.act("take-back", offender, used, meld=number))
    director.script.do(ReturnGesture(offender, pile), deal.act("return-to-pile", offender, pile))
    _what_is_left(deal, offender, play, used, laid)
    deal.limits[offender] = limited(rng, "collect", "F-31e")
    return True


def _draws_before_pot(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-31f: ``seat`` has taken its pot in flight and draws once more before it plays it."""
    rng = director.rng
    if not settled(deal, 12):
        return False
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, seat, "draw", again=True)
    variant = drawn_variant(rng, ruled=3, play_goes_on=1)
    deal.inject("F-31f", seat, variant, (card,), cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(1.0, 3.0))
        turns.play_cards(director, deal, seat)
    else:
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-31f", seat, "return-to-stock;discard", (card,))
        director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


def _looks_at_stock(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-08c: somebody whose turn it is not goes through the stock with his fingers (art. 8)."""
    rng = director.rng
    if not settled(deal, 6) or deal.turn < 1 or len(deal.stock) > 30:
        return False
    offender = rng.choice([seat.partner, seat.next])
    cue = director.script.do(ReachGesture(offender, STOCK, round(rng.uniform(2.0, 4.5), 2)))
    deal.inject("F-08c", offender, "play-goes-on", (), cue)
    director.script.wait(rng.uniform(2.0, 5.0))
    return True


LONG_TURN_KINDS: Final = (
    DealFaultKind("F-31b", (DealMoment.BEFORE_TURN,), _draws_and_opens),
    DealFaultKind("F-31c", (DealMoment.BEFORE_TURN,), _draws_and_adds, (3, 18)),
    DealFaultKind("F-31e", (DealMoment.BEFORE_TURN,), _collects_and_lays),
    DealFaultKind("F-31f", (DealMoment.AFTER_FLIGHT,), _draws_before_pot, (0, 0)),
    DealFaultKind("F-08c", (DealMoment.BEFORE_TURN,), _looks_at_stock, (10, 30)),
)
