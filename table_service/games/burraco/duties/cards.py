"""Exposed and penalised cards, which are played or discarded by their order (arts. 24 and 25)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.duties.returning import moves_its_cards, without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.meld import discard_order
from table_service.referee.values import Sanction


def _cards(one: Sanction, look: Look) -> Verdict:
    """Exposed cards are laid in the player's own turn or discarded, the highest first."""
    action = look.action
    if _made_up_for(one, look):
        rest = without(one.cards, action.cards)
        return Kept(replace(one, cards=rest)) if rest else Served()
    if look.who is not one.who or not one.running or not isinstance(action, act.Open | act.Extend | act.Discard):
        return Kept(one)
    rest = without(one.cards, action.cards)
    done = len(rest) < len(one.cards)
    if not rest:
        return Served()
    if one.duty.do == "discard" and not isinstance(action, act.Discard):
        return Kept(one)
    if "discard" in one.duty.allow and one.since_turn == look.before.turn:
        return Kept(replace(one, cards=rest, running=False))
    if not isinstance(action, act.Discard):
        return Kept(replace(one, cards=rest))
    if UNKNOWN in map(face, (*one.cards, *action.cards)):
        return Kept(replace(one, cards=rest, running=False))
    highest = discard_order(look.before.book, one.cards)[0]
    if not done or not any(same_face(card, highest) for card in action.cards):
        return Broken("another card was discarded" if not done else "a lower card was discarded before a higher one")
    return Kept(replace(one, cards=rest, running=False))


def _made_up_for(one: Sanction, look: Look) -> bool:
    """A discard that a ruling made good after the turn was over: one of the cards went with it (art. 35)."""
    late = look.who is one.who and not one.running and isinstance(look.action, act.Discard)
    return late and "discard" in one.duty.allow and one.since_turn == look.before.turn


def discard_kept(one: Sanction, look: Look) -> Verdict:
    """What the discard of ``look`` means for penalised cards, of which the highest had to go."""
    return _cards(one, look)


FAMILIES: Final = (Family(("expose", "discard"), _cards, moves_its_cards, by_turn=True),)
