"""Acts after a gap in sensing that are wrong whoever's turn it is, as long as no whole turn has been seen since.

Nobody knows yet who has drawn, discarded or closed meanwhile. But what lay on the table was seen again, so that a card
that came there since by a hand that was seen is as sure as ever: on a closed meld (art. 27), on one of the other line.
"""

from __future__ import annotations

from hw.zones import BEAMS, DISCARD, STOCK, TABLE, melds
from table_service.games.burraco.judges import exposure
from table_service.games.burraco.judges.facts import Facts
from table_service.games.burraco.judges.melds import on_melds_closed_to_them
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Irregularity


def judge(facts: Facts) -> list[Irregularity]:
    """Return what is wrong with an act of a seen hand in a place that had been seen again before it."""
    action, before = facts.action, facts.before
    match action:
        case act.Extend(line=line, row=row) if _is_seen_whole(facts, melds(line)) and not _may_have_thawed(before, row):
            return on_melds_closed_to_them(facts, action)
        case act.Expose() if _is_seen_whole(facts, TABLE) and _is_turn_known(before):
            return exposure.judge(facts) if action.seat is not None and before.sure_of(action.seat) else []
    return []


def _is_seen_whole(facts: Facts, zone: str) -> bool:
    """Return True if one hand that was seen did it wholly after ``zone`` had been seen again as it lay there."""
    action, doubts = facts.action, facts.before.places.unverified
    seen = action.seat is not None and not action.supposed and action.is_by_one_hand
    return seen and not {zone, BEAMS} & set(doubts) and action.committed_t > facts.before.seen_again_t


def _may_have_thawed(deal: Deal, row: int) -> bool:
    """Return True if the turn at which meld ``row`` thaws may have come during the gap."""
    meld = deal.meld(row)
    return meld is not None and meld.frozen == "temporary" and not {STOCK, DISCARD} <= set(deal.unmoved)


def _is_turn_known(deal: Deal) -> bool:
    """Return True if a hand seen since the gap has begun the running turn: an exposure is judged by whose it is."""
    return deal.known and deal.begun and deal.seen
