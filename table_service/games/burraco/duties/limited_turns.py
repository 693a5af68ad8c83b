"""Turns that are limited, and a missed draw that is made up for (arts. 30 to 32)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import face
from hw.zones import side
from table_service.games.burraco.duties.exposed_cards import comes_first, may_join
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.duties.returning import without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Sanction

_NAMES: Final[dict[type[act.Action], str]] = {
    act.Draw: "draw",
    act.Collect: "collect",
    act.Open: "play",
    act.Extend: "play",
    act.Discard: "discard",
}
_WORDS: Final = {"play": "cards were laid", "collect": "the pile was picked up", "draw": "a card was drawn"}


def _limit(one: Sanction, look: Look) -> Verdict:
    name = _NAMES.get(type(look.action))
    if not one.running or name is None or look.who is not one.who:
        return Kept(one)
    if name == "discard" and not look.before.took and {"draw", "collect"} & set(one.duty.allow):
        return Broken("a card was discarded without drawing")
    if name == "play" and (_mends(one, look) or _is_judged(one, look) or _is_ordered(one, look)):
        return Kept(one)
    if isinstance(look.action, act.Open | act.Extend) and _plays_what_is_owed(one, look, look.action.row):
        return Kept(replace(one, laid_to=look.action.row))
    if name not in one.duty.allow:
        return Broken(_WORDS.get(name, name))
    return Served() if name == "discard" else Kept(one)


def _is_ordered(one: Sanction, look: Look) -> bool:
    """Return True if the cards laid are those that the same ruling has put to another meld."""
    same = [it for it in look.owed if it.irregularity == one.irregularity]
    ordered = [it for it in same if it.duty.do == "referee" or it.duty.until == "joined"]
    laid = tuple(map(face, look.action.cards))
    return any(not without(laid, tuple(map(face, it.cards))) for it in ordered)


def _plays_what_is_owed(one: Sanction, look: Look, row: int) -> bool:
    """Return True if the cards laid to ``row`` are of the exposed ones that limit the turn, and may be laid.

    With an exposed card goes the whole play that it is part of: a meld is laid card by card.
    """
    if "owed" not in one.duty.allow or one.laid_to not in (None, row):
        return False
    exposed = [it for it in look.owed if it.irregularity == one.irregularity and it.duty.do == "expose"]
    with_it = (_among(it, look) or (comes_first(it, look) and may_join(it, look)) for it in exposed)
    return one.laid_to == row or any(with_it)


def _among(one: Sanction, look: Look) -> bool:
    """Return True if one of its cards is laid."""
    return without(one.cards, look.action.cards) != one.cards


def _mends(one: Sanction, look: Look) -> bool:
    """Return True if cards are laid to put a meld right that was ruled to be wrong."""
    row = look.action.row if isinstance(look.action, act.Open | act.Extend) else None
    return any(it.duty.do == "complete-or-penalise" and it.who is one.who and it.meld == row for it in look.owed)


def is_pending(one: Sanction, deal: Deal) -> bool:
    """Return True if ``one`` leaves penalised cards to be discarded at the end of the running turn."""
    if one.since_turn != deal.turn or not one.cards:
        return False
    if one.duty.do == "discard":
        return one.running
    return one.duty.do == "complete-or-penalise" and bool(deal.at(side(one.who)))


def _is_judged(one: Sanction, look: Look) -> bool:
    """Return True if the code judges by itself what is laid before a penalised card is discarded (D-04; art. 27)."""
    penalised = look.before.book.penalised
    if penalised is None or penalised.melds_before_them != "frozen-in-turn-of-the-fault":
        return False
    return any(it.who is one.who and is_pending(it, look.before) for it in look.owed)


def _draw(one: Sanction, look: Look) -> Verdict:
    """Judge a missed draw, which is made up for after the discard."""
    if not isinstance(look.action, act.Draw | act.Collect):
        return Kept(one)
    if look.action.seat is one.who:
        return Served()
    return Broken("play went on without it")


def _is_that_draw(one: Sanction, action: act.Action) -> bool:
    return isinstance(action, act.Draw | act.Collect) and action.seat is one.who


FAMILIES: Final = (
    Family(("limit-turn",), _limit, by_turn=True),
    Family(("draw",), _draw, _is_that_draw),
)
