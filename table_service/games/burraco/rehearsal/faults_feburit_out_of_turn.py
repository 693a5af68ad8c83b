"""Play out of turn, after the discard and without a draw by the FE.BUR.IT code (seeds 001, arts. 13 and 14)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import PutBack, ReturnGesture, TakeFromRow
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import (
    is_calm,
    is_ruled,
    limit_next_turn,
    somebody_else,
    what_follows,
)
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    keeps_order,
    plays_of,
)
from table_service.games.burraco.rehearsal.players import choose_discard, openings
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _draws_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14a: another one than ``seat`` draws."""
    if not is_calm(deal):
        return False
    offender, card = somebody_else(director, deal, seat), deal.stock[-1]
    cue = scripted_acts.draw(deal, offender, "draw", out_of_turn=True)
    variant = what_follows(director)
    deal.inject("B-14a", offender, variant, (card,), cue)
    if is_ruled(deal, "B-14a", offender, variant):
        arbitro_acts.rule(deal, "B-14a", offender, "return-to-stock", (card,), option="draw")
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
        limit_next_turn(deal, "B-14a", offender)
    return True


def _collects_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14a: another one than ``seat`` takes the pile."""
    pile = deal.pile
    if not is_calm(deal) or not pile:
        return False
    offender = somebody_else(director, deal, seat)
    cue = scripted_acts.collect(deal, offender)
    deal.barred = None
    variant = what_follows(director)
    deal.inject("B-14a", offender, variant, pile, cue)
    if is_ruled(deal, "B-14a", offender, variant):
        arbitro_acts.rule(deal, "B-14a", offender, "return-to-pile", pile, option="collect")
        director.script.do(ReturnGesture(offender, pile), deal.act("return-to-pile", offender, pile))
        limit_next_turn(deal, "B-14a", offender)
    return True


def _penalises_the_play(deal: SimulatedDeal, seat: Seat, number: int, cards: tuple[str, ...], cue: int) -> None:
    """His newest play is penalised: its ``cards`` go to his side, and the row is what it was before."""
    _, _, _, before = deal.plays.pop()
    mending.lay_aside(deal, seat, number, cards)
    if before is None:
        del deal.melds[number]
    else:
        deal.melds[number] = before
    deal.owed[seat] = dict.fromkeys(cards, cue)


def _draws_and_lays(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14b: another one than ``seat`` draws and opens a meld with the card, which is his last play."""
    if not is_calm(deal, 16):
        return False
    offender, card = somebody_else(director, deal, seat), deal.stock[-1]
    view = deal.view(offender)
    plays = [play for play in openings((*view.hand, card), view) if card in play.cards]
    plays = [play for play in plays if len(view.hand) + 1 - len(play.cards) >= deal.spare]
    if not plays:
        return False
    play = director.rng.choice(plays)
    cue = scripted_acts.draw(deal, offender, "draw", out_of_turn=True)
    number = deal.next_row
    laid = scripted_acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14b", offender, variant, play.cards, cue, laid)
    if is_ruled(deal, "B-14b", offender, variant):
        rest = tuple(one for one in play.cards if one != card)
        order = "return-to-stock;penalise;discard"
        arbitro_acts.rule(deal, "B-14b", offender, order, rest, option="draw", meld=number, freeze="none")
        taken = deal.act("take-back", offender, (card,), meld=number)
        director.script.do(TakeFromRow(offender, number, (card,)), taken)
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
        _penalises_the_play(deal, offender, number, rest, laid)
        limit_next_turn(deal, "B-14b", offender)
    return True


