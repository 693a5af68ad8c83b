"""Going out without a discard, and penalised cards left when somebody goes out (seeds 001, arts. 10 and 21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.cards import face
from hw.seats import Seat
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import wrong_lays
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    keeps_order,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import points
from table_service.games.burraco.rehearsal.players import MeldPlay, additions
from table_service.games.burraco.rehearsal.simulated_deal import CLOSES_WITH, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


_SEVERAL: Final = 3


def _may_go_out(deal: SimulatedDeal, seat: Seat) -> bool:
    """Return True if ``seat``'s line has had its pot, so that playing out the hand is going out."""
    pending = any(deal.owed.values()) or deal.limits or deal.frozen
    goes_on = deal.end is not None or (deal.last_turn is None and len(deal.stock) >= 8)
    return goes_on and not pending and deal.pot_taken(deal.line_of(seat))


def _is_ruled(deal: SimulatedDeal, seat: Seat, option: str, cards: tuple[str, ...], discard: str, cue: int) -> None:
    """Have the arbitro rule: ``cards`` go to the edge of the table, ``discard`` is the discard, the line is barred."""
    arbitro_acts.call(deal, deal.rng.choice(deal.opponents(seat)))
    arbitro_acts.rule(deal, "B-21c", seat, "penalise;discard", cards, option=option)
    if option == "single":
        mending.take_back(deal, seat)
    mending.take_aside(deal, seat)
    scripted_acts.discard(deal, seat, discard)
    deal.owed[seat] = {card: cue for card in cards if card != discard}
    deal.may_not_close |= {seat, seat.partner}


def _lays_all(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-21c: his last play has several cards: it is penalised, and he discards from the lowest."""
    hand = deal.world.hands[seat]
    if not _may_go_out(deal, seat) or len(hand) != len(deal.hand(seat)):
        return False
    for play in plays_of(deal, seat, 0):
        lowest = min(play.cards, key=lambda card: (points([card]), card))
        if not len(play.cards) == len(hand) >= _SEVERAL or face(lowest) == deal.barred:
            continue
        cue = scripted_acts.lay(deal, seat, play)
        deal.inject("B-21c", seat, "ruled, several", play.cards, cue)
        _is_ruled(deal, seat, "several", play.cards, lowest, cue)
        return True
    return False


def _adds_the_last(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-21c: his last play is one card: that is discarded, and the play before it is penalised."""
    if not _may_go_out(deal, seat) or len(deal.world.hands[seat]) != len(deal.hand(seat)):
        return False
    for first in plays_of(deal, seat, 0):
        last = _then(deal, seat, first)
        if last is None or not keeps_order(deal.melds, first):
            continue
        scripted_acts.lay(deal, seat, first)
        cue = scripted_acts.lay(deal, seat, last)
        deal.inject("B-21c", seat, "ruled, single", last.cards, cue)
        _is_ruled(deal, seat, "single", first.cards, last.cards[0], cue)
        return True
    return False


def _then(deal: SimulatedDeal, seat: Seat, first: MeldPlay) -> MeldPlay | None:
    """Return the only card that ``first`` leaves, added to another meld; None if it leaves more, or fits nowhere."""
    rest = [card for card in deal.world.hands[seat] if card not in first.cards]
    rows = {row: each for row, each in deal.rows(deal.line_of(seat)).items() if row not in deal.excess}
    fits = additions(rest, rows) if len(rest) == 1 else []
    return next((play for play in fits if play.row != first.row and keeps_order(rows, play)), None)


def _leaves_penalised(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10i: ``seat`` has penalised cards to discard while somebody is about to go out, and does."""
    ready = [one for one in deal.opponents(seat) if deal.may_close(one, CLOSES_WITH)]
    wrongs = [one for one in wrong_lays("B-10j", deal, seat) if len(one.excess) > 1] if settled(deal, 8) else []
    if not ready or not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    deal.inject("B-10j", seat, "ruled", wrong.cards, cue)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "B-10j", seat, "penalise", wrong.excess, meld=number, option="penalise")
    mending.to_side(deal, seat, number, wrong.excess, cue)
    deal.may_not_close |= {seat, seat.partner}
    turns.end_turn(director, deal, seat)

    def is_over(_dealer: Seat) -> None:
        left = deal.world.sides[seat]
        if left and deal.over == "closed":
            deal.inject("B-10i", seat, "closed by another", left, deal.end_cue)

    deal.after_end.append(is_over)
    return True


FEBURIT_CLOSE_KINDS: Final = (
    DealFaultKind("B-21c", (DealMoment.BEFORE_DISCARD,), _lays_all, (0, 0)),
    DealFaultKind("B-21c", (DealMoment.BEFORE_DISCARD,), _adds_the_last, (0, 0), way="single"),
    DealFaultKind("B-10i", (DealMoment.BEFORE_DISCARD,), _leaves_penalised, (0, 0)),
)
