"""Acts that no sensor saw, though turn, scale and camera agree on them: an alert that accuses no player.

No beam and no gate has identified the hand. The arbitro finds out the player; the alert names the line alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Line
from hw.zones import DISCARD, STOCK, melds
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.judges import closing
from table_service.games.burraco.judges.facts import Facts, new, pushed_on, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Irregularity

_SEEN: Final = 0.45
"""From this confidence on it is sure what was done, though not by whom."""
_AFTER: Final = 1.0
"""Seconds after a discard from which cards first seen in a meld cannot have been laid before it, and be told late."""


def judge(facts: Facts) -> list[Irregularity]:
    """Return what an action tells whose maker is not known or only supposed."""
    action, before = facts.action, facts.before
    if not before.known or action.confidence < _SEEN or {STOCK, DISCARD} & set(before.places.unverified):
        return []
    match action:
        case act.Open() | act.Extend():
            if melds(action.line) in before.places.unverified or _has_duties(facts, action.line):
                return []
            return _laid(facts, action)
        case act.Discard():
            return _two_at_once(facts, action)
    return []


def _has_duties(facts: Facts, line: Line) -> bool:
    """Return True if a player of ``line`` has been ordered to move cards: what comes to its melds may be that."""
    return any(facts.before.line_of(one.who) is line for one in facts.sanctions)


def _laid(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    before = facts.before
    if before.begun:
        return _without_discard(facts, action)
    after = before.last_out is not None and action.committed_t > before.last_out_t + _AFTER
    if not after or before.last_out is None or before.line_of(before.last_out) is not action.line:
        return []
    if pushed_on(facts, action) is not None or _lies_apart(before, action):
        return []
    again = next(
        (one for one in facts.open if one.kind == FaultKind.LAID_AFTER_DISCARD and one.line is action.line), None
    )
    if again is not None:
        fresh = with_row(again.melds, action.row)
        return [replace(again, melds=fresh, cards=(*again.cards, *action.cards), t=action.t)]
    return _alert(facts, FaultKind.LAID_AFTER_DISCARD, action.line, action.cards, action.row)


def _lies_apart(before: Deal, action: act.Open | act.Extend) -> bool:
    """Return True if the cards lay beside the meld already, and are only pushed on to it (art. 29)."""
    cards = sorted(map(face, action.cards))
    return any(one.line is action.line and sorted(map(face, one.cards)) == cards for one in before.melds)


def _without_discard(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 35: as many cards as the player in turn held have been laid for his line, and he has none to discard."""
    before = facts.before
    seat = before.to_play
    if action.seat is not seat or not before.drawn or action.line is not before.line_of(seat):
        return []
    told = closing.without_discard(facts, action)
    return [replace(one, offender=None, against=action.line, severity="note", needs_referee=True) for one in told]


def _two_at_once(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 26, fifth case: the scale bears more cards than one, of which a frame or a coil has named the topmost."""
    before = facts.before
    if len(action.cards) < 2 or face(action.cards[-1]) == UNKNOWN or not before.drawn:
        return []
    if action.seat not in (None, before.to_play):
        return []
    hidden = (UNKNOWN,) * (len(action.cards) - 1)
    return _alert(facts, FaultKind.TWO_DISCARDED, before.line_of(before.to_play), hidden)


def _alert(
    facts: Facts, kind: FaultKind, line: Line, cards: tuple[str, ...], meld: int | None = None
) -> list[Irregularity]:
    return new(
        facts,
        kind,
        None,
        cards=cards,
        melds=() if meld is None else (meld,),
        seen=UNKNOWN not in map(face, cards),
        found="after_discard_before_next_draw",
        against=line,
        severity="note",
        needs_referee=True,
    )
