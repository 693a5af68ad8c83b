"""Wrong melds and wrong closings that are found once somebody has gone out (seeds 001, art. 23)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import LayOut
from table_service.games.burraco.rehearsal import arbitro_acts, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import is_calm, wrong_lays
from table_service.games.burraco.rehearsal.deal_end import ends
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller
from table_service.games.burraco.rehearsal.players import MeldPlay
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

LastPlays = Callable[[SimulatedDeal, Seat], Iterator[tuple[MeldPlay, str]]]
"""Last plays after which a seat holds one card, with which it must not go out."""


def _found_at_the_count(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-23a: a wrong meld or addition that nobody notices before the hands are to be counted."""
    rows = ("B-10j", "B-10k", "B-10l") if is_calm(deal) else ()
    wrongs = [one for row in rows for one in wrong_lays(row, deal, seat)]
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    turns.end_turn(director, deal, seat)

    def is_over(_dealer: Seat) -> None:
        deal.inject("B-23a", seat, "ruled", wrong.excess, cue, deal.end_cue)
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "B-23a", seat, "score", wrong.excess, meld=number, option="other-burraco")

    deal.after_end.append(is_over)
    return True


def shown_after_closing(last_plays: LastPlays) -> DealFaultKind:
    """B-23b: somebody goes out without a burraco, and an opponent shows his hand before anybody says so."""

    def commit(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
        last = next(last_plays(deal, seat), None)
        if last is None:
            return False
        play, card = last
        scripted_acts.lay(deal, seat, play)
        cue = scripted_acts.discard(deal, seat, card)
        deal.inject("B-21a", seat, "hands shown", (*play.cards, card), cue)
        who = director.rng.choice(deal.opponents(seat))
        director.script.wait(director.rng.uniform(2.0, 4.0))
        hand = deal.world.hands[who]
        shown = deal.script.do(LayOut(who), deal.act("lay-out", who, hand))
        deal.inject("B-23b", who, "other-line", hand, shown)
        ends(deal, "closed", seat, cue)

        def is_over(_dealer: Seat) -> None:
            arbitro_acts.call(deal, director.rng.choice(deal.seats_of(deal.line_of(seat))))
            arbitro_acts.rule(deal, "B-23b", who, "nothing", option="other-line")

        deal.after_end.append(is_over)
        return True

    return DealFaultKind("B-23b", (DealMoment.BEFORE_DISCARD,), commit, (0, 0))


FEBURIT_COUNT_KINDS: Final = (DealFaultKind("B-23a", (DealMoment.BEFORE_DISCARD,), _found_at_the_count, (4, 16)),)
