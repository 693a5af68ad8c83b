"""Cards that go back: onto the stock, onto the pile, or as a last play into the hand (arts. 8, 31, 33 to 35)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.zones import STOCK
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.rules import actions as act
from table_service.referee.catalogue import Row
from table_service.referee.values import Sanction

BACK: Final = frozenset({"return-to-stock", "return-to-pile"})
"""Duties by which cards go back whence they were taken."""
_TAKES: Final = act.Draw | act.Collect


def penalises_others(row: Row) -> bool:
    """Return True if by ``row`` the cards that were taken go back and others are penalised and then discarded."""
    asked = {duty.do for duty in row.duties}
    return bool(asked & BACK) and {"penalise", "discard"} <= asked


def names_card(one: Sanction, action: act.Action) -> bool:
    """Return True if ``action`` moves a card that ``one`` concerns, by its face."""
    cards = {face(card) for card in one.cards}
    return bool(cards & {face(card) for card in action.cards} - {UNKNOWN})


def without(cards: tuple[str, ...], moved: tuple[str, ...], *, unknown: bool = False) -> tuple[str, ...]:
    """``cards`` less those that ``moved`` holds by their faces; ``unknown``: one not known may be any."""
    rest = list(cards)
    for card in moved:
        at = next(
            (
                n
                for n, owed in enumerate(rest)
                if same_face(owed, card) or (unknown and UNKNOWN in (face(owed), face(card)))
            ),
            None,
        )
        if at is not None:
            rest.pop(at)
    return tuple(rest)


def put_back(one: Sanction, look: Look) -> tuple[str, ...]:
    """Return the cards that ``one`` still concerns after its player has put some back as the same ruling has it.

    A card that was drawn, and then laid, stands among them twice: once as each sensor named it.
    """
    if one.apart:
        return one.cards
    back = {face(card) for card in look.action.cards} - {UNKNOWN}
    his = look.action.seat in (one.who, None)
    return tuple(card for card in one.cards if face(card) not in back) if his else one.cards


def _back(one: Sanction, look: Look) -> Verdict:
    kind = act.ReturnToStock if one.duty.do == "return-to-stock" else act.ReturnToPile
    if isinstance(look.action, kind) and look.action.seat in (one.who, None):
        return Served()
    if isinstance(look.action, act.Shift) and kind is act.ReturnToStock and look.action.target == STOCK:
        return Served()
    if isinstance(look.action, _TAKES) and look.action.committed_t > 0:
        return Broken(f"{look.who} took a card before it was done")
    return Kept(one)


def _carries_back(one: Sanction, action: act.Action) -> bool:
    match action:
        case act.ReturnToStock():
            return one.duty.do == "return-to-stock"
        case act.ReturnToPile():
            return one.duty.do == "return-to-pile"
        case act.Penalise() | act.Expose() | act.Shift() | act.TakeBack():
            return names_card(one, action)
    return False


def _take_back(one: Sanction, look: Look) -> Verdict:
    """Judge that the last play goes back into the hand, whole or card by card; one card may go straight to the pile."""
    if isinstance(look.action, _TAKES):
        return Broken("play went on without it")
    if not isinstance(look.action, act.TakeBack):
        return Kept(one)
    rest = without(one.cards, look.action.cards, unknown=True)
    return Kept(replace(one, cards=rest)) if rest else Served()


def moves_its_cards(one: Sanction, action: act.Action) -> bool:
    """Return True if cards that are owed are put where they belong."""
    return isinstance(action, act.Penalise | act.Expose | act.Shift | act.TakeBack) and names_card(one, action)


FAMILIES: Final = (
    Family(("return-to-stock", "return-to-pile"), _back, _carries_back),
    Family(("take-back",), _take_back, moves_its_cards),
)
