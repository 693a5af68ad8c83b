"""Faults of the pack, the deal and the pots by the FE.BUR.IT code (seeds 001, arts. 3, 4, 17, 18)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import ClearTable, ExposeGesture, PutBack
from table_service.games.burraco.rehearsal import arbitro_acts, scripted_acts, shuffling
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment
from table_service.games.burraco.rehearsal.faults_cards import SPOTS
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_UNEVEN: Final = ((12, 11), (11, 10), (11, 12), (10, 11), (12, 12))
"""Cards in the pots where the dealer has erred: what is too much there the stock lacks."""


def _found_before_play(row: str, director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """B-03, B-04b: a pack that lacks cards, or a misdeal, is found before the first card is turned up."""
    rng, script = director.rng, director.script
    if row == "B-03":
        deal.short = rng.randint(1, 3)
    else:
        deal.pot_sizes = rng.choice(_UNEVEN)
    shuffling.deal_out(script, rng, deal)
    cue = len(script.cues) - 1
    deal.inject(row, None, "ruled", (), cue)
    script.wait(rng.uniform(1.0, 4.0))
    arbitro_acts.call(deal, rng.choice(deal.seats))
    arbitro_acts.rule(deal, row, dealer, "replace-pack" if row == "B-03" else "redeal")
    script.do(ClearTable())
    deal.short, deal.pot_sizes = 0, (11, 11)
    return True


def _seen_in_the_deal(director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """B-04a: a card is seen before the first is turned up: all is dealt again."""
    rng, script = director.rng, director.script
    seat = rng.choice(deal.seats)
    card = rng.choice(deal.world.hands[seat])
    x, y = rng.choice(SPOTS)
    cue = script.do(ExposeGesture(seat, (card,), x, y), deal.act("expose", seat, (card,)))
    deal.inject("B-04a", None, "ruled", (card,), cue)
    script.wait(rng.uniform(1.0, 3.0))
    arbitro_acts.call(deal, rng.choice(deal.seats))
    arbitro_acts.rule(deal, "B-04a", dealer, "redeal", (card,))
    scripted_acts.take_up(deal, seat, (card,))
    script.do(ClearTable())
    shuffling.deal_out(script, rng, deal)
    return True


def _found_in_play(row: str, director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """B-04c, B-18: pots of other numbers, or a pot left from the deal before, and play has begun."""
    if row == "B-18":
        deal.old_pot = 11
    else:
        deal.pot_sizes = director.rng.choice(_UNEVEN)
    dealt = len(director.script.cues) + 1

    def begun(_seat: Seat, cue: int) -> bool:
        ruled = director.rng.random() < 0.5
        deal.inject(row, None, "ruled" if ruled else "play-goes-on", (), dealt, cue)
        if ruled:
            director.later.append((1, rules))
        return True

    def rules(_seat: Seat) -> None:
        arbitro_acts.call(deal, director.rng.choice(deal.seats))
        if row == "B-18":
            arbitro_acts.rule(deal, row, dealer, "nothing", option="spare-unused")
        else:
            arbitro_acts.rule(deal, row, dealer, "warn")

    def first_pot(_seat: Seat, cue: int) -> bool:
        # Taken, the upper pot shows its number of cards and that of the lower: either may be the wrong one (art. 17).
        deal.inject("B-17a", None, "play-goes-on", (), cue, also=("B-17b",), demanded=False)
        return True

    deal.on_take.append(begun)
    deal.on_pot.append(first_pot)
    return True


def _draws_before_turn_up(director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """B-04d: who plays first draws before the dealer has turned a card up, is told so and puts it back."""
    offender, script = deal.next(dealer), director.script
    script.wait(director.rng.uniform(1.0, 4.0))
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, offender, "draw", too_soon=True)
    deal.inject("B-04d", offender, "put back", (card,), cue)
    script.wait(director.rng.uniform(3.0, 8.0))
    script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
    return True


def pots_uneven(
    row: str, sizes: tuple[int, ...], ruled_in: float, director: Director, deal: SimulatedDeal, _dealer: Seat
) -> bool:
    """Deal the first pot one of ``sizes`` and the second the rest; cards of it have been seen.

    ``ruled_in``: the share of deals in which the arbitro is called and rules.
    """
    first = director.rng.choice(sizes)
    deal.pot_sizes = (first, 22 - first)

    def taken(seat: Seat, cue: int) -> bool:
        ruled = director.rng.random() < ruled_in
        deal.inject(row, None, "ruled" if ruled else "play-goes-on", (), cue)
        if ruled:
            director.later.append((deal.turn, partial(rules, seat)))
        return True

    def rules(taker: Seat, _next: Seat) -> None:
        arbitro_acts.call(deal, taker)
        arbitro_acts.rule(deal, row, taker, "correct-count", option="seen")

    deal.on_pot.append(taken)
    return True


FEBURIT_DEAL_KINDS: Final = (
    DealFaultKind("B-03", (DealMoment.SET_UP,), partial(_found_before_play, "B-03"), (0, 0)),
    DealFaultKind("B-04a", (DealMoment.DEALT,), _seen_in_the_deal, (0, 0)),
    DealFaultKind("B-04b", (DealMoment.SET_UP,), partial(_found_before_play, "B-04b"), (0, 0)),
    DealFaultKind("B-04c", (DealMoment.SET_UP,), partial(_found_in_play, "B-04c"), (0, 0)),
    DealFaultKind("B-04d", (DealMoment.DEALT,), _draws_before_turn_up, (0, 0)),
    DealFaultKind("B-17a", (DealMoment.SET_UP,), partial(pots_uneven, "B-17a", (10,), 0.5), (0, 0)),
    DealFaultKind("B-17b", (DealMoment.SET_UP,), partial(pots_uneven, "B-17b", (12,), 0.5), (0, 0)),
    DealFaultKind("B-18", (DealMoment.SET_UP,), partial(_found_in_play, "B-18"), (0, 0)),
)
