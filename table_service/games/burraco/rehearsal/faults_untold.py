"""Faults that no sensor detects, staged all the same: the table may be silent, but may accuse no player of another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import Gather
from hw.zones import hand, melds
from table_service.games.burraco.rehearsal import arbitro_acts, deal_end, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller, plays_of, settled
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _passes_to_partner(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-28f, F-28g: ``seat`` gives cards into its partner's hand, who lays them: a new meld, or an addition."""
    plays = [play for play in plays_of(deal, seat, 3) if (play.row is None) == (row == "F-28f")]
    if not settled(deal) or not plays:
        return False
    play = director.rng.choice(plays)
    cue = scripted_acts.lay(deal, seat, play, through=seat.partner)
    deal.inject(row, seat, "ruled", play.cards, cue, demanded=False)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, row, seat, "stop-play;warn", play.cards)
    turns.end_turn(director, deal, seat)
    return True


def _mixes_before_count(row: str, director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-36, B-23c: a player throws his hand, or his line's melds as well, among other cards before they are counted."""
    rng, script = director.rng, director.script
    held = [seat for seat in deal.seats if deal.world.hands[seat]]
    if not held:
        return False
    seat = rng.choice(held)
    zones = [hand(seat)]
    if rng.random() < 0.4 and any(row.zone == melds(seat.line) for row in deal.world.rows.values()):
        zones.append(melds(seat.line))
    scored = deal_end.score(deal)
    for zone in zones:
        cue = script.do(Gather(seat, zone))
    deal.counted = scored
    deal.inject(row, seat, "melds too" if len(zones) > 1 else "hand", (), cue, demanded=False)
    return True


def cards_mixed(row: str) -> DealFaultKind:
    """``row``: cards mixed before they were counted."""
    return DealFaultKind(row, (DealMoment.COUNT,), partial(_mixes_before_count, row), (0, 0), told=False)


UNTOLD_KINDS: Final = (
    DealFaultKind("F-28f", (DealMoment.BEFORE_DISCARD,), partial(_passes_to_partner, "F-28f"), (0, 14), told=False),
    DealFaultKind("F-28g", (DealMoment.BEFORE_DISCARD,), partial(_passes_to_partner, "F-28g"), (3, 16), told=False),
    cards_mixed("F-36"),
)
