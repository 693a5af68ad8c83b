"""Wrong melds that are put right or taken off, and the cards that are penalised for them (arts. 25, 29 to 31)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import SEATS
from hw.zones import side
from table_service.games.burraco.duties.exposed_cards import discard_kept
from table_service.games.burraco.duties.family import Broken, Family, Kept, Lapsed, Look, Served, Verdict
from table_service.games.burraco.duties.returning import moves_its_cards, put_back, without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.meld import readings
from table_service.referee.catalogue import DutyRule, Words
from table_service.referee.values import Sanction

_SIDES: Final = frozenset(map(side, SEATS))
DISCARD_BY_NORM: Final = DutyRule(
    "discard",
    Words(
        "Le carte penalizzate si scartano una per turno, dalla più alta.",
        "The penalised cards are discarded one a turn, the highest first.",
    ),
    until="none-left",
)
_LOWEST_FIRST: Final = Words(
    "Le carte penalizzate si scartano una per turno, dalla più bassa di valore.",
    "The penalised cards are discarded one a turn, the lowest in value first.",
)


def _by_norm(deal: Deal) -> DutyRule:
    """Penalised cards discarded in the order that the code of ``deal`` has."""
    penalised = deal.book.penalised
    lowest = penalised is not None and penalised.order == "lowest-first"
    return replace(DISCARD_BY_NORM, text=_LOWEST_FIRST) if lowest else DISCARD_BY_NORM


def _stands(deal: Deal, row: int | None) -> bool:
    """Return True if nothing is wrong with the meld any more: it reads as one, or it is gone."""
    meld = None if row is None else deal.meld(row)
    if meld is None:
        return True
    return UNKNOWN in map(face, meld.cards) or (
        len(meld.cards) >= deal.book.meld_min and bool(readings(deal.book, meld.cards))
    )


def _taken_out(one: Sanction, look: Look) -> Sanction:
    """``one`` with those of its cards that this action takes out of the meld."""
    action = look.action
    if not isinstance(action, act.TakeBack) or action.row is None or action.row != one.meld:
        return one
    gone = matching(without(one.cards, one.moved), action.cards)
    return replace(one, moved=(*one.moved, *gone)) if gone else one


def _penalised(one: Sanction, deal: Deal) -> tuple[str, ...]:
    """Return the excess cards that lie in the meld no more, and what else lies at his side."""
    meld = None if one.meld is None else deal.meld(one.meld)
    out = without(one.cards, () if meld is None else meld.cards)
    aside = tuple(card for card in deal.at(side(one.who)) if face(card) != UNKNOWN)
    return (*out, *without(aside, out))


def _mend(one: Sanction, look: Look) -> Verdict:
    """Judge, when he discards, that the meld is put right, or its excess cards go to the side and are discarded.

    A meld that looks as it was is left until play goes on: the camera shows it later than the scale shows the discard.
    """
    one = _taken_out(one, look)
    if one.duty.until == "play-goes-on":
        return _mend_now(one, look)
    if not one.running:
        return _seen_again(one, look)
    if look.who is not one.who or not isinstance(look.action, act.Discard):
        return Kept(one)
    if not _stands(look.after, one.meld):
        return Kept(replace(one, cards=without(one.cards, look.action.cards), running=False))
    left = _penalised(one, look.before)
    if not left:
        return Served()
    return discard_kept(replace(one, duty=_by_norm(look.before), cards=left, running=True), look)


def _seen_again(one: Sanction, look: Look) -> Verdict:
    """Judge, once the turn is over and play goes on: by now the meld shows whether it was put right."""
    if look.who is one.who or not isinstance(look.action, act.Draw | act.Collect):
        return Kept(one)
    if not _stands(look.before, one.meld):
        return Broken("the meld was left as it was")
    return Kept(replace(one, duty=_by_norm(look.before))) if one.cards else Served()


def _mend_now(one: Sanction, look: Look) -> Verdict:
    """Mend a meld laid out of turn before play continues; cards at the side are discarded from his turn on."""
    if not isinstance(look.action, act.Draw | act.Collect):
        return Kept(one)
    if not _stands(look.before, one.meld):
        return Broken("the meld was left as it was")
    left = tuple(card for card in look.before.at(side(one.who)) if face(card) != UNKNOWN)
    return Kept(replace(one, duty=_by_norm(look.before), cards=left)) if left else Served()


def _carries_mending(one: Sanction, action: act.Action) -> bool:
    again = isinstance(action, act.Open) and action.seat is one.who and not without(action.cards, one.cards)
    if again and one.duty.until == "play-goes-on":
        return True
    mends = isinstance(action, act.Open | act.Extend) and action.row == one.meld and action.seat in (one.who, None)
    takes = isinstance(action, act.TakeBack) and action.row is not None and action.row == one.meld
    return mends or takes or moves_its_cards(one, action)


def _penalise(one: Sanction, look: Look) -> Verdict:
    """Judge that the cards go face up to the side of the table, or straight to the pile, before play goes on."""
    one, action = _taken_out(one, look), look.action
    match action:
        case act.Penalise() | act.Discard():
            rest = without(one.cards, action.cards)
        case act.Shift(target=target) if target in _SIDES:
            rest = without(one.cards, action.cards)
        case act.ReturnToStock() | act.ReturnToPile():
            rest = put_back(one, look)
        case act.Draw() | act.Collect() if look.who is not one.who or one.since_turn != look.before.turn:
            return Broken("play went on without it")
        case _:
            return Kept(one)
    return Kept(replace(one, cards=rest)) if rest else Served()


def _place(one: Sanction, look: Look) -> Verdict:
    """Judge that the cards go to the melds that an opponent has chosen, whichever hand lays them.

    He who may choose breaks nothing, and he may have chosen that they stay where they lie.
    """
    match look.action:
        case act.Open() | act.Extend():
            rest = without(one.cards, look.action.cards)
            return Kept(replace(one, cards=rest)) if rest else Served()
        case act.Draw() | act.Collect():
            return Lapsed()
    return Kept(one)


def _carries_placing(one: Sanction, action: act.Action) -> bool:
    if not isinstance(action, act.Open | act.Extend):
        return False
    return not without(tuple(map(face, action.cards)), tuple(map(face, one.cards)))


FAMILIES: Final = (
    Family(("referee",), _place, _carries_placing),
    Family(("complete-or-penalise",), _mend, _carries_mending),
    Family(("penalise",), _penalise, moves_its_cards),
)
