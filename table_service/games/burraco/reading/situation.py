"""Context of reading a movement: the current deal, rulings and signs; and helpers of all readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from hw.cards import UNKNOWN, CardError, face, parse_card, same_face
from hw.seats import SEATS, Line, Seat
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, TABLE, gate, hand, is_melds, side
from table_service.games.burraco.remedy_movements import is_penalised
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Sanction
from table_service.tracking.movements import Movement, RowChanged

A = TypeVar("A", bound=act.Action)

HANDS: Final = {**{hand(seat): seat for seat in SEATS}, **{gate(seat): seat for seat in SEATS}}
SIDES: Final = frozenset(map(side, SEATS))
HAND: Final = "hand"
SUPPOSED: Final = 0.7
"""How sure the seat is where no hand was seen but the order of play leaves one."""
UNSEEN: Final = 0.5
"""How sure a draw is that only the stock shows: a discard and the next draw, weighed as one change."""
PICTURES: Final = 3.0
"""Seconds after a discard within which cards that nobody was seen to lay are supposed to have been laid before it."""
NO_HAND: Final = 0.9
"""How sure it is of cards that were pushed from row to row: whoever did it, no hand has more or fewer."""
GUESSED: Final = 0.4
"""How sure it is who takes a pot where those who seem to take it have had theirs."""
STRAY: Final = 3
"""Up to so many cards seem to lie upon the pots where a hand leans on them."""
JUST_BEFORE: Final = 1e-6
"""Seconds by which a card left lying counts as discarded before the next player acts."""
_known: dict[str, str] = {}


def card_of(text: str) -> str:
    """Return the card that ``text`` names; ``??`` if it names none of this game."""
    try:
        return _known[text]
    except KeyError:
        try:
            card = parse_card(text)
        except CardError:
            card = UNKNOWN
        if len(_known) < 1000:
            _known[text] = card
        return card


def kind_of(zone: str | None) -> str:
    """Kind of place of ``zone``: hand (also if unseen), stock, discard, pots, melds, side or table."""
    if zone is None or zone in HANDS:
        return HAND
    if zone in (STOCK, GATE_STOCK):
        return STOCK
    if zone in (DISCARD, POTS):
        return zone
    if is_melds(zone):
        return "melds"
    return "side" if zone in SIDES else TABLE


@dataclass(frozen=True, slots=True)
class Situation:
    """The deal in which a movement is read, and what else says what it means.

    ``returning``: seats that a ruling has told to put pile cards back; ``owing``: to put cards back onto the stock;
    ``back``: the cards that each is to take back; ``restoring``: the seats that put a pot together again;
    ``pot_sign``: who gave a sign that he takes a pot, ``over`` who has just turned his hand-shield over; ``gates``: the
    seats whose gate is known to answer; ``owed``: what rulings have left to be done, ``named`` the cards that they were
    about; ``settles``: the deal is over and the arbitro has ruled on its last turn since, so that cards are still moved
    to carry that out.
    """

    deal: Deal
    returning: frozenset[Seat] = frozenset()
    pot_sign: Seat | None = None
    owing: frozenset[Seat] = frozenset()
    back: Mapping[Seat, Cards] = field(default_factory=dict)
    restoring: frozenset[Seat] = frozenset()
    gates: frozenset[Seat] = frozenset()
    over: Seat | None = None
    owed: tuple[Sanction, ...] = ()
    named: Cards = ()
    settles: bool = False


def make(kind: type[A], move: Movement | RowChanged, cards: Cards = (), **more: Any) -> A:
    """Make an action of ``kind`` by ``move``, with its time, confidence, basis and seat unless ``more`` has others."""
    return kind(
        id=move.id,
        t=move.t,
        cards=cards,
        basis=move.basis,
        frames=move.frames,
        **{"committed_t": move.committed_t, "confidence": move.confidence, "seat": seat_of(move), **more},
    )


def seat_of(move: Movement | RowChanged) -> Seat | None:
    """Return who made ``move``: whose hand was seen, else whose zone it leaves or reaches."""
    if move.seat is not None or isinstance(move, RowChanged):
        return move.seat
    return HANDS.get(move.source or "") or HANDS.get(move.target or "")


def cards_of(move: Movement) -> Cards:
    """Return the cards of ``move``; ``??`` for what names none of this game."""
    return tuple(map(card_of, move.cards))


def is_just_before(now: Situation, move: Movement) -> bool:
    """Return True if ``move`` was made before the last discard, or was seen no later than a picture or two after it."""
    return move.committed_t < now.deal.last_out_t + PICTURES


def whose_turn(now: Situation, move: Movement, line: Line | None = None) -> dict[str, Any]:
    """Return where no hand was seen: the player in turn, if he has drawn and the melds are his line's (art. 7)."""
    who = None if seat_of(move) is not None else _player_then(now, move, line)
    return {} if who is None else {"seat": who, "supposed": True, "confidence": SUPPOSED}


