"""Movements that carry out a ruling: which cards leave which melds, what may still be moved when the deal is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.seats import Line, Seat
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching, take_out
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import MeldRow
from table_service.referee.values import Sanction

_ASIDE: Final = ("penalise", "complete-or-penalise", "discard")
"""Duties whose cards lie beside their player, or are to (art. 25)."""
_LATER: Final = ("discard", "expose")
"""Duties for which no meld is touched any more: their cards are discarded, and there is no turn left for that."""
_REMEDIES: Final = (
    act.TakeBack,
    act.Penalise,
    act.Shift,
    act.ReturnToStock,
    act.ReturnToPile,
    act.ReturnToPot,
    act.Discard,
    act.Open,
    act.Extend,
    act.Uncover,
)
"""What carries out a ruling; nobody draws or collects any more when the deal is over."""


def is_penalised(owed: Iterable[Sanction], seat: Seat, card: str, beside: Cards) -> bool:
    """Return True if ``card`` is one that ``seat`` has been ordered to lay aside and to discard from there.

    ``beside``: what lies there; where a card of that face lacks, it has been taken up already and is in his hand.
    """
    told = (one for one in owed if one.who is seat and one.duty.do in _ASIDE)
    owing = max((sum(same_face(card, other) for other in one.cards) for one in told), default=0)
    return 0 < owing <= sum(same_face(card, other) for other in beside)


def who_takes(deal: Deal, owed: Iterable[Sanction], line: Line, cards: Cards) -> Seat | None:
    """Return who of ``line`` has been told to take ``cards`` out of a meld; None where nobody has."""
    told = (one for one in owed if deal.line_of(one.who) is line and one.duty.do in (*_ASIDE, "take-back"))
    return next((one.who for one in told if matching(one.cards, cards)), None)


def is_remedy(deal: Deal, owed: Sequence[Sanction], named: Cards, action: act.Action) -> bool:
    """Return True if ``action``, when the deal is over, carries out a ruling and does not just gather the cards.

    ``named``: the cards that rulings were about. Cards leave only the melds from which something is still to be moved,
    the last play's then, or as cards that a ruling names and no others.
    """
    if not isinstance(action, _REMEDIES):
        return False
    if isinstance(action, act.ReturnToPot):  # one that was lifted after the end was never taken
        return bool(deal.second) if action.seat is None else deal.line_of(action.seat) in deal.second
    if not isinstance(action, act.TakeBack) or action.row is None:
        return True
    moves = [one for one in owed if one.duty.do not in _LATER]
    rows = {one.meld for one in moves}
    if moves and deal.last_play is not None:
        rows.add(deal.last_play.row)
    return action.row in rows or len(matching(named, action.cards)) == len(action.cards)


def ruled_apart(deal: Deal, line: Line, row: int, named: Cards, cards: Cards) -> MeldRow | None:
    """Return the row of ``line``, not ``row``, in which just ``cards`` lie, if a ruling was about them (art. 29)."""
    if len(matching(named, cards)) < len(cards):
        return None
    apart = (meld for meld in deal.melds if meld.line is line and meld.row != row)
    return next((meld for meld in apart if sorted(map(face, meld.cards)) == sorted(map(face, cards))), None)


def taken_out(deal: Deal, owed: Sequence[Sanction], whose: Seat, cards: Cards) -> list[tuple[MeldRow, Cards, Cards]]:
    """Cards laid aside by ``whose`` that the ledger still has in melds that they were ordered out of.

    An arm may hide the melds: then frames show a card beside its player first, as if it came from his hand. For each
    meld: the cards that have left it, and those that stay.
    """
    line = deal.line_of(whose)
    told = [one for one in owed if one.duty.do in _ASIDE and deal.line_of(one.who) is line]
    left = list(matching(tuple(card for one in told for card in one.cards), cards))
    found = []
    for meld in _told_of(deal, told, whose) if left else ():
        gone = matching(tuple(left), meld.cards)
        for card in gone:
            left.remove(next(one for one in left if same_face(one, card)))
        if gone:
            found.append((meld, gone, take_out(meld.cards, gone)[0]))
    return found


def _told_of(deal: Deal, told: Sequence[Sanction], whose: Seat) -> list[MeldRow]:
    """Return the melds of the line that are to lose cards: named and invalid ones, or what was laid last (art. 33).

    Those that a ruling names come first: the same card may lie in another one as well.
    """
    named = {one.meld for one in told}
    known = tuple(card for card in deal.hand(whose) if face(card) != UNKNOWN)
    held = any(matching(one.cards, known) for one in told)
    melds = [
        meld
        for meld in deal.melds
        if meld.line is deal.line_of(whose)
        and (
            (not held and _laid_last(deal, meld, told))
            or any(one.meld == meld.row and _still_holds(meld, one, known) for one in told)
            or (deal.reading(meld.row) is None and not named.isdisjoint((meld.row, None)))
        )
    ]
    return sorted(melds, key=lambda meld: meld.row not in named)


def _still_holds(meld: MeldRow, one: Sanction, held: Cards) -> bool:
    """Return True if the card to be penalised still lies in ``meld``, and no twin of it that could be taken for it.

    ``held``: the known cards of who is to take it out. Where he has taken it out and holds it, what lies is a twin.
    """
    if one.duty.do == "discard" or len(one.cards) != 1 or (one.moved and matching(one.cards, held)):
        return False
    return sum(same_face(card, one.cards[0]) for card in meld.cards) == 1


def _laid_last(deal: Deal, meld: MeldRow, told: Sequence[Sanction]) -> bool:
    """Return True if ``meld`` is the last play's, or cards ``told`` out came to it in the turn that ran last."""
    if deal.last_play is not None and meld.row == deal.last_play.row:
        return True
    since = deal.outs[-2][1] if len(deal.outs) > 1 else -1.0
    lays = (lay for lay in deal.seen_lays(meld.row) if lay.t > since and deal.line_of(lay.seat) is meld.line)
    return any(matching(one.cards, lay.cards) for lay in lays for one in told)
