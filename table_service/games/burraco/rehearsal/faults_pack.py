"""Faults of the pack and of the deal: arts. 4, 5 and 7."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import SEATS, Seat
from hw.twin.gestures import ClearTable, ExposeGesture
from table_service.games.burraco.rehearsal import arbitro_acts, scripted_acts, shuffling
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment
from table_service.games.burraco.rehearsal.faults_cards import SPOTS
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _deal_again(director: Director, deal: SimulatedDeal) -> None:
    """Have the arbitro order all cards gathered, shuffled and dealt again."""
    director.script.do(ClearTable())
    deal.pot_sizes, deal.short = (11, 11), 0
    shuffling.deal_out(director.script, director.rng, deal)


def _seen_in_the_deal(director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """F-04d: a card is seen before play begins (arts. 4, 7)."""
    rng, script = director.rng, director.script
    seat = rng.choice(SEATS)
    card = rng.choice(deal.world.hands[seat])
    x, y = rng.choice(SPOTS)
    cue = script.do(ExposeGesture(seat, (card,), x, y), deal.act("expose", seat, (card,)))
    deal.inject("F-04d", None, "ruled", (card,), cue)
    script.wait(rng.uniform(1.0, 3.0))
    arbitro_acts.call(deal, rng.choice(SEATS))
    arbitro_acts.rule(deal, "F-04d", dealer, "redeal", (card,))
    scripted_acts.take_up(deal, seat, (card,))
    _deal_again(director, deal)
    return True


def _wrong_pots(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-04f: the pots hold a card too many or too few and play begins all the same (arts. 4, 7)."""
    rng = director.rng
    deal.pot_sizes = rng.choice([(12, 11), (11, 10), (11, 12), (10, 11), (12, 12)])
    dealt = len(director.script.cues) + 1

    def begun(_seat: Seat, cue: int) -> bool:
        deal.inject("F-04f", None, "play-goes-on", (), dealt, cue)
        return True

    def first_pot(_seat: Seat, cue: int) -> bool:
        # Who hands the first pot over verifies it and what remains (art. 23): either may be the one that is wrong.
        deal.inject("F-23c", None, "play-goes-on", (), cue, demanded=False)
        return True

    deal.on_take.append(begun)
    deal.on_pot.append(first_pot)
    return True


def _short_pack(row: str, director: Director, deal: SimulatedDeal, dealer: Seat) -> bool:
    """F-05a, F-05b: one to three cards are missing, noticed before play or when it has begun (art. 5)."""
    rng, script = director.rng, director.script
    deal.short = rng.randint(1, 3)
    if row == "F-05b":
        dealt = len(script.cues) + 1

        def begun(_seat: Seat, cue: int) -> bool:
            deal.inject("F-05b", None, "play-goes-on", (), dealt, cue, also=("F-04f",))
            return True

        deal.on_take.append(begun)
        return True
    shuffling.deal_out(director.script, director.rng, deal)
    cue = len(script.cues) - 1
    deal.inject("F-05a", None, "ruled", (), cue, also=("F-04d",))
    script.wait(rng.uniform(1.0, 4.0))
    arbitro_acts.call(deal, rng.choice(SEATS))
    arbitro_acts.rule(deal, "F-05a", dealer, "replace-pack;redeal")
    script.do(ClearTable())
    deal.short = 0
    return True


def _old_pot(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-04k: a pot of the deal before was left lying beneath the new ones, and play begins (arts. 4, 23)."""
    if deal.number == 1 and director.deals > 1:
        return False
    deal.old_pot = 11
    dealt = len(director.script.cues) + 1

    def begun(_seat: Seat, cue: int) -> bool:
        deal.inject("F-04k", None, "play-goes-on", (), dealt, cue)
        return True

    deal.on_take.append(begun)
    return True


PACK_KINDS: Final = (
    DealFaultKind("F-04d", (DealMoment.DEALT,), _seen_in_the_deal, (0, 0)),
    DealFaultKind("F-04f", (DealMoment.SET_UP,), _wrong_pots, (0, 0)),
    DealFaultKind("F-04k", (DealMoment.SET_UP,), _old_pot, (0, 0)),
    DealFaultKind("F-05a", (DealMoment.SET_UP,), partial(_short_pack, "F-05a"), (0, 0)),
    DealFaultKind("F-05b", (DealMoment.SET_UP,), partial(_short_pack, "F-05b"), (0, 0)),
)
