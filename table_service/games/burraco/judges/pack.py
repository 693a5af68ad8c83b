"""Arts. 4 and 7: a card that is seen before play begins. What scales tell of the pack the deal check reports."""

from __future__ import annotations

from hw.seats import Seat
from table_service.games.burraco.judges.facts import Facts, joined, new
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Phase
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Irregularity


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """Whether a card was seen before the first draw.

    Nobody is accused of it: the cards are dealt anew. Only once the arbitro has let play begin, or the first card is
    turned up: while cards are gathered and dealt, some of the deal before may lie open.
    """
    action, before = facts.action, facts.before
    if not isinstance(action, act.Expose) or before.phase is not Phase.DEALT:
        return []
    if not (facts.dealt or before.turned_up):
        return []
    again = next((one for one in facts.open if one.row.id == "F-04d"), None)
    if again is not None:
        return [joined(again, facts)]
    sure = bool(action.visible_to) and action.seat is not None
    return [
        new(
            catalogue,
            facts,
            "F-04d",
            None,
            found="before_play",
            seen=set(action.visible_to or ()) >= set(Seat),
            needs_referee=not sure,
            severity="" if sure else "note",
        )
    ]
