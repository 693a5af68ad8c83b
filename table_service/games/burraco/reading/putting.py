"""Cards that come to the pile, onto a heap, beside a player or onto the table."""

from __future__ import annotations

from hw.cards import UNKNOWN, face
from hw.seats import SEATS, Seat
from hw.zones import DISCARD, POTS, TABLE, hand, melds, zone_seat
from table_service.games.burraco.reading.pot_taking import heap
from table_service.games.burraco.reading.situation import (
    HAND,
    HANDS,
    SIDES,
    UNSEEN,
    Situation,
    card_of,
    cards_of,
    lies_there,
    loose_zone,
    make,
    row_of,
    seat_of,
    taken_up,
    whose_turn,
)
from table_service.games.burraco.remedy_movements import taken_out
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching
from table_service.games.burraco.rules.deal import Phase
from table_service.tracking.movements import Movement


def elsewhere(now: Situation, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
    """Cards come to a place of the kind ``target`` that is neither a hand nor melds."""
    cards = cards_of(move)
    if target == DISCARD:
        return _to_pile(now, move, source, cards)
    if source == HAND:
        match target:
            case "stock":
                return (make(act.ReturnToStock, move, cards, seat=_owes(now, move)),)
            case "pots":
                return (make(act.ReturnToPot, move, cards),)
            case "side":
                out = _out_of_melds(now, move, cards)
                return (
                    (*out, make(act.Penalise, move, cards, zone=move.target)) if out else _penalised(now, move, cards)
                )
        return (make(act.Expose, move, cards, zone=move.target or TABLE, visible_to=move.visible_to),)
    if source in ("side", TABLE) and target in ("side", TABLE):
        zone = move.target if target == "side" else TABLE
        return (make(act.Shift, move, cards, source=loose_zone(move.source), target=zone),)
    if source == "melds":
        return _out_of_meld(now, move, cards, target)
    return (make(act.Shift, move, cards, source=heap(now, source), target=heap(now, target)),)


def _penalised(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    """Cards come to lie beside a player; where nobody was seen to take them, the ledger may have them at his partner.

    Then they go from there: what a ruling is about leaves its meld once, whichever hand of the line has taken it out.
    """
    whose = seat_of(move)
    partner = None if whose is None else now.deal.rotation.partner(whose)
    moved = tuple(card for one in now.owed if one.who in (whose, partner) for card in one.moved)
    if whose is not None and partner is not None and len(matching(cards, moved)) == len(cards):
        own = tuple(card for card in now.deal.hand(whose) if face(card) != UNKNOWN)
        if not matching(cards, own) and len(matching(cards, now.deal.hand(partner))) == len(cards):
            return (make(act.Penalise, move, cards, zone=move.target, source=hand(partner)),)
    return (make(act.Penalise, move, cards, zone=move.target),)


def _out_of_melds(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    """Read ``cards`` that come to a player's side as taken out of a meld by order of a ruling.

    An arm may hide the melds: then frames show the card beside him first, as if it came from his hand.
    """
    whose = zone_seat(move.target or "")
    told = [] if whose is None else taken_out(now.deal, now.owed, whose, cards)
    return tuple(
        make(act.TakeBack, move, gone, zone=melds(lies.line), row=lies.row, result=stays, seat=whose)
        for lies, gone, stays in told
    )


def _owes(now: Situation, move: Movement) -> Seat | None:
    """Owner of the card that goes back onto the stock: the seat ordered to return one, else the seat seen."""
    seat = seat_of(move)
    if now.owing:
        return seat if seat in now.owing else next(one for one in SEATS if one in now.owing)
    return seat or (now.deal.out[0] if len(now.deal.out) == 1 else None)


def _out_of_meld(now: Situation, move: Movement, cards: Cards, target: str) -> tuple[act.Action, ...]:
    result = tuple(map(card_of, move.result))
    back = make(act.TakeBack, move, cards, zone=move.source, row=row_of(move), result=result)
    if target == "side":
        return back, make(act.Penalise, move, cards, zone=move.target)
    return back, make(act.Shift, move, cards, source=None, target=heap(now, target))


def _to_pile(now: Situation, move: Movement, source: str, cards: Cards) -> tuple[act.Action, ...]:
    """Cards come to the pile from ``source``, a kind of place."""
    match source:
        case "stock":
            return _stock_to_pile(now, move, cards)
        case "pots":
            return (make(act.Shift, move, cards, source=heap(now, POTS), target=DISCARD),)
        case "melds":
            result = tuple(map(card_of, move.result))
            back = make(act.TakeBack, move, cards, zone=move.source, row=row_of(move), result=result)
            return back, make(act.Discard, move, cards)
        case "side" | "table":
            return _loose_to_pile(now, move, cards)
    deal, seat = now.deal, seat_of(move)
    told = _returns(now, seat, cards)
    if told is not None or _is_pushed_back(now, seat, cards) or _is_ruled_back(now, cards):
        return (make(act.ReturnToPile, move, cards, seat=told or seat),)
    if source == DISCARD:
        return ()
    if seat is None and deal.drawn and move.committed_t < deal.began_t:
        whose = deal.last_out or deal.to_play  # of an earlier turn, in which it was missed: it ends none now
        return (make(act.Shift, move, cards, source=None, target=DISCARD, seat=whose, confidence=UNSEEN),)
    return (*taken_up(now, move, cards), make(act.Discard, move, cards, **whose_turn(now, move)))


def _stock_to_pile(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    """From the stock to the pile: turned up; a discard and the next draw weighed as one; or drawn and discarded."""
    deal = now.deal
    if deal.phase is Phase.DEALT and not deal.turned_up:
        return (make(act.TurnUp, move, cards),)
    if deal.drawn and deal.known and seat_of(move) in (None, deal.to_play):
        draw = make(act.Draw, move, (UNKNOWN,), seat=None, confidence=UNSEEN)
        if "sight" not in move.basis:  # the tag may be that of the card drawn, which is hidden
            cards = (UNKNOWN,) * len(cards)
        return (*taken_up(now, move, cards), make(act.Discard, move, cards, **whose_turn(now, move)), draw)
    return make(act.Draw, move, cards), make(act.Discard, move, cards)


def _returns(now: Situation, seat: Seat | None, cards: Cards) -> Seat | None:
    """Return the player who was told to bring these cards back onto the pile: whose hand does it needs no beam.

    A single card is his where it may be one of the pile's, or where nobody is playing who could discard.
    """
    if seat is not None:
        return seat if seat in now.returning else None
    told = next((one for one in SEATS if one in now.returning), None)
    owed = tuple(card for one in now.owed if one.duty.do == "return-to-pile" for card in one.cards)
    his = len(cards) > 1 or not now.deal.begun or bool(matching(owed, cards))
    return told if his else None


def _is_pushed_back(now: Situation, seat: Seat | None, cards: Cards) -> bool:
    """Return True if just the pile thought to be collected lies there again: it was only looked at (art. 9)."""
    deal = now.deal
    mine = seat in (None, deal.to_play) and deal.last_play is None and deal.collected is not None
    return mine and len(cards) > 1 and sorted(map(face, cards)) == sorted(map(face, deal.collected or ()))


def _is_ruled_back(now: Situation, cards: Cards) -> bool:
    """Return True if cards that a ruling was about come back, though it did not say that they go to the pile.

    Several at once are no discard; a single one may be.
    """
    known = tuple(card for card in cards if face(card) != UNKNOWN)
    return len(now.named) >= len(cards) > 1 and len(matching(now.named, known)) == len(known) > 0


def _loose_to_pile(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    """Discard a card that lay on the table: by the player who exposed it, if no hand was seen."""
    up = taken_up(now, move, cards) if move.source not in SIDES else ()
    if up:
        seat = seat_of(move) or up[0].seat
        return (*up, make(act.Discard, move, cards, seat=seat))
    place = loose_zone(move.source)
    if place == TABLE and not lies_there(now, cards):
        return (make(act.Discard, move, cards, **whose_turn(now, move)),)
    return (make(act.Discard, move, cards, source=place),)


def hand_to_hand(move: Movement) -> tuple[act.Action, ...]:
    """Cards go from one hand to another."""
    if move.source is None or move.target is None or HANDS[move.source] is HANDS[move.target]:
        return ()
    source, target = hand(HANDS[move.source]), hand(HANDS[move.target])
    return (make(act.Shift, move, cards_of(move), source=source, target=target),)
