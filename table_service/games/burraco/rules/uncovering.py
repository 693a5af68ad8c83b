"""A card that comes to light in a meld although no hand has brought it (art. 26): what the senses leave of it.

A card that is laid crosses its player's gate, which names a single one; and cards are laid at the ends of a meld. One
that no gate has named and that shows between the others, that fits nowhere there, or under a hand that lays nothing in
that place, has lain hidden there. Between the others and under a hand that may not lay, it has whatever gates answer.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from hw.cards import UNKNOWN, face, same_face
from hw.seats import Line, Seat
from table_service.games.burraco.rules.card_ledger import Cards
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import Lay
from table_service.games.burraco.rules.meld import readings


@dataclass(frozen=True, slots=True)
class Hidden:
    """The ``card`` that came to light, what came beside it (``laid``, with ``reads`` as the meld reads without it)."""

    card: str
    laid: Cards
    reads: Cards


def hidden_card(
    deal: Deal, line: Line, row: int, cards: Cards, result: Cards, seat: Seat | None, gates: AbstractSet[Seat]
) -> Hidden | None:
    """Find which of ``cards``, that meld ``row`` shows more than before, was hidden there; None if none was.

    ``seat``: whose hand was in the melds. ``gates``: the seats whose gate is known to answer.
    """
    lies = deal.meld(row)
    if lies is None or lies.line is not line or len(result) != len(lies.cards) + len(cards):
        return None
    unnamed = [card for card in cards if "#" not in card]
    if len(unnamed) != 1 or _stays_a_meld(deal, lies.cards, result):
        return None
    lays, silent = seat is None or _may_lay(deal, line, seat), _silent_gates(deal, line, seat, gates)
    if lays and not silent:
        return None
    at = _where_hidden(deal, unnamed[0], lies.cards, result, at_edge=bool(silent) and not lays)
    if at is None:
        return None
    left = list(cards)
    left.remove(unnamed[0])
    return Hidden(unnamed[0], tuple(left), (*result[:at], *result[at + 1 :]))


def _stays_a_meld(deal: Deal, lies: Cards, result: Cards) -> bool:
    """Return True if ``lies`` was no meld or ``result`` is one, or holds an unknown card: nothing lay hidden."""
    faces = tuple(map(face, result))
    return UNKNOWN in faces or bool(readings(deal.book, faces)) or not readings(deal.book, tuple(map(face, lies)))


def _where_hidden(deal: Deal, card: str, lies: Cards, result: Cards, *, at_edge: bool) -> int | None:
    """Return the place of ``card`` in ``result`` without which the rest is a meld that holds ``lies``; None for none.

    ``at_edge``: it may also lie first or last.
    """
    faces, lay = tuple(map(face, result)), tuple(map(face, lies))
    for at in range(0 if at_edge else 1, len(faces) - (0 if at_edge else 1)):
        rest = (*faces[:at], *faces[at + 1 :])
        if faces[at] == face(card) and readings(deal.book, rest) and _holds(rest, lay):
            return at
    return None


def _silent_gates(deal: Deal, line: Line, seat: Seat | None, gates: AbstractSet[Seat]) -> bool:
    """Return True if a card of the line would have been named: by that hand's gate, or either if none was seen."""
    if seat is None:
        return all(one in gates for one in deal.seats_of(line))
    return deal.line_of(seat) is not line or seat in gates


def _may_lay(deal: Deal, line: Line, seat: Seat) -> bool:
    """Return True if that hand may be there to lay something."""
    return deal.line_of(seat) is line and (not deal.known or (seat is deal.to_play and deal.drawn))


def _holds(rest: Cards, lay: Cards) -> bool:
    """Return True if ``lay`` stands in ``rest`` as it stood: cards came at its ends only."""
    return any(rest[at : at + len(lay)] == lay for at in range(len(rest) - len(lay) + 1))


def covering(deal: Deal, row: int, card: str, result: Cards) -> tuple[Lay, ...]:
    """Lays of the cards next to ``card`` in meld ``row``, that reads ``result``: it was hidden with one of those.

    Empty if the cards next to it were laid by an unknown hand.
    """
    at = next((n for n, one in enumerate(result) if same_face(one, card)), None)
    lays = deal.changed.get(row, ())
    if at is None or not lays:
        return ()
    whose = _laid_by((*result[:at], *result[at + 1 :]), lays)
    found = [whose[near] for near in (at - 1, at) if near in whose]
    return tuple(lay for lay in lays if lay in found)


def _laid_by(cards: Cards, lays: tuple[Lay, ...]) -> dict[int, Lay]:
    """Position among ``cards`` → lay that brought it: the newest is outermost, towards the table first."""
    left, whose = list(range(len(cards))), dict[int, Lay]()
    for lay in reversed(lays):
        for card in reversed(lay.cards):
            alike = [at for at in left if same_face(cards[at], card)]
            outer = [at for at in (left[-1:] + left[:1]) if at in alike] or alike[-1:]
            if outer:
                whose[outer[0]] = lay
                left.remove(outer[0])
    return whose


def hiders(lays: tuple[Lay, ...]) -> tuple[Seat, ...]:
    """Return the seats that may have hidden it, each once."""
    return tuple(dict.fromkeys(lay.seat for lay in lays))


def laid_in_turn(deal: Deal, row: int) -> Cards:
    """Return the cards that came to meld ``row`` in the running turn."""
    if not deal.begun:
        return ()
    return tuple(card for lay in deal.changed.get(row, ()) if lay.t > deal.last_out_t for card in lay.cards)
