"""Arts. 21, 22 and 24: exposed cards."""

from __future__ import annotations

from typing import Final

from hw.cards import face
from hw.seats import Seat
from hw.zones import hand
from table_service.games.burraco.fault_kinds import CLOSINGS, EXPOSURES, FaultKind
from table_service.games.burraco.judges.excess import wrong_addition
from table_service.games.burraco.judges.facts import Facts, joined, new
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.referee.catalogue import Words
from table_service.referee.values import Irregularity

_PARTNERS: Final = Words("carta esposta, a un gioco del compagno", "an exposed card, to a meld of the partner's")
_SHOWN: Final = 2
"""Cards that make a hand which is shown; a single last one may have fallen."""


def judge(facts: Facts) -> list[Irregularity]:
    """Return whether cards of a hand were seen or named that should not have been."""
    action = facts.action
    match action:
        case act.Expose() | act.Declare():
            return _exposing(facts, action)
        case act.ShowHand():
            return _hand_shown(facts, action)
        case act.Extend():
            return _to_partners(facts, action)
        case act.Call():
            return _called(facts, action)
        case act.TakePot():
            return _undeclared(facts, action)
    return []


def _exposing(facts: Facts, action: act.Expose | act.Declare) -> list[Irregularity]:
    """Art. 24: cards of a hand that the partner could see, or that were named aloud."""
    seat = action.seat
    if isinstance(action, act.Expose) and facts.before.phase is Phase.DEALT:
        return []  # a card seen before play begins is a misdeal (art. 4)
    if isinstance(action, act.Declare):
        in_turn = facts.before.begun and seat is facts.before.to_play
        named = FaultKind.NAMED_IN_OWN_TURN if in_turn else FaultKind.NAMED_OUT_OF_TURN
        return new(facts, named, seat, needs_referee=seat is None) if action.cards else []
    if seat is None:
        seen = _all_saw(facts.before, action.visible_to)
        return new(facts, FaultKind.SHOWN_BY_SOMEBODY, None, severity="note", needs_referee=True, seen=seen)
    known = action.visible_to is not None
    if not _counts_as_shown(facts.before, action, seat):
        return []
    again = facts.open_of(seat, EXPOSURES)
    if again is not None and set(again.cards) & set(action.cards):
        return []
    return new(
        facts,
        FaultKind.HAND_SHOWN if _whole_hand(facts, action, seat) else _shown(facts, seat),
        seat,
        seen=_all_saw(facts.before, action.visible_to),
        needs_referee=not known,
        severity="" if known else "note",
    )


def _counts_as_shown(before: Deal, action: act.Expose | act.Declare, seat: Seat) -> bool:
    """Return True if a player may have seen the cards who must not have (D-01)."""
    visible_to = getattr(action, "visible_to", None)
    return before.book.exposed_to == "anyone" or visible_to is None or before.rotation.partner(seat) in visible_to


def _shown(facts: Facts, seat: Seat) -> FaultKind:
    """Kind of exposure by turn: a card shown to a partner in turn reveals more than one shown in one's own turn."""
    before = facts.before
    if before.begun and seat is before.to_play:
        return FaultKind.SHOWN_IN_OWN_TURN
    partners = before.begun and before.rotation.partner(seat) is before.to_play
    return FaultKind.SHOWN_IN_PARTNERS_TURN if partners else FaultKind.SHOWN_OUT_OF_TURN


def _whole_hand(facts: Facts, action: act.Expose, seat: Seat) -> bool:
    """Return True if he has put down all his cards at once, which is how one shows a hand when a deal is over."""
    count = facts.before.count(seat)
    return count >= _SHOWN and len(action.cards) == count and facts.before.sure_of(seat)


def _hand_shown(facts: Facts, action: act.ShowHand) -> list[Irregularity]:
    """Art. 24: who laid his hand face up, and play went on; where several did, it was no fault of one alone."""
    if action.seat is None or facts.open_of(action.seat, (FaultKind.HAND_SHOWN,)) is not None:
        return []
    if any(one.kind == FaultKind.HAND_SHOWN_AFTER_WRONG_CLOSING for one in facts.told):
        return _shown_too(facts, action.seat)
    if not action.played_on:
        return _after_wrong_closing(facts, action.seat)
    return new(facts, FaultKind.HAND_SHOWN, action.seat, needs_referee=True)


def _after_wrong_closing(facts: Facts, seat: Seat) -> list[Irregularity]:
    """Judge a hand laid out after an invalid closing (D-43): whose line showed first decides (feburit, art. 23)."""
    before, exposed = facts.before, facts.before.book.exposed
    closing = next((one for one in reversed(facts.open) if one.kind in CLOSINGS), None)
    if closing is None or closing.offender is None or exposed is None or before.begun:
        return []
    if exposed.shown_after_wrong_closing != "by-who-showed" or closing.offender is not before.last_out:
        return []
    way = "closing-line" if before.line_of(seat) is before.line_of(closing.offender) else "other-line"
    kind = FaultKind.HAND_SHOWN_AFTER_WRONG_CLOSING
    return new(facts, kind, seat, seen=True, found="hand_end", needs_referee=True, way=way)


