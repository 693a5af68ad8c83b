"""Arts. 4 and 7: a card that is seen before play begins. What scales tell of the pack the deal check reports."""

from __future__ import annotations

from typing import Final

from hw.seats import Seat
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.judges.facts import Facts, joined, new, take_unverified
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Phase
from table_service.referee.values import Irregularity

_ALIKE: Final = (FaultKind.CARD_SEEN_BEFORE_PLAY, FaultKind.DEALT_WRONGLY)


def judge(facts: Facts) -> list[Irregularity]:
    """Return whether a card was seen before the first draw.

    Nobody is accused of it: the cards are dealt anew. Only once the arbitro has let play begin, or the first card is
    turned up: while cards are gathered and dealt, some of the deal before may lie open.
    """
    action, before = facts.action, facts.before
    if isinstance(action, act.Draw):
        return _too_soon(facts, action)
    if not isinstance(action, act.Expose) or before.phase is not Phase.DEALT:
        return []
    if not (facts.dealt or before.turned_up):
        return []
    again = next((one for one in facts.open if one.kind in _ALIKE), None)
    if again is not None:
        return [joined(again, facts)]
    sure = bool(action.visible_to) and action.seat is not None
    return new(
        facts,
        FaultKind.CARD_SEEN_BEFORE_PLAY,
        None,
        found="before_play",
        seen=set(action.visible_to or ()) >= set(Seat),
        needs_referee=not sure,
        severity="" if sure else "note",
    )


def _too_soon(facts: Facts, action: act.Draw) -> list[Irregularity]:
    """Judge the first draw while no card has been turned up; an unseen turn-up is taken for one that was made."""
    before = facts.before
    if before.phase is not Phase.DEALT or before.turned_up or before.pile or take_unverified(facts):
        return []
    kind = FaultKind.DRAWN_BEFORE_TURN_UP
    return new(facts, kind, action.seat, found="before_play", severity="note", needs_referee=True)
