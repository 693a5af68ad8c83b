"""Cards that come to melds: laid, pushed on to where they belong, come to light."""

from __future__ import annotations

from typing import Any

from hw.cards import UNKNOWN, face
from hw.seats import Line, Seat
from hw.zones import melds, zone_line
from table_service.games.burraco.reading.pot_taking import pot
from table_service.games.burraco.reading.situation import (
    HAND,
    JUST_BEFORE,
    NO_HAND,
    SIDES,
    SUPPOSED,
    UNSEEN,
    Situation,
    card_of,
    cards_of,
    make,
    row_of,
    seat_of,
    taken_up,
    whose_turn,
)
from table_service.games.burraco.remedy_movements import ruled_apart
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.doubts import PLAIN
from table_service.games.burraco.rules.uncovering import Hidden, covering, hidden_card, hiders
from table_service.tracking.movements import Movement


def to_melds(now: Situation, move: Movement, source: str) -> tuple[act.Action, ...]:
    """Cards come to melds from ``source``, a kind of place."""
    line = zone_line(move.target or "")
    if line is None or source == "melds":
        return ()
    cards = cards_of(move)
    brought = _brought(now, move, source, cards)
    pushed = _pushed(now, move, line, cards) if source == HAND and not brought else ()
    who = _layer(now, move, line, pushed=bool(pushed), brought=bool(brought) and source != HAND)
    before = pushed or brought
    if not before and move.source not in SIDES:
        result, seat = tuple(map(card_of, move.result)), seat_of(move)
        hidden = hidden_card(now.deal, line, row_of(move), cards, result, seat, now.gates)
        if hidden is not None:
            return _uncovered(now, move, hidden, line, who)
    return (*before, _laid(now, move, line, who))


def _brought(now: Situation, move: Movement, source: str, cards: Cards) -> tuple[act.Action, ...]:
    """Actions on ``cards`` before they are laid: drawn, collected, taken with a pot, taken up from the table."""
    match source:
        case "stock":
            return (make(act.Draw, move, cards),)
        case "discard":
            return (make(act.Collect, move, cards),)
        case "pots":
            return (pot(now, move),)
        case "side":
            return ()
    return taken_up(now, move, cards)


def _layer(now: Situation, move: Movement, line: Line, *, pushed: bool, brought: bool) -> dict[str, Any]:
    """Return who lays the cards: ``pushed`` on to where they belong, or ``brought`` from a heap."""
    seat = seat_of(move)
    if seat is not None and now.deal.line_of(seat) is not line and "tags" not in move.basis:
        return {"seat": None, "confidence": UNSEEN}  # he may have pushed the melds
    if pushed:
        return _pusher(now, move, line)
    if brought or seat is None:
        return {} if brought else whose_turn(now, move, line)
    either = _either(now, move, seat)
    if either == (seat,):
        return {"confidence": SUPPOSED}
    partner = either[0] if len(either) == 1 else _beneath(now, move, seat)
    if partner is not None:
        supposed = {"seat": partner, "supposed": True, "confidence": SUPPOSED}
        ended = None if partner is now.deal.to_play else _ended(now.deal, partner)
        return supposed if ended is None else {**supposed, "committed_t": ended - JUST_BEFORE}
    return {"seat": None, "confidence": UNSEEN} if either else {}


def _either(now: Situation, move: Movement, seat: Seat) -> tuple[Seat, ...]:
    """Return the players who may have laid cards of which tracking leaves open whether ``seat`` or an arm at rest did.

    Empty if it leaves nothing open. If his partner has had a turn while they came unseen, only the cards show whose
    they are: if most of them are known to be in the hand of the one and none in that of the other.
    """
    deal, partner = now.deal, now.deal.rotation.partner(seat)
    if partner is None or move.since is None or not UNSEEN < move.confidence < PLAIN or "tags" in move.basis:
        return ()
    ended = any(who is partner and move.since < t <= move.t for who, t in deal.outs)
    if not ended and not (partner is deal.to_play and deal.drawn):
        return (seat,)
    cards = cards_of(move)
    known = {one: tuple(card for card in deal.hand(one) if face(card) != UNKNOWN) for one in (seat, partner)}
    shown = 2 * len(matching(known[partner], cards)) > len(cards) and not matching(known[seat], cards)
    return (partner,) if shown else (seat, partner)


