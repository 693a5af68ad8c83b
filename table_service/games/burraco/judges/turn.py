"""Arts. 27, 30 to 32: draws and play out of turn, play before the draw or after the discard."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.burraco.judges.facts import ALONE, Facts, joined, new, pushed_on, take_unverified, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Fault
from table_service.referee.catalogue import Catalogue, Words
from table_service.referee.values import Irregularity

AT_THE_PILE: Final = 1.0
"""Seconds for which the hand that has discarded may still be at the pile."""
_MISSED: Final = ("F-30a", "F-30b")
_OUT_OF_TURN_DRAWS: Final = ("F-31a", "F-31b", "F-31c", "F-31d", "F-31e")
LAID_WRONGLY: Final = ("F-27a", "F-31b", "F-31c", "F-31e", "F-32")
"""Cards laid out of turn or after the discard: these articles say what becomes of a meld left incomplete, no other."""

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


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """What the order of play has against the action.

    Nobody is out of turn, and nobody has missed his draw, while stock or pile cannot be vouched for, as where their
    scale is dead: a draw or a discard goes unnoticed then, and whose turn it is nobody knows.
    """
    action = facts.action
    match action:
        case act.Draw() | act.Collect():
            return _taking(catalogue, facts, action)
        case act.Open() | act.Extend():
            return [*_laying(catalogue, facts, action), *_laying_in_turn(catalogue, facts, action)]
        case act.Discard():
            return _missed_draw(catalogue, facts, action)
    return []


def _taking(catalogue: Catalogue, facts: Facts, action: act.Draw | act.Collect) -> list[Irregularity]:
    """Art. 31: who draws or picks up when it is not his turn."""
    if action.seat is None or take_unverified(facts):
        return []
    if _with_pot_to_play(facts, action):
        way = "draw" if isinstance(action, act.Draw) else "collect"
        return [new(catalogue, facts, "F-31f", action.seat, seen=way == "collect", found="during_turn", way=way)]
    if Fault.OUT_OF_TURN not in facts.faults:
        return []
    open_one = facts.open_of(action.seat, _OUT_OF_TURN_DRAWS)
    if open_one is not None:
        return [joined(open_one, facts)]
    if isinstance(action, act.Collect) and _just_discarded(facts, action):
        return []
    row = "F-31a" if isinstance(action, act.Draw) else "F-31d"
    return [new(catalogue, facts, row, action.seat, seen=row == "F-31d")]


def _with_pot_to_play(facts: Facts, action: act.Draw | act.Collect) -> bool:
    """Whether a player takes again who has a pot to play that he took in flight in this turn (art. 31, end)."""
    before, seat = facts.before, action.seat
    pot = None if seat is None else before.pots_taken.get(seat.line)
    if pot is None or Fault.ALREADY_DRAWN not in facts.faults or not before.seen or seat is not before.to_play:
        return False
    return pot.seat is seat and pot.manner == "in-flight" and before.flown


def _just_discarded(facts: Facts, action: act.Collect) -> bool:
    """Whether the hand that has just discarded is still at the pile: the scale trembles, and nobody picks up."""
    before = facts.before
    since = action.committed_t - before.last_out_t
    return action.seat is before.last_out and not before.begun and len(action.cards) == 1 and since < AT_THE_PILE


def _laying(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 31 and 32: who lays cards when it is not his turn, with or without having drawn."""
    if pushed_on(facts, action) is not None:
        return []
    if action.seat is None or not {Fault.OUT_OF_TURN, Fault.AFTER_DISCARD} & set(facts.faults):
        return []
    open_one = facts.open_of(action.seat, _OUT_OF_TURN_DRAWS)
    if open_one is None and (take_unverified(facts) or Fault.OUT_OF_TURN not in facts.faults):
        return []
    if open_one is not None:
        row = _after_playing(open_one.row.id, action)
        melds = with_row(open_one.melds, action.row)
        doubt = _which_was_drawn(open_one, action) if row in ("F-31b", "F-31c") else {}
        return [joined(open_one, facts, row=catalogue.row(row), melds=melds, **doubt)]
    again = facts.open_of(action.seat, ("F-32",))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    if action.confidence < ALONE and "tags" not in action.basis:
        return []  # another seat's arm lay there as well, and may have laid it in its own turn
    played = new(catalogue, facts, "F-32", action.seat, melds=(action.row,), seen=True)
    if not facts.before.begun or action.seat is not facts.before.to_play.partner or "tags" in action.basis:
        return [played]
    passed = replace(played, needs_referee=True, needs=_WHOSE_CARD)  # it stops play by art. 28 as well
    return [replace(passed, severity="note") if action.unread else passed]