def _plays_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14c: another one than ``seat`` opens or adds, having taken nothing."""
    if not is_calm(deal):
        return False
    offender = director.rng.choice([seat.partner, seat.next])
    plays = [play for play in plays_of(deal, offender, deal.spare) if keeps_order(deal.melds, play)]
    if not plays:
        return False
    play = director.rng.choice(plays)
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14c", offender, variant, play.cards, cue)
    if is_ruled(deal, "B-14c", offender, variant):
        arbitro_acts.rule(deal, "B-14c", offender, "penalise;discard", play.cards, meld=number, freeze="none")
        _penalises_the_play(deal, offender, number, play.cards, cue)
        limit_next_turn(deal, "B-14c", offender)
    return True


def _plays_after_discard(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14d: who has just discarded opens or adds."""
    if not is_calm(deal) or deal.turn == 0:
        return False
    offender = seat.previous
    plays = plays_of(deal, offender, deal.spare)
    if not plays:
        return False
    play = director.rng.choice(plays)
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14d", offender, variant, play.cards, cue)
    if is_ruled(deal, "B-14d", offender, variant):
        arbitro_acts.rule(deal, "B-14d", offender, "freeze;limit-turn", play.cards, meld=number, freeze="temporary")
        deal.frozen[number] = Freeze(seat, 2)  # for a round, until who is to play now plays again
        limit_next_turn(deal, "B-14d", offender)
    return True


def _plays_without_drawing(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-13a: ``seat`` plays before it has drawn, and is told so in its turn."""
    plays = plays_of(deal, seat, deal.spare) if is_calm(deal) else []
    if not plays:
        return False
    play = director.rng.choice(plays)
    row = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    deal.inject("B-13a", seat, "ruled", play.cards, cue)
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "B-13a", seat, "draw;discard;freeze", play.cards, meld=row, freeze="temporary")
    mending.freeze_undrawn(deal, seat, row, play.cards)
    frozen = dict(deal.frozen)
    deal.may_not_close |= {seat, seat.partner}
    turns.draw_or_collect(director, deal, seat, Limit("draw"))
    turns.end_turn(director, deal, seat)
    deal.frozen = frozen
    return True


def _discards_without_drawing(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-13b, B-13c: ``seat`` has played, or not, and discards without having drawn; told before the next draws."""
    if not is_calm(deal):
        return False
    if row == "B-13b":
        plays = plays_of(deal, seat, deal.spare)
        if not plays:
            return False
        scripted_acts.lay(deal, seat, director.rng.choice(plays))
    cue = len(director.script.cues) - 1
    card = choose_discard(deal.view(seat), director.styles[seat], director.rng)
    discarded = scripted_acts.discard(deal, seat, card)
    variant = what_follows(director)
    deal.inject(row, seat, variant, (), cue if row == "B-13b" else discarded, discarded, also=("B-13a",))
    if is_ruled(deal, row, seat, variant):
        arbitro_acts.rule(deal, row, seat, "draw;limit-turn")
        scripted_acts.draw(deal, seat, "draw", made_up=True)
        deal.limits[seat] = Limit("draw", row)
        deal.may_not_close |= {seat, seat.partner}
    return True


FEBURIT_OUT_OF_TURN_KINDS: Final = (
    DealFaultKind("B-13a", (DealMoment.INSTEAD_OF_TAKING,), _plays_without_drawing, (1, 14)),
    DealFaultKind("B-13b", (DealMoment.INSTEAD_OF_TAKING,), partial(_discards_without_drawing, "B-13b"), (1, 14)),
    DealFaultKind("B-13c", (DealMoment.INSTEAD_OF_TAKING,), partial(_discards_without_drawing, "B-13c"), (1, 14)),
    DealFaultKind("B-14a", (DealMoment.BEFORE_TURN,), _draws_out_of_turn),
    DealFaultKind("B-14a", (DealMoment.BEFORE_TURN,), _collects_out_of_turn, way="collects"),
    DealFaultKind("B-14b", (DealMoment.BEFORE_TURN,), _draws_and_lays, (0, 14)),
    DealFaultKind("B-14c", (DealMoment.BEFORE_TURN,), _plays_out_of_turn, (0, 14)),
    DealFaultKind("B-14d", (DealMoment.BEFORE_TURN,), _plays_after_discard, (1, 14)),
)
