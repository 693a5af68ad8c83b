"""Exposed cards, wrong melds and ghosts by the FE.BUR.IT code (seeds 001, art. 10)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import ExposeGesture, TakeFromRow, UncoverGesture
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import (
    is_calm,
    is_ruled,
    what_follows,
    wrong_lays,
)
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
)
from table_service.games.burraco.rehearsal.faults_cards import SPOTS, hides
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, openings
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _exposes(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10a, e, h: a card of who is in turn, of an opponent or of his partner falls face up in the turn of ``seat``."""
    rng = director.rng
    offender = {"B-10a": seat, "B-10e": rng.choice([seat.next, seat.previous]), "B-10h": seat.partner}[row]
    if not is_calm(deal):
        return False
    card = rng.choice(deal.world.hands[offender])
    x, y = rng.choice(SPOTS)
    cue = director.script.do(ExposeGesture(offender, (card,), x, y), deal.act("expose", offender, (card,)))
    variant = what_follows(director)
    deal.inject(row, offender, variant, (card,), cue)
    director.script.wait(rng.uniform(0.8, 2.0))
    scripted_acts.take_up(deal, offender, (card,))
    ruled = is_ruled(deal, row, offender, variant, seat)
    if row == "B-10a":
        _plays_first(director, deal, seat, card, ruled=ruled)
        return True
    if ruled:
        arbitro_acts.rule(deal, row, offender, "expose", (card,))
        deal.owed[offender] = {card: cue}
        deal.may_not_close |= {seat, offender, offender.partner}
        director.plans[offender] = partial(_lays_alone, deal, card)
    turns.end_turn(director, deal, seat)
    return True


def _plays_first(director: Director, deal: SimulatedDeal, seat: Seat, card: str, *, ruled: bool) -> None:
    """Have ``seat``, who exposed ``card`` in his turn, lay it at once, or discard it if it fits no meld."""
    if not ruled:
        turns.end_turn(director, deal, seat)
        return
    play = _play_with(deal, seat, card)
    arbitro_acts.rule(deal, "B-10a", seat, "expose", (card,), option="laid" if play else "one-left")
    if play is None:
        turns.finish_with(director, deal, seat, card)
        return
    scripted_acts.lay(deal, seat, play)
    turns.end_turn(director, deal, seat)


def _play_with(deal: SimulatedDeal, seat: Seat, card: str) -> MeldPlay | None:
    """Return a play by which ``seat`` lays ``card``, no meld touched by its partner since; or None."""
    view = deal.view(seat)
    plays = [*additions((card,), view.own), *openings(view.hand, view)]
    fits = [play for play in plays if card in play.cards and play.row not in view.closed_to_owed]
    return next((play for play in fits if len(view.hand) - len(play.cards) >= 2), None)


def _lays_alone(deal: SimulatedDeal, card: str, seat: Seat) -> None:
    """In his next turn he lays the exposed ``card`` and no more, or discards it; his partner leaves that meld be."""
    play = _play_with(deal, seat, card)
    if play is not None:
        number = deal.next_row if play.row is None else play.row
        scripted_acts.lay(deal, seat, play)
        deal.frozen[number] = Freeze(seat.partner)


def _lays_wrongly(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10j, k, l: a wrong meld or addition; somebody calls, the excess is penalised and his play ends."""
    wrongs = wrong_lays(row, deal, seat) if is_calm(deal, 20) else []
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    also = {"B-10j", "B-10k", "B-10l"} - {row}
    deal.inject(row, seat, "ruled", wrong.cards, cue, also=sorted(also))
    arbitro_acts.call(deal, caller(deal, seat, seat))
    way = {} if row == "B-10l" else {"option": "penalise"}
    arbitro_acts.rule(deal, row, seat, "penalise", wrong.excess, meld=number, **way)
    mending.to_side(deal, seat, number, wrong.excess, cue)
    deal.may_not_close |= {seat, seat.partner}
    turns.end_turn(director, deal, seat)
    return True


def _found_later(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10m: a wrong meld that is noticed after the discard, or when others have played on."""
    wrongs = (
        [one for row in ("B-10j", "B-10k", "B-10l") for one in wrong_lays(row, deal, seat)] if is_calm(deal, 20) else []
    )
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    turns.end_turn(director, deal, seat)
    shown = len(director.script.cues) - 1

    def ruled(_who: Seat) -> None:
        deal.inject("B-10m", seat, "ruled", wrong.excess, cue, shown)
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "B-10m", seat, "freeze;score", wrong.excess, meld=number, freeze="definitive")
        deal.frozen[number] = Freeze(None)

    director.put_off(deal, deal.turn + director.rng.randint(0, 3), ruled)
    return True


def _ghost(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10c, f: a card lies hidden in a meld and comes to light in the turn, or later; it is discarded at once."""
    hidden = hides(director, deal, seat) if is_calm(deal, 20) else None
    if hidden is None:
        return False
    number, ghost, laid = hidden

    def comes_to_light(who: Seat, playing: Seat | None) -> None:
        cue = director.script.do(UncoverGesture(who, ghost))
        deal.inject(row, seat, "ruled", (ghost,), laid, cue, also=("B-10j",))
        arbitro_acts.call(deal, caller(deal, seat, playing))
        way = {"option": "offender-known"} if row == "B-10f" else {}
        arbitro_acts.rule(deal, row, seat, "discard", (ghost,), meld=number, **way)
        taken = deal.act("take-back", seat, (ghost,), meld=number)
        director.script.do(TakeFromRow(seat, number, (ghost,)), taken)
        deal.excess.pop(number)

    director.script.wait(director.rng.uniform(1.0, 3.0))
    if row == "B-10c":
        comes_to_light(seat, seat)
        turns.finish_with(director, deal, seat, ghost)
        return True
    turns.end_turn(director, deal, seat)

    def later(who: Seat) -> None:
        comes_to_light(who, None)
        deal.owed[seat] = {ghost: len(director.script.cues) - 1}
        director.plans[seat] = lambda _who: None  # he discards it without any play

    director.put_off(deal, deal.turn + director.rng.choice([0, 1]), later)
    return True


FEBURIT_EXPOSED_KINDS: Final = (
    DealFaultKind("B-10a", (DealMoment.BEFORE_DISCARD,), partial(_exposes, "B-10a"), (0, 14)),
    DealFaultKind("B-10c", (DealMoment.BEFORE_DISCARD,), partial(_ghost, "B-10c"), (0, 12)),
    DealFaultKind("B-10e", (DealMoment.BEFORE_DISCARD,), partial(_exposes, "B-10e"), (0, 14)),
    DealFaultKind("B-10f", (DealMoment.BEFORE_DISCARD,), partial(_ghost, "B-10f"), (0, 12)),
    DealFaultKind("B-10h", (DealMoment.BEFORE_DISCARD,), partial(_exposes, "B-10h"), (0, 14)),
    DealFaultKind("B-10j", (DealMoment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10j"), (0, 14)),
    DealFaultKind("B-10k", (DealMoment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10k"), (0, 14)),
    DealFaultKind("B-10l", (DealMoment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10l"), (0, 14)),
    DealFaultKind("B-10m", (DealMoment.BEFORE_DISCARD,), _found_later, (0, 14), late=True),
)
