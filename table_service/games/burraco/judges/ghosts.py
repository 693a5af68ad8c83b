"""Art. 26, first to fourth case: a card that lay hidden in a meld comes to light there.

Nobody is accused of having laid it now. Who hid it laid the cards next to it; when he did so decides the case.
"""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.fault_kinds import GHOSTS, FaultKind
from table_service.games.burraco.judges.facts import Facts, new
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import Lay
from table_service.games.burraco.rules.uncovering import covering, laid_in_turn
from table_service.referee.catalogue import Found, Words
from table_service.referee.values import Irregularity

_NEEDS: Final = Words(
    "Nessun varco ha letto passare questa carta ora: serve sapere chi l'aveva posata, e quando. "
    "Se invece è stata legata adesso vale l'art. 29.",
    "No gate has read this card now: it must be known who had laid it, and when. If it has been added just now, "
    "art. 29 holds.",
)


def judge(facts: Facts) -> list[Irregularity]:
    """Judge a card that has come to light: return the case of art. 26 that it is."""
    action = facts.action
    if not isinstance(action, act.Uncover) or not action.cards:
        return []
    before = facts.before
    if any(one.state == "open" and one.kind in GHOSTS and action.row in one.melds for one in facts.told):
        return []
    lays = covering(before, action.row, action.cards[0], action.result)
    kind, found = _case(before, action.row, lays)
    by = action.by
    return new(
        facts,
        kind,
        by[0] if len(by) == 1 else None,
        melds=(action.row,),
        seen=True,
        found=found,
        needs_referee=True,
        against=action.line,
        added=laid_in_turn(before, action.row),
        needs=_NEEDS,
    )


def _case(deal: Deal, row: int, lays: tuple[Lay, ...]) -> tuple[FaultKind, Found]:
    """Kind of ghost by when the cards next to it were laid: in the running turn, in the one just ended, before.

    If some of them are older than others, it counts as fresh as the newest, which costs least.
    """
    if deal.begun:
        now = tuple(lay for lay in lays if lay.t > deal.last_out_t)
        if now and all(lay.seat is deal.to_play for lay in now):
            return FaultKind.GHOST_IN_OWN_TURN, "during_turn"
        if laid_in_turn(deal, row):
            return FaultKind.GHOST_FOUND_BY_ADDING, "during_turn"
        return FaultKind.GHOST_IN_OLD_MELD, "later"
    since = deal.outs[-2][1] if len(deal.outs) > 1 else -1.0
    if any(lay.t > since and lay.seat is deal.last_out for lay in lays):
        return FaultKind.GHOST_AFTER_DISCARD, "after_discard_before_next_draw"
    return FaultKind.GHOST_IN_OLD_MELD, "later"
