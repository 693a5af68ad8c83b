"""Arts. 27, 30 to 32: draws and play out of turn, play before the draw or after the discard."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.burraco.fault_kinds import MISSED_DRAWS, TAKEN_OUT_OF_TURN, FaultKind, Kinds
from table_service.games.burraco.judges.facts import (
    Facts,
    joined,
    new,
    pushed_on,
    take_unverified,
    turned_out,
    with_row,
)
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import ActFault, Deal, Phase
from table_service.referee.catalogue import Words
from table_service.referee.values import Irregularity

AT_THE_PILE: Final = 1.0
"""Seconds for which the hand that has discarded may still be at the pile."""
_IN_NO_TURN: Final = frozenset({ActFault.OUT_OF_TURN, ActFault.AFTER_DISCARD})
_WITH_POT: Final = Kinds(
    (
        FaultKind.DRAWN_WITH_POT_IN_FLIGHT,
        FaultKind.COLLECTED_WITH_POT_IN_FLIGHT,
        FaultKind.LAID_AFTER_TAKING_WITH_POT,
    )
)
_TOO_MUCH_DISCARDED: Final = Kinds((FaultKind.DISCARDED_AGAIN, FaultKind.TWO_DISCARDED))
_AFTER: Final = "after_discard_before_next_draw"
_WHICH_CARD: Final = Words(
    "Serve sapere quale carta è stata pescata: se non è possibile, i giochi aperti dopo la pesca tornano nel "
    "ventaglio e se ne estrae una a caso.",
    "It must be known which card was drawn: where it cannot be told, the melds opened after the draw go back into "
    "the fan and a card is taken at random.",
)


_WHOSE_CARD: Final = Words(
    "Nessun varco ha letto le carte posate: se gliele ha passate in mano il compagno di turno vale l'art. 28.",
    "No gate has read the cards laid: if his partner, in turn, passed them to him, art. 28 holds.",
)


def judge(facts: Facts) -> list[Irregularity]:
    """Return what the order of play has against the action.

    Nobody is out of turn, and nobody has missed his draw, while stock or pile cannot be vouched for, as where their
    scale is dead: a draw or a discard goes unnoticed then, and whose turn it is nobody knows.
    """
    action = facts.action
    match action:
        case act.Draw() | act.Collect():
            return _taking(facts, action)
        case act.Open() | act.Extend():
            with_pot = _laying_with_pot(facts, action)
            missed = _missed_before(facts, action)
            in_turn = _laying_in_turn(facts, action) if missed is None else _laying_told_late(facts, action, missed)
            return [*_laying(facts, action), *in_turn, *with_pot]
        case act.Discard():
            return [*_missed_draw(facts, action), *_discarding_again(facts, action)]
    return []


def _taking(facts: Facts, action: act.Draw | act.Collect) -> list[Irregularity]:
    """Art. 31: who draws or picks up when it is not his turn."""
    if action.seat is None or take_unverified(facts):
        return []
    if _with_pot_to_play(facts, action):
        draws = isinstance(action, act.Draw)
        kind = FaultKind.DRAWN_WITH_POT_IN_FLIGHT if draws else FaultKind.COLLECTED_WITH_POT_IN_FLIGHT
        way = "draw" if draws else "collect"
        return new(facts, kind, action.seat, seen=not draws, found="during_turn", way=way)
    if ActFault.OUT_OF_TURN not in facts.faults:
        return []
    open_one = facts.open_of(action.seat, TAKEN_OUT_OF_TURN)
    if open_one is not None:
        return [joined(open_one, facts)]
    if isinstance(action, act.Collect):
        again = _taken_up_again(facts, action)
        if again is not None:
            return again
    if isinstance(action, act.Draw):
        return new(facts, FaultKind.DRAWN_OUT_OF_TURN, action.seat)
    return new(facts, FaultKind.COLLECTED_OUT_OF_TURN, action.seat, seen=True)


def _with_pot_to_play(facts: Facts, action: act.Draw | act.Collect) -> bool:
    """Return True if a player takes again with a pot to play that he took in flight in this turn (art. 31, end)."""
    before, seat = facts.before, action.seat
    pot = None if seat is None else before.pots_taken.get(before.line_of(seat))
    if pot is None or ActFault.ALREADY_DRAWN not in facts.faults or not before.seen or seat is not before.to_play:
        return False
    return pot.seat is seat and pot.manner == "in-flight" and before.flown


def _taken_up_again(facts: Facts, action: act.Collect) -> list[Irregularity] | None:
    """Verdict on who takes up what he has discarded too much, which undoes that; None where it is the pile he takes."""
    if _just_discarded(facts, action):
        return []
    before = facts.before
    too_much = None if action.seat is None else facts.open_of(action.seat, _TOO_MUCH_DISCARDED)
    if too_much is None or before.begun or len(action.cards) != len(too_much.cards):
        return None
    if too_much.kind == FaultKind.TWO_DISCARDED:
        return []  # the card goes back by the remedy, and stays an exposed one
    same = len(matching(too_much.cards, action.cards)) == len(action.cards)
    return [replace(too_much, state="healed", t=action.t)] if same else None


def _just_discarded(facts: Facts, action: act.Collect) -> bool:
    """Return True if the hand that has just discarded is still at the pile: the scale trembles without a pick-up."""
    before = facts.before
    since = action.committed_t - before.last_out_t
    return action.seat is before.last_out and not before.begun and len(action.cards) == 1 and since < AT_THE_PILE


def _laying(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 31 and 32: who lays cards when it is not his turn, with or without having drawn."""
    seat = action.seat
    if seat is None or _IN_NO_TURN.isdisjoint(facts.faults) or pushed_on(facts, action) is not None:
        return []
    taken = facts.open_of(seat, TAKEN_OUT_OF_TURN)
    if taken is not None:
        kind = _after_playing(taken.kind, action)
        collected = kind is FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID
        doubt = {} if collected else _which_was_drawn(taken, action)
        melds = with_row(taken.melds, action.row)
        return [joined(one, facts, melds=melds, **doubt) for one in turned_out(taken, kind, facts.catalogue)]
    if take_unverified(facts) or ActFault.OUT_OF_TURN not in facts.faults:
        return []
    return _laying_undrawn(facts, action, seat)