def _shown_too(facts: Facts, seat: Seat) -> list[Irregularity]:
    """Judge a hand of the same line laid out later: its cards are shown as well; another line's stay hidden."""
    told = next((one for one in facts.open if one.kind == FaultKind.HAND_SHOWN_AFTER_WRONG_CLOSING), None)
    same = told is not None and told.offender is not None and told.offender is facts.before.rotation.partner(seat)
    fresh = told is not None and not set(facts.action.cards) <= set(told.cards)
    return [joined(told, facts)] if told is not None and same and fresh and told.way == "closing-line" else []


def _to_partners(facts: Facts, action: act.Extend) -> list[Irregularity]:
    """Art. 24: an exposed card goes to a meld that the partner has opened or changed since it was exposed.

    While nobody has ruled on the exposure, or it came of another row, this is only a note.
    """
    seat = action.seat
    if seat is None or facts.before.line_of(seat) is not action.line:
        return []
    for told in reversed(facts.told):
        exposed = _still_exposed(facts, told) if told.offender is seat else ()
        cards = tuple(card for card in matching(exposed, action.cards) if not _may_be_another(facts, card, exposed))
        if not cards or not _touched(facts, action.row, facts.before.rotation.partner(seat), told.committed_t):
            continue
        doubt = told.state == "open" or told.kind not in EXPOSURES
        kind = _kind_of_added(facts, action)
        return new(
            facts,
            kind,
            seat,
            cards=cards,
            melds=(action.row,),
            seen=True,
            severity="note" if doubt else "",
            needs_referee=doubt,
            about=None if kind is FaultKind.EXPOSED_CARD_ADDED else _PARTNERS,
        )
    return []


def _kind_of_added(facts: Facts, action: act.Extend) -> FaultKind:
    """Return a fault of its own by fibur2024; if the code has none, the card has no place there: wrongly added."""
    lay = facts.before.meld(action.row)
    if lay is None or facts.catalogue.answer(FaultKind.EXPOSED_CARD_ADDED) is not None:
        return FaultKind.EXPOSED_CARD_ADDED
    return wrong_addition(facts.before.book, lay.cards)


def _still_exposed(facts: Facts, told: Irregularity) -> tuple[str, ...]:
    """Return the cards that are exposed by ``told``: until all of them are ruled, then those that are still owed."""
    if told.state == "open":
        return told.cards if told.kind in EXPOSURES else ()
    owed = [one.cards for one in facts.owed if one.irregularity == told.key and one.duty.do == "expose"]
    return tuple(card for cards in owed for card in cards)


def _called(facts: Facts, action: act.Call) -> list[Irregularity]:
    """Art. 21: the partner of the player in turn calls the arbitro before the discard.

    Where a fault of the other line waits he may have called for that. Why he called only the arbitro hears.
    """
    before, seat = facts.before, action.seat
    if seat is None or not before.begun or not before.known or seat is not before.rotation.partner(before.to_play):
        return []
    if not before.seen:
        return []  # whose turn runs is a supposition: nobody was seen to draw or pick up in it
    if any(one.offender is None or before.line_of(one.offender) is not before.line_of(seat) for one in facts.open):
        return []
    if facts.open_of(seat, (FaultKind.CALLED_BY_PARTNER,)) is not None or facts.sanctions:
        return []
    return new(facts, FaultKind.CALLED_BY_PARTNER, seat, severity="note", needs_referee=True)


def _touched(facts: Facts, row: int, who: Seat | None, since: float) -> bool:
    return who is not None and any(lay.seat is who and lay.t > since for lay in facts.before.seen_lays(row))


def _may_be_another(facts: Facts, card: str, cards: tuple[str, ...]) -> bool:
    """Return True if ``card`` is, or may be, another copy than those of ``cards``: by its tag, or as he held both."""
    marked = [one for one in cards if face(one) == face(card)]
    if "#" in card and all("#" in one for one in marked):
        return card not in marked
    held = facts.before.hand(facts.before.actor(facts.action.seat))
    return sum(face(one) == face(card) for one in held) > len(marked)


def _undeclared(facts: Facts, action: act.TakePot) -> list[Irregularity]:
    """Tables with screens: a pot taken and the hand-shield not turned over."""
    seat = action.seat
    if seat is None or action.declared is not False or facts.open_of(seat, (FaultKind.POT_WITHOUT_SIGN,)) is not None:
        return []
    if facts.before.line_of(seat) in facts.before.pots_taken or facts.before.count(seat):
        return []
    if hand(seat) in facts.before.places.unverified:  # the pot may be another's
        return []
    return new(facts, FaultKind.POT_WITHOUT_SIGN, seat, cards=())


def _all_saw(deal: Deal, visible_to: tuple[Seat, ...] | None) -> bool:
    return visible_to is not None and set(visible_to) >= set(deal.seats)
