"""A pot that is put back (art. 23), pile cards that are still to be taken (art. 9)."""

from __future__ import annotations

from typing import Final

from hw.zones import POTS
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.rules import actions as act
from table_service.referee.values import Sanction


def _put_back(one: Sanction, look: Look) -> Verdict:
    """Judge it served once the line has no second pot: put back at once, or card by card, out of melds too."""
    line = look.after.line_of(one.who)
    if line not in look.after.second:
        return Served()
    if isinstance(look.action, act.Draw | act.Collect) and look.after.line_of(look.who) is not line:
        return Broken("play went on and the pot was not put back")
    return Kept(one)


def _restores(_one: Sanction, action: act.Action) -> bool:
    match action:
        case act.ReturnToPot() | act.TakeBack():
            return True
        case act.Shift(target=target):
            return target is not None and (target == POTS or target.startswith("pot-"))
    return False


def _collect(one: Sanction, look: Look) -> Verdict:
    """Judge that the pile cards that were left are taken by the player who left them."""
    if not isinstance(look.action, act.Draw | act.Collect):
        return Kept(one)
    if look.who is one.who and isinstance(look.action, act.Collect):
        return Served()
    return Broken("play went on without it")


def _is_that_collecting(one: Sanction, action: act.Action) -> bool:
    return isinstance(action, act.Collect) and action.seat is one.who


FAMILIES: Final = (
    Family(("correct-count",), _put_back, _restores),
    Family(("collect",), _collect, _is_that_collecting),
)