def _player_then(now: Situation, move: Movement, line: Line | None) -> Seat | None:
    """Return whose turn it was at the time of ``move``, if the melds of ``line`` are his and he had drawn."""
    deal = now.deal
    ended = next((who for who, t in deal.outs if t > move.committed_t), None)
    if deal.known and ended is not None and line is not None and deal.line_of(ended) is line:
        return ended
    late = deal.last_out
    other = late is not None and late is not deal.to_play and deal.line_of(late) is line
    if other and is_just_before(now, move):
        return late
    if not deal.drawn or not deal.known or (line is not None and line is not deal.line_of(deal.to_play)):
        return None
    return deal.to_play


def loose_zone(zone: str | None) -> str:
    """Return the place of cards outside melds and heaps: beside a player, else the open table."""
    return zone if zone in SIDES else TABLE


def lies_there(now: Situation, cards: Cards, zone: str = TABLE) -> bool:
    """Return True if ``cards`` still lie loose; if they do not, they have been laid or discarded meanwhile."""
    lying = now.deal.at(zone)
    return len(cards) <= len(lying) and all(
        UNKNOWN in (card, *lying) or any(same_face(card, one) for one in lying) for card in cards
    )


def _place_of(card: str, lying: Sequence[str]) -> int | None:
    """Return where a card of the face of ``card`` lies among ``lying``."""
    return next((n for n, one in enumerate(lying) if same_face(one, card)), None)


def taken_up(now: Situation, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
    """Actions that take exposed or penalised ``cards``, on their way to meld or pile, through their owner's hand.

    The ledger gives them back to the hand first, so that they are not taken from the cards held in it.
    """
    seat, back = seat_of(move), []
    lying = list(now.deal.at(TABLE))
    beside = [] if seat is None else list(now.deal.at(side(seat)))
    for card in cards:
        at = _place_of(card, beside)
        if at is not None and seat is not None and _is_beside(now, card, beside[at], seat):
            beside.pop(at)
            back.append(make(act.Shift, move, (card,), source=side(seat), target=hand(seat), seat=seat))
            continue
        lies = now.deal.exposed(card)
        at = _place_of(card, lying)
        if lies is None or at is None or (lies.seen and seat is not None and lies.seat is not seat):
            continue
        if _is_taken_up(now.deal, card, lies.seat):
            continue
        lying.pop(at)
        back.append(make(act.Shift, move, (card,), source=TABLE, target=hand(lies.seat), seat=lies.seat))
    return tuple(back)


def _is_taken_up(deal: Deal, card: str, holder: Seat) -> bool:
    """Return True if a twin of ``card``, exposed beside it, was taken up by ``holder``: it is the one that he plays."""
    exposed = sum(same_face(card, one.card) for one in deal.loose)
    return exposed > len(matching((card,) * exposed, deal.at(TABLE))) and bool(matching((card,), deal.hand(holder)))


def _is_beside(now: Situation, card: str, beside: str, seat: Seat) -> bool:
    """Return True if ``card`` is the one ``beside`` the player, and no other copy that he is known to hold."""
    if "#" in card and "#" in beside:
        return card == beside
    if is_penalised(now.owed, seat, card, now.deal.at(side(seat))):
        return True
    return not any(same_face(card, one) for one in now.deal.hand(seat) if face(one) != UNKNOWN)


def row_of(move: Movement) -> int:
    """Return the row of melds that ``move`` concerns; -1 if tracking names none."""
    return -1 if move.row is None else move.row
