"""Faults of an act, as data: several may be at once, none if the act is in order."""

from __future__ import annotations

from hw.cards import UNKNOWN, face
from hw.seats import Line, Seat
from table_service.games.burraco.rules import pots
from table_service.games.burraco.rules.card_ledger import Cards
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import ActFault, Phase
from table_service.games.burraco.rules.meld import reading_of


def verify_draw(deal: Deal, seat: Seat | None, count: int = 1) -> tuple[ActFault, ...]:
    """Return what is wrong when ``seat`` draws ``count`` cards from the stock now (arts. 7, 8, 17, 31)."""
    return (
        *_verify_take(deal, seat),
        *((ActFault.SEVERAL,) if count > 1 else ()),
        *((ActFault.STOCK_CLOSED,) if deal.stock - count < deal.book.unplayable_stock else ()),
    )


def verify_collect(deal: Deal, seat: Seat | None) -> tuple[ActFault, ...]:
    """Return what is wrong when ``seat`` takes cards of the discard pile now (arts. 7, 9, 31)."""
    return (*_verify_take(deal, seat), *(() if deal.pile else (ActFault.PILE_EMPTY,)))


def _verify_take(deal: Deal, seat: Seat | None) -> tuple[ActFault, ...]:
    if deal.phase is Phase.OVER:
        return (ActFault.DEAL_OVER,)
    if not deal.in_turn(seat):
        return (ActFault.OUT_OF_TURN,)
    mine = seat is None or seat is deal.to_play
    return (ActFault.ALREADY_DRAWN,) if deal.drawn and mine and seat is not deal.skipped else ()


def _verify_play(deal: Deal, seat: Seat | None) -> tuple[ActFault, ...]:
    """Return what is wrong with laying cards now: order of play and the draw before it."""
    if deal.phase is Phase.OVER:
        return (ActFault.DEAL_OVER,)
    if seat is not None and deal.turn_is_not_of(seat):
        after = seat is deal.last_out and not deal.begun
        return (ActFault.AFTER_DISCARD,) if after else (ActFault.OUT_OF_TURN,)
    return () if deal.drawn else (ActFault.NOT_DRAWN,)


def verify_open(deal: Deal, seat: Seat | None, cards: Cards, line: Line | None = None) -> tuple[ActFault, ...]:
    """Return what is wrong when ``seat`` opens a meld of ``cards`` for ``line`` now (arts. 7, 11, 12, 27, 30, 32)."""
    whose = line or (None if seat is None else deal.line_of(seat))
    second = whose is not None and deal.equal_set(whose, cards) is not None
    return (*_verify_lay(deal, seat, cards, line), *((ActFault.SECOND_SET,) if second else ()))


def _verify_lay(deal: Deal, seat: Seat | None, cards: Cards, line: Line | None) -> tuple[ActFault, ...]:
    """Faults of ``seat`` laying cards to a meld that then reads ``cards``, whatever else is there."""
    unknown = UNKNOWN in map(face, cards)
    return (
        *_verify_play(deal, seat),
        *((ActFault.OTHER_LINE,) if seat is not None and line is not None and deal.line_of(seat) is not line else ()),
        *((ActFault.NO_MELD,) if not unknown and reading_of(deal.book, cards) is None else ()),
    )


def verify_extend(deal: Deal, seat: Seat | None, row: int, result: Cards) -> tuple[ActFault, ...]:
    """Faults of ``seat`` laying cards to meld ``row`` so that it reads ``result`` (arts. 7, 27, 30, 32)."""
    meld = deal.meld(row)
    frozen = meld is not None and meld.frozen != "none"
    return (
        *_verify_lay(deal, seat, result, meld.line if meld else None),
        *((ActFault.FROZEN,) if frozen else ()),
    )


def verify_discard(deal: Deal, seat: Seat | None, card: str) -> tuple[ActFault, ...]:
    """Return what is wrong when ``seat`` discards ``card`` now, closing included (arts. 7, 14, 17, 30, 33, 34)."""
    if deal.phase is Phase.OVER:
        return (ActFault.DEAL_OVER,)
    who = deal.actor(seat)
    order: tuple[ActFault, ...] = ()
    if seat is not None and deal.known and not _may_discard(deal, seat):
        order = (ActFault.AFTER_DISCARD,) if seat is deal.last_out and not deal.begun else (ActFault.OUT_OF_TURN,)
    elif who is deal.to_play and not deal.drawn:
        order = (ActFault.NOT_DRAWN,)
    closing = deal.owns(who) <= 1 and not deal.pot_is_open(deal.line_of(who)) and who not in deal.barred
    return (*order, *verify_closing(deal, who, card)) if closing else order


def _may_discard(deal: Deal, seat: Seat) -> bool:
    """Return True if it is for ``seat`` to discard: in turn, a second time by a ruling, or playing out of turn."""
    anew = seat is deal.redo and not deal.begun
    return anew or seat is deal.to_play or seat in deal.out


def verify_closing(deal: Deal, seat: Seat, card: str) -> tuple[ActFault, ...]:
    """Return what is wrong with going out by discarding ``card`` (arts. 14, 17, 33, 34).

    Nothing where the line was to take a pot that the other line has taken: by art. 23 it goes out, and a code that does
    not say what then holds leaves it to the arbitro.
    """
    if pots.is_robbed(deal, deal.line_of(seat)):
        return ()
    if not deal.book.closing_discard_may_be_wild and face(card) != UNKNOWN and deal.book.is_wild(card):
        return (ActFault.WILD_DISCARD,)
    lacks = deal.book.closing_needs_burraco and deal.has_burraco(deal.line_of(seat)) is False
    return (ActFault.NO_BURRACO,) if lacks else ()


def verify_take_pot(deal: Deal, seat: Seat | None) -> tuple[ActFault, ...]:
    """Return what is wrong when ``seat`` takes a pot now (art. 23)."""
    if seat is None:
        return ()
    if not deal.pot_is_open(deal.line_of(seat)):
        return (ActFault.POT_TAKEN_BEFORE,)
    return (ActFault.POT_NOT_DUE,) if deal.count(seat) else ()
