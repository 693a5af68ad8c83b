"""Cards that come to a hand: draws, the pile collected, cards taken back."""

from __future__ import annotations

from typing import Any, Final

from hw.cards import UNKNOWN, face, same_face
from hw.seats import Seat
from hw.zones import DISCARD, STOCK, TABLE, zone_line
from table_service.games.burraco.reading.pot_taking import from_pots
from table_service.games.burraco.reading.situation import (
    HAND,
    JUST_BEFORE,
    SIDES,
    SUPPOSED,
    UNSEEN,
    Situation,
    card_of,
    cards_of,
    lies_there,
    loose_zone,
    make,
    row_of,
    seat_of,
)
from table_service.games.burraco.remedy_movements import who_takes
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.meld import by_rank
from table_service.tracking.movements import Movement

_ARM_SEEN: Final = 0.3
"""How sure a draw is at least for which an arm was seen over the stock, where no sensor of the table tells hands."""


def left_behind(now: Situation, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
    """Take the card left behind by the player who took the pile as his discard, once the next player acts (art. 9).

    Of several it is the highest in rank. A single one is so at once: then it is also for the next player's laying
    and for a draw of his own, which comes after his turn.
    """
    deal, rest = now.deal, now.deal.pile
    if not deal.begun or not deal.collected or not rest or deal.pile_was != len(deal.collected) + len(rest):
        return ()
    if not _acts_after(deal, move, source, target):
        return ()
    highest = (UNKNOWN,) if UNKNOWN in map(face, rest) else by_rank(rest)[:1]
    cards = rest if len(rest) == 1 else highest
    then = move.committed_t - JUST_BEFORE
    return (make(act.Discard, move, cards, seat=deal.to_play, left=True, committed_t=then),)


def _is_alone(deal: Deal) -> bool:
    """Return True if one card lies on the pile, and nothing makes that doubtful."""
    return len(deal.pile) == 1 and DISCARD not in deal.places.unverified


def _acts_after(deal: Deal, move: Movement, source: str, target: str) -> bool:
    """Return True if ``move`` shows that the turn is over in which cards of the pile were left behind."""
    seat = seat_of(move)
    taking = target == HAND and source in (STOCK, DISCARD)
    if seat is None and deal.by_order:
        return taking and source == STOCK
    told = move.seat is not None
    alone = told and _is_alone(deal)
    if seat is deal.rotation.next(deal.to_play):
        return (taking and (told or len(deal.pile) == 1)) or (alone and _plays(move, source, target))
    return alone and seat is deal.to_play and taking and source == STOCK and deal.seen


def _plays(move: Movement, source: str, target: str) -> bool:
    """Return True if ``move`` lays cards of a hand, or discards one that a gate has read there."""
    return source == HAND and (target == "melds" or (target == DISCARD and "tags" in move.basis))


def to_hand(now: Situation, move: Movement, source: str) -> tuple[act.Action, ...]:
    """Cards come to a hand from ``source``, a kind of place."""
    cards = cards_of(move)
    match source:
        case "stock":
            return (make(act.Draw, move, cards, **_drawer(now, move)),)
        case "discard":
            return (_off_the_pile(now, move, cards),)
        case "pots":
            return from_pots(now, move)
        case "melds":
            return _out_of_meld(now, move, cards)
    return _off_the_table(now, move, cards)


def _drawer(now: Situation, move: Movement) -> dict[str, Any]:
    """Return who draws where no sensor of the table tells hands: whose turn it is, if he has taken nothing yet.

    Where he has left cards of the pile lying it is the next player: they are his discard (art. 9).
    """
    deal = now.deal
    if not deal.by_order or seat_of(move) is not None or not deal.known:
        return {}
    if deal.collected and deal.pile and deal.pile_was == len(deal.collected) + len(deal.pile):
        return {"seat": deal.rotation.next(deal.to_play), "confidence": SUPPOSED}
    sure = SUPPOSED if move.confidence >= _ARM_SEEN else UNSEEN
    return {} if deal.drawn or deal.begun else {"seat": deal.to_play, "confidence": sure}


def _off_the_pile(now: Situation, move: Movement, cards: Cards) -> act.Action:
    who = _told_back(now, move)
    owed = () if who is None else now.back.get(who, ())
    if owed and len(cards) <= len(owed) and (_is_unread(now, owed) or _lay_beneath(now, who, cards)):
        return make(act.TakeBack, move, (UNKNOWN,) * len(cards), zone=DISCARD, seat=who)
    if _may_be(owed, cards) or _restores(now, who, cards) or _undoes(now, cards) or _reopens(now, who, cards):
        return make(act.TakeBack, move, cards, zone=DISCARD, seat=who)
    return make(act.Collect, move, cards, **_collector(now, move))


def _out_of_meld(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    row, result = row_of(move), tuple(map(card_of, move.result))
    if _reads_so(now, row, result):
        return ()
    taker = _out_of_row(now, move, cards)
    return (make(act.TakeBack, move, cards, zone=move.source, row=row, result=result, **taker),)


def _off_the_table(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    zone = loose_zone(move.source)
    if not lies_there(now, cards, zone) or (zone in SIDES and _lies_so(now.deal.at(zone), move.result)):
        return ()
    lies = now.deal.exposed(cards[0]) if zone == TABLE and cards else None
    if lies is None:
        return (make(act.TakeBack, move, cards, zone=zone),)
    whose = lies.seat if lies.seen else seat_of(move)
    return (make(act.TakeBack, move, cards, zone=zone, holder=lies.seat, seat=whose),)


def _lies_so(cards: Cards, seen: Cards) -> bool:
    """Return True if the ledger has beside a player just what frames show there, later than where a card went."""
    return bool(seen) and sorted(map(face, cards)) == sorted(map(face, seen))


def _told_back(now: Situation, move: Movement) -> Seat | None:
    """Player who takes cards of the pile back by an order: the seat seen, else the only one ordered to.

    Once the next turn seems to have begun, only if these are the cards that he was told to take back.
    """
    seen = seat_of(move)
    if seen is not None or len(now.back) != 1:
        return seen
    ((who, owed),) = now.back.items()
    return None if now.deal.begun and not _may_be(owed, tuple(map(card_of, move.cards))) else who


def _is_unread(now: Situation, owed: Cards) -> bool:
    """Return True if the card ordered back lies in the pile unread, so that the one seen missing may be another."""
    pile = now.deal.pile
    return {UNKNOWN} == set(map(face, owed)) or (UNKNOWN in map(face, pile[:-1]) and not matching(owed, pile))


def _lay_beneath(now: Situation, who: Seat | None, cards: Cards) -> bool:
    """Return True if what is missing is the card beneath the discard just made by ``who``, however it was read."""
    deal = now.deal
    mine = who is deal.last_out and not deal.begun and len(deal.pile) > 1 and len(cards) == 1
    return mine and same_face(cards[0], deal.pile[-2]) and not same_face(cards[0], deal.pile[-1])


def _restores(now: Situation, who: Seat | None, cards: Cards) -> bool:
    """Return True if ``who``, ordered to put a pot together again, takes up the discard of it that he has just made."""
    return who in now.restoring and len(cards) == 1 and who is now.deal.last_out and not now.deal.begun


def _undoes(now: Situation, cards: Cards) -> bool:
    """Return True if ``cards``, taken off the pile when the deal is over, are those of a ruling, not the whole pile."""
    few = len(cards) <= len(now.named) + 1 and len(cards) < len(now.deal.pile)
    return now.settles and few and bool(matching(now.named, cards))


def _reopens(now: Situation, who: Seat | None, cards: Cards) -> bool:
    """Return True if ``who``, ordered to take a move of his turn back, takes back the discard that ended it as well."""
    deal = now.deal
    is_his_last = who is not None and who is deal.last_out and not deal.begun and bool(deal.pile) and len(cards) == 1
    told = any(one.who is who and one.duty.do == "take-back" for one in now.owed)
    return is_his_last and told and face(cards[0]) in (UNKNOWN, face(deal.pile[-1]))


def _out_of_row(now: Situation, move: Movement, cards: Cards) -> dict[str, Any]:
    """Return where no hand was seen at a meld that cards leave: who was told to take them, else one of its line."""
    deal, line = now.deal, zone_line(move.source or "")
    if seat_of(move) is not None or line is None:
        return {}
    told = who_takes(now.deal, now.owed, line, cards)
    last = deal.to_play if deal.begun or deal.last_out is None else deal.last_out
    whose = told or next((seat for seat in (deal.to_play, last) if now.deal.line_of(seat) is line), None)
    return {} if whose is None else {"seat": whose, "confidence": UNSEEN}


def _reads_so(now: Situation, row: int, result: Cards) -> bool:
    """Return True if the ledger has the cards of ``row`` gone already: frames show it later than where they went."""
    meld = now.deal.meld(row)
    return sorted(map(face, result)) == sorted(map(face, () if meld is None else meld.cards))


def _collector(now: Situation, move: Movement) -> dict[str, Any]:
    """Return where no hand was seen at the pile: whose turn it is, if he has drawn nothing yet (art. 9)."""
    deal = now.deal
    if seat_of(move) is not None or deal.drawn or deal.begun or not deal.known:
        return {}
    cards = cards_of(move)
    told = [one for one in now.owed if one.duty.do == "collect"]
    if told and (len(cards) < len(deal.pile) or matching(told[0].cards, cards)):
        # the cards that he had left and was told to take, whoever is to play (art. 9): another takes the whole pile
        return {"seat": told[0].who}
    return {"seat": deal.to_play, "supposed": True, "confidence": SUPPOSED}


def _may_be(owed: Cards, cards: Cards) -> bool:
    """Return True if ``cards``, of which some are not known, may be of those that are ``owed``."""
    known = tuple(card for card in cards if face(card) != UNKNOWN)
    return bool(owed) and len(cards) <= len(owed) and len(matching(owed, known)) == len(known)
