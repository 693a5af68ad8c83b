"""Arts. 11, 25 to 27: runs put in order by the partner, cards discarded together, cards laid where they may not be.

Melds that are none as they lie are judged when they have come to rest (``melding``).
"""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import SEATS, Seat
from hw.zones import DISCARD, melds, side
from table_service.games.burraco.duties.turns import is_pending
from table_service.games.burraco.judges.facts import Facts, joined, new, pushed_on, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Fault, Phase
from table_service.games.burraco.rules.meld import reading_of
from table_service.games.burraco.rules.places import newcomers
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Irregularity, Sanction

PLAIN: Final = 0.9
"""From this confidence on, who put a run in order may accuse."""
_MISSED: Final = ("F-30a", "F-30b")


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """What is wrong with the melds that the action touches, or with cards that go along with a discard."""
    action = facts.action
    match action:
        case act.Change():
            return _put_in_order(catalogue, facts, action)
        case act.Open() | act.Extend():
            return [*_on_closed_melds(catalogue, facts, action), *_before_penalised(catalogue, facts, action)]
        case act.Discard():
            ended = _at_the_end(catalogue, facts)
            late = [*_two_at_once(catalogue, facts, action), *_virtually_empty(catalogue, facts, action)]
            return [*late, *_withdrawn(catalogue, facts, action), *ended]
    return []


def _put_in_order(catalogue: Catalogue, facts: Facts, action: act.Change) -> list[Irregularity]:
    """Art. 11: the partner of who plays puts a run in order, which is a hint."""
    before, seat = facts.before, action.seat
    if seat is None or action.why != "reordered" or action.confidence < PLAIN or not before.known:
        return []
    if not before.begun or seat is not before.to_play.partner or action.line is not seat.line:
        return []
    lay = before.meld(action.row)
    if lay is None or len(lay.cards) != len(action.result):
        return []
    was, now = tuple(map(face, lay.cards)), tuple(map(face, action.result))
    reading = reading_of(before.book, now)
    if reading is None or reading.kind != "run" or sorted(was) != sorted(now) or was == now:
        return []
    if now != reading.cards or was in (reading.cards, reading.cards[::-1]):
        return []
    return [new(catalogue, facts, "F-11b", seat, cards=(), melds=(action.row,), seen=True)]


def _on_closed_melds(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 27: cards added to a meld that the arbitro has frozen, or to one that is known to be wrong."""
    before = facts.before
    lay = before.meld(action.row)
    if not isinstance(action, act.Extend) or lay is None:
        return []
    seat = before.actor(action.seat)
    thaws = any(one.row == action.row and one.who is seat for one in facts.thaws) and not before.begun
    frozen = lay.frozen != "none" and not thaws
    if not (frozen or action.row in facts.wrong) or pushed_on(facts, action) is not None:
        return []
    if _mends(facts, seat, action.row):
        return []
    again = facts.open_of(seat, ("F-27c",))
    if again is not None and action.row in again.melds:
        return [joined(again, facts)]
    return [new(catalogue, facts, "F-27c", seat, melds=(action.row,), seen=True)]


def _mends(facts: Facts, seat: Seat, row: int) -> bool:
    """Whether ``seat`` may put the meld right: he has laid it wrongly in this very turn (art. 29)."""
    if any(one.meld == row and one.who is seat for one in facts.sanctions):
        return True
    about = [one for one in facts.open if one.offender is seat and row in one.melds]
    return any(one.found == "during_turn" for one in about)


def _before_penalised(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 27: cards laid in the turn of the fault, before its penalised card is discarded."""
    before, seat = facts.before, action.seat
    if seat is None or seat is not before.to_play or not before.begun:
        return []
    owes = [one for one in facts.sanctions if one.who is seat and one.since_turn == before.turn]
    owes = [one for one in owes if not _goes_last(one)]
    if not any(is_pending(one, before) for one in owes) or any(one.meld == action.row for one in owes):
        return []
    again = facts.open_of(seat, ("F-27b",))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    return [new(catalogue, facts, "F-27b", seat, melds=(action.row,), seen=True)]


def _goes_last(one: Sanction) -> bool:
    """Whether the card is discarded at the end of the turn, which is played until then (art. 26, third and fourth)."""
    return one.duty.do == "discard" and one.duty.until == "end-of-own-turn"


def _two_at_once(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 26, fifth case: the card on top is the discard, those beneath it go back and are exposed.

    Which ones they are nobody has seen: they lay hidden, and no tag answers from beneath another card.
    """
    seat = action.seat
    if len(action.cards) < 2 or seat is None or seat is not facts.before.to_play:
        return []
    if DISCARD in facts.before.places.unverified and UNKNOWN in map(face, action.cards):
        return []  # a scale that has been contradicted is no witness of a card that nobody has seen
    return [
        new(
            catalogue,
            facts,
            "F-26e",
            seat,
            cards=(UNKNOWN,) * (len(action.cards) - 1),
            found="after_discard_before_next_draw",
        )
    ]


def _virtually_empty(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 27, last part: his last meld was frozen, nothing was left in his hand, and he has drawn a wild."""
    before, seat = facts.before, facts.before.actor(action.seat)
    if Fault.WILD_DISCARD not in facts.faults or seat is not before.to_play or facts.after.owns(seat):
        return []
    rows = tuple(one.row for one in facts.thawed if one.who is seat)
    alone = before.took == 1 and before.count(seat) == 1 and before.last_play is None
    if not rows or not alone or not (before.sure_of(seat) and facts.after.sure_of(seat)):
        return []
    found = "after_discard_before_next_draw"
    return [new(catalogue, facts, "F-27d", seat, melds=rows, seen=True, found=found)]


def _withdrawn(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 29: who lays one or two cards to open and will not complete them has played them, though he takes them back.

    That he does not complete them is plain when he discards. Whether he meant to open the arbitro asks him.
    """
    before, seat = facts.before, action.seat
    left = newcomers(action.cards, before.withdrawn)
    if seat is None or seat is not before.to_play or not left or melds(seat.line) in before.places.unverified:
        return []
    if any(one.offender is seat and one.t > before.last_out_t for one in facts.told):
        return []  # what he had to take back is known already
    found = "after_discard_before_next_draw"
    return [new(catalogue, facts, "F-29a", seat, cards=left, seen=True, needs_referee=True, found=found)]


def _at_the_end(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """Art. 25: penalised cards that count against a line because the deal is over."""
    before, after = facts.before, facts.after
    if after.phase is not Phase.OVER or before.phase is Phase.OVER:
        return []
    said = []
    for seat in SEATS:
        left = after.at(side(seat))
        if left:
            one = new(catalogue, facts, "F-25d", seat, cards=left, seen=True, found="hand_end", movements=())
            said.append(one)
    return said