def _laying_undrawn(facts: Facts, action: act.Open | act.Extend, seat: Seat) -> list[Irregularity]:
    """Art. 32: cards laid out of turn by who has drawn nothing."""
    again = facts.open_of(seat, (FaultKind.LAID_OUT_OF_TURN,))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    if not action.is_by_one_hand:
        return []  # another seat's arm lay there as well, and may have laid it in its own turn
    played = new(facts, FaultKind.LAID_OUT_OF_TURN, seat, melds=(action.row,), seen=True)
    partner = facts.before.rotation.partner(facts.before.to_play)
    if not facts.before.begun or seat is not partner or "tags" in action.basis:
        return played
    severity = "note" if action.unread else ""  # it stops play by art. 28 as well
    return [replace(one, needs_referee=True, needs=_WHOSE_CARD, severity=severity) for one in played]


def _which_was_drawn(drawn: Irregularity, action: act.Open | act.Extend) -> dict[str, object]:
    """Every reading of a card drawn out of turn that nobody knows: each of those laid since may be it, or none is."""
    if drawn.cards and face(drawn.cards[0]) != UNKNOWN:
        return {}
    fresh = tuple(map(face, action.cards))
    return {"candidates": (*drawn.candidates, *fresh), "needs": _WHICH_CARD}


def _after_playing(kind: str, action: act.Open | act.Extend) -> FaultKind:
    if kind in (FaultKind.COLLECTED_OUT_OF_TURN, FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID):
        return FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID
    if isinstance(action, act.Open) or kind == FaultKind.DRAWN_OUT_OF_TURN_THEN_OPENED:
        return FaultKind.DRAWN_OUT_OF_TURN_THEN_OPENED
    return FaultKind.DRAWN_OUT_OF_TURN_THEN_EXTENDED


def _missed_before(facts: Facts, action: act.Open | act.Extend) -> Irregularity | None:
    """Return the missed draw of the turn in which cards were laid, if reported at the discard and they only now."""
    late = facts.before.is_late(action.seat, action.committed_t)
    return facts.open_of(action.seat, (FaultKind.DISCARDED_WITHOUT_DRAWING,)) if late and action.seat else None


def _laying_told_late(facts: Facts, action: act.Open | act.Extend, missed: Irregularity) -> list[Irregularity]:
    """``missed`` as the fault of who has also laid cards in that turn, which a ruling is about then."""
    known = turned_out(missed, _laid_undrawn(facts), facts.catalogue)
    return [joined(one, facts, melds=with_row(one.melds, action.row)) for one in known]