def _which_was_drawn(drawn: Irregularity, action: act.Open | act.Extend) -> dict[str, object]:
    """Every reading of a card drawn out of turn that nobody knows: each of those laid since may be it, or none is."""
    if drawn.cards and face(drawn.cards[0]) != UNKNOWN:
        return {}
    fresh = tuple(map(face, action.cards))
    return {"candidates": (*drawn.candidates, *fresh), "needs": _WHICH_CARD}


def _after_playing(row: str, action: act.Open | act.Extend) -> str:
    if row in ("F-31d", "F-31e"):
        return "F-31e"
    return "F-31b" if isinstance(action, act.Open) or row == "F-31b" else "F-31c"


def _laying_in_turn(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 27 and 30: cards laid after the own discard, or before the draw."""
    seat = action.seat
    if seat is None or (action.confidence < ALONE and "tags" not in action.basis):
        return []
    beside = pushed_on(facts, action)
    if beside is not None:
        known = catalogue.row("F-29e")
        return [joined(beside, facts, row=known, melds=(action.row,))] if beside.state == "open" else []
    if Fault.AFTER_DISCARD in facts.faults:
        if facts.open_of(seat, _OUT_OF_TURN_DRAWS) is not None:
            return []
        if _lay_apart(facts, action):
            found = "after_discard_before_next_draw"
            return [new(catalogue, facts, "F-29e", seat, melds=(action.row,), seen=True, found=found)]
        row, found = "F-27a", "after_discard_before_next_draw"
    elif Fault.NOT_DRAWN in facts.faults and not take_unverified(facts):
        row, found = "F-30a", "during_turn"
    else:
        return []
    again = facts.open_of(seat, _MISSED if row == "F-30a" else (row,))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    return [new(catalogue, facts, row, seat, melds=(action.row,), seen=True, found=found)]


def _lay_apart(facts: Facts, action: act.Open | act.Extend) -> bool:
    """Whether the cards lay apart already, one or two of them, laid in his turn: now they are pushed on (art. 29)."""
    before, cards = facts.before, sorted(map(face, action.cards))
    apart = [one for one in before.melds if one.line is action.line and len(one.cards) < before.book.meld_min]
    return isinstance(action, act.Extend) and any(
        one.row != action.row and sorted(map(face, one.cards)) == cards and _laid_by(facts, one.row) is action.seat
        for one in apart
    )


def _laid_by(facts: Facts, row: int) -> Seat | None:
    """Who laid all of meld ``row``; None where several did, or nobody was seen to."""
    seats = {lay.seat for lay in facts.before.changed.get(row, ())}
    return seats.pop() if len(seats) == 1 else None


def _missed_draw(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 30: who discards without having drawn; what then follows the code does not say."""
    seat = action.seat
    if seat is None or seat is not facts.before.to_play or Fault.NOT_DRAWN not in facts.faults:
        return []
    if facts.open_of(seat, _MISSED) is not None or take_unverified(facts):
        return []
    found = "after_discard_before_next_draw"
    return [new(catalogue, facts, "F-30a", seat, seen=True, found=found, needs_referee=True)]