def _beneath(now: Situation, move: Movement, seat: Seat) -> Seat | None:
    """Return the partner of ``seat`` if in his turn he laid the cards beneath the arm that was seen; None: not so.

    That arm only rested there, or its player surely holds fewer cards than were laid, and his partner enough.
    """
    deal, partner = now.deal, now.deal.rotation.partner(seat)
    if partner is None or not deal.known or "tags" in move.basis or deal.is_late(seat, move.committed_t):
        return None
    rested = move.confidence < act.ALONE
    if partner is deal.to_play and deal.drawn:
        too_few = deal.sure_of(seat) and deal.count(seat) < len(move.cards) <= deal.count(partner)
        return partner if rested or too_few else None
    if not rested or seat is deal.to_play:
        return None
    return partner if _was_in_turn(deal, partner, seat, move) else None


def _was_in_turn(deal: Deal, partner: Seat, seat: Seat, move: Movement) -> bool:
    """Return True if ``partner`` has just ended a turn, or did so while ``move`` went unseen and ``seat`` did not."""
    if partner is deal.last_out and not deal.begun:
        return True
    ended, own = _ended(deal, partner), _ended(deal, seat)
    if move.since is None or ended is None or not move.since < ended <= move.committed_t:
        return False
    return own is None or own <= move.since


def _ended(deal: Deal, seat: Seat) -> float | None:
    """Return when ``seat`` last ended a turn, as far back as that is remembered; None for never."""
    return next((t for who, t in reversed(deal.outs) if who is seat), None)


def _laid(now: Situation, move: Movement, line: Line, who: dict[str, Any]) -> act.Open | act.Extend:
    cards, row = cards_of(move), row_of(move)
    laid = {
        "row": row,
        "line": line,
        "result": tuple(map(card_of, move.result)),
        "source": move.source if move.source in SIDES else None,
        "unread": len(cards) == 1 and seat_of(move) in now.gates and "#" not in cards[0],
        **who,
    }
    if now.deal.meld(row):
        return make(act.Extend, move, cards, **laid)
    return make(act.Open, move, cards, beside=move.beside, **laid)


def _pushed(now: Situation, move: Movement, line: Line, cards: Cards) -> tuple[act.Action, ...]:
    """Cards that were ruled to lie apart and are pushed on to their meld come from where they lay (art. 29)."""
    lies = ruled_apart(now.deal, line, row_of(move), now.named, cards)
    if lies is None or "tags" in move.basis:
        return ()
    whose = _pusher(now, move, line)
    out = {"zone": melds(line), "row": lies.row, "result": (), "ordered": True}
    return (make(act.TakeBack, move, lies.cards, **out, **whose),)


def _pusher(now: Situation, move: Movement, line: Line) -> dict[str, Any]:
    """Return where no hand was seen to push cards on to their meld: one of the line, and nobody's hand has changed."""
    deal = now.deal
    if seat_of(move) is not None:
        return {}
    last = deal.last_out or deal.to_play
    whose = last if deal.line_of(last) is line else deal.rotation.next(last)
    return {"seat": whose, "confidence": NO_HAND}


def _uncovered(
    now: Situation, move: Movement, hidden: Hidden, line: Line, who: dict[str, Any]
) -> tuple[act.Action, ...]:
    """Report a card that comes to light in a meld (art. 26); what came beside it has been laid."""
    row, cards, result = row_of(move), (hidden.card,), tuple(map(card_of, move.result))
    by = hiders(covering(now.deal, row, hidden.card, result))
    shown = make(act.Uncover, move, cards, row=row, line=line, result=result, by=by)
    if not hidden.laid:
        return (shown,)
    laid = {"row": row, "line": line, "result": hidden.reads, **who}
    return make(act.Extend, move, hidden.laid, **laid), shown
