"""Arts. 7 to 9: drawing from the stock, taking the discard pile."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, hand
from table_service.games.burraco.fault_kinds import PENALISING, FaultKind
from table_service.games.burraco.judges.facts import Facts, joined, new, take_unverified
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import among
from table_service.games.burraco.rules.deal import ActFault, Deal, Phase
from table_service.games.burraco.rules.meld import by_rank, next_discards
from table_service.referee.values import Irregularity

_TOO_MUCH: Final = (FaultKind.TWO_DRAWN_AT_ONCE, FaultKind.DRAWN_AGAIN)


def judge(facts: Facts) -> list[Irregularity]:
    """Return what is wrong with how many cards were taken, and with what is done with the pile's."""
    action = facts.action
    match action:
        case act.Draw():
            return _taking_too_much(facts, action)
        case act.Touch():
            return _inspecting(facts, action)
        case act.Open() | act.Extend():
            return _left_behind(facts, action)
        case act.Discard():
            return [*_left_behind(facts, action), *_same_again(facts, action)]
    return []


def _taking_too_much(facts: Facts, action: act.Draw) -> list[Irregularity]:
    """Art. 8: two cards at one draw, or a second draw in the same turn."""
    seat = action.seat
    if seat is None or ActFault.OUT_OF_TURN in facts.faults:
        return []
    before = facts.before
    second = ActFault.ALREADY_DRAWN in facts.faults and before.collected is None and before.seen
    second = second and not take_unverified(facts)
    if not second and ActFault.SEVERAL not in facts.faults:
        return []
    over = action.cards if second else action.cards[1:]
    again = facts.open_of(seat, _TOO_MUCH)
    if again is not None:
        return [joined(again, facts)]
    unclear = second and before.last_play is not None
    kind = FaultKind.DRAWN_AGAIN if second else FaultKind.TWO_DRAWN_AT_ONCE
    return new(facts, kind, seat, cards=over, found="during_turn", needs_referee=unclear)


def _inspecting(facts: Facts, action: act.Touch) -> list[Irregularity]:
    """Art. 8: the hand of a player not in turn rests at the stock and takes nothing.

    While an irregularity waits or a ruling is carried out a hand may be there for it.
    """
    before, seat = facts.before, action.seat
    if seat is None or seat is before.to_play or not before.known or before.phase is not Phase.PLAYING:
        return []
    if facts.open or facts.sanctions or (seat is before.last_out and action.committed_t < before.last_out_t):
        return []
    return new(facts, FaultKind.STOCK_INSPECTED, seat)


def _left_behind(facts: Facts, action: act.Open | act.Extend | act.Discard) -> list[Irregularity]:
    """Art. 9: a player who took the pile left cards of it, and plays on.

    One card left is his discard, unless the code has the whole pile taken (online: O-28).
    """
    before, seat = facts.before, action.seat
    rest = before.pile
    fewest = 1 if before.book.taking.several_left == "taken-back" else 2
    if seat is None or seat is not before.to_play or not before.collected or not before.seen or len(rest) < fewest:
        return []
    if not _is_known_what_lay_there(before, before.collected):
        return []
    if _is_told(facts, seat, FaultKind.PILE_PARTLY_LEFT) or (fewest == 1 and _may_be_laid(facts, action, seat)):
        return []
    back = _concerned(before, before.collected, rest)
    found = "after_discard_before_next_draw" if isinstance(action, act.Discard) else "during_turn"
    unclear = not back or (isinstance(action, act.Discard) and not action.left)
    kind = FaultKind.PILE_PARTLY_LEFT
    return new(facts, kind, seat, cards=back, seen=True, found=found, needs_referee=unclear)


def _is_known_what_lay_there(deal: Deal, taken: tuple[str, ...]) -> bool:
    """Return True if the pile was what was ``taken`` and what is left, and nothing else was drawn in that turn.

    Of a draw and a pick-up in one turn one may be another player's.
    """
    whole = deal.pile_was == len(taken) + len(deal.pile) and DISCARD not in deal.places.unverified
    return whole and deal.took == len(taken)


def _may_be_laid(facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat) -> bool:
    """Return True if the one card on the pile may be one ``seat`` laid there: a quick discard, or by a ruling."""
    began = facts.before.began_t
    if isinstance(action, act.Discard) and action.left:
        return True
    return any(one.state == "ruled" and one.offender is seat and one.committed_t >= began for one in facts.told)


def _is_told(facts: Facts, seat: Seat, kind: FaultKind) -> bool:
    """Return True if that fault of ``seat`` is open, or was reported in the running turn, whatever became of it."""
    began = facts.before.began_t
    since = any(one.kind == kind and one.offender is seat and one.committed_t >= began for one in facts.told)
    return since or facts.open_of(seat, (kind,)) is not None


def _concerned(deal: Deal, taken: tuple[str, ...], left: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that go somewhere else for it: of those left all but the highest (art. 9), or as the code says.

    Empty where one of them is not known, or the player may choose.
    """
    match deal.book.taking.several_left:
        case "highest-rank-is-discard":
            return by_rank(left)[1:] if UNKNOWN not in map(face, left) else ()
        case "lowest-collected-is-discarded":
            lowest = next_discards(deal.book, taken) if UNKNOWN not in map(face, taken) else ()
            return lowest if len(lowest) == 1 else ()
    return taken


def _same_again(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 9: the only card of the pile is picked up and laid back at once, or its twin, which nobody can tell apart.

    Unless both cards are told by their tags, or the twin is known to have been held before.
    """
    before, seat = facts.before, action.seat
    taken = before.collected
    if seat is None or seat is not before.to_play or taken is None or len(taken) != 1 or before.pile_was != 1:
        return []
    if action.left or len(action.cards) != 1 or UNKNOWN in (face(taken[0]), face(action.cards[0])):
        return []
    laid, took = action.cards[0], taken[0]
    if face(laid) != face(took) or _told_apart(laid, took):
        return []
    found = "after_discard_before_next_draw"
    penalised = FaultKind.SOLE_PILE_CARD_PENALISED
    if facts.catalogue.answer(penalised) is not None and _penalised(facts, seat, laid):
        return new(facts, penalised, seat, seen=True, found=found)
    if _holds_twin(before, seat, took):
        return []
    kind, way = FaultKind.SOLE_PILE_CARD_DISCARDED, "no-twin"  # unless he shows it
    return new(facts, kind, seat, seen=True, found=found, severity="note", needs_referee=True, way=way)


def _told_apart(one: str, other: str) -> bool:
    return "#" in one and "#" in other and one != other


def _holds_twin(deal: Deal, seat: Seat, card: str) -> bool:
    """Return True if the ledger knows two cards of that face in his hand, the one taken among them."""
    return sum(face(one) == face(card) for one in deal.at(hand(seat))) > 1


def _penalised(facts: Facts, seat: Seat, card: str) -> bool:
    """Return True if that card has become a penalised one in this turn."""
    since = facts.before.last_out_t
    wrong = [one for one in facts.told if one.offender is seat and one.kind in PENALISING and one.committed_t > since]
    return any(among(card, one.cards) for one in wrong if one.state in ("open", "ruled"))
