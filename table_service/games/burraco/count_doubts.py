"""Doubts at the count of a deal: cards that may lie elsewhere, a closing, a pot, a penalty."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Line, Seat
from hw.zones import POTS, TABLE
from table_service.games.burraco.rules import pots
from table_service.games.burraco.rules.card_ledger import among, matching, take_out
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.verifying import verify_closing

Cards = tuple[str, ...]

STOCK_ENDS: Final = 2
"""Cards of the stock, at most, with which a deal may have ended by it."""


def has_closed(deal: Deal, line: Line) -> bool:
    """Return True if a player of ``line`` is said to have gone out."""
    return deal.manner == "closed" and deal.closer in deal.seats_of(line)


def is_unlaid(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Return True if ``line`` laid out another number of cards than the ledger's: its melds may be as much off."""
    return any(len(shown[seat]) != deal.count(seat) for seat in deal.seats_of(line) if seat in shown)


def is_unheld(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Return True if the ledger gives ``line`` cards in a hand that can't hold them, or that none laid out or counted.

    Who has closed holds none; and of a number that was never sure, some may lie in melds nobody knows of. Who has not
    closed holds cards: of one who by a number that is not sure has none, and laid none out, nobody knows what he has.
    """
    unseen = [seat for seat in deal.seats_of(line) if seat not in shown]
    closer = deal.closer if deal.manner == "closed" else None
    return any(deal.count(seat) if seat is closer else not deal.sure_of(seat) for seat in unseen)


def unregulated(deal: Deal, line: Line) -> tuple[str, ...]:
    """Return ``line``'s items on which the code is silent: the other line took its pot, and it may have gone out."""
    if not pots.is_robbed(deal, line) or deal.book.pot.robbed_line != "unregulated":
        return ()
    return ("pot", "closing") if has_closed(deal, line) else ("pot",)


def may_not_have_closed(deal: Deal, line: Line) -> bool:
    """Return True if the stock may have ended the deal: it was used up, and the closer's cards never certain.

    Then he may hold cards as well that he has not laid out yet.
    """
    closer = deal.closer if deal.manner == "closed" else None
    used_up = deal.stock <= STOCK_ENDS
    return closer is not None and deal.line_of(closer) is line and used_up and not deal.sure_of(closer)


def may_have_closed(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Return True if the last discard of a deal ended otherwise may be a closing: what was left is unknown.

    So it is where the number of his cards was never sure and he laid none out, though others did; or where all cards
    that lie elsewhere leave him none.
    """
    out = deal.last_out
    if (
        deal.manner not in ("stock", "time-out")
        or out is None
        or deal.line_of(out) is not line
        or deal.pot_is_open(line)
    ):
        return False
    held = (deal.sure_of(out) and deal.count(out) > 0) or bool(shown.get(out)) or not any(shown.values())
    return not held and not verify_closing(deal, out, (deal.pile or (UNKNOWN,))[-1])


@dataclass(frozen=True, slots=True)
class AtTheCount:
    """Facts beside the deal: the hands shown, lines in doubt or dispute, cards exposed, True if it is over.

    ``is_complete``: every card is in view. ``is_misplaced``: if so, a pot went to another hand than the ledger has it.
    """

    shown: Mapping[Seat, Cards]
    unverified: Collection[Line]
    disputed: Collection[Line]
    exposed: Mapping[Seat, Cards]
    is_over: bool
    is_complete: bool
    is_misplaced: bool


def pot_is_open(deal: Deal, line: Line, facts: AtTheCount, *, hand_known: bool) -> bool:
    """Return True if nothing can vouch for what the pot of ``line`` costs it.

    It may have been taken unnoticed; or a part of it alone was seen to go; or it was weighed with another number of
    cards than a pot has, was not played, and no whole pot lies open; or, the hands of the line not being known, the
    other of the two may have taken it and not played since; or nothing counts hands, and its taker lays out another
    number than the ledger's, by which he was taken to have had none. ``hand_known``: whether those hands are known.
    """
    pot = deal.pots_taken.get(line)
    if pot is None:
        return POTS in deal.places.unverified and not pots.is_robbed(deal, line)
    if pot.supposed or (deal.at(pot.place) and pot.cards < deal.book.pot_cards - 1):
        return True
    if deal.uncounted and len(facts.shown.get(pot.seat, deal.hand(pot.seat))) != deal.count(pot.seat):
        return True
    if not pot.played and not facts.is_complete and pot.cards != deal.book.pot_cards:
        return len(facts.shown.get(pot.seat, ())) != deal.book.pot_cards
    return not hand_known and deal.turn - pot.turn < len(deal.seats)


def lies_loose(deal: Deal, line: Line, exposed: Mapping[Seat, Cards]) -> bool:
    """Return True if cards without a ruling still lie loose, for which ``line`` may have to pay (art. 24)."""
    lies = deal.at(TABLE)
    lies = take_out(lies, tuple(card for cards in exposed.values() for card in matching(cards, lies)))[0]
    owners = [one.seat for one in deal.loose if among(one.card, lies)]
    return bool(lies) and (not owners or any(seat is None or deal.line_of(seat) is line for seat in owners))
