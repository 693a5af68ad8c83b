"""Duties on melds beyond their freezing: cards kept off them, two sets that are to be joined.

Each end that such a duty may have (``until``) is a policy of its own; one without a policy here is the arbitro's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.seats import Line
from hw.zones import melds
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.duties.returning import without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Sanction


def _partners_next_turn(one: Sanction, look: Look) -> Verdict:
    """Judge that the partner keeps off what was made with the exposed cards, until his turn after theirs is over."""
    offender = look.before.rotation.partner(one.who)
    if look.who is not one.who or offender is None:
        return Kept(one)
    if isinstance(look.action, act.Extend):
        lays = look.before.seen_lays(look.action.row)
        laid = tuple(card for lay in lays if lay.seat is offender and lay.t > one.t for card in lay.cards)
        made = matching(one.cards, tuple(card for card in laid if face(card) != UNKNOWN))
        return Broken("cards were added to a meld made with the exposed card") if made else Kept(one)
    had_his_turn = any(seat is offender and t > one.t for seat, t in look.before.outs)
    return Served() if isinstance(look.action, act.Discard) and had_his_turn else Kept(one)


def _joined(one: Sanction, look: Look) -> Verdict:
    """Judge that the line has one set of the rank again, by the next player's discard: then the camera has seen it."""
    line = look.after.line_of(one.who)
    if not isinstance(look.action, act.Draw | act.Collect | act.Discard):
        return Kept(one)  # its cards may come one by one
    if not _are_apart(look.after, line):
        return Served()
    played_on = isinstance(look.action, act.Discard) and look.after.line_of(look.who) is not line
    if not played_on or melds(line) in look.after.places.unverified:
        return Kept(one)
    return Broken("the second set was not joined to the first")


def _are_apart(deal: Deal, line: Line) -> bool:
    return any(meld.line is line and deal.equal_set(line, meld.cards, meld.row) for meld in deal.melds)


def _deal_end(one: Sanction, look: Look) -> Verdict:
    """Judge that a card of the pile, once he has picked it up, goes on that meld no more."""
    action = look.action
    if look.who is not one.who:
        return Kept(one)
    if isinstance(action, act.Collect) and matching(one.cards, action.cards):
        return Kept(replace(one, running=True, moved=matching(one.cards, action.cards)))
    if not one.running or not isinstance(action, act.Extend) or action.row != one.meld:
        return Kept(one)
    barred = [card for card in one.moved if _is_that(card, look)]
    return Broken("the card was laid on that meld") if barred else Kept(one)


def _is_that(card: str, look: Look) -> bool:
    """Return True if ``card`` is laid, and not another copy: told apart by its mark, or as he is known to hold both."""
    laid = [one for one in look.action.cards if same_face(one, card)]
    twins = sum(same_face(one, card) for one in look.before.hand(look.who) if face(one) != UNKNOWN)
    apart = all("#" in one and "#" in card and one != card for one in laid)
    return bool(laid) and not apart and twins <= len(laid)


_ENDS: Final[Mapping[str | None, Callable[[Sanction, Look], Verdict]]] = {
    "partners-next-turn": _partners_next_turn,
    "joined": _joined,
    "deal-end": _deal_end,
}
"""What watches such a duty, by its end."""


def _watched(one: Sanction, look: Look) -> Verdict:
    return _ENDS.get(one.duty.until, _kept)(one, look)


def _kept(one: Sanction, _look: Look) -> Verdict:
    return Kept(one)


def _joins(one: Sanction, action: act.Action) -> bool:
    """Return True if ``action`` brings cards of the second set to the first."""
    if one.duty.until != "joined" or not isinstance(action, act.Extend | act.TakeBack):
        return False
    return not without(tuple(map(face, action.cards)), tuple(map(face, one.cards)))


FAMILIES: Final = (Family(("freeze",), _watched, _joins),)