def _laying_in_turn(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 27 and 30: cards laid after the own discard, or before the draw."""
    seat = action.seat
    if seat is None or not action.is_by_one_hand:
        return []
    beside = pushed_on(facts, action)
    if beside is not None:
        known = turned_out(beside, FaultKind.LAID_BESIDE, facts.catalogue) if beside.state == "open" else []
        return [joined(one, facts, melds=(action.row,)) for one in known]
    if ActFault.AFTER_DISCARD in facts.faults:
        if facts.open_of(seat, TAKEN_OUT_OF_TURN) is not None:
            return []
        if _lay_apart(facts, action):
            return new(facts, FaultKind.LAID_BESIDE, seat, melds=(action.row,), seen=True, found=_AFTER)
        kind, alike, found = FaultKind.LAID_AFTER_DISCARD, Kinds((FaultKind.LAID_AFTER_DISCARD,)), _AFTER
    elif ActFault.NOT_DRAWN in facts.faults and not take_unverified(facts):
        kind, alike, found = FaultKind.LAID_WITHOUT_DRAWING, MISSED_DRAWS, "during_turn"
    else:
        return []
    again = facts.open_of(seat, alike)
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    return new(facts, kind, seat, melds=(action.row,), seen=True, found=found)


def _laying_with_pot(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Cards laid by who has drawn or collected once more, with the pot to play that he took in flight."""
    taken = None if action.seat is None else facts.open_of(action.seat, _WITH_POT)
    if taken is None:
        return []
    melds = with_row(taken.melds, action.row)
    kind = FaultKind.LAID_AFTER_TAKING_WITH_POT
    return [joined(one, facts, cards=taken.cards, melds=melds) for one in turned_out(taken, kind, facts.catalogue)]


def _discarding_again(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Judge a second discard by the player who has just discarded, shown by a gate or by his hand alone."""
    sure = action.is_by_one_hand
    if action.seat is None or ActFault.AFTER_DISCARD not in facts.faults or not sure or take_unverified(facts):
        return []
    return new(facts, FaultKind.DISCARDED_AGAIN, action.seat, seen=True, found=_AFTER)


def _lay_apart(facts: Facts, action: act.Open | act.Extend) -> bool:
    """Return True if the cards, one or two, lay apart already, laid in his turn: now they are pushed on (art. 29)."""
    before, cards = facts.before, sorted(map(face, action.cards))
    apart = [one for one in before.melds if one.line is action.line and len(one.cards) < before.book.meld_min]
    return isinstance(action, act.Extend) and any(
        one.row != action.row and sorted(map(face, one.cards)) == cards and _laid_by(facts, one.row) is action.seat
        for one in apart
    )


def _laid_by(facts: Facts, row: int) -> Seat | None:
    """Return who laid all of meld ``row``; None where several did, or nobody was seen to."""
    seats = {lay.seat for lay in facts.before.seen_lays(row)}
    return seats.pop() if len(seats) == 1 else None


def _missed_draw(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 30: who discards without having drawn; what then follows the code does not say."""
    seat = action.seat
    if seat is None or seat is not facts.before.to_play or ActFault.NOT_DRAWN not in facts.faults:
        return []
    if facts.open_of(seat, MISSED_DRAWS) is not None or take_unverified(facts):
        return []
    laid = facts.before.begun and facts.before.last_play is not None  # else it was laid in the turn before
    kind = _laid_undrawn(facts) if laid else FaultKind.DISCARDED_WITHOUT_DRAWING
    return new(facts, kind, seat, seen=True, found=_AFTER, needs_referee=True)


def _laid_undrawn(facts: Facts) -> FaultKind:
    """Kind of cards laid without a draw where that is found after the discard; most codes judge it as in the turn."""
    later = FaultKind.LAID_WITHOUT_DRAWING_LATER
    return FaultKind.LAID_WITHOUT_DRAWING if facts.catalogue.answer(later) is None else later


def has_taken(one: Irregularity, action: act.Draw | act.Collect, before: Deal) -> bool:
    """Return True if ``one`` is a missed draw, and ``action``, perhaps its offender's, came before it in that turn."""
    began = max((t for _, t in before.outs if t < one.committed_t), default=-inf)
    in_turn = began < action.committed_t < one.committed_t and action.seat in (None, one.offender)
    return one.kind in MISSED_DRAWS and in_turn


def lapses_by(one: Irregularity, who: Seat, before: Deal) -> bool:
    """Return True if the draw of ``who`` is the moment at which the right to a penalty for ``one`` lapses.

    That is an opponent's draw, or by its row that of the seat after the offender, or anybody else's; what was found
    before play, whoever draws first (art. 7).
    """
    if before.phase is Phase.DEALT and one.found == "before_play":
        return True
    if one.offender is not None and one.row.heals == "next-seat-draws":
        return who is before.rotation.next(one.offender)
    if one.offender is not None and one.row.heals == "anybody-draws":
        return who is not one.offender
    return one.line is not None and one.line is not before.line_of(who)
