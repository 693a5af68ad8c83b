"""Exposed and penalised cards, which are played or discarded by their order (arts. 24 and 25)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.zones import side
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.duties.returning import moves_its_cards, without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.meld import may_grow, next_discards, readings
from table_service.referee.values import Sanction

_WRONG_ORDER: Final = {
    "highest-first": "a lower card was discarded before a higher one",
    "lowest-first": "a higher card was discarded before a lower one",
}


def _cards(one: Sanction, look: Look) -> Verdict:
    """Exposed cards are laid in the player's own turn or discarded, in the order that the code has."""
    action = look.action
    if _made_up_for(one, look):
        rest = without(one.cards, action.cards)
        return Kept(replace(one, cards=rest)) if rest else Served()
    if look.who is not one.who or not one.running or not isinstance(action, act.Open | act.Extend | act.Discard):
        return Kept(one)
    rest = without(one.cards, action.cards)
    if comes_first(one, look):
        before_it = _laid_before_it(one, look, rest)
        if before_it is not None:
            return before_it
    if not rest:
        return Served()
    if isinstance(action, act.Discard):
        return _discarded(one, rest, look)
    if one.duty.do == "discard":
        return Kept(one)
    return Kept(replace(one, cards=rest, running=one.running and not _is_free(one, look)))


def _laid_before_it(one: Sanction, look: Look, rest: tuple[str, ...]) -> Verdict | None:
    """Return what it means for an exposed card that others are laid, or have been laid, before it; None where nothing.

    A meld is laid card by card: those that came first may be the ones that it is laid with. It must come next, there.
    """
    row = look.action.row if isinstance(look.action, act.Open | act.Extend) else None
    without_it = row is not None and len(rest) == len(one.cards)
    if one.laid_to not in (None, row) or (without_it and not may_join(one, look)):
        return Broken("other cards were laid before the exposed one")
    return Kept(replace(one, laid_to=row)) if without_it else None


def may_join(one: Sanction, look: Look) -> bool:
    """Return True if an exposed card of ``one`` could come next to the meld to which others are laid, before it."""
    meld = look.after.meld(look.action.row) if isinstance(look.action, act.Open | act.Extend) else None
    if meld is None:
        return False
    book, joined = look.before.book, [(*meld.cards, card) for card in one.cards]
    return any(readings(book, row) or (len(row) <= book.meld_min and may_grow(book, row)) for row in joined)


def comes_first(one: Sanction, look: Look) -> bool:
    """Return True if the code wants exposed cards played before anything else, and each of them is known."""
    exposed = look.before.book.exposed
    known = UNKNOWN not in map(face, (*one.cards, *look.action.cards))
    return one.duty.do == "expose" and exposed is not None and exposed.played == "first" and known


def _order(look: Look) -> str:
    """In which order the code has penalised cards discarded."""
    penalised = look.before.book.penalised
    return "highest-first" if penalised is None else penalised.order


def _may_have_gone(one: Sanction, highest: str, look: Look) -> bool:
    """Return True if ``highest`` lies no longer beside him: a discard that was not read may have been it.

    That is so where the others still lie there, and where he has made such a discard since he was told to.
    """
    lie = {face(card) for card in look.before.at(side(one.who))} & {face(card) for card in one.cards}
    return face(highest) not in lie and (bool(lie) or one.unread > 0)


def _discarded(one: Sanction, rest: tuple[str, ...], look: Look) -> Verdict:
    """Judge the discard of the turn: the card that is due by the order of the code; ``rest`` are left then."""
    unread = one.unread + (UNKNOWN in map(face, look.action.cards))
    unknown = UNKNOWN in map(face, (*one.cards, *look.action.cards))
    if not unknown and not _is_free(one, look):
        first = next_discards(look.before.book, _may_go(one, look))
        if not first:
            return Kept(one)
        if len(rest) == len(one.cards):
            went = tuple(card for card in rest if _may_have_gone(one, card, look))[: one.unread]
            return Served() if len(went) == len(rest) else Broken("another card was discarded")
        twins = next_discards(look.before.book, one.cards)  # which of two equal cards he has just taken nobody can see
        if not any(same_face(card, due) for card in look.action.cards for due in (*first, *twins)):
            gone = next((due for due in first if _may_have_gone(one, due, look)), None)
            if gone is None:
                return Broken(_WRONG_ORDER[_order(look)])
            rest, unread = without(rest, (gone,)), max(unread - 1, 0)
    return Kept(replace(one, cards=rest, unread=unread, running=False)) if rest else Served()


def _may_go(one: Sanction, look: Look) -> tuple[str, ...]:
    """Cards that may be discarded now: the pile's only card, taken in this turn, has to wait (art. 9)."""
    before = look.before
    if before.pile_was != 1 or before.collected is None or len(before.collected) != 1:
        return one.cards
    return without(one.cards, before.collected)


def _is_free(one: Sanction, look: Look) -> bool:
    """Return True if any card may be discarded, as the turn in which it was ruled still runs."""
    return "discard" in one.duty.allow and one.since_turn == look.before.turn


def _made_up_for(one: Sanction, look: Look) -> bool:
    """Return True for a discard that a ruling made good after the turn: one of the cards went with it (art. 35)."""
    late = look.who is one.who and not one.running and isinstance(look.action, act.Discard)
    return late and _is_free(one, look)


def discard_kept(one: Sanction, look: Look) -> Verdict:
    """Return what the discard of ``look`` means for penalised cards, of which the highest had to go."""
    return _cards(one, look)


FAMILIES: Final = (Family(("expose", "discard"), _cards, moves_its_cards, by_turn=True),)
